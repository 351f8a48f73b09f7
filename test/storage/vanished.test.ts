import { copyFileSync, renameSync, rmSync } from 'node:fs';

import pg from 'pg';
import { expect, test } from 'vitest';

import { csvOf, importFile } from '../harness/bank-files/bank-files.ts';
import { foreignDatabase, homeOf } from '../harness/databases/database-file.ts';
import { eventually } from '../harness/eventually.ts';
import { addMember } from '../harness/ledger.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

/** Bookkeeping that is not part of the ledger. */
const RECORDS = ['api_key_uses', 'idempotent_answers'];
const FILE = csvOf('Date,Description,Amount,Currency', '2026-01-05,Bakery,-3.20,EUR', '2026-01-06,Salary,900.00,EUR');

interface Loss {
  name: string;
  reason: RegExp;
  take: (home: { folder: string; file: string }) => void;
  bring: (home: { folder: string; file: string }) => void;
}

const LOSSES: Loss[] = [
  {
    name: 'the data directory was moved',
    reason: /homeledger\.sqlite is no longer in the data directory/,
    take: ({ folder }) => renameSync(folder, `${folder}-moved`),
    bring: ({ folder }) => renameSync(`${folder}-moved`, folder),
  },
  {
    name: 'the database file was moved',
    reason: /homeledger\.sqlite is no longer in the data directory/,
    take: ({ file }) => renameSync(file, `${file}.moved`),
    bring: ({ file }) => renameSync(`${file}.moved`, file),
  },
  {
    name: 'another database was put in its place',
    reason: /homeledger\.sqlite was replaced by another file/,
    take: ({ file }) => {
      renameSync(file, `${file}.moved`);
      foreignDatabase(`${file}.other`);
      renameSync(`${file}.other`, file);
    },
    bring: ({ file }) => renameSync(`${file}.moved`, file),
  },
  {
    name: 'a copy of itself was put in its place',
    reason: /homeledger\.sqlite was replaced by another file/,
    take: ({ file }) => {
      renameSync(file, `${file}.moved`);
      copyFileSync(`${file}.moved`, file);
    },
    bring: ({ file }) => renameSync(`${file}.moved`, file),
  },
  {
    name: 'the log was moved',
    reason: /-wal or -shm\) was removed or replaced/,
    take: ({ file }) => renameSync(`${file}-wal`, `${file}.moved`),
    bring: ({ file }) => renameSync(`${file}.moved`, `${file}-wal`),
  },
  {
    name: 'the index of the log was moved',
    reason: /-wal or -shm\) was removed or replaced/,
    take: ({ file }) => renameSync(`${file}-shm`, `${file}.moved`),
    bring: ({ file }) => renameSync(`${file}.moved`, `${file}-shm`),
  },
];

const tag = (app: TestApp, slug: string): Promise<Answer> =>
  app.request('POST', '/api/v1/tags', { body: { name: slug }, headers: { 'idempotency-key': slug } });
const ready = (app: TestApp): Promise<Answer> => app.request('GET', '/health/ready', { key: null });

function expectUnavailable(answer: Answer, reason: RegExp): void {
  expect([answer.status, answer.json?.error?.code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.json.error.message).toMatch(reason);
  expect(answer.headers['retry-after']).toBe('5');
}

forEachDatabase((database) => {
  if (database.name === 'PostgreSQL') {
    test('a server that takes no writes is named in the answer', async () => {
      const app = await database.open();
      const url = app.env['DATABASE_URL'] as string;
      const name = new URL(url).pathname.slice(1);
      const alter = async (...statements: string[]): Promise<void> => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        for (const statement of statements) await client.query(statement);
        await client.end();
      };
      await alter(`alter database ${name} set default_transaction_read_only = on`);
      const other = await app.again();
      expectUnavailable(await tag(other, 'refused'), /is read-only/);
      expect((await other.request('GET', '/api/v1/tags')).status).toBe(200);
      await other.close();
      await app.close();
      await alter('set default_transaction_read_only = off', `alter database ${name} reset all`);

      const last = await app.again();
      expect((await tag(last, 'accepted')).status).toBe(201);
    });
    return;
  }

  for (const { name, reason, take, bring } of LOSSES) {
    test(`while ${name} nothing is acknowledged; back in its place it is used again`, async () => {
      const app = await database.open({ expectsFailures: true });
      const home = homeOf(app);
      expect((await tag(app, 'before')).status).toBe(201);
      const before = await allRows(app.app.instance.database, RECORDS);
      take(home);
      expectUnavailable(await tag(app, 'lost'), reason);
      const probe = await ready(app);
      expect([probe.status, probe.json.error.details]).toEqual([
        503,
        [{ path: 'db', message: expect.stringMatching(reason) }],
      ]);
      expect(probe.text).not.toContain(home.folder);
      expect((await app.request('GET', '/health', { key: null })).status).toBe(200);
      expect(app.logs.filter((line) => line.includes(home.file) && reason.test(line))).toHaveLength(1);

      bring(home);
      expect((await ready(app)).status).toBe(200);
      expect(app.logs.join('')).toContain('is available again');
      expect(await allRows(app.app.instance.database, RECORDS)).toEqual(before);
      expect((await tag(app, 'lost')).status).toBe(201);
      await app.close();
      const later = await app.again();
      const slugs = (await later.request('GET', '/api/v1/tags')).json.map((one: { slug: string }) => one.slug);
      expect(slugs).toEqual(expect.arrayContaining(['before', 'lost']));
    });
  }

  test('reads do not answer out of a database that is gone', async () => {
    const app = await database.open({ expectsFailures: true });
    const home = homeOf(app);
    expect((await app.request('GET', '/api/v1/tags')).status).toBe(200);
    renameSync(home.file, `${home.file}.moved`);
    expectUnavailable(await app.request('GET', '/api/v1/tags'), /no longer in the data directory/);
    renameSync(`${home.file}.moved`, home.file);
    expect((await app.request('GET', '/api/v1/tags')).status).toBe(200);
  });

  test('threads notice too: those that run, and those that start', async () => {
    const app = await database.open({ workers: 1, expectsFailures: true });
    const home = homeOf(app);
    await addMember(app, 'Ada');
    for (const isWarm of [false, true]) {
      renameSync(home.folder, `${home.folder}-moved`);
      // With a first request the key is known; the import itself is what meets the loss.
      expectUnavailable(await importFile(app, FILE, { account_name: 'Checking' }), /no longer in the data directory/);
      renameSync(`${home.folder}-moved`, home.folder);
      if (isWarm) continue;
      const count = await app.request('GET', '/api/v1/transactions/count');
      expect(count.json.count).toBe(0);
      expect((await importFile(app, FILE, { account_name: 'Checking' })).status).toBeLessThan(300);
    }
    expect((await app.request('GET', '/api/v1/transactions/count')).json.count).toBe(2);
  });

  test('what was acknowledged survives a removed log, even if the process is not stopped cleanly', async () => {
    const app = await database.open({ env: { PORT: '0' }, expectsFailures: true });
    const { file } = homeOf(app);
    await app.app.listen();
    expect((await tag(app, 'kept')).status).toBe(201);
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`);
    expectUnavailable(await tag(app, 'refused'), /was removed or replaced/);
    const copy = `${file}.copy`;
    await eventually(async () => {
      copyFileSync(file, copy);
      const { DatabaseSync } = await import('node:sqlite');
      const saved = new DatabaseSync(copy);
      const slugs = saved.prepare('select slug from tags').all();
      saved.close();
      expect(slugs).toContainEqual({ slug: 'kept' });
    });
    await app.close();
    const later = await app.again();
    const slugs = (await later.request('GET', '/api/v1/tags')).json.map((one: { slug: string }) => one.slug);
    expect(slugs).toContain('kept');
    expect(slugs).not.toContain('refused');
  });
});
