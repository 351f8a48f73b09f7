import type { ReadTx } from '../../db/unit-of-work.ts';
import { JsonText } from '../handler.ts';
import { parseFields } from './fields.ts';
import { selectRecord } from './record.queries.ts';

/** The record of a transaction as it stands in this unit of work; the answer of a write. */
export async function transactionAnswer(tx: ReadTx, id: string): Promise<JsonText> {
  const json = await selectRecord(tx, id, parseFields(undefined), { includeDeleted: true });
  if (json === undefined) throw new Error('A transaction that was just written is not there.');
  return new JsonText(json);
}
