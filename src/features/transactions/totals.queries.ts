import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { selectCategories } from '../categories/index.ts';
import { allOf, conditionsOf, isOfCategories, type Indexing } from './conditions.queries.ts';
import { mostSelectiveFilter, rowsFrom } from './index-choice.queries.ts';
import { resolveFilters, type ResolvedFilters } from './resolve-filters.ts';
import {
  compareNullsLast,
  exact,
  foldGroups,
  toTotal,
  type Dimension,
  type Group,
  type TotalRecord,
} from './totals.ts';

export interface CountingOptions {
  includePending: boolean;
  /** Counts only money out, and leaves out categories of the kind transfer. */
  spendingOnly: boolean;
}

/** Up to this many rows are cheaper to fetch than to find by a scan of a covering index. */
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

/** The sums behind every total: of rows `t`, and of the sums of finer groups. Incoming money is negative. */
const ROW_SUMS = sql`count(*) as count, sum(t.amount_cents) as total,
  sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming`;
export const SUMS_OF_SUMS = sql`cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming`;

/** Sums as the database returns them: exact decimal text, because they can be wider than a safe integer. */
export interface SumTexts {
  count: number;
  total: string;
  incoming: string | null;
}

/**
 * Sums of the rows that match and count in totals. A group may occur twice: pending rows are few and outside the
 * covering index, so they are summed separately.
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

/** Grouped directly, each row would be sorted; grouped in index order first, ten times fewer groups are. */
function indexOrderFor(dimensions: readonly Dimension[]): readonly string[] | null {
  const isWithin = (index: readonly string[]): boolean => dimensions.every((one) => index.includes(one));
  if (isWithin(TEXTS_INDEX)) return TEXTS_INDEX;
  return dimensions.includes('date') && isWithin(TOTALS_INDEX) ? TOTALS_INDEX : null;
}

/** The rows of `transactions t` that match and count, as parts of a query. */
interface CountingRows {
  source: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  /** Whether they are few enough to be fetched, instead of scanning an index that covers all rows. */
  isFew: boolean;
}

/**
 * The one definition of "counts in totals" (contract 10.1.4): live, in an account that counts (see resolveFilters),
 * and posted unless pending rows are asked for.
 */
export async function countingRows(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  /** Whether they will be grouped by merchant, in the order of the index that covers merchants. */
  isByMerchant = false,
): Promise<CountingRows> {
  const few = await mostSelectiveFilter(tx, filters, { cap: FETCHED_ROWS, byDate: true });
  const scanned = isByMerchant && !tx.portable.groupsInAnyOrder ? 'texts' : 'none';
  return {
    source: rowsFrom(tx, few),
    where: await countingCondition(tx, filters, options, few ? 'all' : scanned),
    isFew: few !== null,
  };
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

/**
 * Sums per tag and the other dimensions. A row with two tags is in two groups. Rows without a tag are the whole minus
 * the tagged rows, which are fewer.
 * @param dimensions what else the sums are grouped by, besides the currency
 * @param whole sums of all rows that count, grouped at least as finely
 */
export async function selectTagGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
  whole: readonly Group[],
): Promise<Group[]> {
  const tagged = await taggedGroups(tx, filters, options, dimensions);
  const once = tagged.filter((group) => group.isFirst).map(negative);
  const key = (group: Group): string =>
    JSON.stringify([group.iso_currency_code, ...dimensions.map((one) => group[one] ?? null)]);
  const untagged = foldGroups([...whole, ...once], key)
    .filter((group) => group.count > 0)
    .map((group) => ({ ...group, tag_id: null }));
  return [...tagged, ...untagged];
}

interface TaggedGroup extends Group {
  /** Whether this is the first tag of its rows: every tagged row is in exactly one such group. */
  isFirst: boolean;
}

async function taggedGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<TaggedGroup[]> {
  const { source, where, isFew } = await countingRows(tx, filters, options);
  const { orderedJoin } = tx.portable;
  const rows = isFew
    ? sql`${source} ${orderedJoin} transaction_tags tt on tt.transaction_id = t.id`
    : sql`transaction_tags tt ${orderedJoin} transactions t on t.id = tt.transaction_id`;
  const isLater = sql`exists (select 1 from transaction_tags other
    where other.transaction_id = tt.transaction_id and other.tag_id < tt.tag_id)`;
  const columns = sql.join(['tt.tag_id', ...dimensions.map((one) => `t.${one}`)].map((name) => sql.raw(name)));
  const found = await sql<Omit<Group, 'total' | 'out'> & { is_later: 0 | 1 } & SumTexts>`
    select ${namesOf(['tag_id', ...dimensions])}, iso_currency_code, is_later, count, cast(total as text) as total,
      cast(incoming as text) as incoming
    from (select ${columns}, t.iso_currency_code, case when ${isLater} then 1 else 0 end as is_later, ${ROW_SUMS}
      from ${rows} where ${where} group by ${columns}, t.iso_currency_code, is_later) as sums`.execute(tx.q);
  return found.rows.map(({ total, incoming, is_later, ...group }) => ({
    ...group,
    ...exact(total, incoming),
    isFirst: is_later === 0,
  }));
}

function negative(group: Group): Group {
  return { ...group, count: -group.count, total: -group.total, out: -group.out };
}

/** A total of a counterparty, with the days of the first and last row in it. */
export interface DatedTotal extends TotalRecord {
  first_date: string;
  last_date: string;
}

const NO_FILTERS = { include_children: true, search_mode: 'contains' } as const;

/** One total per currency over the rows bound to exactly this counterparty that count in totals (contract 10.12). */
export async function totalsOfCounterparty(tx: ReadTx, id: string): Promise<DatedTotal[]> {
  const filters = { ...(await resolveFilters(tx, NO_FILTERS, 'exclude')), counterpartyIds: [id] };
  const options = { includePending: false, spendingOnly: false };
  const where = await countingCondition(tx, filters, options, 'all');
  const dates = sql`, min(t.date) as first_date, max(t.date) as last_date`;
  // The index on the counterparty finds them faster than a scan, however many there are.
  const sums = groupedRows({ source: sql`transactions t`, where, isFew: true }, ['iso_currency_code'], dates);
  const { rows } = await sql<Sums>`
    select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming, first_date,
      last_date
    from (${sums}) as sums`.execute(tx.q);
  return rows
    .sort((a, b) => compareNullsLast(a.iso_currency_code, b.iso_currency_code))
    .map(({ total, incoming, first_date, last_date, ...group }) => ({
      ...toTotal({ ...group, ...exact(total, incoming) }),
      first_date,
      last_date,
    }));
}

type Sums = SumTexts & Pick<DatedTotal, 'iso_currency_code' | 'first_date' | 'last_date'>;
