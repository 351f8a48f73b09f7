import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';

import { sql } from 'kysely';

import { declaredTables } from '../../db/declared-schema.ts';
import type { Schema } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { BACKED_UP, CLEARED, ONLY_ROWS } from './backed-up-tables.ts';
import {
  HEADER,
  KEY,
  lineOf,
  MANIFEST,
  type BackupHeader,
  type BackupManifest,
  type BackupRow,
} from './backup-format.ts';
import { ledgerFigures } from './ledger-figures.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

const compress = promisify(zstdCompress);

interface ToWrite {
  header: BackupHeader;
  /** The encryption keys, for a file that only recipients can open; null leaves them out. */
  keys: readonly Uint8Array[] | null;
  onProgress?: ((percent: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The tar of a backup, piece by piece, of the one state that the transaction sees. Its value is the manifest. */
export async function* writeBackup(tx: ReadTx, wish: ToWrite): AsyncGenerator<Buffer, BackupManifest> {
  const figures = await ledgerFigures(tx);
  const tables = keptTables();
  const total = Math.max(
    1,
    tables.reduce((sum, table) => sum + (figures.rows[table] ?? 0), 0),
  );
  const manifest = {
    rows: {} as Record<string, number>,
    sums: [...figures.sums],
    sha256: {} as Record<string, string>,
  };
  const seconds = Math.floor(Date.parse(wish.header.created_at) / 1000);
  const entry = (name: string, bytes: Buffer): Buffer => {
    if (name !== MANIFEST) manifest.sha256[name] = sha256Hex(bytes);
    const head = tarHeader({ name, size: bytes.length, seconds });
    return Buffer.concat([head, bytes, tarPadding(bytes.length)]);
  };
  yield entry(HEADER, json(wish.header));
  let written = 0;
  for (const table of tables) {
    let [part, count] = [0, 0];
    for await (const { lines, rowCount } of partsOf(tx, table)) {
      wish.signal?.throwIfAborted();
      part += 1;
      count += rowCount;
      yield entry(partName(table, part), await compress(Buffer.from(lines)));
      wish.onProgress?.(Math.min(99, Math.floor((100 * (written + count)) / total)));
    }
    manifest.rows[table] = count;
    written += count;
  }
  if (wish.keys) {
    yield entry(KEY, Buffer.from(wish.keys.map((key) => `${Buffer.from(key).toString('hex')}\n`).join('')));
  }
  yield entry(MANIFEST, json(manifest));
  yield TAR_END;
  return manifest;
}

/** In an order in which each table comes after those that it refers to. */
export function keptTables(): (keyof Schema)[] {
  return (declaredTables() as (keyof Schema)[]).filter((table) => BACKED_UP[table] === 'kept');
}

export function partName(table: string, part: number): string {
  return `${table}/${String(part).padStart(4, '0')}.ndjson.zst`;
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** The rows of a table as lines, in parts of limited size; a single row that is larger is a part of its own. */
async function* partsOf(tx: ReadTx, table: keyof Schema): AsyncGenerator<{ lines: string; rowCount: number }> {
  const { rows: columns } = await tx.portable.writableColumns(table).execute(tx.q);
  const cleared = CLEARED[table] ?? [];
  const read = columns.map(({ name }) => (cleared.includes(name) ? sql`null as ${sql.ref(name)}` : sql.ref(name)));
  const only = ONLY_ROWS[table];
  const where = only === undefined ? sql`` : sql`where ${sql.raw(only)}`;
  const query = sql<BackupRow>`select ${sql.join(read)} from ${sql.table(table)} ${where}`;
  let [lines, bytes, rowCount] = ['', 0, 0];
  for await (const row of tx.iterate(query.compile(tx.q))) {
    const line = lineOf(row);
    const size = Buffer.byteLength(line);
    if (rowCount > 0 && bytes + size > LIMITS.backupPartBytes) {
      yield { lines, rowCount };
      [lines, bytes, rowCount] = ['', 0, 0];
    }
    lines += line;
    bytes += size;
    rowCount += 1;
    // Requests come first.
    if (rowCount % LIMITS.backupRowsAtOnce === 0) await setImmediate();
  }
  if (rowCount > 0) yield { lines, rowCount };
}
