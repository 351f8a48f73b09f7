import { beforeEach, expect, test } from 'vitest';

import { csvOf, csvWithBalance, listed, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const API = '/api/v1';

forEachDatabase((database) => {
  let app: TestApp;
  let account: Made & { change_set: string };

  beforeEach(async () => {
    app = await database.open();
    await addMember(app, 'Ana');
    const body = { name: 'Giro', iso_currency_code: 'EUR' };
    const made = await app.request('POST', `${API}/accounts`, { body });
    account = { ...made.json, change_set: String(made.headers['x-change-set-id']) };
  });

  const get = async (path: string): Promise<Answer['json']> => (await app.request('GET', `${API}${path}`)).json;
  const enter = async (date: string, name: string, amount: string, more: object = {}): Promise<Answer> => {
    const body = { account_id: account.id, date, name, amount, ...more };
    const answer = await app.request('POST', `${API}/transactions`, { body });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const take = async (file: string, fields: object = {}): Promise<Answer> => {
    const sign = file.startsWith('OFX') ? {} : { sign: 'positive_is_in' };
    const answer = await sendBytes(app, file, { account_id: account.id, ...sign, ...fields });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const revert = async (set: unknown): Promise<Answer> => {
    const answer = await app.request('POST', `${API}/change-sets/${String(set)}/revert`, { body: {} });
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };

  test('an account, two rows and a balance entered by hand, then a file with one of the two rows: three rows, never four', async () => {
    const first = await enter('2026-05-02', 'Coffee with Tom', '4.50', { category_slug: 'travel', tags: ['tom'] });
    const second = await enter('2026-05-03', 'Market', '12.00');
    const url = `${API}/accounts/${account.id}/balances/2026-05-04`;
    const balance = await app.request('PUT', url, { body: { balance_current: '83.50' } });
    const file = csvWithBalance(10_000, '2026-05-01 Rent -10.00', '2026-05-02 CORNER-CAFE-0423 -4.50');
    const done = await take(file);
    expect(done.json.counts).toMatchObject({ added: 1, duplicate: 1 });
    const { rows } = await get(`/imports/${done.json.id}/rows`);
    expect(rows[1]).toMatchObject({ outcome: 'duplicate', reason: 'SIMILAR', transaction_id: first.json.id });
    expect(await listed(app)).toEqual([
      '2026-05-03 Market 12.00',
      '2026-05-02 Coffee with Tom 4.50',
      '2026-05-01 Rent 10.00',
    ]);
    expect(await get(`/transactions/${first.json.id}`)).toEqual(first.json);
    const history = (await get(`/accounts/${account.id}/balances`)).balances;
    expect(
      history.map((one: Record<string, string>) => `${one['date']} ${one['balance_current']} ${one['source']}`),
    ).toEqual(['2026-05-01 90.00 import', '2026-05-02 85.50 import', '2026-05-04 83.50 manual']);
    expect(await get(`/accounts/${account.id}`)).toMatchObject({ balance_current: '83.50' });

    await revert(done.headers['x-change-set-id']);
    expect(await get(`/transactions/${first.json.id}`)).toEqual(first.json);
    for (const one of [balance, second, first]) await revert(one.headers['x-change-set-id']);
    await revert(account.change_set);
    expect(await get('/accounts?include_disconnected=true')).toEqual([]);
    expect(await listed(app)).toEqual([]);
  });

  test('the same file finds its row again, whatever else is in it', async () => {
    const coffee = (await enter('2026-05-02', 'Coffee with Tom', '4.50')).json;
    await take(csvOf('2026-05-02 CAFE-0423 -4.50'));
    const again = await take(csvOf('2026-05-02 CAFE-0423 -4.50', '2026-05-02 KIOSK-17 -4.50'));
    expect(again.json.counts).toMatchObject({ added: 1, duplicate: 1 });
    const { rows } = await get(`/imports/${again.json.id}/rows`);
    expect(rows[0]).toMatchObject({ outcome: 'duplicate', reason: 'SAME_CONTENT', transaction_id: coffee.id });
    expect(await get(`/transactions/${coffee.id}`)).toEqual(coffee);
    const twice = await take(csvOf('2026-05-02 CAFE-0423 -4.50', '2026-05-02 KIOSK-17 -4.50'));
    expect([twice.json.counts.duplicate, twice.json.change_set_id]).toEqual([2, null]);
  });

  test('a bank id finds a row entered by hand, whose texts stay until the bank changes them', async () => {
    const coffee = (await enter('2026-05-02', 'Coffee with Tom', '4.50')).json;
    const file = (date: string): string =>
      ofxFile({
        entries: [
          { id: 'F0', date: '2026-05-01', amount: '-1.00', text: 'START' },
          { id: 'F1', date, amount: '-4.50', text: 'CORNER CAFE' },
          { id: 'F2', date: '2026-05-04', amount: '-2.00', text: 'END' },
        ],
      });
    await take(file('2026-05-02'));
    const again = await take(`${file('2026-05-02')}\n`);
    expect(again.json.counts).toMatchObject({ added: 0, updated: 0, duplicate: 3 });
    expect(await get(`/transactions/${coffee.id}`)).toEqual(coffee);
    const moved = await take(file('2026-05-03'));
    expect(moved.json.counts).toMatchObject({ added: 0, updated: 1 });
    expect(await get(`/transactions/${coffee.id}`)).toMatchObject({ date: '2026-05-03', name: 'CORNER CAFE' });
    await revert(moved.headers['x-change-set-id']);
    expect(await get(`/transactions/${coffee.id}`)).toMatchObject({ date: '2026-05-02', name: 'Coffee with Tom' });
  });

  test('two equal rows entered by hand stay two, and a file with both matches both', async () => {
    await enter('2026-05-02', 'Coffee', '2.00');
    await enter('2026-05-02', 'Coffee', '2.00');
    expect((await take(csvOf('2026-05-02 Coffee -2.00'))).json.counts).toMatchObject({ added: 0, duplicate: 1 });
    expect(await listed(app)).toHaveLength(2);
    const both = csvOf('2026-05-02 Coffee -2.00', '2026-05-02 Coffee -2.00');
    expect((await take(both)).json.counts).toMatchObject({ added: 0, duplicate: 2 });
    const three = csvOf('2026-05-02 Coffee -2.00', '2026-05-02 Coffee -2.00', '2026-05-02 Coffee -2.00');
    expect((await take(three)).json.counts).toMatchObject({ added: 1, duplicate: 2 });
    expect(await listed(app)).toHaveLength(3);
  });

  test('after a revert, a row that the file took over is as if the file had never been imported', async () => {
    const coffee = await enter('2026-05-02', 'Coffee with Tom', '4.50');
    const wrong = await take(csvOf('2026-05-02 CAFE-0423 -4.50', '2026-05-03 Rent -10.00'));
    const undone = await revert(wrong.headers['x-change-set-id']);
    const right = await take(csvOf('2026-05-02 BAKERY-9 -4.50'));
    expect(right.json.counts).toMatchObject({ added: 0, duplicate: 1 });
    expect(await listed(app)).toEqual(['2026-05-02 Coffee with Tom 4.50']);
    await revert(undone.json.change_set.id);
    expect(await listed(app)).toEqual(['2026-05-03 Rent 10.00', '2026-05-02 Coffee with Tom 4.50']);
    expect(await get(`/transactions/${coffee.json.id}`)).toEqual(coffee.json);
  });

  test('after a revert, the row loses the bank id from the file', async () => {
    await enter('2026-05-02', 'Coffee with Tom', '4.50');
    const file = (id: string, text: string): string =>
      ofxFile({
        entries: [
          { id, date: '2026-05-02', amount: '-4.50', text },
          { id: `${id}-2`, date: '2026-05-03', amount: '-10.00', text: 'RENT' },
        ],
      });
    const wrong = await take(file('W1', 'CAFE'));
    await revert((await revert(wrong.headers['x-change-set-id'])).json.change_set.id);
    expect((await take(`${file('W1', 'CAFE')}\n`)).json.counts).toMatchObject({ added: 0, duplicate: 2 });
    await revert(wrong.headers['x-change-set-id']);
    // The second file, which is in force, lists the rent.
    expect(await listed(app)).toHaveLength(2);
    expect((await take(file('R1', 'BAKERY'))).json.counts).toMatchObject({ added: 0, duplicate: 2 });
  });

  test('a deleted row entered by hand stays deleted when its file arrives; one whose creation was reverted comes back', async () => {
    const kept = (await enter('2026-05-02', 'Coffee', '4.50')).json;
    await app.request('DELETE', `${API}/transactions/${kept.id}`);
    expect((await take(csvOf('2026-05-02 Coffee -4.50'))).json.counts).toMatchObject({ added: 0, deleted: 1 });
    const other = await enter('2026-05-12', 'Tea', '2.50');
    await take(csvOf('2026-05-12 TEAHOUSE-3 -2.50', '2026-05-13 Rent -10.00'));
    await revert(other.headers['x-change-set-id']);
    expect(await listed(app)).toEqual(['2026-05-13 Rent 10.00']);
    const back = await take(`${csvOf('2026-05-12 TEAHOUSE-3 -2.50', '2026-05-13 Rent -10.00')}\n`);
    expect(back.json.counts).toMatchObject({ added: 1, duplicate: 1 });
    expect(await get(`/transactions/${other.json.id}`)).toMatchObject({ name: 'Tea', deleted_at: null });
  });
});
