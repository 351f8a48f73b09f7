import type { ReadTx } from '../../db/unit-of-work.ts';
import { findAccount } from './accounts.queries.ts';
import { toAccount, type AccountRecord } from './accounts.table.ts';

/** The record of an account as it stands in this unit of work; the answer of a write. */
export async function accountAnswer(tx: ReadTx, id: string): Promise<AccountRecord> {
  const row = await findAccount(tx, id);
  if (!row) throw new Error('An account that was just written is not there.');
  return toAccount(row);
}
