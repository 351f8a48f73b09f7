import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { base64, csvOf, csvWithBalance, importFile } from '../../../test/harness/bank-files.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { resumeImport } from '../../../test/harness/import-queue.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { ofxFile } from '../../../test/harness/ofx-files.ts';
import { signIn } from '../../../test/harness/sessions.ts';
import { allRows, rowsOf, tableNames } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../../../test/harness/test-app.ts';
import { WIPED_TABLES } from './wipe-tables.queries.ts';

/** In every text of Ana's, and in no other. */
const MARK = 'xanaqz';
const NUMBER = '7340018265';
const COUNTS = { deleted_connections: 0, deleted_accounts: 0, deleted_transactions: 0 };

const REVOCATIONS = { succeeded: 0, failed: 0 };
const MARKED = [
  'accounts',
  'change_sets',
  'changes',
  'comments',
  'connections',
  'idempotent_answers',
  'import_profiles',
  'import_rows',
  'imports',
  'rule_effects',
  'rule_runs',
  'texts',
  'transaction_aliases',
  'transaction_origins',
  'transactions',
];

type Json = Answer['json'];

async function send(
  app: TestApp,
  method: string,
  path: string,
  body?: object,
  headers: RequestOptions['headers'] = {},
): Promise<Json> {
  app.clock.advance(1_000);
  const answer = await app.request(method, `/api/v1${path}`, { headers, ...(body ? { body } : {}) });
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  return answer.json;
}

async function wipe(app: TestApp, { short_id: id }: Made, body?: object, more: RequestOptions = {}): Promise<Answer> {
  return app.request('POST', `/api/v1/users/${id}/wipe-data`, { ...more, ...(body ? { body } : {}) });
}

interface Family {
  app: TestApp;
  ana: Made;
  ben: Made;
  giro: string;
  wallet: string;
  benGiro: string;
}

/** Ana and Ben, each with accounts, and a file with rows of both. */
async function openFamily(app: TestApp): Promise<Family> {
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  await send(app, 'POST', '/rules', {
    name: 'Cafes',
    condition: { field: 'name', op: 'contains', value: 'cafe' },
    actions: [
      { type: 'add_tag', tag_slug: 'cafe' },
      { type: 'set_metadata', metadata_key: 'note', metadata_value: 'a cafe' },
      { type: 'add_comment', content: 'A cafe' },
    ],
    triggers: ['sync', 'retroactive', 'manual'],
  });
  const file = (text: string, fields: object) => ({ csv_base64: base64(text), sign: 'positive_is_in', ...fields });
  const rows = [`2026-01-02 CAFE ${MARK} -3.50`, `2026-01-03 RENT ${MARK} -800.00`, '2026-01-04 CHARGE -1.00'];
  const more = { user_id: ana.short_id, account_name: `Giro ${MARK}`, file_name: `${MARK}.csv` };
  const text = csvWithBalance(0, ...rows);
  const again = { 'idempotency-key': 'import', 'x-change-reason': `Reason ${MARK}` };
  const giro = await send(app, 'POST', '/connections/csv/import', file(text, more), again);
  const ofx = ofxFile({
    account: NUMBER,
    closing: ['90.00', '2026-01-31'],
    entries: [{ id: `id-${MARK}`, date: '2026-01-05', amount: '-3.50', text: `TEA ${MARK}` }],
  });
  const card = { file_base64: base64(ofx), user_id: ana.short_id, account_name: `Card ${MARK}` };
  await send(app, 'POST', '/imports', card);
  const forBen = { user_id: ben.short_id, account_name: 'Giro of Ben' };
  const benText = csvOf('2026-01-02 CHARGE -7.00', '2026-01-03 BAKER -2.00');
  const benGiro = await send(app, 'POST', '/connections/csv/import', file(benText, forBen));
  const both = `Account,Date,Description,Amount,Currency,Notes
${MARK},2026-02-01,SHARED CAFE ${MARK},-5.00,EUR,Note ${MARK}
Ben,2026-02-02,SHARED BREAD,-6.00,EUR,for all`;
  const accounts = { [MARK]: giro.account_id, Ben: benGiro.account_id };
  await send(app, 'POST', '/connections/csv/import', file(both, { accounts, import_notes: true }));
  const wallet = await send(app, 'POST', '/accounts', {
    name: `Wallet ${MARK}`,
    iso_currency_code: 'EUR',
    user_id: ana.short_id,
    opening_balance: '10.00',
    opening_date: '2026-01-01',
  });
  return { app, ana, ben, giro: giro.account_id, wallet: wallet.id, benGiro: benGiro.account_id };
}

/** What people do with accounts and rows, those of Ana and Ben together where that can be. */
async function live({ app, ana, giro, wallet }: Family): Promise<void> {
  const row = { account_id: wallet, date: '2026-01-08', amount: '4.50', name: `Coffee ${MARK}` };
  const coffee = (await send(app, 'POST', '/transactions', row, { 'idempotency-key': 'coffee' })).id;
  const bread = (await send(app, 'GET', '/transactions?search=bread')).transactions[0].id;
  await send(app, 'POST', `/transactions/${coffee}/comments`, { body: `Comment ${MARK}` }, { 'idempotency-key': 'c' });
  await send(app, 'PUT', `/transactions/${coffee}/metadata`, { metadata: { note: MARK } });
  await send(app, 'POST', `/transactions/${coffee}/flag`, { reason: `Why ${MARK}` });
  await send(app, 'PATCH', `/accounts/${giro}`, { display_name: `My giro ${MARK}` });
  await send(app, 'PUT', `/accounts/${wallet}/balances/2026-01-09`, { balance_current: '5.50' });
  for (const id of [coffee, bread]) await send(app, 'POST', `/transactions/${id}/tags`, { slug: 'food' });
  const together = { transaction_ids: [coffee, bread] };
  await send(app, 'POST', '/series', { name: 'Food', ...together });
  const counterparty = await send(app, 'POST', '/counterparties', { name: 'Grocer' });
  await send(app, 'POST', `/counterparties/${counterparty.id}/transactions`, together);
  const recategorize = { filter: { search: 'ha' }, target_category_id: 'food_and_drink_groceries' };
  await send(app, 'POST', '/transactions/bulk-recategorize', recategorize, { 'x-change-reason': `About ${MARK}` });
  await send(app, 'POST', '/rules/apply-all', {});
  await send(app, 'POST', '/rules', {
    name: 'Of the wallet',
    condition: { field: 'account_id', op: 'eq', value: wallet },
    actions: [{ type: 'flag' }],
  });
  const saved = { headers: ['Day', MARK], account_id: wallet, name: `Profile ${MARK}` };
  await send(app, 'PUT', '/import-profiles/old', saved);
  await send(app, 'DELETE', '/import-profiles/old');
  await send(app, 'PUT', '/import-profiles/new', saved);
  await send(app, 'DELETE', '/tags/food');
  const sold = { name: `Sold ${MARK}`, iso_currency_code: 'EUR', user_id: ana.short_id };
  const { id } = await send(app, 'POST', '/accounts', sold);
  await send(app, 'POST', '/transactions', { ...row, account_id: id, name: `Old ${MARK}` });
  await send(app, 'DELETE', `/accounts/${id}?delete_transactions=true`);
  const [latest] = (await send(app, 'GET', '/imports')).imports;
  await send(app, 'POST', `/imports/${latest.id}/revert`, { on_conflict: 'skip' });
}

/** Tables with a text of Ana's. */
async function tablesWith(app: TestApp, text: string): Promise<string[]> {
  const rows = Object.entries(await allRows(app.app.instance.database));
  return rows.filter(([, list]) => list.some((row) => row.toLowerCase().includes(text))).map(([table]) => table);
}

/** Totals, rows and accounts as others see them. */
async function shownOf({ app, ben }: Family): Promise<Json[]> {
  const of = `user_id=${ben.short_id}`;
  return [
    await send(app, 'GET', `/transactions/count?include_totals=true&${of}`),
    await send(app, 'GET', `/transactions/summary?group_by=month,category&${of}`),
    await send(app, 'GET', `/transactions?${of}`),
    await send(app, 'GET', `/accounts?${of}`),
    await send(app, 'GET', `/transactions?search=charge&${of}`),
  ];
}

/** One change set says who wiped whom; it cannot be reverted, and rules no longer name the accounts. */
async function expectRecorded({ app, ana }: Family, done: Answer): Promise<void> {
  const id = String(done.headers['x-change-set-id']);
  const set = await send(app, 'GET', `/change-sets/${id}`);
  expect(set).toMatchObject({
    action: 'user.wipe_data',
    reason: 'Ana has moved out',
    summary: 'Wiped the data of Ana: 3 connections, 4 accounts, 7 transactions',
    revertible: false,
    entity_types: ['rule', 'user'],
  });
  const { deleted_connections, deleted_accounts, deleted_transactions } = done.json;
  expect(set.changes.at(-1)).toMatchObject({
    entity_type: 'user',
    entity_id: ana.id,
    before: {},
    after: { deleted_connections, deleted_accounts, deleted_transactions },
  });
  const refused = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
  expect([refused.status, refused.json.error.code]).toEqual([409, 'NOT_REVERTIBLE']);
  const rule = (await send(app, 'GET', '/rules')).rules.find((one: Json) => one.name === 'Of the wallet');
  expect(rule.enabled).toBe(false);
}

/** Every page still opens, and every older change set is reverted as far as it can be. */
async function expectPagesAndReverts({ app, wallet, benGiro }: Family, sets: readonly Json[]): Promise<void> {
  const { imports } = await send(app, 'GET', '/imports');
  expect(imports.map((one: Json) => one.accounts.map((account: Json) => account.account_id))).toEqual([
    [benGiro],
    [benGiro],
  ]);
  for (const { id } of imports) for (const rest of ['', '/rows']) await send(app, 'GET', `/imports/${id}${rest}`);
  const [charge] = (await send(app, 'GET', '/transactions?search=bread')).transactions;
  for (const path of ['/jobs', '/import-profiles', `/transactions/${charge.id}/annotations`])
    await send(app, 'GET', path);
  expect((await app.request('GET', `/api/v1/accounts/${wallet}`)).status).toBe(404);
  const said = new Set<string>();
  for (const { id } of sets) {
    const set = await send(app, 'GET', `/change-sets/${id}?limit=1`);
    if (set.next_cursor !== '') await send(app, 'GET', `/change-sets/${id}?limit=1&cursor=${set.next_cursor}`);
    const answer = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: { on_conflict: 'skip' } });
    said.add(answer.json.error?.message ?? answer.json.skipped.map((one: Json) => one.reason).join());
    expect(answer.status, answer.text).toBeLessThan(500);
  }
  expect(said).toContain('What this change set wrote has been erased for good, so it cannot be reverted.');
  expect(said).toContain('not_revertible');
  expect(await tablesWith(app, MARK)).toEqual([]);
}

/** The file of an embedded database holds nothing of it either. */
async function expectNoBytes(app: TestApp): Promise<void> {
  await app.close();
  const directory = String(app.env['HOMELEDGER_DATA_DIR']);
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1').toLowerCase());
  expect(files.map((content) => content.indexOf(MARK))).toEqual(files.map(() => -1));
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

  test('says of every table what it does with it', async () => {
    const names = await tableNames(app.app.instance.database);
    const ours = names.filter((name) => !/^(texts_trigrams|schema_migrations)/.test(name));
    expect(Object.keys(WIPED_TABLES).sort()).toEqual(ours);
  });

  test('no text of an erased row is left in any table; others keep theirs, and the service works on', async () => {
    const family = await openFamily(await database.open());
    const { app: theirs, ana } = family;
    await live(family);
    const before = await shownOf(family);
    expect(await tablesWith(theirs, MARK)).toEqual(MARKED);
    const sets = (await send(theirs, 'GET', '/change-sets?limit=500')).change_sets;

    const counted = await wipe(theirs, ana, { dry_run: true });
    const expected = { ...COUNTS, deleted_connections: 3, deleted_accounts: 4, deleted_transactions: 7 };
    expect(counted.json).toEqual({ status: 'ok', dry_run: true, ...expected, provider_revocations: REVOCATIONS });
    expect(counted.headers['x-change-set-id']).toBeUndefined();
    expect(await tablesWith(theirs, MARK)).toEqual(MARKED);

    const done = await wipe(theirs, ana, undefined, { headers: { 'x-change-reason': 'Ana has moved out' } });
    expect([done.status, done.json]).toEqual([200, { ...counted.json, dry_run: false }]);
    expect(await tablesWith(theirs, MARK)).toEqual([]);
    expect(await tablesWith(theirs, NUMBER)).toEqual([]);
    expect(await shownOf(family)).toEqual(before);
    await expectRecorded(family, done);
    await expectPagesAndReverts(family, sets);

    const again = await wipe(theirs, ana);
    expect([again.json, again.headers['x-change-set-id']]).toEqual([
      { status: 'ok', dry_run: false, ...COUNTS, provider_revocations: REVOCATIONS },
      undefined,
    ]);
    if (database.name === 'SQLite') await expectNoBytes(theirs);
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
