import type { ReadTx } from '../../../db/unit-of-work.ts';
import { isPeriod, type Period, type SummaryGroup } from '../summary-grouping.contract.ts';
import type { ResolvedFilters } from '../filters/resolve-filters.ts';
import type { CountingOptions } from './counted-parts.queries.ts';
import { periodOfGroup } from './periods.ts';
import { loadNames, type Names } from './summary-names.ts';
import { selectGroups, selectTagGroups } from './totals.queries.ts';
import { compareNullsLast, foldGroups, toTotal, type Dimension, type Group } from './totals.ts';

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
export interface SummaryRow extends Group {
  keys: (string | null)[];
  period: string | null;
}

export interface SummaryRows {
  /** In the order of the answer (10.5.4). */
  rows: SummaryRow[];
  /** Sums of all rows that count, each once, grouped more finely. */
  whole: readonly Group[];
  names: readonly Names[];
  period: Period | null;
}

/** The sums of each group. */
export async function summaryRows(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  by: readonly SummaryGroup[],
): Promise<SummaryRows> {
  const dimensions = [...new Set(by.flatMap((group) => DIMENSIONS[group]))];
  const whole = await selectGroups(tx, filters, options, [...dimensions, 'iso_currency_code']);
  // A transaction with two tags is in two groups, but counts once in the totals.
  const groups = by.includes('tag') ? await selectTagGroups(tx, filters, options, dimensions, whole) : whole;
  const period = by.find(isPeriod) ?? null;
  const names: Names[] = [];
  for (const group of by) if (!isPeriod(group)) names.push(await loadNames(tx, group));
  return { rows: toRows(groups, names, period), whole, names, period };
}

function toRows(groups: readonly Group[], names: readonly Names[], period: Period | null): SummaryRow[] {
  const keyed: SummaryRow[] = groups.map((group) => ({
    ...group,
    keys: names.map((one) => one.keyOf(group)),
    period: period === null ? null : periodOfGroup(group, period),
  }));
  const folded = foldGroups(keyed, (group) => groupKey(group as SummaryRow)) as SummaryRow[];
  return folded.sort(compare);
}

/** What the rows of a group have in common, as text. */
export function groupKey({ keys, period, iso_currency_code: currency }: SummaryRow): string {
  return JSON.stringify([keys, period, currency]);
}

export function describeRow(
  row: SummaryRow,
  names: readonly Names[],
): ReturnType<typeof toTotal> & Record<string, unknown> {
  const parts = names.map((one, index) => one.describe(row.keys[index] ?? null));
  // A top category has a kind, too; its children may be of another one, by which they are grouped.
  const kinds = parts.filter((_, index) => names[index]?.isKind);
  const shown = Object.assign({}, ...parts, ...kinds) as object;
  return { ...shown, ...(row.period === null ? {} : { period: row.period }), ...toTotal(row) };
}

/** Newest period first, then by currency, larger total first, then by the ids in the order of the groups; nulls last. */
function compare(a: SummaryRow, b: SummaryRow): number {
  if (a.period !== b.period) return (a.period ?? '') < (b.period ?? '') ? 1 : -1;
  const byCurrency = compareNullsLast(a.iso_currency_code, b.iso_currency_code);
  if (byCurrency !== 0) return byCurrency;
  if (a.total !== b.total) return a.total < b.total ? 1 : -1;
  return compareKeys(a, b);
}

/** By the ids in the order of the groups; nulls last. */
export function compareKeys(a: SummaryRow, b: SummaryRow): number {
  for (const [index, key] of a.keys.entries()) {
    const byKey = compareNullsLast(key, b.keys[index] ?? null);
    if (byKey !== 0) return byKey;
  }
  return 0;
}
