import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { sql } from 'kysely';

import { migrate } from '../../db/migrate.ts';
import type { Schema } from '../../db/schema.ts';
import { createPrivate } from '../../db/sqlite/sqlite-files.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import { createDatabase, type BareWriteTx, type Database } from '../../db/unit-of-work.ts';
import { createWriteGate } from '../../db/write-gate.ts';
import { instantNow } from '../../kernel/clock.ts';
import { trigramsOf } from '../../kernel/trigrams.ts';
import type { Instance } from '../handler.ts';
import { invalidFile, type BackupRow } from './backup-format.ts';
import type { Opener } from './backup-record.ts';
import { readBackup, type BackupSink, type ReadBackup } from './read-backup.ts';

type Parts = Pick<Instance, 'clock' | 'ids' | 'random'>;

/** A ledger that a backup was restored into, in a file of its own that nobody else knows. */
export interface ScratchLedger {
  path: string;
  database: Database;
  discard: () => Promise<void>;
}

const SCRATCH = /^backup-proof-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}).*\.sqlite(-wal|-shm)?$/;
const CACHES = { writerCacheKiB: 16_384, readerCacheKiB: 4_096 };

/** An empty ledger in a folder. `owner` begins with the presence of whoever works on it, who may have several. */
export async function openScratch(folder: string, owner: string, parts: Parts): Promise<ScratchLedger> {
  const path = join(folder, `backup-proof-${owner}.sqlite`);
  removeScratch(path);
  createPrivate(path, 0o600);
  const engine = openSqlite({ path, gate: createWriteGate(), readers: 1, ...CACHES });
  const { clock, ids } = parts;
  const database = createDatabase({ engine, clock, ids, onHookError: () => undefined });
  const discard = (): Promise<void> => database.close().finally(() => removeScratch(path));
  try {
    await migrate({ engine, now: () => instantNow(clock) });
  } catch (error) {
    await discard();
    throw error;
  }
  return { path, database, discard };
}

/** Removes what processes left that are gone. */
export async function removeLeftScratch(folder: string, isAlive: (owner: string) => Promise<boolean>): Promise<void> {
  for (const name of readdirSync(folder)) {
    const owner = SCRATCH.exec(name)?.[1];
    if (owner !== undefined && !(await isAlive(owner))) rmSync(join(folder, name), { force: true });
  }
}

function removeScratch(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** Restores a backup into an empty ledger, in one transaction. @throws as `readBackup`, or INVALID_FILE if rows do not fit */
export async function fillLedger(
  database: Database,
  stream: AsyncIterable<Uint8Array>,
  opener: Opener,
  header?: BackupSink['header'],
): Promise<ReadBackup> {
  return database.writeBare(
    async (tx) => {
      // Categories and merged rows refer to rows of their own table, which may come later.
      await sql`pragma defer_foreign_keys = on`.execute(tx.q);
      return readBackup(stream, opener, {
        ...(header ? { header } : {}),
        rows: (table, rows) => insertRows(tx, table, rows),
      });
    },
    async () => undefined,
  );
}

async function insertRows(tx: BareWriteTx, table: keyof Schema, rows: readonly BackupRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.every((name) => /^[a-z_0-9]+$/.test(name))) throw invalidFile(`${table} has a column that is unknown.`);
  const values = rows.map((row) => {
    if (Object.keys(row).length !== columns.length) throw invalidFile(`rows of ${table} have different columns.`);
    return columns.map((name) => {
      const value = row[name];
      if (value === undefined) throw invalidFile(`rows of ${table} have different columns.`);
      return value;
    });
  });
  try {
    if (table === 'texts') {
      await tx.portable.insertTexts(
        tx,
        rows.map(({ id, folded }) => ({
          id: Number(id),
          folded: String(folded),
          trigrams: [...trigramsOf(String(folded))],
        })),
      );
    } else await tx.insertMany(table, columns as never, values);
  } catch (error) {
    if (isAboutRows(error)) throw invalidFile(`rows of ${table} do not fit into a ledger.`);
    throw error;
  }
  await setImmediate();
}

/** A constraint, a type or a column, and no full disk. */
function isAboutRows(error: unknown): boolean {
  return /constraint|no column named|cannot store|datatype/i.test(String(error));
}
