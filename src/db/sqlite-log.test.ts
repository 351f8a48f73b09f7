import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { temporaryDirectory } from '../../test/harness/databases.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { openSqlite } from './sqlite.ts';
import { createWriteGate } from './write-gate.ts';

interface Opened {
  write(sql: string): Promise<void>;
  checkpoint(): void;
  /** How many rows the file holds by itself, without its log. */
  rowsInFile(): number;
  errors: Error[];
}

function open(): Opened {
  const directory = temporaryDirectory();
  const path = join(directory.path, 'test.sqlite');
  const errors: Error[] = [];
  const engine = openSqlite({
    path,
    gate: createWriteGate(),
    readers: 1,
    writerCacheKiB: 2_000,
    readerCacheKiB: 2_000,
    onLogError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await engine.close();
    directory.remove();
  });
  return {
    write: (sql) => engine.write((connection) => connection.execute(sql)),
    checkpoint: () => engine.checkpoint(),
    rowsInFile() {
      const copy = join(directory.path, 'copy.sqlite');
      copyFileSync(path, copy);
      const database = new DatabaseSync(copy);
      try {
        return (database.prepare('select count(*) as n from t').get() as { n: number }).n;
      } catch {
        return 0;
      } finally {
        database.close();
      }
    },
    errors,
  };
}

test('finished writes reach the file when asked for, and again after the next write', async () => {
  const log = open();
  await log.write('create table t (x integer); insert into t values (1)');
  expect(log.rowsInFile()).toBe(0);
  log.checkpoint();
  log.checkpoint();
  await eventually(() => expect(log.rowsInFile()).toBe(1));
  await log.write('insert into t values (2)');
  await eventually(() => {
    log.checkpoint();
    expect(log.rowsInFile()).toBe(2);
  });
  expect(log.errors).toEqual([]);
});

test('an end waits for the copy that is being made', async () => {
  const log = open();
  await log.write('create table t (x integer)');
  log.checkpoint();
  expect(log.errors).toEqual([]);
});
