import { beforeAll, expect, test } from 'vitest';

import { csvOf, importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { resumeImport } from '../../../test/harness/bank-files/import-queue.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf, tableNames } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../../../test/harness/test-app.ts';
import { WIPED_TABLES } from './wipe-tables.queries.ts';

const COUNTS = { deleted_connections: 0, deleted_accounts: 0, deleted_transactions: 0 };
const REVOCATIONS = { succeeded: 0, failed: 0 };

type Json = Answer['json'];

async function wipe(app: TestApp, { short_id: id }: Made, body?: object, more: RequestOptions = {}): Promise<Answer> {
  return app.request('POST', `/api/v1/users/${id}/wipe-data`, { ...more, ...(body ? { body } : {}) });
}

/** Keeps all other writes waiting. Answers how to let them go on, which waits until they have. */
async function holdWrites(app: TestApp): Promise<() => Promise<void>> {
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = app.write('test.hold', async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  return async () => {
    end.resolve();
    await holding;
    await app.write('test.after', async () => undefined);
  };
}

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  test('every table is one that a wipe does something with, or leaves on purpose', async () => {
    const names = await tableNames(app.app.instance.database);
    const ours = names.filter((name) => !/^(texts_trigrams|schema_migrations)/.test(name));
    expect(Object.keys(WIPED_TABLES).sort()).toEqual(ours);
  });

  test('another member loses an account or transactions only if the request says so', async () => {
    const [dana, eve] = [await addMember(app, 'Dana'), await addMember(app, 'Eve')];
    const joint = await addAccount(app, dana, { name: 'Joint', override: eve });
    const own = await addAccount(app, dana, { name: 'Own', override: dana });
    const hers = await addAccount(app, eve, { name: 'Of Eve', override: dana });
    const row = { date: '2026-03-01', amount_cents: 100, name: 'Row' };
    await addTransactions(app, [
      { ...row, account: own, attributed: eve },
      { ...row, account: own, attributed: dana },
      { ...row, account: own, attributed: eve, columns: { deleted_at: '2026-03-02T00:00:00.000Z' } },
      { ...row, account: hers, attributed: dana },
    ]);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const body of [undefined, {}, { dry_run: true }, { include_shared: false }]) {
      const { status, json } = await wipe(app, dana, body);
      expect([status, json.error.code]).toEqual([409, 'CONFLICT']);
      expect(json.error.message).toContain('include_shared=true');
      expect(json.error.details).toEqual([
        { path: 'include_shared', message: `Joint (${joint.short_id}) belongs to Eve.`, account_id: joint.id },
        { path: 'include_shared', message: `Own (${own.short_id}) has 1 transaction of Eve.`, account_id: own.id },
      ]);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const all = { deleted_connections: 2, deleted_accounts: 2, deleted_transactions: 3 };
    expect((await wipe(app, dana, { include_shared: true, dry_run: true })).json).toMatchObject(all);
    expect((await wipe(app, dana, { include_shared: true })).json).toMatchObject(all);
    const query = { connection_id: hers.connection.id };
    const [left] = (await app.request('GET', '/api/v1/accounts', { query })).json;
    expect(left).toMatchObject({ id: hers.id, owner_user_id: dana.short_id });
  });

  test('imports that have not begun to write are stopped; one that is writing has its time to end', async () => {
    const finn = await addMember(app, 'Finn');
    const file = csvOf('2026-01-02 COFFEE -3.50');
    const fields = { user_id: finn.short_id, account_name: 'Finns' };
    const running = (await importFile(app, file, fields)).json.import.id;
    await resumeImport(app, running, 'running');
    const waiting = importFile(app, csvOf('2026-01-03 TEA -2.00'), fields);
    await eventually(async () => {
      const { imports } = (await app.request('GET', '/api/v1/imports', { query: { status: 'queued' } })).json;
      expect(imports).toHaveLength(1);
    });

    setLimit('wipeWaitMs', 20);
    const release = await holdWrites(app);
    const late = await wipe(app, finn);
    expect([late.status, late.json.error.code]).toEqual([409, 'SYNC_IN_PROGRESS']);
    await release();
    const { imports } = (await app.request('GET', '/api/v1/imports', { query: { user_id: finn.short_id } })).json;
    expect(imports.map((one: Json) => one.status)).toEqual(['queued', 'running']);

    const done = await wipe(app, finn);
    expect(done.json).toMatchObject({ deleted_connections: 1, deleted_accounts: 1, deleted_transactions: 1 });
    const stopped = await waiting;
    expect([stopped.status, stopped.json.error.code]).toEqual([409, 'CONFLICT']);
    expect(stopped.json.error.message).toContain('was erased during this import');
    expect((await app.request('GET', `/api/v1/imports/${running}`)).status).toBe(404);
    expect(await rowsOf(app.app.instance.database, `select name from leases where name like 'import:%'`)).toEqual([]);
    const again = await importFile(app, file, fields);
    expect(again.json.import.counts).toMatchObject({ added: 1, duplicate: 0 });
    expect((await wipe(app, finn, { dry_run: true })).json).toMatchObject({ deleted_transactions: 1 });
  });

  test('only an admin or a key with full access may wipe, and only whom there is', async () => {
    const gus = await addMember(app, 'Gus');
    const none = { status: 'ok', dry_run: false, ...COUNTS, provider_revocations: REVOCATIONS };
    for (const [role, status] of [
      ['editor', 403],
      ['viewer', 403],
      ['admin', 200],
    ] as const) {
      const { headers } = await signIn(app, { role, name: role });
      expect((await wipe(app, gus, {}, { key: null, headers })).status).toBe(status);
    }
    expect((await wipe(app, gus, {}, { key: app.readOnlyKey })).status).toBe(403);
    expect((await wipe(app, gus)).json).toEqual(none);
    expect((await wipe(app, { ...gus, short_id: 'zzzzzzzz' })).status).toBe(404);
    for (const body of [{ dry_run: 'yes' }, { include_shared: null }, { force: true }]) {
      expect((await wipe(app, gus, body)).json.error.code).toBe('VALIDATION_ERROR');
    }
  });

  test('a retry gets the stored answer; of the answers to others, those about erased rows are dropped', async () => {
    const [hal, ida] = [await addMember(app, 'Hal'), await addMember(app, 'Ida')];
    const key = (name: string) => ({ headers: { 'idempotency-key': name } });
    const fileOf = async ({ short_id }: Made, name: string): Promise<Answer> =>
      importFile(app, csvOf('2026-01-02 COFFEE -3.50'), { user_id: short_id, account_name: name }, key(name));
    const [of, other] = [await fileOf(hal, 'Hals'), await fileOf(ida, 'Idas')];
    const done = await wipe(app, hal, {}, key('wipe'));
    expect(done.json).toMatchObject({ deleted_transactions: 1 });
    const replayed = await wipe(app, hal, {}, key('wipe'));
    expect([replayed.json, replayed.headers['idempotency-replayed']]).toEqual([done.json, 'true']);
    expect(replayed.headers['x-change-set-id']).toBe(done.headers['x-change-set-id']);
    expect((await fileOf(ida, 'Idas')).json).toEqual(other.json);
    const anew = await fileOf(hal, 'Hals');
    expect(anew.json.import.counts.added).toBe(1);
    expect(anew.json.import.id).not.toBe(of.json.import.id);
  });

  test.each(['kept', 'deleted by hand'])(
    'a file of another member was read with a profile named after an erased account, since %s: it is named no more',
    async (since) => {
      const [one, other] = [await addMember(app, 'Moe'), await addMember(app, 'Ned')];
      const fileOf = async ({ short_id }: Made, name: string, headers = {}): Promise<Json> => {
        const more = { user_id: short_id, account_name: name };
        app.clock.advance(1_000);
        return (await importFile(app, csvOf('2026-01-02 COFFEE -3.50'), more, { headers })).json.import;
      };
      const name = `Secret of Moe, ${since}`;
      await fileOf(one, name);
      const { id, profile } = await fileOf(other, `Of Ned, ${since}`, { 'idempotency-key': `ned ${since}` });
      expect(profile).toMatchObject({ source: 'stored', name });
      if (since !== 'kept') await app.request('DELETE', `/api/v1/import-profiles/${profile.slug}`);
      expect((await wipe(app, one)).json.deleted_accounts).toBe(1);
      expect((await app.request('GET', `/api/v1/imports/${id}`)).json).toMatchObject({ id, profile: null });
      const rows = Object.values(await allRows(app.app.instance.database)).flat();
      expect(rows.filter((row) => row.includes(name))).toEqual([]);
      // The answer is no longer stored, but the file is known: sent again, it adds nothing.
      await fileOf(other, `Of Ned, ${since}`, { 'idempotency-key': `ned ${since}` });
      const query = { user_id: other.short_id };
      expect((await app.request('GET', '/api/v1/transactions/count', { query })).json.count).toBe(1);
      expect((await app.request('GET', '/api/v1/accounts', { query })).json).toHaveLength(1);
    },
  );

  test('search finds what comes after a wipe, and nothing of before', async () => {
    const jon = await addMember(app, 'Jon');
    const days = Array.from({ length: 60 }, (_, index) => String((index % 28) + 1).padStart(2, '0'));
    const fileOf = (word: string): string => csvOf(...days.map((day, index) => `2026-01-${day} ${word}${index} -1.00`));
    const found = async (search: string, mode: string): Promise<string[]> => {
      const query = { search, search_mode: mode, user_id: jon.short_id };
      const { transactions } = (await app.request('GET', '/api/v1/transactions', { query })).json;
      return transactions.map((one: Json) => one.name);
    };
    await importFile(app, fileOf('LAUNDRY'), { user_id: jon.short_id, account_name: 'Jons' });
    expect(await found('laundry7', 'contains')).toEqual(['LAUNDRY7']);
    expect((await wipe(app, jon)).json.deleted_transactions).toBe(60);
    await importFile(app, fileOf('CARPET'), { user_id: jon.short_id, account_name: 'Jons' });
    for (const mode of ['contains', 'fuzzy']) {
      expect(await found('laundry7', mode)).toEqual([]);
      expect(await found('carpet17', mode)).toContain('CARPET17');
    }
  });

  test('a reader that takes its time does not hold it up; indexes that it left go with the next wipe', async () => {
    const { database: db } = app.app.instance;
    const indexes =
      db.engineName === 'sqlite'
        ? `select name from sqlite_schema where type = 'index' and name like 'lookup%'`
        : `select indexname as name from pg_indexes where schemaname = current_schema() and indexname like 'lookup%'`;
    const wipeNew = async (name: string): Promise<Answer> => {
      const member = await addMember(app, name);
      await addTransactions(app, [
        { account: await addAccount(app, member), date: '2026-03-01', amount_cents: 100, name: 'Row' },
      ]);
      return wipe(app, member);
    };
    setLimit('wipeReadersMs', 1);
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const reading = db.read(async ({ q }) => {
      await q.selectFrom('transactions').select('id').limit(1).execute();
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    expect((await wipeNew('Kim')).json.deleted_transactions).toBe(1);
    expect((await rowsOf(db, indexes)).length > 0).toBe(db.engineName === 'postgres');
    end.resolve();
    await reading;
    expect((await wipeNew('Lea')).json.deleted_transactions).toBe(1);
    expect(await rowsOf(db, indexes)).toEqual([]);
  });
});
