import type { EncryptionKeysTable } from '../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../db/unit-of-work.ts';

export async function findCurrentKey(tx: ReadTx): Promise<EncryptionKeysTable | undefined> {
  return tx.q.selectFrom('encryption_keys').selectAll().where('is_current', '=', 1).executeTakeFirst();
}

export async function storeCurrentKey(tx: BareWriteTx, keyId: string, checkRecord: Uint8Array): Promise<void> {
  await tx.q
    .insertInto('encryption_keys')
    .values({ key_id: keyId, is_current: 1, check_record: checkRecord, created_at: tx.now, retired_at: null })
    .execute();
}
