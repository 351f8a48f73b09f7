import { expect, test } from 'vitest';

import { csvWithBalance, sendBytes, takeFile } from '../../../test/harness/bank-files/bank-files.ts';
import { ofxFile, type OfxStatement } from '../../../test/harness/bank-files/ofx-files.ts';
import { openHousehold } from '../../../test/harness/ledger.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold } from '../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { DAY_MS } from '../../kernel/dates.ts';

/** What list, single and detail say, which is one thing. */
async function checkOf(app: TestApp, id: string): Promise<object | null> {
  const path = `/api/v1/accounts/${id}`;
  const single = (await app.request('GET', path)).json.balance_check;
  const list = (await app.request('GET', '/api/v1/accounts')).json as { id: string; balance_check: object }[];
  expect(list.find((one) => one.id === id)?.balance_check ?? null).toEqual(single);
  expect((await app.request('GET', `${path}/detail`)).json.balance_check).toEqual(single);
  return single as object | null;
}

const ROWS = ['2026-01-02 Coffee -3.50', '2026-01-05 Tea -4.50', '2026-01-09 Rent -500.00', '2026-01-12 Books -20.00'];
const LACKING = { accept_unproved: true };

function statement(month: string, closing: string, ...amounts: string[]): OfxStatement {
  const entries = amounts.map((amount, at) => ({
    id: `${month}${at}`,
    date: `2026-${month}-0${at + 2}`,
    amount,
    text: `SHOP ${month} ${at}`,
  }));
  return { closing: [closing, `2026-${month}-28`], entries };
}

forEachDatabase((database) => {
  test('a file proves its account; a broken one differs by its break, until a file fills the gap', async () => {
    const app = await openHousehold(database);
    const whole = csvWithBalance(100_000, ...ROWS);
    const lines = whole.split('\n');
    const broken = lines.filter((line) => !line.includes('Rent')).join('\n');
    const first = await takeFile(app, broken, LACKING);
    const id = first.account_id as string;
    expect(await checkOf(app, id)).toEqual({
      status: 'differs',
      date: '2026-01-12',
      iso_currency_code: 'EUR',
      difference: '-500.00',
      source: 'import',
      import_id: first.id,
    });
    const some = (await app.request('GET', `/api/v1/accounts/${id}`, { query: { fields: 'core,timestamps' } })).json;
    expect(some).not.toHaveProperty('balance_check');
    // The file that has the missing days, with days that are known.
    const gap = [lines[0], ...lines.filter((line) => /Tea|Rent/.test(line))].join('\n');
    const second = await takeFile(app, `${gap}\n`);
    expect(await checkOf(app, id)).toEqual({
      status: 'agrees',
      date: '2026-01-12',
      iso_currency_code: 'EUR',
      source: 'import',
      import_id: first.id,
    });
    // A person deleting a row changes nothing of what the bank has.
    const { transactions } = (await app.request('GET', '/api/v1/transactions', { query: { search: 'rent' } })).json;
    await app.request('DELETE', `/api/v1/transactions/${transactions[0].id}`);
    expect(await checkOf(app, id)).toMatchObject({ status: 'agrees' });
    await app.request('POST', `/api/v1/transactions/${transactions[0].id}/restore`);
    // Without the import that filled it, the gap is there again.
    expect((await app.request('POST', `/api/v1/imports/${second.id}/revert`, { body: {} })).status).toBe(200);
    expect(await checkOf(app, id)).toMatchObject({ status: 'differs', difference: '-500.00' });
    expect((await app.request('POST', `/api/v1/imports/${first.id}/revert`, { body: {} })).status).toBe(200);
    expect((await app.request('GET', `/api/v1/accounts/${id}`)).json.balance_check ?? null).toBeNull();
  });

  test('a statement that only closes differs while the one before it is missing', async () => {
    const app = await openHousehold(database);
    const send = async (file: OfxStatement, fields: object = {}) => {
      app.clock.advance(1_000);
      const answer = await sendBytes(app, ofxFile(file), { ...fields });
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    };
    const january = await send(statement('01', '100.00', '-3.50'));
    expect(await checkOf(app, january.account_id)).toBeNull();
    const march = await send(statement('03', '60.00', '-10.00'), LACKING);
    expect(march.account_id).toBe(january.account_id);
    expect(await checkOf(app, january.account_id)).toMatchObject({
      status: 'differs',
      date: '2026-03-28',
      difference: '-30.00',
      import_id: march.id,
    });
    await send(statement('02', '70.00', '-12.00', '-18.00'));
    expect(await checkOf(app, january.account_id)).toMatchObject({ status: 'agrees', date: '2026-03-28' });
  });

  test('a bank account is as its newest sync says', async () => {
    const home = await openSyncedHousehold(database);
    const { app } = home;
    await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'UTC' } });
    const connection = await home.connect();
    const sync = async (currentCents: number, rows: Parameters<typeof pageOf>[0] = []) => {
      const balance = { currentCents, availableCents: null, limitCents: null, currency: 'USD', asOf: null };
      const reported = accountOf('b', { type: 'depository', balance });
      home.plaid.answers = [{ parts: [pageOf(rows)], outcome: { state: itemOf([reported]), withoutBalance: [] } }];
      return runASync(app, connection.id);
    };
    const row = (name: string, amountCents: number) => rowOf(name, { externalAccountId: 'b', amountCents });
    await sync(100_000, [row('1', 1_000)]);
    const [account] = (await app.request('GET', '/api/v1/accounts')).json;
    expect(await checkOf(app, account.id)).toBeNull();
    const agreeing = await sync(98_000, [row('2', 2_000)]);
    expect(await checkOf(app, account.id)).toEqual({
      status: 'agrees',
      date: '2026-04-26',
      iso_currency_code: 'USD',
      source: 'sync',
      sync_log_id: agreeing.id,
    });
    app.clock.advance(DAY_MS);
    const differing = await sync(95_000);
    expect(await checkOf(app, account.id)).toEqual({
      status: 'differs',
      date: '2026-04-27',
      iso_currency_code: 'USD',
      difference: '-30.00',
      source: 'sync',
      sync_log_id: differing.id,
    });
    app.clock.advance(1_000);
    await sync(95_000, [row('3', 3_000)]);
    expect(await checkOf(app, account.id)).toMatchObject({ status: 'agrees', date: '2026-04-27' });
  });
});
