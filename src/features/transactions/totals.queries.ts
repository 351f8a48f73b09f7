import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { selectCategories } from '../categories/index.ts';
import { allOf, conditionsOf, isOfCategories, type Indexing } from './conditions.queries.ts';
import { narrowest } from './narrowest.queries.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { exact, type Dimension, type Group } from './totals.ts';

export interface CountingOptions {
  includePending: boolean;
  /** Only money out whose category is none, or of a kind other than transfer. */
  spendingOnly: boolean;
}

/** Below this many rows it is cheaper to fetch them than to scan a covering index. */
const FETCHED_ROWS = 40_000;

/** The columns that the indexes begin with, as far as a grouping needs them (migrations 0002, 0005). */
export const TOTALS_INDEX: readonly Dimension[] = [
  'category_id',
  'iso_currency_code',
  'month',
  'account_id',
  'attributed_user_id',
  'date',
];
export const TEXTS_INDEX = ['name_text_id', 'merchant_text_id', 'counterparty_id', 'iso_currency_code'];

/** The sums that every total is made of: of rows `t`, and of the sums of finer groups. Incoming money is negative. */
export const ROW_SUMS = sql`count(*) as count, sum(t.amount_cents) as total,
  sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming`;
export const SUMS_OF_SUMS = sql`cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming`;

/** Sums as they come from the database: exact decimal text, wider than any single amount. */
export interface SumTexts {
  count: number;
  total: string;
  incoming: string | null;
}

/**
 * Sums of the rows that match and count in totals, in the finest grouping asked for. Groups may come in parts: rows
 * that are pending are few and stand outside the covering index, so they are added up by themselves.
 */
export async function selectGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<Group[]> {
  const parts = options.includePending && filters.pending === undefined ? [false, true] : [filters.pending ?? false];
  const groups: Group[] = [];
  for (const pending of parts) groups.push(...(await groupsOf(tx, { ...filters, pending }, options, dimensions)));
  return groups;
}

async function groupsOf(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<Group[]> {
  const rows = await countingRows(tx, filters, options, indexOrderFor(dimensions) === TEXTS_INDEX);
  const columns = namesOf(dimensions);
  const finer = rows.isFew || tx.portable.groupsInAnyOrder ? null : indexOrderFor(dimensions);
  const sums = finer
    ? sql`select ${columns}, ${SUMS_OF_SUMS} from (${groupedRows(rows, finer)}) as finer group by ${columns}`
    : groupedRows(rows, dimensions);
  const found = await sql<Omit<Group, 'total' | 'out'> & SumTexts>`
    select ${columns}, count, cast(total as text) as total, cast(incoming as text) as incoming
    from (${sums}) as sums`.execute(tx.q);
  return found.rows.map(({ total, incoming, ...group }) => ({ ...group, ...exact(total, incoming) }));
}

/** Grouped straight, these would be sorted row by row; in index order there are ten times fewer groups to sort. */
function indexOrderFor(dimensions: readonly Dimension[]): readonly string[] | null {
  const isWithin = (index: readonly string[]): boolean => dimensions.every((one) => index.includes(one));
  if (isWithin(TEXTS_INDEX)) return TEXTS_INDEX;
  return dimensions.includes('date') && isWithin(TOTALS_INDEX) ? TOTALS_INDEX : null;
}

/** The rows of `transactions t` that match and count, as parts of a query. */
export interface CountingRows {
  source: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  /** So few that they are fetched, instead of scanning an index that covers them all. */
  isFew: boolean;
}

/**
 * The one definition of "counts in totals" (contract 10.1.4): live, of a counting account (see resolveFilters), posted
 * unless pending is asked for.
 */
export async function countingRows(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  /** They will be grouped by merchant, in the order of the index that covers those. */
  isByMerchant = false,
): Promise<CountingRows> {
  const few = await narrowest(tx, filters, { cap: FETCHED_ROWS, byDate: true });
  const source = few
    ? sql`(${few.ids}) as few ${tx.portable.orderedJoin} transactions t on t.id = few.id`
    : sql`transactions t`;
  const scanned = isByMerchant && !tx.portable.groupsInAnyOrder ? 'texts' : 'none';
  return { source, where: await countingCondition(tx, filters, options, few ? 'all' : scanned), isFew: few !== null };
}

export async function countingCondition(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  indexing: Indexing,
): Promise<RawBuilder<unknown>> {
  const posted = options.includePending || filters.pending !== undefined ? filters : { ...filters, pending: false };
  const conditions = conditionsOf(tx, posted, indexing).map((condition) => condition.sql);
  if (options.spendingOnly) conditions.push(await spending(tx, indexing));
  return allOf(conditions);
}

/** Sums of rows per value of these columns of `t`. */
export function groupedRows(
  rows: CountingRows,
  names: readonly string[],
  more: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const columns = sql.join(names.map((name) => sql.raw(`t.${name}`)));
  return sql`select ${columns}, ${ROW_SUMS} ${more} from ${rows.source} where ${rows.where} group by ${columns}`;
}

export function namesOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.raw(name)));
}

async function spending(tx: ReadTx, indexing: Indexing): Promise<RawBuilder<unknown>> {
  const transfers = (await selectCategories(tx)).filter((category) => category.kind === 'transfer').map(({ id }) => id);
  if (indexing === 'texts') return sql`t.amount_cents > 0 and not (${isOfCategories(tx, transfers)})`;
  const isTransfer = tx.portable.inList(sql.raw('t.category_id'), transfers);
  return sql`t.amount_cents > 0 and (t.category_id is null or not ${isTransfer})`;
}
