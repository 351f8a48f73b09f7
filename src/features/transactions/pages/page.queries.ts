import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { Position } from '../../../kernel/cursor.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { allOf, conditionsOf, type Condition } from '../filters/conditions.queries.ts';
import { QUICK_FILTERS } from '../filters.contract.ts';
import { firstMatches } from './first-matches.queries.ts';
import {
  isSearchAlone,
  MERGED_RANGES,
  mostSelectiveFilter,
  rangesOf,
  type Candidates,
} from '../filters/index-choice.queries.ts';
import { parseFields, RECORD_JOINS, recordJson, type FieldName } from './record.queries.ts';
import type { ResolvedFilters } from '../filters/resolve-filters.ts';
import { isCommon, type SearchMatch } from '../filters/search.queries.ts';

interface PageRow {
  id: string;
  date: string;
  json: string;
}

/** A page to find: which rows, in which order, from where on. */
interface Page {
  filters: ResolvedFilters;
  conditions: readonly Condition[];
  order: 'asc' | 'desc';
  after: readonly RawBuilder<unknown>[];
  /** `order by` and `limit`. */
  ordered: RawBuilder<unknown>;
  count: number;
}

interface WantedPage {
  fields: readonly FieldName[];
  order: 'asc' | 'desc';
  /** The page begins after it; null for the first one. */
  position: Position | null;
  count: number;
}

/** One page in date order. */
export async function selectPage(
  tx: ReadTx,
  filters: ResolvedFilters,
  { fields, order, position, count }: WantedPage,
): Promise<PageRow[]> {
  const way = sql.raw(order);
  const ids = await pageIds(tx, {
    filters,
    conditions: conditionsOf(tx, filters, 'all'),
    order,
    after: position ? [afterPosition(position, order)] : [],
    ordered: sql`order by t.date ${way}, t.id ${way} limit ${sql.lit(count)}`,
    count,
  });
  const { rows } = await sql<PageRow>`
    with page as materialized (${ids})
    select t.id, t.date, ${recordJson(tx, fields)} as json
    from page ${tx.portable.orderedJoin} transactions t on t.id = page.id ${sql.raw(RECORD_JOINS)}
    order by t.date ${way}, t.id ${way}`.execute(tx.q);
  return rows;
}

/**
 * The ids of a page, found in the cheapest of four ways: a walk along the dates, the texts of a search merged, few
 * candidates sorted, or, before many are sorted, a short walk that may already fill the page.
 */
async function pageIds(tx: ReadTx, page: Page): Promise<RawBuilder<unknown>> {
  const { filters, conditions, after, ordered } = page;
  if (isOneRange(page)) return tx.portable.forAnyValues(tx, walk(tx, page));
  if (conditions.every((condition) => isWalked(condition.filter, filters)))
    return tx.portable.settled(tx, walk(tx, page));
  const isAlone = isSearchAlone(conditions, filters);
  if (isAlone && !isCommon(filters.match as SearchMatch)) return mergedTexts(tx, page);
  const quick = isAlone ? null : await mostSelectiveFilter(tx, filters, { withCommon: false });
  // Rows of an account or category lie together: all of them are walked before a few thousand others are fetched.
  // Without a search there are no other candidates to hope for, so a short walk first would only be walked again.
  const isWalk = rangesOf(filters) !== null || !filters.match || filters.deleted;
  if (!quick && !isAlone && isWalk) return tx.portable.settled(tx, walk(tx, page));
  const tried =
    quick && quick.count <= LIMITS.pageRowsSorted ? null : await shortWalk(tx, page, rowsTried(filters, quick));
  if (tried) return tried;
  const few = quick ?? (isAlone ? null : await mostSelectiveFilter(tx, filters));
  if (few) {
    const all = allOf([...conditions.map((condition) => condition.sql), ...after]);
    return tx.portable.settled(
      tx,
      sql`with few as materialized (${few.ids}) select t.id, t.date from few
      ${tx.portable.orderedJoin} transactions t on t.id = few.id where ${all} ${ordered}`,
    );
  }
  return mergedTexts(tx, page);
}

/** Whether the page is the start of one range of an index, and all of it: no other plan can be better. */
function isOneRange({ filters, conditions }: Page): boolean {
  const range = rangesOf(filters);
  if (filters.deleted || (range && range.values.length > 1)) return false;
  return conditions.every(({ filter }) => BOUNDS.has(filter) || filter === 'deleted' || filter === range?.filter);
}

/** The first rows with one of the texts of the search; the other conditions are checked row by row. */
async function mergedTexts(
  tx: ReadTx,
  { filters, conditions, after, order, count }: Page,
): Promise<RawBuilder<unknown>> {
  const isAlone = isSearchAlone(conditions, filters);
  const others = conditionsOf(tx, filters, 'date').filter(({ filter }) => !(isAlone && filter === 'match'));
  const where = [...others.map((condition) => condition.sql), ...after];
  return listed(tx, await firstMatches(tx, filters.match as SearchMatch, { where, order, count }));
}

function listed({ portable }: ReadTx, ids: readonly string[]): RawBuilder<unknown> {
  return ids.length === 0 ? NOTHING : sql`select v.value as id from ${portable.listed(ids)}`;
}

const NOTHING = sql`select id from transactions where 1 = 0`;

/** The index ranges that a walk follows, as conditions: some accounts or categories, or all rows. */
function rangeConditions(filters: ResolvedFilters): RawBuilder<unknown>[] {
  const ranges = rangesOf(filters);
  return ranges ? ranges.values.map((value) => sql`${sql.ref(`t.${ranges.column}`)} = ${value}`) : [sql`1 = 1`];
}

/** A walk in date order along the merged ranges, each as far as its condition in `ends` says. */
function walk(
  tx: ReadTx,
  { filters, after, ordered }: Page,
  ends: readonly (RawBuilder<unknown> | undefined)[] = [],
): RawBuilder<unknown> {
  const isRange = rangesOf(filters)?.filter;
  const others = conditionsOf(tx, filters, 'date').flatMap((one) => (one.filter === isRange ? [] : [one.sql]));
  const [first, ...more] = rangeConditions(filters).map((range, index) => {
    const end = ends[index];
    const where = allOf([range, ...others, ...after, ...(end ? [end] : [])]);
    return sql`select t.id, t.date from transactions t where ${where} ${ordered}`;
  });
  if (more.length === 0) return first ?? NOTHING;
  const parts = [first, ...more].map((part) => sql`select * from (${part}) as part`);
  return sql`select t.id, t.date from (${sql.join(parts, sql` union all `)}) as t ${ordered}`;
}

/** So many rows are walked in less time than it takes to fetch and sort one, unless their texts have to be compared. */
const WALKED_PER_SORTED = 4;

/** How far a short walk may go: the alternative to sorting few candidates costs the more, the more they are. */
function rowsTried({ match }: ResolvedFilters, few: Candidates | null): number {
  return match ? LIMITS.pageRowsTried : Math.max(LIMITS.pageRowsTried, WALKED_PER_SORTED * (few?.count ?? 0));
}

/** The page, if it is filled by the first rows along the dates, or if these are all; otherwise null. */
async function shortWalk(tx: ReadTx, page: Page, most: number): Promise<RawBuilder<unknown> | null> {
  const ends = await endsOf(tx, page, most);
  const { rows } = await sql<{ id: string }>`${walk(tx, page, ends)}`.execute(tx.q);
  const isWhole = rows.length >= page.count || ends.length === 0;
  return isWhole
    ? listed(
        tx,
        rows.map(({ id }) => id),
      )
    : null;
}

/** Where so many rows of each range end, as conditions by the number of the range. */
async function endsOf(
  tx: ReadTx,
  { filters, order, after }: Page,
  most: number,
): Promise<(RawBuilder<unknown> | undefined)[]> {
  const way = sql.raw(order);
  const ranges = rangeConditions(filters);
  // Deleted rows are in the index of accounts, whose entries do not tell.
  const isTold = rangesOf(filters)?.column !== 'account_id';
  const bounds = conditionsOf(tx, filters, 'date').filter(
    ({ filter }) => BOUNDS.has(filter) || (filter === 'deleted' && isTold),
  );
  const lasts = ranges.map((range, index) => {
    const where = allOf([range, ...bounds.map((bound) => bound.sql), ...after]);
    return sql`select * from (select ${sql.lit(index)} as place, t.date as key, t.id from transactions t where ${where}
      order by t.date ${way}, t.id ${way} limit 1 offset ${sql.lit(Math.floor(most / ranges.length))}) as part`;
  });
  const { rows } = await sql<Position & { place: number }>`${sql.join(lasts, sql` union all `)}`.execute(tx.q);
  const ends: (RawBuilder<unknown> | undefined)[] = [];
  for (const { place, key, id } of rows) {
    ends[place] = order === 'asc' ? sql`(t.date, t.id) <= (${key}, ${id})` : sql`(t.date, t.id) >= (${key}, ${id})`;
  }
  return ends;
}

const BOUNDS: ReadonlySet<keyof ResolvedFilters> = new Set(['dateFrom', 'dateTo']);

/** Whether a walk in date order is enough to answer a filter. */
function isWalked(filter: keyof ResolvedFilters, filters: ResolvedFilters): boolean {
  const by = filter in QUICK_FILTERS ? QUICK_FILTERS[filter as keyof typeof QUICK_FILTERS].by : null;
  if (by !== 'ranges') return by === 'walk';
  const values = filters[filter] as readonly string[] | undefined;
  return (values?.length ?? 0) <= MERGED_RANGES;
}

function afterPosition({ key, id }: Position, order: 'asc' | 'desc'): RawBuilder<unknown> {
  return order === 'asc' ? sql`(t.date, t.id) > (${key}, ${id})` : sql`(t.date, t.id) < (${key}, ${id})`;
}

/** The newest live transactions of an account as JSON texts of full records, date then id descending. */
export async function recentTransactionsJson(tx: ReadTx, accountId: string, count: number): Promise<string[]> {
  const filters = { deleted: false, accountIds: [accountId] };
  const page = { fields: parseFields(undefined), order: 'desc', position: null, count } as const;
  const rows = await selectPage(tx, filters, page);
  return rows.map((row) => row.json);
}
