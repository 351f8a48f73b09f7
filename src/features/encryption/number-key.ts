import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { deriveKey } from '../../kernel/crypto.ts';
import { openSecret, sealSecret, type Cell } from '../secret-records.ts';
import { findInstanceSecret, insertInstanceSecret } from './encryption-keys.queries.ts';
import { parseKey } from './key-file.ts';
import type { KeyParts } from './master-key.ts';

const CELL: Cell<'instance_secrets'> = { table: 'instance_secrets', rowId: 'account_numbers', column: 'secret' };

/**
 * The key of the hashes by which account numbers are recognised. It is a secret of its own, so that a rotation of the
 * encryption key does not make every account unknown. null if its record cannot be decrypted.
 */
export async function loadNumberKey(parts: KeyParts, masterKey: Uint8Array): Promise<Uint8Array | null> {
  const { database, logger } = parts;
  const stored =
    (await database.read((tx) => findInstanceSecret(tx, CELL.rowId))) ??
    (await bookkeep(database, (tx) => makeNumberKey(tx, parts, masterKey)));
  const key = parseKey(openSecret({ masterKey }, CELL, stored) ?? '');
  if (!key) {
    logger.error('The key that recognises account numbers cannot be decrypted. Restore a backup of the database.');
  }
  return key ?? null;
}

/** Another process may have made it since. Databases from before this record have hashes of exactly this key. */
async function makeNumberKey(tx: BareWriteTx, { random }: KeyParts, masterKey: Uint8Array): Promise<Uint8Array> {
  const other = await findInstanceSecret(tx, CELL.rowId);
  if (other) return other;
  const key = deriveKey(masterKey, 'homeledger/account-numbers/v1');
  const record = await sealSecret(tx, { masterKey, random }, CELL, Buffer.from(key).toString('hex'));
  await insertInstanceSecret(tx, CELL.rowId, record);
  return record;
}
