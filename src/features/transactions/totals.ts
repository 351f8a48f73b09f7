import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { formatCents } from '../../kernel/money.ts';
import { selectCategories } from '../categories/index.ts';
import { allOf, conditionsOf } from './conditions.ts';
import { narrowest } from './narrowest.ts';
import type { ResolvedFilters } from './resolve-filters.ts';

/** What the rows of a total may be grouped by, in the order of the index that covers it. */
export const DIMENSIONS = ['category_id', 'iso_currency_code', 'month', 'account_id', 'attributed_user_id'] as const;
export type Dimension = (typeof DIMENSIONS)[number] | 'date' | 'counterparty_id' | 'tag_id';

/** Exact sums of one group of rows. */
export interface Group {
  category_id?: string | null;
  iso_currency_code: string | null;
  month?: string;
  account_id?: string;
  attributed_user_id?: string | null;
  date?: string;
  counterparty_id?: string | null;
  tag_id?: string | null;
  count: number;
  total: bigint;
  out: bigint;
}

export interface CountingOptions {
  includePending: boolean;
  /** Only money out whose category is none, or of a kind other than transfer. */
  spendingOnly: boolean;
}

/** The shape of `Total` (contract 10.5.3). */
export interface TotalRecord {
  iso_currency_code: string | null;
  transaction_count: number;
  total_amount: string;
  money_out: string;
  money_in: string;
}

/** Below this many rows it is cheaper to fetch them than to scan the covering index. */
const FETCHED_ROWS = 40_000;

/**
 * Sums of the rows that match and count in totals (contract 10.1.4), in the finest grouping asked for. This is the
 * one definition of "counts": live, of a counting account (see resolveFilters), posted unless pending is asked for.
 */
export async function selectGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<Group[]> {
  const few = await narrowest(tx, filters, { cap: FETCHED_ROWS, byDate: true });
  const conditions = conditionsOf(tx, filters, few ? 'all' : 'none').map((condition) => condition.sql);
  if (!options.includePending && filters.pending === undefined) conditions.push(sql`t.pending = 0`);
  if (options.spendingOnly) conditions.push(await spending(tx));
  const source = few
    ? sql`(${few.ids}) as few ${tx.portable.orderedJoin} transactions t on t.id = few.id`
    : sql`transactions t`;
  const withTags = dimensions.includes('tag_id')
    ? sql`left join transaction_tags tt on tt.transaction_id = t.id`
    : sql``;
  const columns = sql.join(dimensions.map(column));
  const outgoing = sql`case when t.amount_cents > 0 then t.amount_cents else 0 end`;
  const { rows } = await sql<Omit<Group, 'total' | 'out'> & { total: string; out: string }>`
    select ${columns}, count(*) as count, ${tx.portable.exactSum(sql`t.amount_cents`)} as total,
      ${tx.portable.exactSum(outgoing)} as out
    from ${source} ${withTags} where ${allOf(conditions)} group by ${columns}`.execute(tx.q);
  return rows.map((row) => ({ ...row, total: BigInt(row.total), out: BigInt(row.out) }));
}

function column(dimension: Dimension): RawBuilder<unknown> {
  return dimension === 'tag_id' ? sql.raw('tt.tag_id') : sql.raw(`t.${dimension}`);
}

async function spending(tx: ReadTx): Promise<RawBuilder<unknown>> {
  const transfers = (await selectCategories(tx)).filter((category) => category.kind === 'transfer').map(({ id }) => id);
  const isTransfer = tx.portable.inList(sql.raw('t.category_id'), transfers);
  return sql`t.amount_cents > 0 and (t.category_id is null or not ${isTransfer})`;
}

/** Groups added up under a key; the key of the first one found stands for all. */
export function foldGroups(groups: Iterable<Group>, keyOf: (group: Group) => string): Group[] {
  const sums = new Map<string, Group>();
  for (const group of groups) {
    const key = keyOf(group);
    const sum = sums.get(key);
    if (sum) {
      sum.count += group.count;
      sum.total += group.total;
      sum.out += group.out;
    } else sums.set(key, { ...group });
  }
  return [...sums.values()];
}

export function toTotal(group: Group): TotalRecord {
  return {
    iso_currency_code: group.iso_currency_code,
    transaction_count: group.count,
    total_amount: formatCents(group.total),
    money_out: formatCents(group.out),
    money_in: formatCents(group.out - group.total),
  };
}

/** One total per currency, code ascending, null last. */
export function totalsOf(groups: Iterable<Group>): TotalRecord[] {
  return foldGroups(groups, (group) => group.iso_currency_code ?? '')
    .sort((a, b) => compareNullsLast(a.iso_currency_code, b.iso_currency_code))
    .map(toTotal);
}

export function compareNullsLast(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
