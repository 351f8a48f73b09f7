import { createReadStream, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

import { programVersion } from '../../db/migrate.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';
import { invalidFile } from './backup-format.ts';
import type { BackupCheck, CheckedBackup, Opener } from './backup-record.ts';
import { sha256OfFile } from './make-backup.ts';
import { isEncryptedFile } from './read-backup.ts';
import { fillLedger, openScratch } from './scratch-ledger.ts';
import { isVerified, verifyLedger } from './verify-ledger.ts';

/**
 * Restores a file into a scratch ledger and holds that against its manifest and the rules of a ledger. Without its key,
 * of an encrypted file only hash and form. @throws VALIDATION_ERROR if the key is wrong
 */
export async function checkBackup(instance: Instance, path: string, opener: Opener): Promise<CheckedBackup> {
  const hash = await checkHash(path);
  if (hash.status === 'fail') return { ok: false, with_content: false, checks: [hash] };
  if (opener === null && isEncryptedFile(await headOf(path))) {
    const message = 'The file is encrypted and no key was given, so its content was not looked at.';
    return { ok: true, with_content: false, checks: [hash, { name: 'content', status: 'skip', message }] };
  }
  const owner = `${await instance.database.presence()}-${instance.ids.shortId()}`;
  const scratch = await openScratch(instance.config.dataDir, owner, instance);
  try {
    const { header, manifest, keys } = await fillLedger(scratch.database, createReadStream(path), opener, (one) => {
      if (one.schema_version > programVersion()) throw invalidFile('a newer program made it.');
    });
    const message = `Made on ${header.created_at} by version ${header.program_version}; all of its parts are as they were written.`;
    const form: BackupCheck = { name: 'form', status: 'pass', message };
    const expected = { rows: manifest.rows, sums: manifest.sums };
    const checks = [hash, form, ...(await scratch.database.read((tx) => verifyLedger(tx, { keys, expected })))];
    return { ok: isVerified(checks), with_content: true, checks };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_FILE') throw error;
    return { ok: false, with_content: false, checks: [hash, { name: 'form', status: 'fail', message: error.message }] };
  } finally {
    await scratch.discard();
  }
}

/** Against the record beside the file, if there is one. */
async function checkHash(path: string): Promise<BackupCheck> {
  const sha256 = await sha256OfFile(path);
  let recorded: unknown;
  try {
    recorded = (JSON.parse(readFileSync(`${path}.json`, 'utf8')) as { sha256?: unknown }).sha256;
  } catch {
    return {
      name: 'hash',
      status: 'skip',
      message: 'No record lies beside the file, so there is no SHA-256 to compare.',
    };
  }
  if (recorded === sha256) return { name: 'hash', status: 'pass', message: 'The file has the SHA-256 of its record.' };
  return {
    name: 'hash',
    status: 'fail',
    message: 'The file is not as it was written: its record has another SHA-256.',
  };
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
