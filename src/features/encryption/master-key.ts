import { existsSync } from 'node:fs';

import type { EncryptionKeysTable } from '../../db/schema.ts';
import type { BareWriteTx, Database } from '../../db/unit-of-work.ts';
import { bookkeep, type WriteTx } from '../../journal/write.ts';
import type { Config } from '../../kernel/config.ts';
import { decryptRecord, encryptRecord, keyIdOf } from '../../kernel/crypto.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Random } from '../../kernel/random.ts';
import { changeConfig } from '../config/index.ts';
import { findCurrentKey, storeCurrentKey } from './encryption-keys.queries.ts';
import { isReadableByOthers, keepPrevious, keyFileIn, readKeys, writeKeys } from './key-file.ts';
import { refuseDuringMaintenance } from './maintenance.ts';

const CHECK_TEXT = 'homeledger';

/** The key that secrets are encrypted with, and where it came from (20.15). */
export interface MasterKey {
  key: Uint8Array;
  source: 'env' | 'file' | 'key_file';
  /** The key file that was just created, so that the operator can be told to copy it. */
  madeFile: string | null;
}

export interface KeyParts {
  config: Config;
  database: Database;
  random: Random;
  logger: Logger;
  failpoint: (point: string) => void;
}

export type LoadKey = (parts: KeyParts) => Promise<MasterKey>;

/**
 * Finds the encryption key (contract 20.15) and checks it against the database; creates one only for a database that
 * has never had a key.
 * @throws OperatorError with the key ids when the current key is not available.
 */
export const loadMasterKey: LoadKey = async (parts) => {
  const { config, database, failpoint } = parts;
  let current = await database.read(findCurrentKey);
  if (!current) {
    const made = await bookkeep(database, async (tx) => {
      const first = await firstKey(tx, parts);
      failpoint('key:made');
      return first;
    });
    if (made) return made;
    current = (await database.read(findCurrentKey)) as EncryptionKeysTable;
  }
  const found = candidates(parts);
  const match = found.find(({ key }) => isKeyOf(key, current));
  if (!match) throw wrongKey(current, found);
  if (match.source === 'key_file' && found.length > 1) await setOtherKeysAside(database, keyFileIn(config.dataDir));
  return { key: match.key, source: match.source, madeFile: null };
};

/** Whether a key is the one of this row, and decrypts its check record. */
export function isKeyOf(key: Uint8Array, { key_id: keyId, check_record: record }: EncryptionKeysTable): boolean {
  return keyIdOf(key) === keyId && decryptRecord(key, checkPlace(keyId), record) === CHECK_TEXT;
}

/** Makes a key the current one of the database. */
async function makeCurrent(tx: BareWriteTx, key: Uint8Array, random: Random): Promise<void> {
  const keyId = keyIdOf(key);
  await storeCurrentKey(tx, keyId, encryptRecord(key, checkPlace(keyId), CHECK_TEXT, random));
}

/** Makes a key the current one in place of another. Whoever confirmed that they have a copy has one of the other key. */
export async function replaceCurrent(tx: WriteTx, key: Uint8Array, random: Random): Promise<void> {
  await makeCurrent(tx, key, random);
  await changeConfig(tx, 'setup.encryption_key_acknowledged_at', null);
}

function checkPlace(keyId: string): string {
  return `encryption_keys:${keyId}:check_record`;
}

/** The key of a database that has none yet; in a transaction, because several processes can start at once. */
async function firstKey(tx: BareWriteTx, parts: KeyParts): Promise<MasterKey | undefined> {
  if (await findCurrentKey(tx)) return undefined;
  const master = keyOfSource(parts);
  await makeCurrent(tx, master.key, parts.random);
  return master;
}

/** The key of the source; a new key file if there is no source. */
export function keyOfSource(parts: KeyParts): MasterKey {
  const [found] = candidates(parts);
  if (found) return { key: found.key, source: found.source, madeFile: null };
  const file = keyFileIn(parts.config.dataDir);
  const key = parts.random.bytes(32);
  writeKeys(file, [key]);
  return { key, source: 'key_file', madeFile: file };
}

export interface Candidate {
  key: Uint8Array;
  source: MasterKey['source'];
  /** The variable or file that it is in. */
  where: string;
}

/** The keys that the source has. */
export function candidates({ config, logger }: Pick<KeyParts, 'config' | 'logger'>): Candidate[] {
  if (config.encryptionKey) {
    const { hex, source, name } = config.encryptionKey;
    return [{ key: new Uint8Array(Buffer.from(hex, 'hex')), source, where: name }];
  }
  const file = keyFileIn(config.dataDir);
  if (existsSync(file) && isReadableByOthers(file)) {
    logger.warn(`${file} can be read by others. Set its mode to 0600.`);
  }
  return readKeys(file).map((key) => ({ key, source: 'key_file', where: file }));
}

function wrongKey(current: EncryptionKeysTable, found: readonly Candidate[]): OperatorError {
  const seen = found.map(({ key, where }) => `${keyIdOf(key)} in ${where}`).join(', ') || 'no key';
  const isDamaged = found.some(({ key }) => keyIdOf(key) === current.key_id);
  const what = isDamaged
    ? `The record that lets this database recognise its encryption key ${current.key_id} is damaged.`
    : `This database needs the encryption key ${current.key_id}, but found ${seen}.`;
  const ways = isDamaged
    ? 'Restore a backup of the database.'
    : 'Set that key in ENCRYPTION_KEY or ENCRYPTION_KEY_FILE, or restore its file.';
  return new OperatorError(
    `${what} ${ways} If the key is lost, \`homeledger keys reset-encryption\` discards the stored secrets: ` +
      'credentials of banks, providers, models and notification channels. Everything else is kept.',
  );
}

/**
 * A rotation that did not finish leaves two keys in the file. Only the current one stays; the other is kept aside. In a
 * transaction, so that no rotation begins meanwhile.
 */
async function setOtherKeysAside(database: Database, file: string): Promise<void> {
  const own = await database.presence();
  await bookkeep(database, async (tx) => {
    await refuseDuringMaintenance(tx, database, own);
    const current = await findCurrentKey(tx);
    const keys = readKeys(file);
    const match = keys.find((key) => current && isKeyOf(key, current));
    if (!match || keys.length < 2) return;
    keepPrevious(
      file,
      keys.filter((key) => key !== match),
    );
    writeKeys(file, [match]);
  });
}
