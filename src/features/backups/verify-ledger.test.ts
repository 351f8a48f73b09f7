import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';
import { expect, test } from 'vitest';

import { sampleLedger } from '../../../test/harness/ledgers/sample-ledger.ts';
import { addChannel } from '../../../test/harness/servers/notifications.ts';
import { rowsOf, tableNames } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { declaredIndexes, declaredReferences, declaredTables } from '../../db/declared-schema.ts';
import { ledgerFigures, type LedgerFigures } from './ledger-figures.ts';
import { isVerified, verifyLedger, type LedgerCheck } from './verify-ledger.ts';

const verify = (app: TestApp, expected?: LedgerFigures, keys = [app.app.instance.masterKey]): Promise<LedgerCheck[]> =>
  app.app.instance.database.read((tx) => verifyLedger(tx, { keys, ...(expected ? { expected } : {}) }));

/** The one check that fails, in words; undefined if all is well. */
async function failureOf(app: TestApp, expected?: LedgerFigures): Promise<string | undefined> {
  const failed = (await verify(app, expected)).filter(({ status }) => status === 'fail');
  expect(failed.length).toBeLessThan(2);
  return failed[0] && `${failed[0].name}: ${failed[0].message}`;
}

/** Changes rows behind the program's back, without triggers and references. Closing the app spares it the harness's own check. */
async function tamper(app: TestApp, statement: string): Promise<void> {
  const { env } = app;
  if (env['DATABASE_URL'] === undefined) {
    const path = join(env['HOMELEDGER_DATA_DIR'] as string, 'homeledger.sqlite');
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false });
    const triggers = database.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all();
    for (const { name } of triggers) database.exec(`drop trigger ${String(name)}`);
    database.exec(statement);
    for (const { sql } of triggers) database.exec(String(sql));
    database.close();
    return;
  }
  const client = new Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  await client.query(`set session_replication_role = replica; ${statement}`);
  await client.end();
}

forEachDatabase((database) => {
  async function ledger(): Promise<TestApp> {
    const app = await database.open();
    await sampleLedger(app);
    await addChannel(app, { format: 'gotify', url: 'https://gotify.invalid', token: 'channel-token' });
    return app;
  }

  test('a ledger that nobody harmed passes every check', async () => {
    const app = await ledger();
    const figures = await app.app.instance.database.read(ledgerFigures);
    const checks = await verify(app, figures);
    expect(checks.map(({ name, status }) => [name, status])).toEqual(
      ['integrity', 'references', 'rows', 'sums', 'totals', 'consistency', 'search', 'secrets'].map((name) => [
        name,
        'pass',
      ]),
    );
    expect(figures.rows['transactions']).toBe(15);
    expect(figures.sums.length).toBeGreaterThan(3);
    expect(await verify(await database.open())).toSatisfy(isVerified);
  });

  test('each kind of harm fails the check that is for it', async () => {
    const app = await ledger();
    const [row] = await rowsOf(app.app.instance.database, 'select id from transactions where deleted_at is null');
    const id = String(row?.['id']);
    const before = await app.app.instance.database.read(ledgerFigures);

    await tamper(app, `update transactions set account_id = 'gone' where id = '${id}'`);
    const checks = await verify(app);
    expect(checks.find(({ name }) => name === 'references')).toEqual({
      name: 'references',
      status: 'fail',
      message: 'References to rows that do not exist: 1 in transactions.account_id to accounts.',
    });
    await tamper(
      app,
      `update transactions set account_id = (select max(account_id) from monthly_totals) where id = '${id}'`,
    );
    expect((await verify(app)).find(({ name }) => name === 'references')?.status).toBe('pass');
    expect((await verify(app, before)).find(({ name }) => name === 'sums')?.status).toBe('fail');
    await app.close();
  });

  test('a stored total that differs from its transactions is found', async () => {
    const app = await ledger();
    await tamper(app, 'update monthly_totals set total_cents = total_cents + 1');
    expect(await failureOf(app)).toMatch(/^totals: \d+ stored totals differ/);
    await app.close();
  });

  test('a lost row, a changed amount and a merged transaction that counts are found', async () => {
    const app = await ledger();
    const before = await app.app.instance.database.read(ledgerFigures);
    await tamper(app, 'delete from comments');
    await tamper(app, `insert into rule_hits (rule_id, hit_count) select id, 1 from rules`);
    expect(await failureOf(app, before)).toMatch(
      'rows: Other numbers of rows than expected: rule_hits has 1 rows, not 0',
    );
    const other = { ...before, rows: {}, sums: before.sums.map((sum) => ({ ...sum, total_cents: '7' })) };
    expect(await failureOf(app, other)).toMatch(/^sums: Other sums than expected: account .*, not 7 cents in/);
    await tamper(
      app,
      `update transactions set merged_into_id = (select max(id) from transactions) where deleted_at is null
        and id = (select min(id) from transactions where deleted_at is null)`,
    );
    expect(await failureOf(app)).toBe('consistency: What cannot be: 1 merged transactions that still count.');
  });

  test('a text that cannot be searched is found', async () => {
    const app = await ledger();
    await tamper(
      app,
      database.name === 'SQLite'
        ? 'delete from texts_trigrams where rowid = (select min(id) from texts)'
        : `update texts set trigrams = '{}' where id = (select min(id) from texts)`,
    );
    expect(await failureOf(app)).toMatch('search: 1 texts are missing');
  });

  test('secrets are read with every key at hand, and nothing of them is told', async () => {
    const app = await ledger();
    const [own, other] = [app.app.instance.masterKey, new Uint8Array(32).fill(7)];
    const read = async (keys: Uint8Array[]) => (await verify(app, undefined, keys)).at(-1);
    expect(await read([other, own])).toMatchObject({ name: 'secrets', status: 'pass' });
    expect(await read([])).toMatchObject({ status: 'skip' });
    const wrong = await read([other]);
    expect(wrong).toMatchObject({ status: 'fail' });
    expect(wrong?.message).toContain('notification_channels.token');
    expect(wrong?.message).not.toContain('channel-token');
  });

  test('the tables, references and indexes that are declared are those of the database', async () => {
    const app = await database.open();
    const { database: db } = app.app.instance;
    const own = (await tableNames(db)).filter(
      (name) => name !== 'schema_migrations' && !name.startsWith('texts_trigrams'),
    );
    expect(declaredTables().toSorted()).toEqual(own);
    const isSqlite = database.name === 'SQLite';
    const indexes = isSqlite
      ? `select name from sqlite_schema where type = 'index' and sql is not null`
      : `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
          where c.relnamespace = current_schema()::regnamespace
          and not exists (select 1 from pg_constraint where conindid = i.indexrelid)`;
    const names = (await rowsOf<{ name: string }>(db, indexes)).map(({ name }) => name).toSorted();
    expect(
      declaredIndexes(isSqlite ? 'sqlite' : 'postgres')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names);
    if (!isSqlite) return;
    const references = await rowsOf<{ text: string }>(
      db,
      `select t.name || '.' || f."from" || ' ' || f."table" || '.' || f."to" as text from pragma_table_list t
        join pragma_foreign_key_list(t.name) f where t.schema = 'main'`,
    );
    const declared = declaredReferences().map((one) => `${one.table}.${one.column} ${one.parent}.${one.parentColumn}`);
    expect(declared.toSorted()).toEqual(references.map(({ text }) => text).toSorted());
  });
});

forEachDatabase(
  (database) => {
    test('an index that lost an entry is damage', async () => {
      const app = await database.open();
      await sampleLedger(app);
      // The schema says what the index never did, as a page that went wrong would leave it.
      await tamper(
        app,
        `pragma writable_schema = on;
          update sqlite_schema set sql = replace(sql, '(amount_cents)', '(-amount_cents)') where name = 'transactions_by_amount'`,
      );
      await app.close();
      expect(await failureOf(await app.again())).toMatch(
        /^integrity: The database is damaged: .*transactions_by_amount/,
      );
    });
  },
  ['SQLite'],
);
