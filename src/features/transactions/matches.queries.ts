import { sql, type CompiledQuery } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { allOf, conditionsOf } from './conditions.queries.ts';
import { narrowest } from './narrowest.queries.ts';
import type { ResolvedFilters } from './resolve-filters.ts';

/** The number of rows that a walk of the list would visit. */
export async function countMatches(tx: ReadTx, filters: ResolvedFilters): Promise<number> {
  const few = await narrowest(tx, filters);
  const where = allOf(conditionsOf(tx, filters).map((condition) => condition.sql));
  const source = few
    ? sql`(${few.ids}) as few ${tx.portable.orderedJoin} transactions t on t.id = few.id`
    : sql`transactions t`;
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${source} where ${where}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

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

/** The ids that a query finds, as text alone: there may be very many. */
async function collectIds(tx: ReadTx, query: CompiledQuery): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of tx.iterate(query)) ids.push(id as string);
  return ids;
}
