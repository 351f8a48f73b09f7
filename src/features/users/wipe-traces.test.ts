import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { base64, csvOf, csvWithBalance } from '../../../test/harness/bank-files/bank-files.ts';
import { delivered, importRows, prove, weeks } from '../../../test/harness/syncs/joined-accounts.ts';
import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { ofxFile } from '../../../test/harness/bank-files/ofx-files.ts';
import { addBank, addBankAccount, deliver } from '../../../test/harness/syncs/synced-ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../../../test/harness/test-app.ts';

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
  'transaction_keys',
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
  // The bank changes a text: no transaction has the first one any more.
  for (const name of ['TEA', 'GREEN TEA']) {
    const ofx = ofxFile({
      account: NUMBER,
      closing: ['90.00', '2026-01-31'],
      entries: [{ id: `id-${MARK}`, date: '2026-01-05', amount: '-3.50', text: `${name} ${MARK}` }],
    });
    await send(app, 'POST', '/imports', {
      file_base64: base64(ofx),
      user_id: ana.short_id,
      account_name: `Card ${MARK}`,
    });
  }
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
  expect(said).toContain('The data that this change set wrote has been erased, so it can no longer be reverted.');
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

forEachDatabase((database) => {
  test('no text of an erased row is left in any table; others keep theirs, and the service works on', async () => {
    const family = await openFamily(await database.open());
    const { app, ana } = family;
    await live(family);
    const before = await shownOf(family);
    expect(await tablesWith(app, MARK)).toEqual(MARKED);
    const sets = (await send(app, 'GET', '/change-sets?limit=500')).change_sets;

    const counted = await wipe(app, ana, { dry_run: true });
    const expected = { ...COUNTS, deleted_connections: 3, deleted_accounts: 4, deleted_transactions: 7 };
    expect(counted.json).toEqual({ status: 'ok', dry_run: true, ...expected, provider_revocations: REVOCATIONS });
    expect(counted.headers['x-change-set-id']).toBeUndefined();
    expect(await tablesWith(app, MARK)).toEqual(MARKED);

    const done = await wipe(app, ana, undefined, { headers: { 'x-change-reason': 'Ana has moved out' } });
    expect([done.status, done.json]).toEqual([200, { ...counted.json, dry_run: false }]);
    expect(await tablesWith(app, MARK)).toEqual([]);
    expect(await tablesWith(app, NUMBER)).toEqual([]);
    expect(await shownOf(family)).toEqual(before);
    await expectRecorded(family, done);
    await expectPagesAndReverts(family, sets);

    const again = await wipe(app, ana);
    expect([again.json, again.headers['x-change-set-id']]).toEqual([
      { status: 'ok', dry_run: false, ...COUNTS, provider_revocations: REVOCATIONS },
      undefined,
    ]);
    if (database.name === 'SQLite') await expectNoBytes(app);
  });

  test.each([
    ['Ana', []],
    ['Ben', ['import_rows', 'texts', 'transaction_origins', 'transactions']],
  ])(
    'the wipe of %s erases a file whose account joins moved from a bank of Ben to one of Ana only if it is of Ana now',
    async (name, kept) => {
      const app = await database.open();
      const members = { Ana: await addMember(app, 'Ana'), Ben: await addMember(app, 'Ben') };
      await importRows(app, weeks(12), { account_name: 'Everyday', user_id: members.Ana.short_id });
      const bank = await addBank(app, members.Ben);
      const account = await addBankAccount(app, bank);
      await deliver(app, account, delivered(weeks(12, 2)));
      await importRows(app, [{ date: '2025-12-01', cents: 777, text: MARK }], { account_id: account.id });
      expect((await prove(app, account, weeks(1, 15))).joined.size).toBe(1);
      await send(app, 'DELETE', `/connections/${bank.id}`);
      const second = await addBankAccount(app, await addBank(app, members.Ana));
      await deliver(app, second, delivered(weeks(14, 2)));
      expect((await prove(app, second, weeks(1, 16))).joined.size).toBe(1);
      expect((await wipe(app, members[name as 'Ana' | 'Ben'], { include_shared: true })).status).toBe(200);
      expect(await tablesWith(app, MARK)).toEqual(kept);
    },
  );
});
