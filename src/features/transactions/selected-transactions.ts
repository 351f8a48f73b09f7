import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, type ErrorDetail } from '../../kernel/errors.ts';
import { loadFacetsByAnyId, type Facets } from '../facets/index.ts';
import { allOf, conditionsOf } from './conditions.ts';
import { narrowest } from './narrowest.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { collectIds } from './transaction-bulk.queries.ts';

/** Fewer candidates than this are fetched and sorted; with more, walking the dates is cheaper. */
const FETCHED_ROWS = 40_000;

/** UUIDs of the transactions that match, newest first. */
export async function idsOfMatches(tx: ReadTx, filters: ResolvedFilters): Promise<string[]> {
  const few = await narrowest(tx, filters, { cap: FETCHED_ROWS, byDate: true });
  const where = allOf(conditionsOf(tx, filters, few ? 'all' : 'date').map((condition) => condition.sql));
  const source = few
    ? sql`(${few.ids}) as few ${tx.portable.orderedJoin} transactions t on t.id = few.id`
    : sql`transactions t`;
  return collectIds(tx, sql`select t.id from ${source} where ${where} order by t.date desc, t.id desc`.compile(tx.q));
}

/**
 * The live transactions with these ids, each once.
 * @throws INVALID_PARAMETER with a detail per id that names none
 */
export async function liveTransactions(tx: ReadTx, anyIds: readonly string[]): Promise<Facets[]> {
  const known = await loadFacetsByAnyId(tx, [...new Set(anyIds)]);
  const found = new Map<string, Facets>();
  const details: ErrorDetail[] = [];
  for (const [index, anyId] of anyIds.entries()) {
    const facets = known.get(anyId);
    if (facets && facets.deletedAt === null) found.set(facets.id, facets);
    else {
      const state = facets ? 'is a deleted transaction' : 'is no transaction';
      details.push({ path: `transaction_ids[${index}]`, message: `${JSON.stringify(anyId.slice(0, 100))} ${state}.` });
    }
  }
  const [first, ...others] = details;
  if (!first) return [...found.values()];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new AppError('INVALID_PARAMETER', `${first.path}: ${first.message}${more}`, { details });
}

/** `1 transaction`, `12 transactions`. */
export function countOf(count: number): string {
  return count === 1 ? '1 transaction' : `${count} transactions`;
}
