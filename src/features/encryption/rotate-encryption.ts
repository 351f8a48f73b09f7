import { ENCRYPTED_COLUMNS } from '../../db/encrypted-columns.ts';
import { UnansweredCommit } from '../../db/unavailable.ts';
import { JOURNALED_TABLES } from '../../journal/entities.ts';
import { systemOrigin, write, type WriteTx } from '../../journal/write.ts';
import { decryptRecord, encryptRecord, keyIdOf } from '../../kernel/crypto.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';
import { replaceRecord, selectRecords } from './encryption-keys.queries.ts';
import { keepPrevious, writeKeys } from './key-file.ts';
import { replaceCurrent } from './master-key.ts';

export interface Rotated {
  oldKeyId: string;
  newKeyId: string;
  recordCount: number;
}

const ORIGIN = systemOrigin('cli', 'encryption_key.rotate', { surface: 'cli' });

/**
 * Encrypts every secret with a new key (contract 20.15). The process must have the database to itself. A key file has
 * both keys until the commit is certain, so that the server can start at any point.
 * @throws OperatorError naming a record that cannot be decrypted; nothing has changed then
 */
export async function rotateEncryption(instance: Instance, newKey: Uint8Array): Promise<Rotated> {
  const { database, masterKey, keyFile: file, failpoint } = instance;
  const [oldKeyId, newKeyId] = [keyIdOf(masterKey), keyIdOf(newKey)];
  if (oldKeyId === newKeyId) throw new OperatorError('The new key is the one already in use. Nothing was changed.');
  if (file !== null) writeKeys(file, [masterKey, newKey]);
  failpoint('rotation:both-keys');
  const written = await write(database, ORIGIN, async (tx) => {
    const recordCount = await reencrypt(tx, instance, newKey);
    await replaceCurrent(tx, newKey, instance.random);
    tx.journal.summarise('Replaced the encryption key, so its copy must be confirmed again');
    failpoint('rotation:before-commit');
    return recordCount;
  }).catch((error: unknown) => {
    // After a commit without an answer, either key may be the current one; the next start finds out.
    if (file !== null && !(error instanceof UnansweredCommit)) writeKeys(file, [masterKey]);
    throw error;
  });
  failpoint('rotation:committed');
  if (file !== null) {
    keepPrevious(file, [masterKey]);
    failpoint('rotation:previous-kept');
    writeKeys(file, [newKey]);
  }
  instance.logger.info({ old_key_id: oldKeyId, new_key_id: newKeyId }, 'The encryption key was replaced.');
  return { oldKeyId, newKeyId, recordCount: written.value };
}

/** Replaces the records of every table. What they contain stays the same, so the journal has nothing to record. */
async function reencrypt(tx: WriteTx, { masterKey, random }: Instance, newKey: Uint8Array): Promise<number> {
  for (const table of Object.keys(ENCRYPTED_COLUMNS)) {
    const type = JOURNALED_TABLES[table];
    if (type) tx.journal.allowUnjournaled(type);
  }
  const records = await selectRecords(tx);
  for (const stored of records) {
    const { table, column, rowId, place } = stored;
    const secret = decryptRecord(masterKey, place, stored.record);
    if (secret === undefined) {
      throw new OperatorError(
        `${column} of ${rowId} in the table ${table} cannot be decrypted, so nothing was changed. ` +
          'Store that secret again, or restore a backup of the database.',
      );
    }
    const record = encryptRecord(newKey, place, secret, random);
    if (decryptRecord(newKey, place, record) !== secret) throw new Error('A new record cannot be read back.');
    await replaceRecord(tx, { ...stored, record });
  }
  return records.length;
}
