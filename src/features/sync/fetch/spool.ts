import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { DeliveredPage, Delivery, KeptPage, KeptRow } from './delivery.ts';

/**
 * A file for what a large sync fetched, so that memory stays flat. A page is a line with everything but its rows, then two
 * lines for each row: its values, and its raw form.
 */

const FOLDER = 'temp';
const PREFIX = 'sync-';
const CHUNK_BYTES = 1_048_576;
const NEWLINE = 0x0a;

type PageHead = Omit<KeptPage, 'rows'> & { readonly count: number };

/** The spool of the sync with this log. */
function spoolPath(dataDir: string, syncLogId: string): string {
  return join(dataDir, FOLDER, `${PREFIX}${syncLogId}`);
}

export interface SpoolWriter {
  readonly path: string;
  append(page: DeliveredPage): Promise<void>;
  close(): Promise<void>;
}

export async function createSpool(dataDir: string, syncLogId: string): Promise<SpoolWriter> {
  await mkdir(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  const path = spoolPath(dataDir, syncLogId);
  const file = await open(path, 'w', 0o600);
  return { path, append: (page) => append(file, page), close: () => file.close() };
}

async function append(file: FileHandle, { rows, ...rest }: DeliveredPage): Promise<void> {
  const head: PageHead = { ...rest, count: rows.length };
  const lines = [JSON.stringify(head)];
  for (const { raw, ...row } of rows) {
    // A line break in JSON is white space, because within a text it is escaped.
    lines.push(JSON.stringify(row), raw.replaceAll('\n', ' '));
  }
  await file.writeFile(`${lines.join('\n')}\n`);
}

/** Reads the pages; the raw forms of rows are read again when they are asked for. */
export function openSpool(path: string): Delivery {
  const file = openSync(path, 'r');
  return {
    pages: { [Symbol.iterator]: () => readPages(file) },
    rawOf: ({ rawAt }) => readLineAt(file, rawAt),
    close: () => closeSync(file),
  };
}

function* readPages(file: number): Generator<KeptPage> {
  const lines = readLines(file);
  for (let line = lines.next(); !line.done; line = lines.next()) {
    const { count, ...rest } = JSON.parse(line.value.text) as PageHead;
    const rows: KeptRow[] = [];
    while (rows.length < count) {
      const values = lines.next().value as Line;
      const raw = lines.next().value as Line;
      rows.push({ ...(JSON.parse(values.text) as Omit<KeptRow, 'rawAt'>), rawAt: raw.at });
    }
    yield { ...rest, rows };
  }
}

interface Line {
  text: string;
  /** Where it begins, as a byte offset. */
  at: number;
}

function* readLines(file: number): Generator<Line> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const bytes = readSync(file, chunk, 0, CHUNK_BYTES, at + rest.length);
    if (bytes === 0) return;
    const buffer = Buffer.concat([rest, chunk.subarray(0, bytes)]);
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      yield { text: buffer.toString('utf8', start, end), at: at + start };
      start = end + 1;
    }
    rest = buffer.subarray(start);
    at += start;
  }
}

const LINE_BYTES = 4_096;

function readLineAt(file: number, at: number): string {
  for (let size = LINE_BYTES; ; size *= 4) {
    const buffer = Buffer.alloc(size);
    const bytes = readSync(file, buffer, 0, size, at);
    const end = buffer.indexOf(NEWLINE);
    if (end >= 0 || bytes < size) return buffer.toString('utf8', 0, end >= 0 ? end : bytes);
  }
}

/** Removes the spool of a sync, if it made one. */
export async function removeSpool(dataDir: string, syncLogId: string): Promise<void> {
  await rm(spoolPath(dataDir, syncLogId), { force: true });
}

/** Removes the spools that dead processes left: those that belong to no running sync. */
export async function sweepSpools(dataDir: string, running: ReadonlySet<string>): Promise<void> {
  const names = await readdir(join(dataDir, FOLDER)).catch(() => []);
  const stale = names.filter((name) => name.startsWith(PREFIX) && !running.has(name.slice(PREFIX.length)));
  for (const name of stale) await rm(join(dataDir, FOLDER, name), { force: true });
}
