import { sql } from 'kysely';

import { ENCRYPTED_COLUMNS, recordPlace, type EncryptedTable } from '../../db/encrypted-columns.ts';
import type { EncryptionKeysTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function findCurrentKey(tx: ReadTx): Promise<EncryptionKeysTable | undefined> {
  return tx.q.selectFrom('encryption_keys').selectAll().where('is_current', '=', 1).executeTakeFirst();
}

/** Makes a key the current one, and retires the one before. */
export async function storeCurrentKey(tx: BareWriteTx, keyId: string, checkRecord: Uint8Array): Promise<void> {
  await tx.q
    .updateTable('encryption_keys')
    .set({ is_current: 0, retired_at: tx.now })
    .where('is_current', '=', 1)
    .execute();
  const current = { is_current: 1, check_record: checkRecord, retired_at: null } as const;
  await tx.q
    .insertInto('encryption_keys')
    .values({ key_id: keyId, ...current, created_at: tx.now })
    .onConflict((conflict) => conflict.column('key_id').doUpdateSet(current))
    .execute();
}

/** An encrypted record with the cell that it is bound to. */
export interface StoredRecord {
  table: string;
  column: string;
  rowId: string;
  place: string;
  record: Uint8Array;
}

/** Every encrypted record of the database. */
export async function selectRecords(tx: ReadTx): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (const [name, columns] of Object.entries(ENCRYPTED_COLUMNS)) {
    const table = name as EncryptedTable;
    for (const column of columns) {
      const { rows } = await sql<{ id: string; record: Uint8Array }>`select id, ${sql.ref(column)} as record
        from ${sql.table(table)} where ${sql.ref(column)} is not null order by id`.execute(tx.q);
      for (const { id: rowId, record } of rows) {
        const place = recordPlace(table, rowId, column);
        found.push({ table, column, rowId, place, record });
      }
    }
  }
  return found;
}

export async function replaceRecord(tx: BareWriteTx, { table, column, rowId, record }: StoredRecord): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${record} where id = ${rowId}`.execute(tx.q);
}

export async function findInstanceSecret(tx: ReadTx, id: string): Promise<Uint8Array | undefined> {
  const row = await tx.q.selectFrom('instance_secrets').select('secret').where('id', '=', id).executeTakeFirst();
  return row?.secret;
}

export async function insertInstanceSecret(tx: BareWriteTx, id: string, secret: Uint8Array): Promise<void> {
  await tx.q.insertInto('instance_secrets').values({ id, secret, created_at: tx.now }).execute();
}

export async function deleteInstanceSecrets(tx: BareWriteTx): Promise<void> {
  await tx.q.deleteFrom('instance_secrets').execute();
}
