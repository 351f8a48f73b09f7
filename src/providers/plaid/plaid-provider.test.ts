import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  fakeOutside,
  scriptedServer,
  type FakeOutside,
  type ScriptedServer,
} from '../../../test/harness/scripted-server.ts';
import { toAccess } from '../access.ts';
import type { ProviderFailure } from '../provider-failure.ts';
import type { FetchedPart, FetchOutcome, FetchRequest, Provider } from '../provider.ts';
import { classOf } from './plaid-failure.ts';
import { createPlaid, type PlaidSettings } from './plaid-provider.ts';

const TOKEN = 'access-sandbox-7c0d1c1e';
const ACCESS = toAccess('item-1', TOKEN);

let server: ScriptedServer;
let outside: FakeOutside;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

function plaid(change: Partial<PlaidSettings> = {}): Provider {
  outside = fakeOutside();
  return createPlaid(
    {
      clientId: 'client-1',
      secret: 'the-secret',
      environment: 'sandbox',
      baseUrl: `${server.url}/`,
      countryCodes: ['US', 'CA'],
      language: 'en',
      redirectUri: null,
      webhookUrl: null,
      ...change,
    },
    outside,
  );
}

const ROW = {
  transaction_id: 'txn-7',
  account_id: 'acc-1',
  amount: 12.1,
  iso_currency_code: 'USD',
  unofficial_currency_code: null,
  date: '2026-02-28',
  authorized_date: '2026-02-27',
  datetime: null,
  authorized_datetime: '2026-02-27T10:34:50Z',
  name: 'SQ *BLUE BOTTLE #1234',
  merchant_name: 'Blue Bottle Coffee',
  payment_channel: 'in store',
  pending: false,
  pending_transaction_id: 'txn-3',
  personal_finance_category: {
    primary: 'FOOD_AND_DRINK',
    detailed: 'FOOD_AND_DRINK_COFFEE',
    confidence_level: 'VERY_HIGH',
  },
  counterparties: [],
  location: {},
  something_new: { nobody: 'knows' },
};

const ACCOUNTS = {
  accounts: [
    {
      account_id: 'acc-1',
      name: 'Plaid Checking',
      official_name: 'Plaid Gold Standard Checking',
      mask: '0000',
      type: 'depository',
      subtype: 'checking',
      persistent_account_id: 'persistent-1',
      balances: {
        available: 100,
        current: 110.94,
        limit: null,
        iso_currency_code: 'USD',
        unofficial_currency_code: null,
      },
    },
  ],
  item: {
    item_id: 'item-1',
    institution_id: 'ins_1',
    institution_name: 'First Platypus Bank',
    webhook: '',
    error: null,
    consent_expiration_time: null,
  },
  request_id: 'r-1',
};

function page(change: object = {}): { json: object } {
  const empty = { added: [], modified: [], removed: [], next_cursor: 'c-1', has_more: false };
  return { json: { ...empty, transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE', request_id: 'r', ...change } };
}

const error = (
  error_type: string,
  error_code: string,
  status = 400,
  error_message = 'no',
): { status: number; json: object } => ({
  status,
  json: { error_type, error_code, error_message, request_id: 'r-9' },
});

const request = (change: Partial<FetchRequest> = {}): FetchRequest => ({
  position: null,
  accounts: [],
  isFull: false,
  signal: new AbortController().signal,
  ...change,
});

async function fetchAll(
  provider = plaid(),
  wanted = request(),
): Promise<{ parts: FetchedPart[]; outcome: FetchOutcome }> {
  const parts: FetchedPart[] = [];
  const running = provider.fetch(ACCESS, wanted);
  for (;;) {
    const { value, done } = await running.next();
    if (done) return { parts, outcome: value };
    parts.push(value);
  }
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
    const { outcome } = await fetchAll();
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
        webhookUrl: '',
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
    const { parts } = await fetchAll();
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
            problem: 'its amount is not a number within the range of amounts',
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
    expect((await fetchAll()).outcome).toMatchObject({ position: null, history: 'not_ready', isCompleteRead: false });
    for (const [status, next, history] of [
      ['INITIAL_UPDATE_COMPLETE', 'c', 'loading'],
      ['TRANSACTIONS_UPDATE_STATUS_UNKNOWN', 'c', 'complete'],
      ['TRANSACTIONS_UPDATE_STATUS_UNKNOWN', '', 'not_ready'],
      [undefined, 'c', 'complete'],
    ] as const) {
      server.script(page({ next_cursor: next, transactions_update_status: status }), { json: ACCOUNTS });
      expect((await fetchAll()).outcome.history).toBe(history);
    }
  });

  test('ends on pages that lead nowhere', async () => {
    const same = page({ added: [ROW], next_cursor: 'c-1', has_more: true });
    const wrong = [
      [same],
      [page({ has_more: true })],
      [page({ added: [ROW], has_more: true, next_cursor: '' })],
      [{ json: {} }],
      [{ json: [] }],
      [page({ added: null })],
      [page({ next_cursor: 7 })],
    ];
    for (const answers of wrong) {
      server.script(...answers);
      await expect(fetchAll()).rejects.toMatchObject({ code: 'PROVIDER_BAD_RESPONSE', failureClass: 'transient' });
      expect(server.requests.length).toBeLessThanOrEqual(2);
    }
    let count = 0;
    server.script(() =>
      page({ added: [{ ...ROW, transaction_id: `t${count}` }], has_more: true, next_cursor: `c${count++}` }),
    );
    await expect(fetchAll()).rejects.toMatchObject({ code: 'PROVIDER_BAD_RESPONSE' });
    expect(server.requests).toHaveLength(1_000);
  });

  test('keeps its rows if the accounts cannot be read', async () => {
    server.script(page({ added: [ROW] }), error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'));
    const { parts, outcome } = await fetchAll();
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
    const { state, problems } = (await fetchAll()).outcome;
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
    const { state, withoutBalance } = (await fetchAll()).outcome;
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

describe('errors of Plaid', () => {
  test('have the class of the contract', () => {
    const login = `ITEM_LOGIN_REQUIRED INVALID_CREDENTIALS INVALID_MFA INSUFFICIENT_CREDENTIALS INVALID_UPDATED_USERNAME
      ITEM_LOCKED MFA_NOT_SUPPORTED NO_ACCOUNTS USER_SETUP_REQUIRED PASSWORD_RESET_REQUIRED ACCESS_NOT_GRANTED
      USER_PERMISSION_REVOKED`.split(/\s+/);
    for (const code of login) expect(classOf('ITEM_ERROR', code, 400)).toBe('login');
    const rows: [string, string, number, string][] = [
      ['OAUTH_ERROR', 'ANY', 400, 'login'],
      ['ITEM_ERROR', 'ITEM_NOT_FOUND', 400, 'item'],
      ['ITEM_ERROR', 'NEW_CODE', 400, 'item'],
      ['ITEM_ERROR', 'PRODUCT_NOT_READY', 400, 'transient'],
      ['INVALID_INPUT', 'INVALID_ACCESS_TOKEN', 400, 'item'],
      ['INSTITUTION_ERROR', 'INSTITUTION_NO_LONGER_SUPPORTED', 400, 'item'],
      ['INSTITUTION_ERROR', 'INSTITUTION_DOWN', 400, 'transient'],
      ['INSTITUTION_ERROR', 'NEW_CODE', 400, 'transient'],
      ['API_ERROR', 'INTERNAL_SERVER_ERROR', 500, 'transient'],
      ['API_ERROR', 'NEW_CODE', 400, 'transient'],
      ['RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429, 'rate_limited'],
      ['TRANSACTIONS_ERROR', 'NEW_CODE', 400, 'transient'],
      ['INVALID_INPUT', 'INVALID_API_KEYS', 400, 'config'],
      ['INVALID_INPUT', 'NEW_CODE', 400, 'config'],
      ['INVALID_REQUEST', 'UNKNOWN_FIELDS', 400, 'config'],
      ['INVALID_REQUEST', 'NOT_FOUND', 404, 'config'],
      ['NEW_TYPE', 'NEW_CODE', 400, 'config'],
      ['NEW_TYPE', 'NEW_CODE', 503, 'transient'],
      ['NEW_TYPE', 'NEW_CODE', 429, 'rate_limited'],
    ];
    for (const [type, code, status, expected] of rows)
      expect([code, classOf(type, code, status)]).toEqual([code, expected]);
  });

  test('are read from the body, whatever its form', async () => {
    const { json } = error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED');
    server.script({ status: 400, json });
    await expect(fetchAll()).rejects.toMatchObject({
      failureClass: 'login',
      code: 'ITEM_LOGIN_REQUIRED',
      providerError: {
        code: 'ITEM_LOGIN_REQUIRED',
        type: 'ITEM_ERROR',
        message: 'no',
        requestId: 'r-9',
        httpStatus: 400,
      },
    });
    server.script({ status: 502, text: '<html>Bad gateway</html>' });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'transient', code: 'PROVIDER_UNAVAILABLE' });
    server.script({ status: 404, text: 'nothing here' });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'config', code: 'HTTP_404' });
    server.script({ status: 400, json: { error_type: ['x'], error_code: 'a b\n', error_message: {} } });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'config', code: 'HTTP_400' });
  });

  test('ask for a pause', async () => {
    server.script({
      ...error('RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429),
      headers: { 'retry-after': '90' },
    });
    await expect(fetchAll()).rejects.toMatchObject({
      failureClass: 'rate_limited',
      code: 'RATE_LIMITED',
      notBefore: Date.parse('2026-03-02T12:01:30Z'),
    });
    expect(server.requests).toHaveLength(1);
    server.script(error('RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429));
    await expect(fetchAll()).rejects.toMatchObject({ code: 'RATE_LIMITED', notBefore: null });
    expect(server.requests).toHaveLength(5);
  });

  test('contain no secret', async () => {
    server.script(
      error('INVALID_INPUT', 'INVALID_ACCESS_TOKEN', 400, `no such token ${TOKEN} for the-secret, public-sandbox-1`),
    );
    const failure = (await fetchAll().catch((caught: unknown) => caught)) as ProviderFailure;
    expect(failure.providerError?.message).toBe('no such token *** for ***, ***');
    const said = `${failure.stack}${JSON.stringify(failure)}${failure.message}`;
    expect([said.includes(TOKEN), said.includes('the-secret')]).toEqual([false, false]);
    for (const { path } of server.requests) expect(path).not.toMatch(/access-|secret/);
  });
});

describe('links of Plaid', () => {
  const link = { memberId: '0198c2a0-0000-7000-8000-000000000001', renewing: null, selectsAccounts: false };
  const answer = { json: { link_token: 'link-sandbox-1', expiration: '2026-03-02T14:00:00Z', request_id: 'r' } };
  const basic = {
    client_name: 'Homeledger',
    language: 'en',
    country_codes: ['US', 'CA'],
    user: { client_user_id: link.memberId },
  };

  test('are asked for with exactly the fields of the contract', async () => {
    const addresses = {
      webhookUrl: 'https://home.example/webhooks/plaid',
      redirectUri: 'https://home.example/link/oauth-return',
    };
    const sent = { webhook: addresses.webhookUrl, redirect_uri: addresses.redirectUri };
    const added = { products: ['transactions'], transactions: { days_requested: 730 } };
    const renewing = ACCESS;
    for (const [settings, wanted, body] of [
      [{}, link, { ...basic, ...added }],
      [addresses, link, { ...basic, ...added, ...sent }],
      [addresses, { ...link, renewing }, { ...basic, ...sent, access_token: TOKEN }],
      [
        {},
        { ...link, renewing, selectsAccounts: true },
        { ...basic, access_token: TOKEN, update: { account_selection_enabled: true } },
      ],
    ] as const) {
      server.script(answer);
      expect(await plaid(settings).createLinkSession(wanted)).toEqual({
        provider: 'plaid',
        link_token: 'link-sandbox-1',
        expiration: '2026-03-02T14:00:00.000Z',
        application_id: null,
        environment: 'sandbox',
        enrollment_id: null,
      });
      expect([server.requests[0]?.path, server.requests[0]?.json]).toEqual(['/link/token/create', body]);
    }
  });

  test('are exchanged once', async () => {
    server.script({ json: { access_token: TOKEN, item_id: 'item-1', request_id: 'r' } });
    expect(await plaid().exchange({ public_token: 'public-sandbox-1', institution_id: 'x' })).toEqual(ACCESS);
    expect(server.requests.map(({ path, json }) => [path, json])).toEqual([
      ['/item/public_token/exchange', { public_token: 'public-sandbox-1' }],
    ]);
    for (const lost of ['drop', error('API_ERROR', 'INTERNAL_SERVER_ERROR', 500)] as const) {
      server.script(lost);
      await expect(plaid().exchange({ public_token: 'p' })).rejects.toMatchObject({ failureClass: 'transient' });
      expect(server.requests).toHaveLength(1);
    }
    server.script(error('INVALID_INPUT', 'INVALID_PUBLIC_TOKEN'));
    await expect(plaid().exchange({ public_token: 'p' })).rejects.toMatchObject({ code: 'INVALID_PUBLIC_TOKEN' });
  });

  test('work if the item is the stored one and nothing is wrong with it', async () => {
    const item = (change: object): { json: object } => ({
      json: { item: { item_id: 'item-1', error: null, ...change } },
    });
    const { json: broken } = error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED');
    for (const [said, proof] of [
      [item({}), ACCESS],
      [item({ item_id: 'item-2' }), null],
      [item({ error: broken }), null],
      [item({ error: undefined }), null],
      [error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'), null],
      [error('ITEM_ERROR', 'ITEM_NOT_FOUND'), null],
    ] as const) {
      server.script(said);
      expect(await plaid().proveLogin(ACCESS, {})).toEqual(proof);
      expect([server.requests[0]?.path, server.requests[0]?.json]).toEqual(['/item/get', { access_token: TOKEN }]);
    }
    server.script(error('API_ERROR', 'PLANNED_MAINTENANCE', 503));
    await expect(plaid().proveLogin(ACCESS, {})).rejects.toMatchObject({ failureClass: 'transient' });
  });

  test('are ended, also if Plaid has none any more', async () => {
    for (const said of [
      { json: { request_id: 'r' } },
      error('ITEM_ERROR', 'ITEM_NOT_FOUND'),
      error('INVALID_INPUT', 'INVALID_ACCESS_TOKEN'),
    ]) {
      server.script(said);
      await plaid().revoke(ACCESS);
      expect(server.requests.map(({ path, json }) => [path, json])).toEqual([
        ['/item/remove', { access_token: TOKEN }],
      ]);
    }
  });

  test('get the address for webhooks only when theirs differs', async () => {
    const webhookUrl = 'https://home.example/webhooks/plaid';
    const update = async (wanted: string | null, stored: string | null | undefined): Promise<unknown[]> => {
      server.script({ json: { item: {}, request_id: 'r' } });
      const item = { id: 'item-1', institutionId: null, institutionName: null, consentExpiresAt: null };
      const state = {
        item: { ...item, ...(stored !== undefined && { webhookUrl: stored }) },
        accounts: [],
        problems: [],
      };
      await plaid({ webhookUrl: wanted }).updateWebhook(ACCESS, state);
      return server.requests.map(({ path, json }) => [path, json]);
    };
    const sent = [['/item/webhook/update', { access_token: TOKEN, webhook: webhookUrl }]];
    expect(await update(webhookUrl, '')).toEqual(sent);
    expect(await update(webhookUrl, null)).toEqual(sent);
    expect(await update(webhookUrl, webhookUrl)).toEqual([]);
    expect(await update(null, webhookUrl)).toEqual([]);
    expect(await update(webhookUrl, undefined)).toEqual([]);
  });

  test('cannot be opened with an access that cannot be read', async () => {
    const broken = { itemId: 'item-1', credentials: '{' };
    await expect(plaid().readItem(broken)).rejects.toMatchObject({
      failureClass: 'login',
      code: 'CREDENTIALS_UNREADABLE',
    });
  });
});

describe('the credentials of Plaid', () => {
  test('are tested by listing one bank', async () => {
    server.script({ json: { institutions: [], total: 0, request_id: 'r' } });
    expect(await plaid().test()).toEqual({
      ok: true,
      message: 'Plaid accepts the client id and the secret (sandbox).',
    });
    const body = { count: 1, offset: 0, country_codes: ['US', 'CA'] };
    expect([server.requests[0]?.path, server.requests[0]?.json]).toEqual(['/institutions/get', body]);
  });

  test('that are refused are told so, without the secret', async () => {
    server.script(error('INVALID_INPUT', 'INVALID_API_KEYS', 400, 'invalid secret the-secret'));
    const { ok, message } = await plaid().test();
    expect([ok, message]).toEqual([false, expect.stringContaining('INVALID_API_KEYS')]);
    expect(message).not.toContain('the-secret');
    server.script({ status: 503, text: '' });
    expect(await plaid().test()).toMatchObject({ ok: false, message: expect.stringContaining('cannot be reached') });
    expect(server.requests).toHaveLength(1);
  });
});
