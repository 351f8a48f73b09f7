import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { allOf, conditionsOf } from '../filters/conditions.queries.ts';
import { isInMonthlyTotals } from './counted-parts.queries.ts';
import { isSearchAlone, mostSelectiveFilter, rowsFrom, searched } from '../filters/index-choice.queries.ts';
import type { ResolvedFilters } from '../filters/resolve-filters.ts';
import { selectGroups } from './totals.queries.ts';

/** The number of rows that the whole list has. */
export async function countMatches(tx: ReadTx, filters: ResolvedFilters): Promise<number> {
  const conditions = conditionsOf(tx, filters);
  if (filters.match && isSearchAlone(conditions, filters)) {
    const found = searched(tx, filters.match, conditions, tx.portable.rowKey('t'));
    return numberOf(tx, sql`select count(*) as n from (${found}) as found`);
  }
  const few = await mostSelectiveFilter(tx, filters);
  if (few === null && isInMonthlyTotals(filters)) return countByMonths(tx, filters);
  const where = allOf(conditions.map((condition) => condition.sql));
  return numberOf(tx, sql`select count(*) as n from ${rowsFrom(tx, few)} where ${where}`);
}

/** Whole months by their totals, and rows of other days one by one: a large ledger is not read. */
async function countByMonths(tx: ReadTx, filters: ResolvedFilters): Promise<number> {
  const options = { includePending: true };
  const groups = await selectGroups(tx, filters, options, ['iso_currency_code']);
  return groups.reduce((sum, { count }) => sum + count, 0);
}

async function numberOf(tx: ReadTx, count: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`${count}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}
