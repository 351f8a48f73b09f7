import fs, { copyFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';

import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import { createWriteGate } from '../../src/db/write-gate.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { temporaryDirectory } from '../harness/databases/databases.ts';
import { flip, homeOf, overwrite, pagesOf } from '../harness/databases/database-file.ts';
import { eventually } from '../harness/eventually.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const DAMAGED = /homeledger\.sqlite is damaged.*newest backup/;
const ROWS = 400;

const ready = (app: TestApp): Promise<Answer> => app.request('GET', '/health/ready', { key: null });
const read = (app: TestApp): Promise<Answer> => app.request('GET', '/api/v1/transactions?limit=500');
const write = (app: TestApp): Promise<Answer> => app.request('POST', '/api/v1/tags', { body: { name: 'Later' } });

function expectDamaged(answer: Answer): void {
  expect([answer.status, answer.json?.error?.code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.text).toMatch(DAMAGED);
}

forEachDatabase((database) => {
  if (database.name === 'PostgreSQL') {
    test('damage that the server tells of is answered as unavailable, with words', async () => {
      const app = await database.open({ expectsFailures: true });
      const told = sql.raw(`do $$ begin raise exception 'invalid page' using errcode = 'data_corrupted'; end $$`);
      const failed = app.app.instance.database.read(async ({ q }) => told.execute(q));
      await expect(failed).rejects.toThrow(/damaged on the server.*restore a backup/);
    });
    return;
  }

  /** A closed installation with a ledger of a few pages, and its file. */
  async function furnished(): Promise<{ app: TestApp; file: string }> {
    const app = await database.open({ expectsFailures: true });
    const member = await addMember(app, 'Ada');
    const account = await addAccount(app, member);
    const rows = Array.from({ length: ROWS }, (_value, index) => ({
      account,
      date: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
      amount_cents: -index - 1,
      name: `Payment number ${index} to a shop with a long name`,
    }));
    await addTransactions(app, rows);
    await app.close();
    return { app, file: homeOf(app).file };
  }

  for (const [what, table, bytes] of [
    ['a leaf of the ledger', 'transactions', 64],
    ['a whole leaf of the ledger', 'transactions', 4_096],
  ] as const) {
    test(`${what}, met by a read, answers 503, fails readiness and ends writing`, async () => {
      const { app, file } = await furnished();
      const leaves = pagesOf(file, table, 'leaf');
      flip(file, leaves[Math.floor(leaves.length / 2)] as number, bytes);
      const later = await app.again();
      expect((await ready(later)).status).toBe(200);
      expectDamaged(await read(later));
      const probe = await ready(later);
      expectDamaged(probe);
      expect(probe.text).not.toContain(file);
      expectDamaged(await write(later));
      expect((await later.request('GET', '/api/v1/tags')).status).toBe(200);
      expect(later.logs.filter((line) => line.includes(file) && line.includes('is damaged'))).toHaveLength(1);
    });
  }

  for (const [what, name, kind] of [
    ['a leaf of the ledger', 'transactions', 'leaf'],
    ['a leaf of an index', 'transactions_by_date', 'leaf'],
    ['a leaf of an index that no start reads', 'sqlite_autoindex_transactions_1', 'leaf'],
    ['the root of the ledger', 'transactions', 'internal'],
  ] as const) {
    test(`${what} is found by the check that follows a start`, async () => {
      const { app, file } = await furnished();
      const pages = pagesOf(file, name, kind);
      flip(file, pages.at(-1) as number, 4_096);
      const later = await app.again({ env: { PORT: '0' } });
      await later.app.listen();
      await eventually(async () => expectDamaged(await ready(later)));
      expectDamaged(await write(later));
    });
  }

  test('a changed letter in an index is found by the full check of a small database', async () => {
    const { app, file } = await furnished();
    const [page] = pagesOf(file, 'transactions_by_date', 'leaf');
    flip(file, (page as number) + 4_090, 2);
    const later = await app.again({ env: { PORT: '0' } });
    await later.app.listen();
    await eventually(async () => expectDamaged(await ready(later)));
  });

  test('a sound database passes the check', async () => {
    const { app } = await furnished();
    const later = await app.again({ env: { PORT: '0' } });
    await later.app.listen();
    await later.app.instance.database.check();
    expect((await ready(later)).status).toBe(200);
    expect((await write(later)).status).toBe(201);
  });

  test('a database cut short while it is used is noticed without being read', async () => {
    const { app, file } = await furnished();
    const later = await app.again({ env: { PORT: '0' } });
    expect((await ready(later)).status).toBe(200);
    truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096);
    expectDamaged(await ready(later));
    expectDamaged(await write(later));
  });

  test('a smaller database copied over it while it is used is noticed', async () => {
    const { app, file } = await furnished();
    const empty = await database.open();
    await empty.close();
    const later = await app.again();
    expect((await ready(later)).status).toBe(200);
    copyFileSync(homeOf(empty).file, file);
    expectDamaged(await ready(later));
    expectDamaged(await write(later));
  });

  test('garbage in its place is met by the next read of it', async () => {
    const { app, file } = await furnished();
    const later = await app.again();
    overwrite(file, 0, new Uint8Array(statSync(file).size).fill(0x5a));
    expectDamaged(await read(later));
    expectDamaged(await ready(later));
  });

  test('a thread that meets damage makes the whole service know', async () => {
    const { app, file } = await furnished();
    const leaves = pagesOf(file, 'transactions', 'leaf');
    flip(file, leaves[1] as number, 64);
    const later = await app.again({ workers: 1 });
    expectDamaged(await later.request('GET', '/api/v1/transactions?limit=500&sort_by=amount&search=payment'));
    expectDamaged(await write(later));
  });

  test('a full disk is said, changes nothing, and is over when there is room', async () => {
    using directory = temporaryDirectory();
    const engine = openSqlite({
      path: `${directory.path}/homeledger.sqlite`,
      gate: createWriteGate(),
      readers: 1,
      writerCacheKiB: 2_000,
      readerCacheKiB: 2_000,
    });
    await engine.write((connection) => connection.execute('create table t (x); pragma max_page_count = 10'));
    const fill = engine.write((connection) => connection.execute('insert into t values (zeroblob(100000))'));
    await expect(fill).rejects.toThrow('The disk of the database is full. Nothing was changed. Free some space');
    await engine.write((connection) => connection.execute('insert into t values (1)'));
    await engine.ping(1_000);
    await engine.close();
  });

  test('a full disk is noticed before a write meets it, and readiness says so until there is room', async () => {
    const { app, file } = await furnished();
    const later = await app.again();
    expect((await ready(later)).status).toBe(200);
    const { statfsSync } = fs;
    onTestFinished(() => {
      fs.statfsSync = statfsSync;
      syncBuiltinESMExports();
    });
    const full = (path: string) => Object.assign(statfsSync(path), { bavail: 0, bfree: 0 });
    fs.statfsSync = full as typeof statfsSync;
    syncBuiltinESMExports();
    // A disk that only looks full is not; this is where the probe writes, and what has no room.
    expect((await ready(later)).status).toBe(200);
    symlinkSync('/dev/full', join(dirname(file), 'disk-probe.tmp'));
    const answer = await ready(later);
    expect([answer.status, answer.json.error.details[0].path]).toEqual([503, 'db']);
    expect(answer.json.error.details[0].message).toMatch(/^The disk of the database is full\./);
    expect((await read(later)).status).toBe(200);
    await eventually(async () => expect((await ready(later)).status).toBe(200));
  });
});
