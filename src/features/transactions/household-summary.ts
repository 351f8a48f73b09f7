import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly } from '../../kernel/dates.ts';
import { fieldFault } from '../../kernel/errors.ts';
import { formatCents, percentText } from '../../kernel/money.ts';
import type { TransactionFilters } from './filters.contract.ts';
import { effectiveFilters, resolveFilters, type ResolvedFilters, type Spending } from './filters/resolve-filters.ts';
import { isPeriod, type SummaryGrouping } from './summary-grouping.contract.ts';
import { comparedDays } from './totals/compared-days.ts';
import { averagedTotals } from './totals/periods.ts';
import {
  compareKeys,
  describeRow,
  groupKey,
  summaryRows,
  type SummaryRow,
  type SummaryRows,
} from './totals/summary-rows.ts';
import { compareNullsLast, totalGroups, totalsOf, toTotal, type Group, type TotalRecord } from './totals/totals.ts';

/** What agents ask of a summary besides the shared filters (contract 70.3). */
export interface HouseholdSummaryAsked {
  filters: TransactionFilters;
  groupBy: SummaryGrouping;
  includePending: boolean;
  spending: Spending | null;
  compareTo: string | undefined;
  /** Of each currency. */
  limit: number;
  today: DateOnly;
}

type Fields = Record<string, unknown>;
type Sums = Fields & { money_in: string };

export interface HouseholdSummary {
  summary: Sums[];
  totals: (TotalRecord & object)[];
  row_count: number;
  truncated: boolean;
  filters: Fields;
}

/** Sums as a household asks for them: compared with other days, or averaged over the periods that are over. */
export async function householdSummary(tx: ReadTx, asked: HouseholdSummaryAsked): Promise<HouseholdSummary> {
  const { filters: given, groupBy, spending, compareTo, today } = asked;
  const filters = await resolveFilters(tx, given, 'exclude', spending);
  const effective = effectiveFilters(given, filters);
  if (compareTo !== undefined) return comparison(tx, asked, { filters, effective, compareTo });
  const found = await summaryRows(tx, filters, asked, groupBy.groups);
  const totals =
    found.period === null ? totalsOf(found.whole) : averagedTotals(found.whole, found.period, filters, today);
  const rows = found.rows.map((row) => ({ ...row, shown: describeRow(row, found.names) }));
  return { ...firstOfEachCurrency(rows, asked.limit), totals, filters: effective };
}

/** Rows that have been put in order, as many of each currency as asked for. */
function firstOfEachCurrency(
  rows: readonly (Pick<Group, 'iso_currency_code'> & { shown: Sums })[],
  limit: number,
): Pick<HouseholdSummary, 'summary' | 'row_count' | 'truncated'> {
  const counts = new Map<string | null, number>();
  const first = rows.filter(({ iso_currency_code: currency }) => {
    const count = (counts.get(currency) ?? 0) + 1;
    counts.set(currency, count);
    return count <= limit;
  });
  return { summary: first.map(({ shown }) => shown), row_count: rows.length, truncated: first.length < rows.length };
}

interface Compared {
  filters: ResolvedFilters;
  effective: Fields;
  compareTo: string;
}

/** The groups of both ranges of days, the largest change of each currency first. @throws VALIDATION_ERROR */
async function comparison(
  tx: ReadTx,
  asked: HouseholdSummaryAsked,
  { filters, effective, compareTo }: Compared,
): Promise<HouseholdSummary> {
  const { groups: by } = asked.groupBy;
  if (by.some(isPeriod)) throw fieldFault('compare_to', 'cannot be combined with a period in group_by');
  const [range, other] = comparedDays(filters, compareTo, asked.today);
  const within = (days: typeof range): Promise<SummaryRows> =>
    summaryRows(tx, { ...filters, dateFrom: days.from, dateTo: days.to }, asked, by);
  const [now, then] = [await within(range), await within(other)];
  const pairs = paired(now.rows, then.rows, groupKey);
  pairs.sort(byChange);
  const rows = pairs.map(({ row, before }) => ({
    ...row,
    shown: { ...describeRow(row, now.names), compared: changeOf(row, before) },
  }));
  const totals = paired(totalGroups(now.whole), totalGroups(then.whole), ({ iso_currency_code: code }) => code ?? '')
    .sort((a, b) => compareNullsLast(a.row.iso_currency_code, b.row.iso_currency_code))
    .map(({ row, before }) => ({ ...toTotal(row), compared: changeOf(row, before) }));
  return {
    ...firstOfEachCurrency(rows, asked.limit),
    totals,
    filters: { ...effective, date_from: range.from, date_to: range.to, compare_to: `${other.from}..${other.to}` },
  };
}

interface Pair<G extends Group = Group> {
  row: G;
  before: Group;
}

/** Groups of one side alone are there, too, with nothing on the other. */
function paired<G extends Group>(now: readonly G[], then: readonly G[], keyOf: (group: G) => string): Pair<G>[] {
  const nothing = { count: 0, total: 0n, out: 0n };
  const former = new Map(then.map((group) => [keyOf(group), group]));
  const pairs = now.map((row) => ({ row, before: former.get(keyOf(row)) ?? { ...row, ...nothing } }));
  const current = new Set(now.map(keyOf));
  const gone = then.filter((group) => !current.has(keyOf(group)));
  return [...pairs, ...gone.map((before) => ({ row: { ...before, ...nothing }, before }))];
}

function changeOf(row: Group, before: Group): object {
  const change = row.total - before.total;
  return {
    transaction_count: before.count,
    total_amount: formatCents(before.total),
    change: formatCents(change),
    percent: percentText(change, before.total),
  };
}

/** By currency, then by the size of the change, then by the ids in the order of the groups; nulls last. */
function byChange(a: Pair<SummaryRow>, b: Pair<SummaryRow>): number {
  const byCurrency = compareNullsLast(a.row.iso_currency_code, b.row.iso_currency_code);
  if (byCurrency !== 0) return byCurrency;
  const [one, other] = [a, b].map(({ row, before }) => row.total - before.total) as [bigint, bigint];
  const sizes = [one, other].map((change) => (change < 0n ? -change : change)) as [bigint, bigint];
  if (sizes[0] !== sizes[1]) return sizes[0] < sizes[1] ? 1 : -1;
  return compareKeys(a.row, b.row);
}
