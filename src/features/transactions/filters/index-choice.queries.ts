import { sql, type RawBuilder } from 'kysely';

import type { SqlValue } from '../../../db/engine.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { allOf, conditionsOf, type Condition } from './conditions.queries.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { isCommon, isExact, matchingIds, matchingParts, type SearchMatch } from './search.queries.ts';
import { countUpTo } from '../transactions.queries.ts';

/** A query that finds candidate ids by one index, and how many it finds (at most the cap). */
export interface Candidates {
  ids: RawBuilder<{ id: string }>;
  count: number;
}

const CAP = 5_000;

interface Choice {
  cap?: number;
  /** Whether a range of dates counts as a filter. */
  byDate?: boolean;
  /** Whether a term in very many texts does: these texts must be listed to count its rows. */
  withCommon?: boolean;
}

/**
 * The filter that leaves the fewest rows, if they are few enough to fetch and sort them all; null if every filter
 * matches so often that a walk along the dates soon finds a page. Counting stops at the cap.
 */
export async function mostSelectiveFilter(
  tx: ReadTx,
  filters: ResolvedFilters,
  { cap = CAP, byDate = false, withCommon = true }: Choice = {},
): Promise<Candidates | null> {
  let best: Candidates | null = null;
  for (const { ids, parts } of candidateQueries(tx, filters, { byDate, withCommon })) {
    let count = 0;
    for (const part of parts) if (count <= cap) count += await countUpTo(tx, cap + 1 - count, part);
    if (count <= cap && (best === null || count < best.count)) best = { ids, count };
    if (best?.count === 0) break;
  }
  return best;
}

/** The rows of `transactions t` to look at: the candidates, or all. */
export function rowsFrom({ portable }: ReadTx, few: Candidates | null): RawBuilder<unknown> {
  if (!few) return sql`transactions t`;
  return sql`(${few.ids}) as few ${portable.orderedJoin} transactions t on t.id = few.id`;
}

type Ids = RawBuilder<{ id: string }>;

/** Each with the parts that are counted one by one, because a union is computed whole before its first row. */
function candidateQueries(
  tx: ReadTx,
  filters: ResolvedFilters,
  { byDate, withCommon }: { byDate: boolean; withCommon: boolean },
): { ids: Ids; parts: readonly Ids[] }[] {
  const { portable } = tx;
  const found: { ids: Ids; parts: readonly Ids[] }[] = [];
  const one = (ids: Ids): void => {
    found.push({ ids, parts: [ids] });
  };
  const live = filters.deleted ? sql`deleted_at is not null` : sql`deleted_at is null`;
  const where = (condition: RawBuilder<unknown>): void => {
    one(sql<{ id: string }>`select id from transactions where ${condition}`);
  };
  const listed = (name: string, values: readonly string[] | undefined): void => {
    if (values) where(sql`${portable.inList(sql.ref(name), values)} and ${sql.ref(name)} is not null`);
  };
  if (filters.match && !filters.deleted && (withCommon || !isCommon(filters.match)))
    found.push({ ids: matchingIds(tx, filters.match), parts: matchingParts(tx, filters.match) });
  for (const { ids, isIn } of filters.idSets ?? []) if (isIn) one(ids);
  listed('counterparty_id', filters.counterpartyIds);
  listed('series_id', filters.seriesIds);
  // The index is on the change set that created a row, so the rows of an import are found by that.
  if (filters.importIds) {
    const sets = sql`select change_set_id from imports where ${portable.inList(sql.ref('id'), filters.importIds)}`;
    where(sql`created_change_set_id in (${sets}) and created_change_set_id is not null`);
  }
  for (const tags of [filters.tagsAny, ...(filters.tagsAll ?? []).map((tag) => [tag])]) {
    if (!tags) continue;
    // A row has a tag once.
    if (tags.length === 1) one(sql`select transaction_id as id from transaction_tags where tag_id = ${tags[0]}`);
    else
      one(
        sql`select distinct transaction_id as id from transaction_tags where ${portable.inList(sql.ref('tag_id'), tags)}`,
      );
  }
  if (filters.hasComment === true)
    one(sql`select distinct transaction_id as id from comments where deleted_at is null`);
  if (filters.flagged === true) where(sql`flagged_at is not null`);
  if (filters.pending === true) where(sql`pending = 1`);
  if (filters.deleted) where(live);
  if (filters.updatedSince !== undefined) where(sql`updated_at >= ${filters.updatedSince}`);
  if (filters.amountMin !== undefined || filters.amountMax !== undefined)
    where(sql`${live} and ${amountRange(filters)}`);
  if (filters.absMin !== undefined || filters.absMax !== undefined) where(sql`${live} and ${absoluteRange(filters)}`);
  if (filters.categoryIds) where(sql`${live} and ${portable.inList(sql.ref('category_id'), filters.categoryIds)}`);
  if (filters.uncategorized === true) where(sql`${live} and category_id is null`);
  if (byDate && (filters.dateFrom !== undefined || filters.dateTo !== undefined)) {
    where(sql`${live} and date between ${filters.dateFrom ?? ''} and ${filters.dateTo ?? '9999-12-31'}`);
  }
  return found;
}

function amountRange(filters: ResolvedFilters): RawBuilder<unknown> {
  const bounds = [
    ...(filters.amountMin === undefined ? [] : [sql`amount_cents >= ${filters.amountMin}`]),
    ...(filters.amountMax === undefined ? [] : [sql`amount_cents <= ${filters.amountMax}`]),
  ];
  return sql.join(bounds, sql` and `);
}

/** Both signs as two ranges, so that the index on the amount serves each. */
function absoluteRange(filters: ResolvedFilters): RawBuilder<unknown> {
  const from = filters.absMin ?? 0;
  const to = filters.absMax ?? Number.MAX_SAFE_INTEGER;
  return sql`(amount_cents between ${from} and ${to} or amount_cents between ${-to} and ${-from})`;
}

/** Up to this many values are walked one index range each, and merged. */
export const MERGED_RANGES = 24;

interface Ranges {
  filter: keyof ResolvedFilters;
  column: 'account_id' | 'category_id';
  values: readonly string[];
}

/** A list of accounts or categories has one index range per value, each already in date order. */
export function rangesOf(filters: ResolvedFilters): Ranges | null {
  const { accountIds, categoryIds } = filters;
  if (categoryIds && categoryIds.length >= 1 && categoryIds.length <= MERGED_RANGES && !filters.deleted) {
    return { filter: 'categoryIds', column: 'category_id', values: categoryIds };
  }
  if (accountIds && accountIds.length >= 1 && accountIds.length <= MERGED_RANGES) {
    return { filter: 'accountIds', column: 'account_id', values: accountIds };
  }
  return null;
}

const IN_TEXT_INDEXES: ReadonlySet<keyof ResolvedFilters> = new Set(['match', 'deleted', 'dateFrom', 'dateTo']);

/** Whether there is a search and nothing that the indexes of texts, which have the dates, cannot answer. */
export function isSearchAlone(conditions: readonly Condition[], filters: ResolvedFilters): boolean {
  if (!filters.match || filters.deleted || !isExact(filters.match)) return false;
  return conditions.every(({ filter }) => IN_TEXT_INDEXES.has(filter));
}

/** What identifies the rows of a search, each once, by its indexes alone: these also have the dates. */
export function searched(
  tx: ReadTx,
  match: SearchMatch,
  conditions: readonly Condition[],
  key: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const others = conditions.filter(({ filter }) => filter !== 'match').map((condition) => condition.sql);
  return sql.join(matchingParts(tx, match, others, key), sql` union `);
}

/** Up to this many candidates are fetched and sorted; with more, a walk along the dates is cheaper. */
const FETCHED_ROWS = 40_000;

/** UUIDs of the transactions that match, newest first. */
export async function idsOfMatches(tx: ReadTx, filters: ResolvedFilters): Promise<string[]> {
  const all = conditionsOf(tx, filters);
  const found = filters.match && isSearchAlone(all, filters) ? await idsOfSearch(tx, filters.match, all) : null;
  if (found) return found;
  const few = await mostSelectiveFilter(tx, filters, { cap: FETCHED_ROWS, byDate: true });
  const where = allOf(conditionsOf(tx, filters, few ? 'all' : 'date').map((condition) => condition.sql));
  const query = sql<{
    id: string;
  }>`select t.id from ${rowsFrom(tx, few)} where ${where} order by t.date desc, t.id desc`;
  if (few) return idsOf(await tx.values(query.compile(tx.q)));
  const ids: string[] = [];
  // Row by row, because there may be very many.
  for await (const { id } of tx.iterate(query.compile(tx.q))) ids.push(id);
  return ids;
}

/** The same of a search that its indexes answer; null if it finds too many to sort. */
async function idsOfSearch(tx: ReadTx, match: SearchMatch, conditions: readonly Condition[]): Promise<string[] | null> {
  const most = LIMITS.searchRowsSorted;
  const rows = sql`${searched(tx, match, conditions, sql`t.date, t.id`)} limit ${sql.lit(most + 1)}`;
  const ids = idsOf(await tx.values(sql`select id from (${rows}) as found order by date desc, id desc`.compile(tx.q)));
  return ids.length > most ? null : ids;
}

function idsOf(rows: readonly (readonly SqlValue[])[]): string[] {
  return rows.map(([id]) => id as string);
}
