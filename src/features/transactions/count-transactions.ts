import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { handleRead } from '../handler.ts';
import { allOf, conditionsOf } from './conditions.ts';
import { narrowest } from './narrowest.ts';
import { resolveFilters, type ResolvedFilters } from './resolve-filters.ts';
import { selectGroups, totalsOf } from './totals.ts';
import { countTransactions as operation } from './transactions.contract.ts';

export const countTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const count = await countMatches(tx, await resolveFilters(tx, query, 'include'));
  if (!query.include_totals) return { count };
  const counting = await resolveFilters(tx, query, 'exclude');
  if (counting.deleted) return { count, totals: [] };
  const options = { includePending: query.include_pending, spendingOnly: false };
  const groups = await selectGroups(tx, counting, options, ['category_id', 'iso_currency_code']);
  return { count, totals: totalsOf(groups) };
});

/** The number of rows that a walk of the list would visit. */
async function countMatches(tx: ReadTx, filters: ResolvedFilters): Promise<number> {
  const few = await narrowest(tx, filters);
  const where = allOf(conditionsOf(tx, filters).map((condition) => condition.sql));
  const source = few
    ? sql`(${few.ids}) as few ${tx.portable.orderedJoin} transactions t on t.id = few.id`
    : sql`transactions t`;
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${source} where ${where}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}
