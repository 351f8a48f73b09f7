import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ACCOUNTS,
  error,
  fetchAll,
  page,
  plaidAt,
  request,
  ROW,
  TOKEN,
} from '../../../test/harness/banks/plaid-answers.ts';
import {
  fakeOutside,
  scriptedServer,
  type FakeOutside,
  type ScriptedServer,
} from '../../../test/harness/servers/scripted-server.ts';
import type { Provider } from '../provider.ts';
import { fetchChanges } from './fetch-changes.ts';

let server: ScriptedServer;
let outside: FakeOutside;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

function plaid(): Provider {
  outside = fakeOutside();
  return plaidAt(server.url, outside);
}

describe('a sync of Plaid', () => {
  test('sends exactly the fields and headers of the contract', async () => {
    server.script(
      page({ added: [ROW], next_cursor: 'c-1', has_more: true }),
      page({ removed: [{}], next_cursor: 'c-2' }),
      {
        json: ACCOUNTS,
      },
    );
    const { outcome } = await fetchAll(plaid());
    expect(server.requests.map(({ method, path, json }) => [method, path, json])).toEqual([
      ['POST', '/transactions/sync', { access_token: TOKEN, count: 500 }],
      ['POST', '/transactions/sync', { access_token: TOKEN, cursor: 'c-1', count: 500 }],
      ['POST', '/accounts/get', { access_token: TOKEN }],
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      'plaid-client-id': 'client-1',
      'plaid-secret': 'the-secret',
      'plaid-version': '2020-09-14',
      'content-type': 'application/json',
      'user-agent': 'homeledger/test',
    });
    expect(outcome).toMatchObject({
      position: 'c-2',
      isPositionReset: false,
      isCompleteRead: true,
      history: 'complete',
    });
  });

  test('delivers rows as the contract reads them', async () => {
    server.script(page({ added: [ROW], modified: [{ ...ROW, amount: '12.345' }] }), { json: ACCOUNTS });
    const { parts, outcome } = await fetchAll(plaid(), request({ position: 'c-0' }));
    const row = {
      externalId: 'txn-7',
      externalAccountId: 'acc-1',
      pendingExternalId: 'txn-3',
      pending: false,
      date: '2026-02-28',
      authorizedDate: '2026-02-27',
      datetime: null,
      authorizedDatetime: '2026-02-27T10:34:50.000Z',
      amountCents: 1_210,
      currency: 'USD',
      name: 'SQ *BLUE BOTTLE #1234',
      merchantName: 'Blue Bottle Coffee',
      categoryPrimary: 'FOOD_AND_DRINK',
      categoryDetailed: 'FOOD_AND_DRINK_COFFEE',
      categoryConfidence: 'VERY_HIGH',
      paymentChannel: 'in_store',
      isRounded: false,
      raw: JSON.stringify(ROW),
    };
    const rounded = { ...row, amountCents: 1_235, isRounded: true, raw: JSON.stringify({ ...ROW, amount: '12.345' }) };
    expect(parts).toEqual([{ kind: 'rows', rows: [row, rounded], unreadable: [], removed: [] }]);
    expect(outcome).toMatchObject({ isCompleteRead: false, problems: [], withoutBalance: [], reads: [] });
    expect(outcome.state).toEqual({
      item: {
        id: 'item-1',
        institutionId: 'ins_1',
        institutionName: 'First Platypus Bank',
        consentExpiresAt: null,
        webhookUrl: null,
      },
      accounts: [
        {
          externalId: 'acc-1',
          persistentId: 'persistent-1',
          name: 'Plaid Checking',
          officialName: 'Plaid Gold Standard Checking',
          type: 'depository',
          subtype: 'checking',
          mask: '0000',
          currency: 'USD',
          isClosed: false,
          institution: null,
          balance: { currentCents: 11_094, availableCents: 10_000, limitCents: null, currency: 'USD', asOf: null },
        },
      ],
      problems: [],
    });
  });

  test('keeps the rows that can be read beside those that cannot', async () => {
    const odd = [
      { ...ROW, amount: 'abc' },
      null,
      7,
      { ...ROW, transaction_id: 'cr', iso_currency_code: null, unofficial_currency_code: 'BTC' },
      { ...ROW, transaction_id: 'no', iso_currency_code: null, name: ' \0', payment_channel: 'by owl', pending: true },
      {
        ...ROW,
        transaction_id: 'bare',
        merchant_name: null,
        name: null,
        authorized_date: '2026-13-01',
        datetime: 'noon',
      },
    ];
    server.script(page({ added: odd, removed: [{ transaction_id: 'gone', account_id: 'acc-1' }, {}] }), {
      json: ACCOUNTS,
    });
    const { parts } = await fetchAll(plaid());
    expect(parts).toMatchObject([
      {
        rows: [
          { externalId: 'cr', currency: null, hasUnofficialCurrency: true },
          { externalId: 'no', currency: null, name: 'Blue Bottle Coffee', paymentChannel: 'other', pending: true },
          { externalId: 'bare', name: '(no description)', merchantName: null, authorizedDate: null, datetime: null },
        ],
        unreadable: [
          {
            externalId: 'txn-7',
            externalAccountId: 'acc-1',
            problem: 'its amount is not a number',
          },
          { externalId: null, problem: 'it is not an object' },
          { externalId: null, problem: 'it is not an object' },
        ],
        removed: [{ externalId: 'gone', externalAccountId: 'acc-1' }],
      },
    ]);
    expect(parts[0]).not.toMatchObject({ rows: [{}, { hasUnofficialCurrency: true }, {}] });
  });

  test('begins again from the stored position when the data changes between two pages', async () => {
    const mutation = error('TRANSACTIONS_ERROR', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION');
    const first = page({ added: [ROW], next_cursor: 'c-1', has_more: true });
    server.script(first, mutation, first, mutation, page({ added: [ROW], next_cursor: 'c-9' }), { json: ACCOUNTS });
    const { parts, outcome } = await fetchAll(plaid(), request({ position: 'c-0' }));
    expect(parts.map(({ kind }) => kind)).toEqual(['rows', 'restart', 'rows', 'restart', 'rows']);
    expect(server.requests.map(({ json }) => json.cursor)).toEqual(['c-0', 'c-1', 'c-0', 'c-1', 'c-0', undefined]);
    expect([outcome.position, outside.pauses]).toEqual(['c-9', [1_000, 2_000]]);
    server.script(mutation);
    const failing = fetchAll(plaid(), request({ position: 'c-0' }));
    await expect(failing).rejects.toMatchObject({
      failureClass: 'transient',
      code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
    });
    expect(outside.pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  test('drops a position that is no longer accepted, once', async () => {
    for (const refused of [
      error('INVALID_REQUEST', 'INVALID_FIELD', 400, 'cursor not associated with access_token'),
      error('INVALID_INPUT', 'INVALID_CURSOR', 400, 'The cursor is invalid'),
    ]) {
      server.script(refused, page({ added: [ROW] }), { json: ACCOUNTS });
      const { parts, outcome } = await fetchAll(plaid(), request({ position: 'c-0' }));
      expect(parts.map(({ kind }) => kind)).toEqual(['restart', 'rows']);
      expect(outcome).toMatchObject({ isPositionReset: true, isCompleteRead: true, position: 'c-1' });
      expect(server.requests.map(({ json }) => 'cursor' in json)).toEqual([true, false, false]);
      server.script(refused);
      await expect(fetchAll(plaid(), request({ position: 'c-0' }))).rejects.toMatchObject({ failureClass: 'config' });
      expect(server.requests).toHaveLength(2);
    }
  });

  test('ignores the position for a full read', async () => {
    server.script(page(), { json: ACCOUNTS });
    const { outcome } = await fetchAll(plaid(), request({ position: 'c-0', isFull: true }));
    expect([server.requests[0]?.json, outcome.isPositionReset]).toEqual([{ access_token: TOKEN, count: 500 }, false]);
  });

  test('keeps the stored position while nothing is ready', async () => {
    server.script(page({ next_cursor: '', transactions_update_status: 'NOT_READY' }), { json: ACCOUNTS });
    expect((await fetchAll(plaid())).outcome).toMatchObject({
      position: null,
      history: 'not_ready',
      isCompleteRead: false,
    });
    for (const [status, next, history] of [
      ['INITIAL_UPDATE_COMPLETE', 'c', 'loading'],
      ['TRANSACTIONS_UPDATE_STATUS_UNKNOWN', 'c', 'complete'],
      ['TRANSACTIONS_UPDATE_STATUS_UNKNOWN', '', 'not_ready'],
      [undefined, 'c', 'complete'],
      ['HISTORICAL_UPDATE_COMPLETE', '', 'not_ready'],
    ] as const) {
      server.script(page({ next_cursor: next, transactions_update_status: status }), { json: ACCOUNTS });
      expect((await fetchAll(plaid())).outcome.history).toBe(history);
    }
  });

  test('ends on pages that lead nowhere', async () => {
    const same = page({ added: [ROW], next_cursor: 'c-1', has_more: true });
    const wrong = [
      [same],
      [page({ has_more: true }), page({ has_more: true })],
      [page({ added: [ROW], has_more: true, next_cursor: '' })],
      [{ json: {} }],
      [{ json: [] }],
      [page({ added: null })],
      [page({ next_cursor: 7 })],
      [page({ next_cursor: 'a\0b' })],
      [page({ next_cursor: '\ud800' })],
    ];
    for (const answers of wrong) {
      server.script(...answers);
      await expect(fetchAll(plaid())).rejects.toMatchObject({
        code: 'PROVIDER_BAD_RESPONSE',
        failureClass: 'transient',
      });
      expect(server.requests.length).toBeLessThanOrEqual(2);
    }
  });

  test('reads on after empty pages, of which ten may follow each other', async () => {
    const rowAt = (n: number) => ({ ...ROW, transaction_id: `t${n}` });
    const empty = (n: number) => page({ next_cursor: `e-${n}`, has_more: true });
    const emptyOnes = Array.from({ length: 10 }, (_, n) => empty(n));
    const first = page({ added: [rowAt(1)], next_cursor: 'c-1', has_more: true });
    server.script(first, ...emptyOnes, page({ added: [rowAt(2)], next_cursor: 'c-9' }), { json: ACCOUNTS });
    const { parts, outcome } = await fetchAll(plaid());
    const rows = parts.flatMap((part) => (part.kind === 'rows' ? part.rows : []));
    expect([rows.map(({ externalId }) => externalId), outcome.position]).toEqual([['t1', 't2'], 'c-9']);
    server.script(first, ...emptyOnes, empty(10), page({ next_cursor: 'c-9' }), { json: ACCOUNTS });
    await expect(fetchAll(plaid())).rejects.toMatchObject({ code: 'PROVIDER_BAD_RESPONSE' });
    server.script(page({ next_cursor: 'c-1' }), { json: ACCOUNTS });
    const nothing = await fetchAll(plaid(), request({ position: 'c-1' }));
    expect([nothing.parts, nothing.outcome.position]).toEqual([[], 'c-1']);
  });

  test('names the ids that a page both adds and removes', async () => {
    const gone = (id: string) => ({ transaction_id: id, account_id: 'acc-1' });
    const both = { added: [ROW], modified: [{ ...ROW, transaction_id: 'm' }], removed: [gone('txn-7'), gone('m')] };
    server.script(page(both), { json: ACCOUNTS });
    expect((await fetchAll(plaid())).parts).toMatchObject([{ returned: ['txn-7'] }]);
  });

  test('reads accounts and balances of a login without transactions', async () => {
    server.script(error('ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED'), { json: ACCOUNTS });
    const { parts, outcome } = await fetchAll(plaid(), request({ position: 'c-1' }));
    expect(parts).toEqual([]);
    expect(outcome).toMatchObject({ hasNoTransactions: true, position: null, isCompleteRead: false, problems: [] });
    expect(outcome.state?.accounts[0]?.balance?.currentCents).toBe(11_094);
    server.script(error('ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED'), error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'));
    await expect(fetchAll(plaid())).rejects.toMatchObject({ failureClass: 'login' });
  });

  test('ends after a thousand pages', async () => {
    let count = 0;
    const { json } = page({ has_more: true });
    const source = {
      readPage: async () => ({ ...json, added: [ROW], next_cursor: `c-${(count += 1)}` }),
      readState: async () => Promise.reject(new Error('nobody asks')),
    };
    const running = fetchChanges(source, request(), fakeOutside());
    const readAll = async (): Promise<void> => {
      for await (const { kind } of running) expect(kind).toBe('rows');
    };
    await expect(readAll()).rejects.toMatchObject({ code: 'PROVIDER_BAD_RESPONSE' });
    expect(count).toBe(1_000);
  });

  test('keeps its rows if the accounts cannot be read', async () => {
    server.script(page({ added: [ROW] }), error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'));
    const { parts, outcome } = await fetchAll(plaid());
    expect(parts).toHaveLength(1);
    expect(outcome).toMatchObject({
      state: null,
      position: 'c-1',
      problems: [{ scope: 'item', failureClass: 'login', code: 'ITEM_LOGIN_REQUIRED' }],
    });
  });

  test('tells the error of an item whose accounts are listed', async () => {
    const { json } = error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED', 400, `sign in again, ${TOKEN}`);
    const item = {
      ...ACCOUNTS.item,
      error: json,
      consent_expiration_time: '2026-05-01T00:00:00Z',
      webhook: 'https://x.example/',
    };
    server.script(page(), { json: { ...ACCOUNTS, item } });
    const { state, problems } = (await fetchAll(plaid())).outcome;
    expect(problems).toMatchObject([
      {
        scope: 'item',
        failureClass: 'login',
        code: 'ITEM_LOGIN_REQUIRED',
        providerError: { message: 'sign in again, ***' },
      },
    ]);
    expect(state?.problems).toEqual(problems);
    expect(state?.item).toMatchObject({
      consentExpiresAt: '2026-05-01T00:00:00.000Z',
      webhookUrl: 'https://x.example/',
    });
  });

  test('does not store half a balance', async () => {
    const [account] = ACCOUNTS.accounts;
    const balances = { available: 'much', current: 1, limit: null, iso_currency_code: 'USD' };
    const accounts = [{ ...account, balances }, { ...account, account_id: 'acc-2', balances: { current: null } }, {}];
    server.script(page(), { json: { ...ACCOUNTS, accounts } });
    const { state, withoutBalance } = (await fetchAll(plaid())).outcome;
    expect([state?.accounts[0]?.balance, withoutBalance]).toEqual([null, ['acc-1']]);
    expect(state?.accounts[1]?.balance).toMatchObject({ currentCents: null, availableCents: null });
    expect(state?.accounts).toHaveLength(2);
  });

  test('ends with the reason of its signal', async () => {
    const control = new AbortController();
    const reason = new Error('too long');
    server.script(page({ added: [ROW], has_more: true }), () => {
      control.abort(reason);
      return 'never';
    });
    await expect(fetchAll(plaid(), request({ signal: control.signal }))).rejects.toBe(reason);
    server.script(page(), () => {
      control.abort(reason);
      return 'never';
    });
    await expect(fetchAll(plaid(), request({ signal: control.signal }))).rejects.toBe(reason);
  });
});
