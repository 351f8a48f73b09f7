import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { JsonText } from '../handler.ts';
import { parseFields, recordJson, RECORD_JOINS } from './record.ts';

/** The record of a transaction as it stands in this unit of work; the answer of a write. */
export async function transactionAnswer(tx: ReadTx, id: string): Promise<JsonText> {
  const { rows } = await sql<{ json: string }>`select ${recordJson(tx, parseFields(undefined))} as json
    from transactions t ${sql.raw(RECORD_JOINS)} where t.id = ${id}`.execute(tx.q);
  if (!rows[0]) throw new Error('A transaction that was just written is not there.');
  return new JsonText(rows[0].json);
}
