import { recordPlace, type EncryptedColumn, type EncryptedTable } from '../db/encrypted-columns.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import { decryptRecord, encryptRecord, keyIdOf } from '../kernel/crypto.ts';
import { AppError } from '../kernel/errors.ts';
import type { Instance } from './handler.ts';

/** The cell of a table that a secret is stored in. */
export interface Cell<T extends EncryptedTable> {
  table: T;
  rowId: string;
  column: EncryptedColumn<T>;
}

/**
 * A secret as it is stored in its cell (contract 20.15).
 * @throws UNAVAILABLE if the database has changed to another key: what this process encrypts, nobody could read.
 */
export async function sealSecret<T extends EncryptedTable>(
  tx: ReadTx,
  { masterKey, random }: Pick<Instance, 'masterKey' | 'random'>,
  { table, rowId, column }: Cell<T>,
  secret: string,
): Promise<Uint8Array> {
  const current = await tx.q.selectFrom('encryption_keys').select('key_id').where('is_current', '=', 1).execute();
  if (current[0]?.key_id !== keyIdOf(masterKey)) {
    throw new AppError(
      'UNAVAILABLE',
      'The encryption key was changed. Restart the server so that it uses the new key.',
    );
  }
  return encryptRecord(masterKey, recordPlace(table, rowId, column), secret, random);
}

/** The secret in a cell; undefined if the record cannot be decrypted. */
export function openSecret<T extends EncryptedTable>(
  { masterKey }: Pick<Instance, 'masterKey'>,
  { table, rowId, column }: Cell<T>,
  record: Uint8Array,
): string | undefined {
  return decryptRecord(masterKey, recordPlace(table, rowId, column), record);
}
