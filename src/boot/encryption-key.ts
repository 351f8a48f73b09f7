import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';

import type { EncryptionKeysTable } from '../db/schema.ts';
import type { BareWriteTx, Database, ReadTx } from '../db/unit-of-work.ts';
import { bookkeep } from '../journal/write.ts';
import type { Config } from '../kernel/config.ts';
import { decryptRecord, encryptRecord, keyIdOf } from '../kernel/crypto.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Random } from '../kernel/random.ts';
import { BootError, keyFile } from './data-directory.ts';

const CHECK_TEXT = 'homeledger';

export interface MasterKey {
  key: Uint8Array;
  source: 'env' | 'file' | 'key_file';
  /** The key file that was just created, so that the operator can be told to copy it. */
  madeFile: string | null;
}

/**
 * Finds the encryption key (contract 20.15) and checks it against the database; creates one only for a database that
 * has never had a key.
 * @throws BootError with the key ids when the current key is not available.
 */
export async function loadMasterKey(
  config: Config,
  database: Database,
  random: Random,
  logger: Logger,
  failpoint: (point: string) => void,
): Promise<MasterKey> {
  const file = keyFile(config.dataDir);
  let current = await database.read(findCurrentKey);
  if (!current) {
    const made = await bookkeep(database, async (tx) => {
      const first = await firstKey(tx, config, file, random, logger);
      failpoint('key:made');
      return first;
    });
    if (made) return made;
    current = (await database.read(findCurrentKey)) as EncryptionKeysTable;
  }
  const found = candidates(config, file, logger);
  for (const candidate of found) {
    const place = `encryption_keys:${current.key_id}:check_record`;
    if (keyIdOf(candidate.key) !== current.key_id) continue;
    if (decryptRecord(candidate.key, place, current.check_record) === CHECK_TEXT) {
      return { key: candidate.key, source: candidate.source, madeFile: null };
    }
  }
  const seen = found.map((one) => `${keyIdOf(one.key)} in ${one.where}`).join(', ') || 'no key';
  throw new BootError(
    `This database needs the encryption key ${current.key_id}, but found ${seen}. ` +
      'Set that key in ENCRYPTION_KEY or ENCRYPTION_KEY_FILE, or put its file back.',
  );
}

/** The key of a database that has none yet; in a transaction, because several processes can start at once. */
async function firstKey(
  tx: BareWriteTx,
  config: Config,
  file: string,
  random: Random,
  logger: Logger,
): Promise<MasterKey | undefined> {
  if (await findCurrentKey(tx)) return undefined;
  const found = candidates(config, file, logger);
  const first = found[0] ?? { key: makeKeyFile(file, random), source: 'key_file' as const };
  const keyId = keyIdOf(first.key);
  const record = encryptRecord(first.key, `encryption_keys:${keyId}:check_record`, CHECK_TEXT, random);
  await storeCurrentKey(tx, keyId, record);
  return { key: first.key, source: first.source, madeFile: found.length === 0 ? file : null };
}

interface Candidate {
  key: Uint8Array;
  source: 'env' | 'file' | 'key_file';
  where: string;
}

function candidates(config: Config, file: string, logger: Logger): Candidate[] {
  if (config.encryptionKey) {
    const { hex, source, name } = config.encryptionKey;
    return [{ key: new Uint8Array(Buffer.from(hex, 'hex')), source, where: name }];
  }
  if (!existsSync(file)) return [];
  if ((statSync(file).mode & 0o077) !== 0) logger.warn(`${file} can be read by others. Set its mode to 0600.`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 || lines.length > 2 || lines.some((line) => !/^[0-9a-fA-F]{64}$/.test(line))) {
    throw new BootError(`${file} must contain exactly 64 hexadecimal digits.`);
  }
  return lines.map((line) => ({ key: new Uint8Array(Buffer.from(line, 'hex')), source: 'key_file', where: file }));
}

/** The file is complete and on the disk before its first use. */
function makeKeyFile(file: string, random: Random): Uint8Array {
  const key = random.bytes(32);
  const part = `${file}.part`;
  const handle = openSync(part, 'w', 0o600);
  try {
    writeSync(handle, `${Buffer.from(key).toString('hex')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(part, file);
  return key;
}

async function findCurrentKey(tx: ReadTx): Promise<EncryptionKeysTable | undefined> {
  return tx.q.selectFrom('encryption_keys').selectAll().where('is_current', '=', 1).executeTakeFirst();
}

async function storeCurrentKey(tx: BareWriteTx, keyId: string, checkRecord: Uint8Array): Promise<void> {
  await tx.q
    .insertInto('encryption_keys')
    .values({ key_id: keyId, is_current: 1, check_record: checkRecord, created_at: tx.now, retired_at: null })
    .execute();
}
