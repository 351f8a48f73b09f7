import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { temporaryDirectory } from '../../../test/harness/databases/databases.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { createWriteGate } from '../write-gate.ts';
import { openSqlite } from './sqlite.ts';

interface Opened {
  /** One write of all these statements; those after a promise wait for it. */
  write(...steps: (string | Promise<void>)[]): Promise<void>;
  checkpoint(): void;
  /** How much the log takes. */
  bytes(): number;
  /** How many rows the file holds by itself, without its log. */
  rowsInFile(): number;
  errors: Error[];
  path: string;
}

/** SQLite writes it to the log before its commit. */
const MORE_THAN_THE_CACHE = `insert into t select zeroblob(2000) from
  (with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000) select i from n)`;

/** Counts the threads that this process starts. */
function watchThreads(): { started: number; ended: number } {
  const threads = { started: 0, ended: 0 };
  const count = (thread: Worker): void => {
    threads.started += 1;
    thread.once('exit', () => {
      threads.ended += 1;
    });
  };
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  return threads;
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
    write: (...steps) =>
      engine.write(async (connection) => {
        for (const step of steps) await (typeof step === 'string' ? connection.execute(step) : step);
      }),
    checkpoint: () => engine.checkpoint(),
    bytes: () => statSync(`${path}-wal`).size,
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
    path,
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

test('writes without a pause do not make the log grow for ever', async () => {
  const log = open();
  await log.write('create table t (x blob)');
  let largest = 0;
  for (let count = 0; count < 400; count += 1) {
    await log.write('insert into t values (zeroblob(1000000))');
    // As between two requests: a copy that has ended is heard of.
    await setImmediate();
    largest = Math.max(largest, log.bytes());
  }
  expect(largest).toBeLessThan(70 * 1_048_576);
  await eventually(() => {
    log.checkpoint();
    expect(log.rowsInFile()).toBe(400);
  });
  expect(log.errors).toEqual([]);
});

test('a long write that fills the log is waited for: until it ends there is nothing to copy', async () => {
  const copies = watchThreads();
  const log = open();
  await log.write('create table t (x blob); insert into t values (1)');
  const [next, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = log.write(MORE_THAN_THE_CACHE, next.promise, MORE_THAN_THE_CACHE, end.promise);
  await eventually(() => {
    log.checkpoint();
    expect(log.rowsInFile()).toBe(1);
  });
  await eventually(() => expect(copies).toEqual({ started: 1, ended: 1 }));
  const before = log.bytes();
  next.resolve();
  await eventually(() => expect(log.bytes()).toBeGreaterThan(before));
  log.checkpoint();
  expect(copies.started).toBe(1);
  end.resolve();
  await writing;
  await eventually(() => {
    log.checkpoint();
    expect(log.rowsInFile()).toBe(1 + 2 * 3_000);
  });
});

test('a copy that another one leaves nothing to do is not taken for whole', async () => {
  const log = open();
  await log.write('create table t (x integer); insert into t values (1)');
  const reader = new DatabaseSync(log.path);
  reader.exec('begin; select * from t');
  await log.write('insert into t values (2)');
  // It waits for the reader, and keeps others from copying meanwhile.
  const other = new Worker(
    `const { DatabaseSync } = require('node:sqlite');
    new DatabaseSync(require('node:worker_threads').workerData, { timeout: 20000 }).exec('pragma wal_checkpoint(full)')`,
    { eval: true, workerData: log.path },
  );
  const ended = once(other, 'exit');
  const looking = new DatabaseSync(log.path);
  await eventually(() => expect(looking.prepare('pragma wal_checkpoint(passive)').get()).toMatchObject({ busy: 1 }));
  const copies = watchThreads();
  log.checkpoint();
  await eventually(() => expect(copies).toEqual({ started: 1, ended: 1 }));
  log.checkpoint();
  await eventually(() => expect(copies).toEqual({ started: 2, ended: 2 }));
  reader.exec('commit');
  await ended;
  for (const one of [reader, looking]) one.close();
  expect(log.errors).toEqual([]);
});

test('an end waits for the copy that is being made', async () => {
  const log = open();
  await log.write('create table t (x integer)');
  log.checkpoint();
  expect(log.errors).toEqual([]);
});
