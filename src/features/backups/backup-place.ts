import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';

import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';

type Installation = Pick<Instance, 'config' | 'database'>;

export interface BackupPlace {
  directory: string;
  /** null: the directory cannot be read. */
  freeBytes: number | null;
  neededBytes: number;
  isSameDisk: boolean | null;
}

export const BACKUP_NAME = /^homeledger-\d{8}-\d{6}(-\d+)?-(manual|scheduled|pre_migration|pre_restore)\.hlb$/;

/** Where backups go. `BACKUP_DIR` is never made: a disk that is not mounted must not fill the other one. */
export function backupDirectory({ config }: Pick<Instance, 'config'>): string {
  return config.backupDir ?? join(config.dataDir, 'backups');
}

/** Tells the files of this household from those of others in the same directory. It outlives rotations and restores. */
export async function installationId({ database }: Pick<Instance, 'database'>): Promise<string> {
  return (await database.read(selectInstallation)) ?? (await bookkeep(database, makeInstallation));
}

/** undefined before the first backup. */
export async function selectInstallation(tx: ReadTx): Promise<string | undefined> {
  return (await tx.q.selectFrom('installations').select('id').executeTakeFirst())?.id;
}

/** Another process may have made it since. */
async function makeInstallation(tx: BareWriteTx): Promise<string> {
  const other = await selectInstallation(tx);
  if (other !== undefined) return other;
  const id = tx.ids.uuid();
  await tx.q.insertInto('installations').values({ id, created_at: tx.now }).execute();
  return id;
}

/** Where backups go, and whether there is room for the next. */
export async function backupPlace(instance: Installation): Promise<BackupPlace> {
  const directory = backupDirectory(instance);
  const needed = neededIn(directory, await databaseBytes(instance));
  try {
    const at = existsSync(directory) || instance.config.backupDir !== null ? directory : instance.config.dataDir;
    const isSameDisk = statSync(at).dev === statSync(instance.config.dataDir).dev;
    return { directory, freeBytes: freeIn(at), neededBytes: needed, isSameDisk };
  } catch {
    return { directory, freeBytes: null, neededBytes: needed, isSameDisk: null };
  }
}

/**
 * The directory, which is there and has room; that of backups unless another is named.
 * @throws UNAVAILABLE with the reason, before a byte is written
 */
export async function requirePlace(instance: Installation, other?: string): Promise<string> {
  const { config } = instance;
  const directory = other ?? backupDirectory(instance);
  if (other === undefined && config.backupDir === null && !existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
  try {
    if (!statSync(directory).isDirectory()) throw new Error('no directory');
    accessSync(directory, constants.W_OK);
  } catch {
    const missing = existsSync(directory) ? 'cannot be written to' : 'does not exist. Is its disk mounted?';
    throw new AppError('UNAVAILABLE', `No backup can be made: the backup directory ${missing}`);
  }
  const size = await databaseBytes(instance);
  const needs = [
    { folder: directory, bytes: neededIn(directory, size), what: 'backup directory' },
    { folder: config.dataDir, bytes: Math.ceil(size * 1.5), what: 'data directory' },
  ];
  const isOne = statSync(directory).dev === statSync(config.dataDir).dev;
  const together = needs.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { folder, bytes, what } of needs) {
    const needed = isOne ? together : bytes;
    if (freeIn(folder) >= needed) continue;
    const mebibytes = Math.ceil(needed / 1024 ** 2);
    throw new AppError(
      'UNAVAILABLE',
      `No backup can be made: the ${what} has too little room. It needs ${mebibytes} MiB.`,
    );
  }
  return directory;
}

function neededIn(directory: string, databaseSize: number): number {
  try {
    const sizes = readdirSync(directory)
      .filter((name) => BACKUP_NAME.test(name))
      .map((name) => statSync(join(directory, name)))
      .toSorted((one, other) => other.mtimeMs - one.mtimeMs);
    if (sizes[0]) return Math.ceil(sizes[0].size * 1.2);
  } catch {
    // Whoever asks next says what is wrong with it.
  }
  return Math.ceil(databaseSize / 2);
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function databaseBytes({ database }: Installation): Promise<number> {
  return database.read(async (tx) => {
    const { rows } = await sql<{ n: number | string }>`select ${tx.portable.databaseBytes} as n`.execute(tx.q);
    return Number(rows[0]?.n ?? 0);
  });
}
