import { expect, test } from 'vitest';

import { sendBytes } from '../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const PLAIN = 'Date,Description,Amount\n2026-05-01,Coffee,-4.50\n2026-05-01,Coffee,-4.50\n2026-05-02,Tea,-2.00\n';
const STATED = 'Date,Description,Amount,Currency\n2026-05-03,Hotel,-90.00,CHF\n';
const FIELDS = { account_name: 'Giro', sign: 'positive_is_in' };

async function take(app: TestApp, file: string, fields: object = {}): Promise<Answer['json']> {
  const { status, json, text } = await sendBytes(app, file, { ...FIELDS, ...fields });
  expect(status, text).toBe(201);
  return json;
}

async function currencies(app: TestApp): Promise<string[]> {
  const { transactions } = (await app.request('GET', '/api/v1/transactions?limit=500')).json;
  return transactions.map((row: Record<string, string>) => `${row['name']} ${row['iso_currency_code']}`).sort();
}

/** As if the household's default had given the import its currency. */
async function assumed(app: TestApp, importId: string): Promise<void> {
  await app.write('test.assumed', async (tx) => {
    await tx.q.updateTable('imports').set({ currency_stated: 0 }).where('id', '=', importId).execute();
  });
}

forEachDatabase((database) => {
  test('a currency fills the rows and balances that have none, and leaves those that state one', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const withBalance = 'Date,Description,Amount,Balance\n2026-05-01,Coffee,-4.50,95.50\n2026-05-02,Tea,-2.00,93.50\n';
    const { account_id: id } = await take(app, withBalance);
    await take(app, STATED);
    expect(await currencies(app)).toEqual(['Coffee null', 'Hotel CHF', 'Tea null']);
    const path = `/api/v1/accounts/${id}`;
    const before = (await app.request('GET', path)).json;
    expect(before).toMatchObject({ iso_currency_code: null, balance_current: '93.50' });
    const done = await app.request('PATCH', path, { body: { iso_currency_code: 'EUR' } });
    expect([done.status, done.json]).toMatchObject([200, { iso_currency_code: 'EUR', balance_current: '93.50' }]);
    expect(await currencies(app)).toEqual(['Coffee EUR', 'Hotel CHF', 'Tea EUR']);
    expect((await take(app, withBalance, { iso_currency_code: 'EUR' })).counts).toMatchObject({ added: 0 });
    const set = String(done.headers['x-change-set-id']);
    const undone = await app.request('POST', `/api/v1/change-sets/${set}/revert`, { body: {} });
    expect(undone.status, undone.text).toBe(200);
    expect(await currencies(app)).toEqual(['Coffee null', 'Hotel CHF', 'Tea null']);
    expect((await app.request('GET', path)).json).toMatchObject({ iso_currency_code: null, balance_current: '93.50' });
    const { balances } = (await app.request('GET', `${path}/balances`)).json;
    expect(balances.map((one: Record<string, unknown>) => one['iso_currency_code'])).toEqual([null, null]);
  });

  test('it replaces a currency that imports merely assumed, so that their files are recognised again; a revert restores it', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const first = await take(app, PLAIN, { iso_currency_code: 'EUR' });
    await assumed(app, first.id);
    await take(app, STATED);
    const hand = await take(app, 'Date,Details,Amount\n2026-05-09,Lunch,-8.00\n', { iso_currency_code: 'EUR' });
    expect(hand.account_id).toBe(first.account_id);
    const was = ['Coffee EUR', 'Coffee EUR', 'Hotel CHF', 'Lunch EUR', 'Tea EUR'];
    expect(await currencies(app)).toEqual(was);
    const path = `/api/v1/accounts/${first.account_id}`;
    const done = await app.request('PATCH', path, { body: { iso_currency_code: 'USD', name: 'Dollars' } });
    expect([done.status, done.json]).toMatchObject([200, { iso_currency_code: 'USD', name: 'Dollars' }]);
    expect(await currencies(app)).toEqual(['Coffee USD', 'Coffee USD', 'Hotel CHF', 'Lunch EUR', 'Tea USD']);
    expect((await take(app, `${PLAIN}\n`, { account_name: 'Dollars', iso_currency_code: 'USD' })).counts).toMatchObject(
      {
        added: 0,
        duplicate: 3,
      },
    );
    const set = String(done.headers['x-change-set-id']);
    const undone = await app.request('POST', `/api/v1/change-sets/${set}/revert`, { body: {} });
    expect([undone.status, undone.json.reverted_count]).toEqual([200, 4]);
    expect(await currencies(app)).toEqual(was);
    expect((await take(app, `${PLAIN}\n\n`, { iso_currency_code: 'EUR' })).counts).toMatchObject({ added: 0 });
  });

  test('setting the currency that the account already has changes nothing', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { account_id: id } = await take(app, PLAIN, { iso_currency_code: 'EUR' });
    const done = await app.request('PATCH', `/api/v1/accounts/${id}`, { body: { iso_currency_code: 'EUR' } });
    expect([done.status, done.headers['x-change-set-id']]).toEqual([200, undefined]);
  });
});
