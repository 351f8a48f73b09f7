import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { parseFields, RECORD_JOINS, recordJson } from './record.ts';

/** The full records of transactions by UUID. */
export async function transactionsById(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await sql<{ id: string; json: string }>`
    select t.id, ${recordJson(tx, parseFields(undefined))} as json from transactions t ${sql.raw(RECORD_JOINS)}
    where ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Map(rows.map(({ id, json }) => [id, JSON.parse(json) as Record<string, unknown>]));
}
