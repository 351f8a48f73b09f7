import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryDirectory } from '../../../test/harness/databases/databases.ts';
import { createWriteGate } from '../write-gate.ts';
import { createPrivate, keepPrivate } from './sqlite-files.ts';
import { createFilePresence } from './sqlite-presence.ts';
import { openSqlite } from './sqlite.ts';

test('rights are set where they can be, and a volume without them stops nothing', () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'file');
  writeFileSync(file, '', { mode: 0o644 });
  expect([keepPrivate(file, 0o600), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  for (const code of ['EPERM', 'ENOTSUP', 'EROFS']) {
    const refuse = (): never => {
      throw Object.assign(new Error('refused'), { code });
    };
    expect(keepPrivate(file, 0o600, refuse)).toBe(false);
  }
  expect(() => keepPrivate(join(directory.path, 'none'), 0o600)).toThrow('ENOENT');
});

test('a file is created for its owner alone, and one that is there keeps its content', () => {
  using directory = temporaryDirectory();
  const [made, found] = [join(directory.path, 'made'), join(directory.path, 'found')];
  writeFileSync(found, 'content', { mode: 0o644 });
  for (const path of [made, found]) createPrivate(path, 0o600);
  expect([made, found].map((path) => [readFileSync(path, 'utf8'), statSync(path).mode & 0o777])).toEqual([
    ['', 0o600],
    ['content', 0o600],
  ]);
  expect(() => createPrivate(join(directory.path, 'none', 'file'), 0o600)).not.toThrow();
});

test('no file of a database is readable for others, not even while it is first made', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'homeledger.sqlite');
  const caches = { writerCacheKiB: 2_000, readerCacheKiB: 2_000 };
  const engine = openSqlite({ path, gate: createWriteGate(), readers: 1, ...caches });
  expect(['', '-wal', '-shm'].map((name) => statSync(path + name).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  await engine.close();
});

test('what a crash left beside a database, and the lock of a running process, are for their owner alone', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'homeledger.sqlite');
  const caches = { writerCacheKiB: 2_000, readerCacheKiB: 2_000 };
  for (const name of ['', '-wal', '-shm']) writeFileSync(path + name, '', { mode: 0o644 });
  const engine = openSqlite({ path, gate: createWriteGate(), readers: 1, ...caches });
  const presence = createFilePresence(directory.path);
  presence.enter('0199e5aa-0000-7000-8000-00000000aa01');
  const modes = readdirSync(directory.path).map((name) => [name, statSync(join(directory.path, name)).mode & 0o777]);
  expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  expect(modes.map(([name]) => name)).toContain('running-0199e5aa-0000-7000-8000-00000000aa01.lock');
  presence.leave();
  await engine.close();
});
