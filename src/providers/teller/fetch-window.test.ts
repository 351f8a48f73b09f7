import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import {
  ACCESS,
  account,
  answerAt,
  refusal,
  row,
  tellerAt,
  TOKEN,
  type Routes,
} from '../../../test/harness/banks/teller-answers.ts';
import type { AccountPosition, DeliveredTransaction, FetchedPart, FetchOutcome, FetchRequest } from '../provider.ts';
import { windowStart } from './fetch-window.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

const world = (routes: Routes): void => answerAt(server, routes);

const BALANCES = '/accounts/acc_1/balances';
const ROWS = '/accounts/acc_1/transactions';
const balance = { json: { account_id: 'acc_1', ledger: '28575.02', available: '28500.00', links: {} } };

async function fetchAll(
  accounts: readonly AccountPosition[] = [],
  change: Partial<FetchRequest> = {},
): Promise<{ parts: FetchedPart[]; rows: DeliveredTransaction[]; outcome: FetchOutcome }> {
  const request = { position: null, accounts, isFull: false, signal: new AbortController().signal, ...change };
  const parts: FetchedPart[] = [];
  const running = tellerAt(server.url).fetch(ACCESS, request);
  for (;;) {
    const { value, done } = await running.next();
    if (done) return { parts, rows: parts.flatMap((part) => (part.kind === 'rows' ? part.rows : [])), outcome: value };
    parts.push(value);
  }
}

describe('a sync of Teller', () => {
  test('reads accounts, transactions and balances with the headers and parameters of the contract', async () => {
    world({ '/accounts': { json: [account('acc_1')] }, [ROWS]: { json: [row('t1')] }, [BALANCES]: balance });
    const { parts, outcome } = await fetchAll();
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/accounts'],
      ['GET', `${ROWS}?start_date=2024-03-02&end_date=2026-03-03&count=250`],
      ['GET', `${ROWS}?start_date=2024-03-02&end_date=2026-03-03&count=250&from_id=t1`],
      ['GET', BALANCES],
    ]);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({
        accept: 'application/json',
        'teller-version': '2020-10-12',
        'user-agent': 'homeledger/test',
        authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}`,
      });
    }
    expect(parts).toEqual([
      {
        kind: 'rows',
        rows: [
          {
            externalId: 't1',
            externalAccountId: 'acc_1',
            pendingExternalId: null,
            pending: false,
            date: '2026-02-28',
            authorizedDate: null,
            datetime: null,
            authorizedDatetime: null,
            amountCents: 8_646,
            currency: 'USD',
            name: 'SQ *BLUE BOTTLE',
            merchantName: 'BLUE BOTTLE',
            categoryPrimary: 'dining',
            categoryDetailed: 'card_payment',
            categoryConfidence: null,
            paymentChannel: 'in_store',
            isRounded: false,
            raw: JSON.stringify(row('t1')),
          },
        ],
        unreadable: [],
        removed: [],
      },
    ]);
    const reported = {
      currentCents: 2_857_502,
      availableCents: 2_850_000,
      limitCents: null,
      currency: 'USD',
      asOf: null,
    };
    expect(outcome).toMatchObject({
      state: {
        item: { id: 'enr_1', institutionId: 'security_cu', institutionName: 'Security Credit Union' },
        accounts: [
          {
            externalId: 'acc_1',
            type: 'depository',
            subtype: 'checking',
            mask: '7857',
            isClosed: false,
            balance: reported,
          },
        ],
      },
      position: null,
      history: 'complete',
      isCompleteRead: true,
      problems: [],
      withoutBalance: [],
    });
    expect(outcome.reads).toEqual([
      {
        externalAccountId: 'acc_1',
        from: '2024-03-02',
        to: '2026-03-03',
        position: '2026-03-02T12:00:00.000Z',
        isWideRead: true,
      },
    ]);
  });

  test('counts money out as positive on every type of account', async () => {
    const read = async (type: string, amount: string): Promise<number | undefined> => {
      world({
        '/accounts': { json: [account('acc_1', { type, links: { transactions: 'x' } })] },
        [ROWS]: { json: [row('t', { amount })] },
      });
      return (await fetchAll()).rows[0]?.amountCents;
    };
    expect(await read('depository', '-12.10')).toBe(1_210);
    expect(await read('depository', '500.00')).toBe(-50_000);
    expect(await read('credit', '12.10')).toBe(1_210);
    expect(await read('credit', '-500.00')).toBe(-50_000);
    expect(Object.is(await read('depository', '0.00'), 0)).toBe(true);
  });

  test('keeps the rows that can be read beside those that cannot', async () => {
    const rows = [
      row('pending', { status: 'pending', type: 'ach', details: null, running_balance: null }),
      row('bare', { description: '', details: { counterparty: { name: '' }, category: null } }),
      row('abc', { amount: 'abc' }),
      row('foreign', { account_id: 'acc_9' }),
      'text',
    ];
    world({ '/accounts': { json: [account('acc_1')] }, [ROWS]: { json: rows }, [BALANCES]: balance });
    expect((await fetchAll()).parts).toMatchObject([
      {
        rows: [
          { externalId: 'pending', pending: true, paymentChannel: 'other', merchantName: null, categoryPrimary: null },
          { externalId: 'bare', name: '(no description)', merchantName: null },
        ],
        unreadable: [
          { externalId: 'abc' },
          { externalId: 'foreign', problem: 'it names another account' },
          { externalId: null },
        ],
      },
    ]);
  });

  test('reads every row once, whatever the page of the server is', async () => {
    for (const count of [0, 1, 250, 251, 500]) {
      for (const pageRows of [1, 100, 250]) {
        const all = Array.from({ length: count }, (_, at) => row(`t${at}`));
        const asked: (string | null)[] = [];
        world({
          '/accounts': { json: [account('acc_1', { links: { transactions: 'x' } })] },
          [ROWS]: ({ path }) => {
            const query = new URL(path, server.url).searchParams;
            asked.push(query.get('from_id'));
            expect([query.get('start_date'), query.get('end_date'), query.get('count')]).toEqual([
              '2024-03-02',
              '2026-03-03',
              '250',
            ]);
            const start = query.has('from_id') ? Number(query.get('from_id')?.slice(1)) + 1 : 0;
            return { json: all.slice(start, start + pageRows) };
          },
        });
        const { rows, outcome } = await fetchAll();
        expect([rows.length, new Set(rows.map(({ externalId }) => externalId)).size]).toEqual([count, count]);
        expect(outcome).toMatchObject({ isCompleteRead: true, problems: [] });
        expect(asked.length).toBeLessThanOrEqual(Math.ceil(count / pageRows) + 1);
      }
    }
  });

  test('ends if a server repeats a page for ever', async () => {
    const page = [row('t1'), row('t2')];
    for (const json of [page, page.map((one) => ({ ...one, id: null }))]) {
      world({ '/accounts': { json: [account('acc_1'), account('acc_2')] }, [ROWS]: () => ({ json }) });
      await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' });
      expect(server.requests.length).toBeLessThanOrEqual(3);
    }
  });

  test('ends before any row is read if the token opens accounts of another enrollment', async () => {
    const other = account('acc_2', { enrollment_id: 'enr_2' });
    world({ '/accounts': { json: [account('acc_1'), other] }, [ROWS]: { json: [row('t1')] } });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' });
    expect(server.requests).toHaveLength(1);
  });

  test('asks only for what an account offers', async () => {
    world({
      '/accounts': {
        json: [
          account('acc_1', { links: { transactions: 'x' } }),
          account('acc_2', { links: {} }),
          account('acc_3', { status: 'closed' }),
        ],
      },
      [ROWS]: { json: [] },
    });
    const { outcome } = await fetchAll();
    expect(server.requests.map(({ path }) => path.split('?')[0])).toEqual(['/accounts', ROWS]);
    expect(outcome.state?.accounts.map(({ isClosed }) => isClosed)).toEqual([false, false, true]);
    expect([outcome.withoutBalance, outcome.problems, outcome.reads.length]).toEqual([[], [], 1]);
  });

  test('leaves out an account that fails, whatever it had delivered, and one that is closed', async () => {
    const accounts = { json: ['acc_1', 'acc_2', 'acc_3'].map((id) => account(id)) };
    const full = Array.from({ length: 250 }, (_, at) => row(`t${at}`));
    for (const [answer, problem] of [
      [refusal(502, 'bank_down'), { failureClass: 'transient', code: 'bank_down' }],
      [
        { status: 502, text: '<html>' },
        { failureClass: 'transient', code: 'PROVIDER_UNAVAILABLE' },
      ],
      ['drop', { failureClass: 'transient', code: 'NETWORK_ERROR' }],
      [{ text: 'x' }, { failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' }],
      [{ json: {} }, { failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' }],
      [refusal(404, 'not_found'), { failureClass: 'item', code: 'not_found' }],
      [refusal(422, 'unprocessable'), { failureClass: 'item', code: 'unprocessable' }],
    ] as const) {
      world({
        '/accounts': accounts,
        [ROWS]: ({ path }) => (path.includes('from_id') ? answer : { json: full }),
        '/accounts/acc_2/transactions': { json: [row('t2', { account_id: 'acc_2' })] },
        '/accounts/acc_2/balances': balance,
        '/accounts/acc_3/transactions': refusal(410, 'account.closed.bank'),
      });
      const { rows, outcome } = await fetchAll();
      expect(rows.map(({ externalId }) => externalId)).toEqual(['t2']);
      expect(outcome.problems).toMatchObject([{ scope: 'account', externalAccountId: 'acc_1', ...problem }]);
      expect(outcome.reads.map(({ externalAccountId }) => externalAccountId)).toEqual(['acc_2']);
      expect(outcome.state?.accounts.map(({ isClosed }) => isClosed)).toEqual([false, false, true]);
      expect(outcome.isCompleteRead).toBe(false);
    }
  });

  test('fails if all open accounts do', async () => {
    world({
      '/accounts': { json: [account('acc_1'), account('acc_2', { status: 'closed' })] },
      [ROWS]: refusal(502, 'bank_down'),
    });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'transient', code: 'bank_down' });
    world({ '/accounts': { json: [] } });
    expect((await fetchAll()).outcome).toMatchObject({ problems: [], reads: [], state: { accounts: [] } });
  });

  test('keeps its rows if a balance cannot be read', async () => {
    const accounts = { '/accounts': { json: [account('acc_1')] }, [ROWS]: { json: [row('t1')] } };
    for (const answer of [refusal(502, 'x'), { json: { ledger: 'much' } }, { json: {} }, refusal(404, 'not_found')]) {
      world({ ...accounts, [BALANCES]: answer });
      const { rows, outcome } = await fetchAll();
      expect([rows.length, outcome.withoutBalance, outcome.problems, outcome.reads.length]).toEqual([
        1,
        ['acc_1'],
        [],
        1,
      ]);
      expect(outcome.state?.accounts[0]?.balance).toBeNull();
    }
    world({ ...accounts, [BALANCES]: { json: { ledger: '1.00', available: null } } });
    const [first] = (await fetchAll()).outcome.state?.accounts ?? [];
    expect(first?.balance).toMatchObject({ currentCents: 100, availableCents: null });
  });

  test('ends when the person has to sign in again', async () => {
    const disconnected = 'enrollment.disconnected';
    const endings = `account_locked credentials_invalid enrollment_inactive user_action.captcha_required
      user_action.contact_information_required user_action.insufficient_permissions user_action.mfa_required
      user_action.web_login_required something.new`.split(/\s+/);
    const codes = [disconnected, ...endings.map((ending) => `${disconnected}.${ending}`)];
    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      ...codes.map((one) => [404, one] as const),
    ] as const) {
      world({ '/accounts': refusal(status, code) });
      await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'login', code });
      world({ '/accounts': { json: [account('acc_1'), account('acc_2')] }, [ROWS]: refusal(status, code) });
      await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'login', code });
    }
    world({ '/accounts': refusal(404, 'enrollment.disconnectedness') });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'item' });
  });

  test('ends when Teller refuses this server', async () => {
    world({ '/accounts': refusal(400, 'bad_request') });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'config', code: 'CERTIFICATE_REJECTED' });
    for (const refused of [refusal(400, 'invalid_request'), { status: 400, text: '<html>' }]) {
      world({ '/accounts': refused });
      await expect(fetchAll()).rejects.toMatchObject({
        failureClass: 'config',
        code: expect.not.stringContaining('CERTIFICATE'),
      });
    }
    world({ '/accounts': refusal(502, 'bank_down') });
    await expect(fetchAll()).rejects.toMatchObject({ failureClass: 'transient', code: 'bank_down' });
    world({ '/accounts': { ...(refusal(429, 'slow_down') as object), headers: { 'retry-after': '61' } } });
    await expect(fetchAll()).rejects.toMatchObject({
      failureClass: 'rate_limited',
      code: 'RATE_LIMITED',
      notBefore: expect.any(Number),
    });
    world({ '/accounts': { json: {} } });
    await expect(fetchAll()).rejects.toMatchObject({ code: 'PROVIDER_BAD_RESPONSE' });
  });
});

describe('the window of an account', () => {
  const start = (change: Partial<AccountPosition>): string =>
    windowStart(
      { position: '2026-02-20T08:00:00.000Z', oldestPendingDate: null, isWideReadDue: false, ...change },
      '2026-03-02',
    );

  test('reaches back to what may still change', () => {
    expect(windowStart(undefined, '2026-03-02')).toBe('2024-03-02');
    expect(start({})).toBe('2026-02-10');
    expect(start({ oldestPendingDate: '2026-02-25' })).toBe('2026-02-10');
    expect(start({ oldestPendingDate: '2026-02-05' })).toBe('2026-02-04');
    expect(start({ oldestPendingDate: '2025-06-01' })).toBe('2026-01-01');
    expect(start({ isWideReadDue: true })).toBe('2026-01-16');
    expect(start({ isWideReadDue: true, oldestPendingDate: '2026-01-05' })).toBe('2026-01-04');
    expect(start({ position: '2020-01-01T00:00:00.000Z' })).toBe('2024-03-02');
    expect(start({ position: '2030-01-01T00:00:00.000Z' })).toBe('2026-03-02');
    for (const position of [null, 'garbled']) expect(start({ position })).toBe('2024-03-02');
  });

  test('is asked for, and is the longest for a full read', async () => {
    const position = {
      externalAccountId: 'acc_1',
      position: '2026-02-20T08:00:00.000Z',
      oldestPendingDate: null,
      isWideReadDue: false,
    };
    world({ '/accounts': { json: [account('acc_1')] }, [ROWS]: { json: [] }, [BALANCES]: balance });
    const { outcome } = await fetchAll([position]);
    expect(outcome).toMatchObject({
      isCompleteRead: false,
      reads: [{ from: '2026-02-10', to: '2026-03-03', isWideRead: false }],
    });
    const full = await fetchAll([position], { isFull: true });
    expect(full.outcome).toMatchObject({ isCompleteRead: true, reads: [{ from: '2024-03-02', isWideRead: true }] });
  });
});
