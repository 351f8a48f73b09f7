import type { ReadTx } from '../../db/unit-of-work.ts';
import { dayNumber, mondayOf, type DateOnly } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { averageCents, formatCents } from '../../kernel/money.ts';
import { handleRead } from '../handler.ts';
import { effectiveFilters, resolveFilters } from './filters/resolve-filters.ts';
import { isPeriod, type Period, type SummaryGroup } from './summary-grouping.contract.ts';
import { loadNames, type Names } from './totals/summary-names.ts';
import { selectGroups, selectTagGroups } from './totals/totals.queries.ts';
import {
  compareNullsLast,
  foldGroups,
  totalGroups,
  totalsOf,
  toTotal,
  type Dimension,
  type Group,
  type TotalRecord,
} from './totals/totals.ts';
import { summarizeTransactions as operation } from './transactions.contract.ts';

/** The columns by which the database groups. Tags are in a table of their own. */
const DIMENSIONS: Readonly<Record<SummaryGroup, readonly Dimension[]>> = {
  category: ['category_id'],
  category_primary: ['category_id'],
  kind: ['category_id'],
  month: ['month'],
  year: ['month'],
  week: ['date'],
  day: ['date'],
  account: ['account_id'],
  user: ['account_id', 'attributed_user_id'],
  counterparty: ['counterparty_id'],
  tag: [],
};

/** Sums with the keys of their group. */
interface Row extends Group {
  keys: (string | null)[];
  period: string | null;
}

export const summarizeTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const filters = await resolveFilters(tx, query, 'exclude');
  const options = { includePending: query.include_pending, spendingOnly: query.spending_only };
  const { text, groups: by } = query.group_by;
  const dimensions = [...new Set(by.flatMap((group) => DIMENSIONS[group]))];
  const whole = await selectGroups(tx, filters, options, [...dimensions, 'iso_currency_code']);
  // A transaction with two tags is in two groups, but counts once in the totals.
  const groups = by.includes('tag') ? await selectTagGroups(tx, filters, options, dimensions, whole) : whole;
  const period = by.find(isPeriod) ?? null;
  const names = await namesOfGroups(tx, by);
  const rows = toRows(groups, names, period);
  return {
    group_by: text,
    summary: rows.slice(0, query.limit ?? LIMITS.summaryRowsDefault).map((row) => describe(row, names)),
    totals: period === null ? totalsOf(whole) : averagedTotals(whole, period, filters),
    row_count: rows.length,
    truncated: rows.length > (query.limit ?? LIMITS.summaryRowsDefault),
    filters: {
      ...effectiveFilters(query, filters),
      include_pending: query.include_pending,
      spending_only: query.spending_only,
    },
  };
});

async function namesOfGroups(tx: ReadTx, by: readonly SummaryGroup[]): Promise<Names[]> {
  const names: Names[] = [];
  for (const group of by) if (!isPeriod(group)) names.push(await loadNames(tx, group));
  return names;
}

function toRows(groups: readonly Group[], names: readonly Names[], period: Period | null): Row[] {
  const keyed: Row[] = groups.map((group) => ({
    ...group,
    keys: names.map((one) => one.keyOf(group)),
    period: period === null ? null : periodOfGroup(group, period),
  }));
  const folded = foldGroups(keyed, (group) => {
    const { keys, period: at, iso_currency_code: currency } = group as Row;
    return JSON.stringify([keys, at, currency]);
  }) as Row[];
  return folded.sort(compare);
}

function describe(row: Row, names: readonly Names[]): ReturnType<typeof toTotal> & Record<string, unknown> {
  const parts = names.map((one, index) => one.describe(row.keys[index] ?? null));
  // A top category has a kind, too; its children may be of another one, by which they are grouped.
  const kinds = parts.filter((_, index) => names[index]?.isKind);
  const shown = Object.assign({}, ...parts, ...kinds) as object;
  return { ...shown, ...(row.period === null ? {} : { period: row.period }), ...toTotal(row) };
}

/** Newest period first, then by currency, larger total first, then by the ids in the order of the groups; nulls last. */
function compare(a: Row, b: Row): number {
  if (a.period !== b.period) return (a.period ?? '') < (b.period ?? '') ? 1 : -1;
  const byCurrency = compareNullsLast(a.iso_currency_code, b.iso_currency_code);
  if (byCurrency !== 0) return byCurrency;
  if (a.total !== b.total) return a.total < b.total ? 1 : -1;
  for (const [index, key] of a.keys.entries()) {
    const byKey = compareNullsLast(key, b.keys[index] ?? null);
    if (byKey !== 0) return byKey;
  }
  return 0;
}

/** The period of a date, or of a month as YYYY-MM. */
function periodOf(at: DateOnly, period: Period): string {
  if (period === 'year') return at.slice(0, 4);
  if (period === 'month') return at.slice(0, 7);
  return period === 'week' ? mondayOf(at) : at;
}

/** Groups by day and week have a date, the others a month. */
function periodOfGroup(group: Group, period: Period): string {
  return periodOf((group.date ?? group.month) as string, period);
}

interface AverageTotal extends TotalRecord {
  period_count: number;
  average_amount: string;
}

/**
 * One total per currency with its average per period (10.5.4). Where the filter has no date, the first or last row of
 * that currency counts.
 */
function averagedTotals(
  groups: readonly Group[],
  period: Period,
  filter: { dateFrom?: DateOnly; dateTo?: DateOnly },
): AverageTotal[] {
  return totalGroups(groups).map((total) => {
    const found = groups
      .filter((group) => group.iso_currency_code === total.iso_currency_code)
      .map((group) => periodOfGroup(group, period))
      .sort();
    const first = filter.dateFrom === undefined ? (found[0] as string) : periodOf(filter.dateFrom, period);
    const last = filter.dateTo === undefined ? (found.at(-1) as string) : periodOf(filter.dateTo, period);
    const count = periodNumber(last, period) - periodNumber(first, period) + 1;
    return {
      ...toTotal(total),
      period_count: count,
      average_amount: formatCents(averageCents(total.total, BigInt(count))),
    };
  });
}

/** Consecutive periods have consecutive numbers. */
function periodNumber(at: string, period: Period): number {
  if (period === 'year') return Number(at);
  if (period === 'month') return Number(at.slice(0, 4)) * 12 + Number(at.slice(5, 7));
  return period === 'week' ? Math.floor(dayNumber(at) / 7) : dayNumber(at);
}
