import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { matchingIds, matchingParts } from './search.queries.ts';
import { countUpTo } from './transactions.queries.ts';

/** A query of candidate ids by one index, and how many it finds (at most the cap). */
export interface Candidates {
  ids: RawBuilder<{ id: string }>;
  count: number;
}

const CAP = 5_000;

/**
 * The filter that leaves the fewest rows, when it leaves few enough to fetch and sort them all. Without one every
 * filter matches often, so that walking the dates finds a page soon. Counting stops at the cap.
 */
export async function narrowest(
  tx: ReadTx,
  filters: ResolvedFilters,
  { cap = CAP, byDate = false }: { cap?: number; byDate?: boolean } = {},
): Promise<Candidates | null> {
  let best: Candidates | null = null;
  for (const { ids, parts } of candidateQueries(tx, filters, byDate)) {
    let count = 0;
    for (const part of parts) if (count <= cap) count += await countUpTo(tx, cap + 1 - count, part);
    if (count <= cap && (best === null || count < best.count)) best = { ids, count };
    if (best?.count === 0) break;
  }
  return best;
}

type Ids = RawBuilder<{ id: string }>;

/** Queries of candidates; each with the parts that are counted, because a union is made whole before its first row. */
function candidateQueries(
  tx: ReadTx,
  filters: ResolvedFilters,
  byDate: boolean,
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
  if (filters.match && !filters.deleted)
    found.push({ ids: matchingIds(tx, filters.match), parts: matchingParts(tx, filters.match) });
  listed('counterparty_id', filters.counterpartyIds);
  listed('series_id', filters.seriesIds);
  // The rows of an import are those that its change set made; only these have an index.
  if (filters.importIds) {
    const sets = sql`select change_set_id from imports where ${portable.inList(sql.ref('id'), filters.importIds)}`;
    where(sql`created_change_set_id in (${sets}) and created_change_set_id is not null`);
  }
  for (const tags of [filters.tagsAny, ...(filters.tagsAll ?? []).map((tag) => [tag])]) {
    if (tags)
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
