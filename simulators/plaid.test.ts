import { createHash } from 'node:crypto';

import { importJWK, jwtVerify, type JWK } from 'jose';
import { expect, test } from 'vitest';

import { eventually } from '../test/harness/eventually.ts';
import { useSimulators } from '../test/harness/banks/simulators.ts';
import type { PlaidTamper } from './plaid/webhooks.ts';

const simulators = useSimulators();
const NOW = '2026-04-26T06:00:00.000Z';

interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

async function ask(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const usual = { 'content-type': 'application/json', 'plaid-client-id': 'client', 'plaid-secret': 'secret' };
  const answer = await fetch(simulators.plaid.url + path, {
    method: 'POST',
    headers: { ...usual, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

async function control(method: string, path: string, body?: unknown): Promise<Answered> {
  const answer = await fetch(`${simulators.plaid.url}/_control/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const LINK = {
  client_name: 'Homeledger',
  language: 'en',
  country_codes: ['US'],
  user: { client_user_id: 'u' },
  products: ['transactions'],
  transactions: { days_requested: 730 },
};

interface Read {
  added: string[];
  modified: string[];
  removed: string[];
  cursor: string;
  pages: number;
}

/** A whole loop, as a client reads it. */
async function readAll(accessToken: string, cursor?: string, count = 500): Promise<Read> {
  const read: Read = { added: [], modified: [], removed: [], cursor: cursor ?? '', pages: 0 };
  for (;;) {
    const from = read.cursor === '' ? {} : { cursor: read.cursor };
    const { body } = await ask('/transactions/sync', { access_token: accessToken, count, ...from });
    for (const kind of ['added', 'modified', 'removed'] as const) {
      read[kind].push(...body[kind].map((row: { transaction_id: string }) => row.transaction_id));
    }
    read.cursor = body.next_cursor;
    read.pages++;
    if (!body.has_more) return read;
  }
}

test('an item is linked, read and removed as at Plaid', async () => {
  const link = await ask('/link/token/create', { ...LINK, webhook: 'https://home.example/webhooks/plaid' });
  expect(link.body).toMatchObject({ link_token: 'link-sandbox-1', expiration: '2026-04-26T10:00:00Z' });
  const made = simulators.plaid.control.addItem();
  expect(made).toMatchObject({ item_id: 'item-sim-1', link_metadata: { accounts: [{ id: 'acc-sim-1' }, {}] } });
  const exchange = { public_token: made.public_token };
  expect((await ask('/item/public_token/exchange', exchange)).body).toMatchObject({
    access_token: 'access-sandbox-1',
    item_id: 'item-sim-1',
  });
  expect(await ask('/item/public_token/exchange', exchange)).toMatchObject({
    status: 400,
    body: { error_type: 'INVALID_INPUT', error_code: 'INVALID_PUBLIC_TOKEN' },
  });
  const token = { access_token: made.access_token };
  expect((await ask('/accounts/get', token)).body).toMatchObject({
    accounts: [{ account_id: 'acc-sim-1', balances: { current: 110 } }, { mask: '1111' }],
    item: { item_id: 'item-sim-1', error: null },
  });
  await ask('/item/webhook/update', { ...token, webhook: 'https://home.example/x' });
  expect((await ask('/item/get', token)).body.item.webhook).toBe('https://home.example/x');
  const update = { ...LINK, products: undefined, transactions: undefined, ...token };
  expect((await ask('/link/token/create', update)).body.expiration).toBe('2026-04-26T06:30:00Z');
  expect((await ask('/item/remove', token)).status).toBe(200);
  expect((await ask('/accounts/get', token)).body).toMatchObject({
    error_type: 'ITEM_ERROR',
    error_code: 'ITEM_NOT_FOUND',
  });
});

test('what the sandbox offers besides: made-up items, and a list of banks', async () => {
  const wanted = {
    institution_id: 'ins_1',
    initial_products: ['transactions'],
    options: { webhook: 'https://home.example/w' },
  };
  const { body: made } = await ask('/sandbox/public_token/create', wanted);
  const { body: exchanged } = await ask('/item/public_token/exchange', { public_token: made.public_token });
  const { body } = await ask('/accounts/get', { access_token: exchanged.access_token });
  expect([body.accounts.length, body.item.webhook]).toEqual([2, 'https://home.example/w']);
  const page = { count: 1, offset: 1, country_codes: ['US'] };
  expect((await ask('/institutions/get', page)).body).toMatchObject({
    institutions: [{ institution_id: 'ins_1' }],
    total: 2,
  });
});

test('a public token lives half an hour', async () => {
  const { public_token } = simulators.plaid.control.addItem();
  simulators.plaid.control.setClock({ advance_seconds: 1801 });
  expect((await ask('/item/public_token/exchange', { public_token })).body.error_code).toBe('INVALID_PUBLIC_TOKEN');
});

test('what a request gets wrong is answered as by Plaid', async () => {
  const { access_token } = simulators.plaid.control.addItem();
  const code = async (path: string, body: unknown, headers = {}): Promise<string> => {
    const answer = await ask(path, body, headers);
    return `${answer.status} ${answer.body.error_code}`;
  };
  expect([
    await code('/accounts/get', { access_token }, { 'plaid-secret': '' }),
    await code('/accounts/get', { access_token }, { 'content-type': 'text/plain' }),
    await code('/transactions/get', { access_token }),
    await code('/accounts/get', '{'),
    await code('/accounts/get', {}),
    await code('/accounts/get', { access_token: 7 }),
    await code('/accounts/get', { access_token, secret: 'x' }),
    await code('/accounts/get', { access_token: 'other' }),
    await code('/transactions/sync', { access_token, count: 501 }),
    await code('/transactions/sync', { access_token, cursor: '' }),
    await code('/link/token/create', { ...LINK, client_name: 'x'.repeat(31) }),
    await code('/link/token/create', { ...LINK, access_token }),
    await code('/link/token/create', { ...LINK, redirect_uri: 'http://home.example/x' }),
    await code('/webhook_verification_key/get', { key_id: 'other' }),
  ]).toEqual([
    '400 INVALID_API_KEYS',
    '400 INVALID_HEADERS',
    '404 NOT_FOUND',
    '400 INVALID_BODY',
    '400 MISSING_FIELDS',
    '400 INVALID_FIELD',
    '400 UNKNOWN_FIELDS',
    '400 INVALID_ACCESS_TOKEN',
    '400 INVALID_FIELD',
    '400 INVALID_FIELD',
    '400 INVALID_FIELD',
    '400 INVALID_FIELD',
    '400 INVALID_FIELD',
    '400 INVALID_WEBHOOK_VERIFICATION_KEY_ID',
  ]);
});

test('a loop brings the net difference, page by page, and twice the same from the same cursor', async () => {
  const { plaid } = simulators;
  const { item_id: item, access_token: token } = plaid.control.addItem();
  const other = plaid.control.addItem();
  const { transaction_ids: ids } = plaid.control.changeTransactions(item, { added: [{}, {}, { amount: 12.1 }] });
  expect(ids).toEqual(['txn-sim-1', 'txn-sim-2', 'txn-sim-3']);
  const first = await readAll(token, undefined, 2);
  expect(first).toMatchObject({ added: ids, pages: 2 });
  expect(await readAll(token, first.cursor)).toMatchObject({ added: [], modified: [], removed: [] });

  plaid.control.changeTransactions(item, { added: [{}], modified: [{ transaction_id: 'txn-sim-3', amount: 13 }] });
  plaid.control.changeTransactions(item, { removed: ['txn-sim-1', 'txn-sim-4'] });
  const second = await readAll(token, first.cursor, 1);
  expect(second).toMatchObject({ added: [], modified: ['txn-sim-3'], removed: ['txn-sim-1'], pages: 2 });
  expect(await readAll(token, first.cursor)).toMatchObject({ modified: ['txn-sim-3'], removed: ['txn-sim-1'] });
  expect((await readAll(token)).added).toEqual(['txn-sim-2', 'txn-sim-3']);

  const elsewhere = { access_token: other.access_token, cursor: first.cursor };
  expect(await ask('/transactions/sync', elsewhere)).toMatchObject({
    status: 400,
    body: { error_code: 'INVALID_FIELD', error_message: 'cursor not associated with access_token' },
  });
});

test('a change between two pages is Plaid’s mutation error, until the loop begins again', async () => {
  const { plaid } = simulators;
  const { item_id: item, access_token } = plaid.control.addItem();
  plaid.control.changeTransactions(item, { added: [{}, {}] });
  const { body } = await ask('/transactions/sync', { access_token, count: 1 });
  plaid.control.changeTransactions(item, { added: [{}] });
  const next = await ask('/transactions/sync', { access_token, count: 1, cursor: body.next_cursor });
  expect(next).toMatchObject({ status: 400, body: { error_code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION' } });
  expect((await readAll(access_token)).added).toHaveLength(3);
});

test('an item that is not ready, and one whose login is broken', async () => {
  const { plaid } = simulators;
  const { item_id: item, access_token } = plaid.control.addItem({ transactions_update_status: 'NOT_READY' });
  plaid.control.changeTransactions(item, { added: [{}] });
  expect((await ask('/transactions/sync', { access_token })).body).toMatchObject({
    added: [],
    next_cursor: '',
    has_more: false,
    transactions_update_status: 'NOT_READY',
  });
  plaid.control.changeItem(item, {
    error: 'ITEM_LOGIN_REQUIRED',
    transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
  });
  for (const path of ['/transactions/sync', '/accounts/get']) {
    expect(await ask(path, { access_token })).toMatchObject({
      status: 400,
      body: { error_type: 'ITEM_ERROR', error_code: 'ITEM_LOGIN_REQUIRED' },
    });
  }
  expect((await ask('/item/get', { access_token })).body.item.error.error_code).toBe('ITEM_LOGIN_REQUIRED');
});

test('a pending one is posted under a new id; its removal comes with it, or one sync earlier or later', async () => {
  const { plaid } = simulators;
  for (const [order, early, late] of [
    ['same_page', { added: 1, removed: 1 }, { added: 0, removed: 0 }],
    ['removed_first', { added: 0, removed: 1 }, { added: 1, removed: 0 }],
    ['removed_later', { added: 1, removed: 0 }, { added: 0, removed: 1 }],
  ] as const) {
    const { item_id: item, access_token } = plaid.control.addItem();
    const { transaction_ids: ids } = plaid.control.changeTransactions(item, { added: [{ pending: true }] });
    const [pending = ''] = ids;
    const { cursor } = await readAll(access_token);
    plaid.control.postPending(item, { transaction_id: pending, changes: { amount: 12 }, order });
    const first = await readAll(access_token, cursor);
    const second = await readAll(access_token, first.cursor);
    expect([first.added.length, first.removed.length], order).toEqual([early.added, early.removed]);
    expect([second.added.length, second.removed.length], order).toEqual([late.added, late.removed]);
    const { body } = await ask('/transactions/sync', { access_token });
    expect(body.added).toMatchObject([{ pending: false, amount: 12, pending_transaction_id: pending }]);
  }
});

test('restated rows are the same under new ids, with new accounts if asked', async () => {
  const { plaid } = simulators;
  const { item_id: item, access_token } = plaid.control.addItem();
  plaid.control.changeTransactions(item, { added: [{ amount: 1 }, { amount: 2 }] });
  const { cursor } = await readAll(access_token);
  const { transaction_ids: ids } = plaid.control.restate(item, { accounts: true });
  expect(await readAll(access_token, cursor)).toMatchObject({ added: ids, removed: ['txn-sim-1', 'txn-sim-2'] });
  const { body } = await ask('/transactions/sync', { access_token });
  expect(body.added).toMatchObject([
    { amount: 1, account_id: 'acc-sim-3' },
    { amount: 2, account_id: 'acc-sim-3' },
  ]);
});

test('a hundred thousand rows come once each, five hundred at a time', async () => {
  await control('POST', 'reset', { world: 'large' });
  const { access_token } = { access_token: 'access-sandbox-1' };
  const read = await readAll(access_token);
  expect([read.pages, read.added.length, new Set(read.added).size]).toEqual([200, 100_000, 100_000]);
});

test('the same control calls give the same bytes', async () => {
  const script = async (): Promise<string[]> => {
    const answers: Answered[] = [await control('POST', 'reset', { seed: 7, now: NOW })];
    answers.push(await control('POST', 'items', {}));
    answers.push(await control('POST', 'items/item-sim-1/transactions', { added: [{ name: 'One' }] }));
    answers.push(await ask('/transactions/sync', { access_token: 'access-sandbox-1' }), await ask('/nowhere', {}));
    answers.push(await control('POST', 'keys/rotate', { expire_old_after_seconds: 5 }));
    answers.push(await control('GET', 'state'));
    const signed = simulators.plaid.control.signWebhook({ item_id: 'item-sim-1' });
    return [...answers.map((one) => JSON.stringify(one)), JSON.stringify(signed)];
  };
  expect(await script()).toEqual(await script());
});

test('the log shows what was asked, and faults befall whom they name', async () => {
  const { plaid } = simulators;
  const [one, two] = [plaid.control.addItem(), plaid.control.addItem()];
  const fault = { path: '/accounts/get', item: one.item_id, skip: 1, times: 1, status: 502, body: '<h1>Bad</h1>' };
  expect(await control('POST', 'faults', fault)).toMatchObject({ status: 201, body: { id: 1 } });
  const status = async ({ access_token }: { access_token: string }) => {
    const answer = await fetch(`${plaid.url}/accounts/get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'plaid-client-id': 'c', 'plaid-secret': 's' },
      body: JSON.stringify({ access_token }),
    }).catch(() => ({ status: 0 }));
    return answer.status;
  };
  expect([await status(one), await status(two), await status(one), await status(one)]).toEqual([200, 200, 502, 200]);
  await control('POST', 'faults', { drop: true });
  expect([await status(one), await status(one)]).toEqual([0, 200]);
  plaid.control.addFault({ path: '/item/remove', drop: true, applied: true });
  await ask('/item/remove', { access_token: two.access_token }).catch(() => undefined);
  expect(await status(two)).toBe(400);
  const { body } = await control('GET', 'requests');
  expect(body.requests).toHaveLength(8);
  expect(body.requests[2]).toMatchObject({ n: 3, at: NOW, method: 'POST', path: '/accounts/get', status: 502 });
  expect(body.requests[4]).toMatchObject({ status: null, body: { access_token: one.access_token } });
  await control('DELETE', 'requests');
  expect(plaid.control.requests()).toEqual([]);
});

test('pages without rows come before each one with rows, and say that there is more', async () => {
  expect(await control('POST', 'reset', { empty_pages: 2 })).toMatchObject({ status: 204 });
  const { access_token, item_id } = simulators.plaid.control.addItem({});
  simulators.plaid.control.changeTransactions(item_id, { added: [{}, {}, {}] });
  const { body } = await ask('/transactions/sync', { access_token, count: 2 });
  expect(body).toMatchObject({ added: [], has_more: true });
  const read = await readAll(access_token, undefined, 2);
  expect([read.added.length, read.pages]).toEqual([3, 6]);
  expect((await readAll(access_token, read.cursor)).pages).toBe(1);
});

test('a delayed request is answered as soon as the faults are cleared', async () => {
  const { access_token } = simulators.plaid.control.addItem({});
  simulators.plaid.control.clearRequests();
  await control('POST', 'faults', { path: '/item/get', delay_ms: 600_000 });
  const delayed = ask('/item/get', { access_token });
  await eventually(async () => expect(simulators.plaid.control.requests()).toMatchObject([{ path: '/item/get' }]));
  expect(await control('DELETE', 'faults')).toMatchObject({ status: 204 });
  expect(await delayed).toMatchObject({ status: 200, body: { item: {} } });
});

test('calls of the control interface that make no sense say so', async () => {
  expect(await control('POST', 'items', { institution: 'x' })).toMatchObject({ status: 400 });
  expect(await control('PATCH', 'items/item-sim-9', {})).toMatchObject({
    status: 404,
    body: { error: 'There is no item item-sim-9.' },
  });
  expect((await control('GET', 'nowhere')).status).toBe(404);
  for (const [origin, status] of [
    ['https://evil.example', 403],
    ['null', 403],
    [simulators.plaid.url, 200],
  ] as const) {
    expect((await fetch(`${simulators.plaid.url}/_control/state`, { headers: { origin } })).status).toBe(status);
  }
});

/** The claims of a webhook if it passes every check that a receiver makes, else why not. */
async function verify(tamper: PlaidTamper): Promise<unknown> {
  const { plaid } = simulators;
  const { headers, body } = plaid.control.signWebhook({ item_id: 'item-sim-1', tamper });
  const token = headers['plaid-verification'];
  if (token === undefined) return 'no header';
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  const { body: found } = await ask('/webhook_verification_key/get', { key_id: kid });
  if (!found.key) return found.error_code;
  if (found.key.expired_at !== null && found.key.expired_at * 1000 < Date.parse(NOW)) return 'expired key';
  const key = await importJWK(found.key as JWK);
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'], currentDate: new Date(NOW) });
    const hash = createHash('sha256').update(body).digest('hex');
    return payload['request_body_sha256'] === hash ? 'right' : 'wrong body';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('webhooks are signed as by Plaid, and each way of tampering spoils one thing', async () => {
  simulators.plaid.control.addItem();
  expect({
    none: await verify('none'),
    no_header: await verify('no_header'),
    wrong_body_hash: await verify('wrong_body_hash'),
    wrong_key: await verify('wrong_key'),
    unknown_kid: await verify('unknown_kid'),
    alg_hs256: await verify('alg_hs256'),
    alg_none: await verify('alg_none'),
    expired_key: await verify('expired_key'),
  }).toEqual({
    none: 'right',
    no_header: 'no header',
    wrong_body_hash: 'wrong body',
    wrong_key: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    unknown_kid: 'INVALID_WEBHOOK_VERIFICATION_KEY_ID',
    alg_hs256: 'ERR_JOSE_ALG_NOT_ALLOWED',
    alg_none: 'ERR_JOSE_ALG_NOT_ALLOWED',
    expired_key: 'expired key',
  });
  simulators.plaid.control.rotateKeys();
  expect(await verify('none')).toBe('right');
});

test('the test vector: its body, its hash and its key', async () => {
  simulators.plaid.control.addItem();
  const { headers, body } = simulators.plaid.control.signWebhook({ item_id: 'item-sim-1', at: 1_760_000_000 });
  const vector =
    'eyJhbGciOiJFUzI1NiIsImtpZCI6IjZjNTUxNmUxLTkyZGMtNDc5ZS1hOGZmLTVhNTE5OTJlMDAwMSIsInR5cCI6IkpXVCJ9.' +
    'eyJpYXQiOjE3NjAwMDAwMDAsInJlcXVlc3RfYm9keV9zaGEyNTYiOiI4YWU5NWU1Y2QyNGU0ODE1OTRiOGYyNmU5OWNmYzcyNzBhNzhiMTBmYzMwYjk2OGJhOTZlZTYyYWM1ZGM1ZDlkIn0';
  expect(Buffer.byteLength(body)).toBe(208);
  expect(headers['plaid-verification']?.startsWith(`${vector}.`)).toBe(true);
  const { body: found } = await ask('/webhook_verification_key/get', {
    key_id: '6c5516e1-92dc-479e-a8ff-5a51992e0001',
  });
  expect(found.key).toMatchObject({
    x: '-BU4hsmiiIdYilC5Uxn7bivzUs6RB0pAscrcuV3p5g0',
    y: '_PmS8Hx95iMPwL-cBq6S67YsLhhfTLwDCRafc9QMoTY',
    created_at: 1_560_466_150,
    expired_at: null,
  });
  const signature = 'pqhEwa0qebNAzevMKsX9HeBsv-0GaQMGSytgijd_OBZlZRx0aPkhnlder97c_8NFo7K_DSbBWAN52PCeqC1A2w';
  const key = await importJWK(found.key as JWK);
  await jwtVerify(`${vector}.${signature}`, key, { currentDate: new Date(1_760_000_000_000) });
});
