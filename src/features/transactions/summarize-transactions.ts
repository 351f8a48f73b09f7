import { LIMITS } from '../../kernel/limits.ts';
import { mondayOf } from '../../kernel/dates.ts';
import { handleRead } from '../handler.ts';
import { effectiveFilters } from './effective-filters.ts';
import { resolveFilters } from './resolve-filters.ts';
import { selectTagGroups } from './tag-groups.queries.ts';
import { loadNames, type Names } from './summary-names.ts';
import { selectGroups } from './totals.queries.ts';
import { compareNullsLast, foldGroups, toTotal, totalsOf, type Dimension, type Group } from './totals.ts';
import { summarizeTransactions as operation, type SummaryGrouping } from './transactions.contract.ts';

/** The finest rows each grouping needs from the database; prefixes of a covering index need no sort there. */
const DIMENSIONS: Readonly<Record<SummaryGrouping, readonly Dimension[]>> = {
  category: ['category_id', 'iso_currency_code'],
  category_primary: ['category_id', 'iso_currency_code'],
  month: ['category_id', 'iso_currency_code', 'month'],
  category_month: ['category_id', 'iso_currency_code', 'month'],
  week: ['date', 'iso_currency_code'],
  day: ['date', 'iso_currency_code'],
  account: ['category_id', 'iso_currency_code', 'month', 'account_id', 'attributed_user_id'],
  user: ['category_id', 'iso_currency_code', 'month', 'account_id', 'attributed_user_id'],
  counterparty: ['counterparty_id', 'iso_currency_code'],
  tag: ['category_id', 'iso_currency_code'],
};

/** A group under the key it is shown by. */
interface Row extends Group {
  key: string | null;
  period: string | null;
}

export const summarizeTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const filters = await resolveFilters(tx, query, 'exclude');
  const options = { includePending: query.include_pending, spendingOnly: query.spending_only };
  const by = query.group_by;
  const whole = await selectGroups(tx, filters, options, DIMENSIONS[by]);
  // A row with two tags stands in two groups, but counts once in the totals.
  const groups = by === 'tag' ? await selectTagGroups(tx, filters, options, whole) : whole;
  const names = await loadNames(tx, by);
  const rows = toRows(groups, by, names);
  const limit = query.limit ?? LIMITS.summaryRowsDefault;
  return {
    group_by: by,
    summary: rows.slice(0, limit).map((row) => ({ ...names.describe(row.key), ...period(row), ...toTotal(row) })),
    totals: totalsOf(whole),
    row_count: rows.length,
    truncated: rows.length > limit,
    filters: {
      ...effectiveFilters(query, filters),
      include_pending: query.include_pending,
      spending_only: query.spending_only,
    },
  };
});

function toRows(groups: readonly Group[], by: SummaryGrouping, names: Names): Row[] {
  const keyed = groups.map((group) => ({ ...group, key: names.keyOf(group), period: periodOf(group, by) }));
  const folded = foldGroups(keyed, (group) => {
    const { key, period: at, iso_currency_code: currency } = group as Row;
    return JSON.stringify([key, at, currency]);
  }) as Row[];
  return folded.sort(compare);
}

function periodOf(group: Group, by: SummaryGrouping): string | null {
  if (by === 'month' || by === 'category_month') return group.month ?? null;
  if (group.date === undefined) return null;
  return by === 'week' ? mondayOf(group.date) : group.date;
}

function period(row: Row): { period?: string } {
  return row.period === null ? {} : { period: row.period };
}

/** Newest period first, then currency, then the larger total, then id; nulls last. */
function compare(a: Row, b: Row): number {
  if (a.period !== b.period) return (a.period ?? '') < (b.period ?? '') ? 1 : -1;
  const byCurrency = compareNullsLast(a.iso_currency_code, b.iso_currency_code);
  if (byCurrency !== 0) return byCurrency;
  if (a.total !== b.total) return a.total < b.total ? 1 : -1;
  return compareNullsLast(a.key, b.key);
}
