import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { TestApp } from '../test-app.ts';

const PAGE_BYTES = 4_096;

/** The data directory of an app, and its database. */
export function homeOf({ env }: TestApp): { folder: string; file: string } {
  const folder = env['HOMELEDGER_DATA_DIR'] as string;
  return { folder, file: join(folder, 'homeledger.sqlite') };
}

/** Writes over the content of a file at a place, as a failing disk does. */
export function overwrite(file: string, offset: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, offset);
  closeSync(handle);
}

/** Flips every bit of so many bytes. */
export function flip(file: string, offset: number, count: number): void {
  const bytes = new Uint8Array(count);
  const handle = openSync(file, 'r');
  readSync(handle, bytes, 0, count, offset);
  closeSync(handle);
  overwrite(
    file,
    offset,
    bytes.map((byte) => byte ^ 0xff),
  );
}

/** Where pages of a table or an index begin in the file. */
export function pagesOf(file: string, name: string, kind: 'leaf' | 'internal'): number[] {
  const database = new DatabaseSync(file);
  try {
    const pages = database.prepare('select pageno from dbstat where name = ? and pagetype = ? order by pageno');
    return (pages.all(name, kind) as { pageno: number }[]).map(({ pageno }) => (pageno - 1) * PAGE_BYTES);
  } finally {
    database.close();
  }
}

export function sizeOf(file: string): number {
  return statSync(file).size;
}

/** A database of another program at a path. */
export function foreignDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('create table photos (id integer primary key, taken_at text); insert into photos values (1, null)');
  database.close();
}
