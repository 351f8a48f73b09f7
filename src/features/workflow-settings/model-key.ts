import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ModelProviderName } from '../../models/model.ts';
import type { Instance } from '../handler.ts';
import { openSecret, sealSecret, type Cell } from '../secret-records.ts';

const CELL: Cell<'instance_secrets'> = { table: 'instance_secrets', rowId: 'model_api_key', column: 'secret' };

/** The key of a model provider with whom it was given for: it is never sent to anybody else. */
export interface StoredKey {
  provider: ModelProviderName | null;
  /** null: the provider's own address. */
  baseUrl: string | null;
  key: string;
}

/** undefined if none is stored, or if its record cannot be decrypted. */
export async function findModelKey(tx: ReadTx, instance: Instance): Promise<StoredKey | undefined> {
  const record = await findRecord(tx);
  const text = record && openSecret(instance, CELL, record);
  return text === undefined ? undefined : (JSON.parse(text) as StoredKey);
}

export async function storeModelKey(tx: WriteTx, instance: Instance, stored: StoredKey): Promise<void> {
  const had = await deleteRecord(tx);
  const secret = await sealSecret(tx, instance, CELL, JSON.stringify(stored));
  await tx.q.insertInto('instance_secrets').values({ id: CELL.rowId, secret, created_at: tx.now }).execute();
  note(tx, had ? 'set' : null, 'set');
}

/** Answers whether there was one. */
export async function forgetModelKey(tx: WriteTx): Promise<boolean> {
  const had = await deleteRecord(tx);
  if (had) note(tx, 'set', null);
  return had;
}

async function findRecord(tx: ReadTx): Promise<Uint8Array | undefined> {
  const row = await tx.q
    .selectFrom('instance_secrets')
    .select('secret')
    .where('id', '=', CELL.rowId)
    .executeTakeFirst();
  return row?.secret;
}

async function deleteRecord(tx: WriteTx): Promise<boolean> {
  if (!(await findRecord(tx))) return false;
  await tx.q.deleteFrom('instance_secrets').where('id', '=', CELL.rowId).execute();
  return true;
}

function note(tx: WriteTx, before: 'set' | null, after: 'set' | null): void {
  const fields = { before: { 'workflows.api_key': before }, after: { 'workflows.api_key': after } };
  journalOf('setting').changed(tx, { id: null, short_id: null }, fields, { revertible: false });
}
