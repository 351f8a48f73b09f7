import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { keepPrivate } from '../db/sqlite/sqlite-files.ts';
import { remedyText, StorageError, troubleText } from '../db/storage-trouble.ts';
import { keyFileIn } from '../features/encryption/index.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { makePrivateFolder } from '../kernel/private-folder.ts';

/** Stops the start. */
export class BootError extends OperatorError {}

export const DATABASE_FILE = 'homeledger.sqlite';
export const BACKUPS = 'backups';

/** Creates the data directory if it is missing, mode 0700. @throws BootError when it cannot be written. */
export function prepareDataDirectory(path: string, logger: Logger): void {
  try {
    makePrivateFolder(path);
    accessSync(path, constants.W_OK);
  } catch {
    throw new BootError(
      `The data directory ${path} cannot be created or written to. Set HOMELEDGER_DATA_DIR to a directory that Homeledger can write to.`,
    );
  }
  if (!keepPrivate(path, 0o700)) {
    logger.warn(`The permissions of ${path} cannot be set to 0700. Make sure that only you can open it.`);
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, DATABASE_FILE);
}

export interface Found {
  dataDir: string;
  /** Whether there is a key file that this start would use. Checked first: a concurrent start creates it last. */
  hasKeyFile: boolean;
  hasLog: boolean;
  hasFile: boolean;
}

/** What is in the data directory before anything is created. @throws BootError when that cannot be seen */
export function lookAround(dataDir: string, usesKeyFile: boolean): Found {
  const file = databaseFile(dataDir);
  const hasKeyFile = usesKeyFile && existsSync(keyFileIn(dataDir));
  try {
    const hasLog = sizeOf(`${file}-wal`) > 0;
    return { dataDir, hasKeyFile, hasLog, hasFile: sizeOf(file) > 0 };
  } catch (error) {
    throw new BootError(
      `The data directory ${dataDir} cannot be looked into (${(error as NodeJS.ErrnoException).code}). ` +
        'Run this as the user who owns it, or set HOMELEDGER_DATA_DIR to the one you mean.',
    );
  }
}

/**
 * A log or a key without its database is left over from a lost household; it is not a new one.
 * @throws BootError that says how to continue
 */
export function refuseLostFile({ dataDir, hasKeyFile, hasLog, hasFile }: Found): void {
  const file = databaseFile(dataDir);
  if (hasFile && !statSync(file).isFile())
    throw new BootError(`${file} is not a file. Replace it with the database file.`);
  if (hasFile) return;
  const what = `The database ${file} is ${existsSync(file) ? 'empty' : 'missing'}`;
  if (hasLog) {
    throw new BootError(
      `${what}, but its log ${file}-wal exists. ${restoring(dataDir)} To start over, move the log away.`,
    );
  }
  if (hasKeyFile) throw lostDatabase(dataDir, what);
}

/** `what` says what is missing; `remedy` how to get it back. */
export function lostDatabase(dataDir: string, what: string, remedy = restoring(dataDir)): BootError {
  return new BootError(
    `${what}, but its encryption key exists: ${keyFileIn(dataDir)}. ${remedy} ` +
      'To start over with an empty household, move the key file away.',
  );
}

/** What a start says about a database that cannot be used: unlike an answer, it can contain paths. */
export function explainStorage(error: unknown, dataDir: string): unknown {
  if (!(error instanceof StorageError)) return error;
  const file = databaseFile(dataDir);
  const said = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const what = troubleText(error.trouble, file)
    .replace(/, so nothing.*/, '')
    .replace(/\.$/, '');
  if (error.trouble !== 'damaged') return new BootError(`${what}${said}. ${remedyText(error.trouble, file)}`);
  return new BootError(
    `${what}${said}. Nothing was changed. Move it away together with the files beside it (${DATABASE_FILE}-wal, -shm). ` +
      `${restoring(dataDir)} Without a copy, \`sqlite3 ${DATABASE_FILE} .recover\` recovers what can still be read.`,
  );
}

/** Names the newest copy, if a migration has made one. */
function restoring(dataDir: string): string {
  const folder = join(dataDir, BACKUPS);
  const newest = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at)[0];
  if (!newest) return `Put your newest copy of ${DATABASE_FILE} in its place.`;
  const place = join(folder, newest.name);
  return `Put your newest copy of ${DATABASE_FILE} in its place; the newest here is ${place}.`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
