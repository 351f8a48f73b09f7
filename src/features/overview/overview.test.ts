import { expect, test } from 'vitest';

import { csvWithBalance, importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { addAccount, addCounterparty, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { addBank, addBankAccount, suggest } from '../../../test/harness/syncs/synced-ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const OVERVIEW = '/api/v1/overview';
const DAY = 86_400_000;

const overview = async (app: TestApp, query: Record<string, string> = {}) => {
  const answer = await app.request('GET', OVERVIEW, { query, key: app.readOnlyKey });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

async function setBalance(app: TestApp, account: Made, balance: string, more: object = {}, date = '2026-04-20') {
  const body = { balance_current: balance, ...more };
  const answer = await app.request('PUT', `/api/v1/accounts/${account.id}/balances/${date}`, { body });
  expect(answer.status, answer.text).toBe(200);
}

/** The connections table as a sync would leave it. */
async function setConnection(app: TestApp, { id }: Made, set: Record<string, string | null>): Promise<void> {
  await app.write('test.connection', async (tx) => {
    await tx.q.updateTable('connections').set(set).where('id', '=', id).execute();
    tx.journal.allowUnjournaled('connection');
  });
}

/** Proposals as an agent would leave them, with nothing in them. */
async function addProposals(app: TestApp, wanted: readonly { status: string; expires_at: string }[]): Promise<void> {
  const columns = { title: 'Tidy up', source: 'mcp', proposer_type: 'agent', proposer_name: 'Desk', change_count: 0 };
  const json = { calls: '[]', counts: '{}', totals: '[]', fingerprint: 'none' };
  await app.write('test.proposals', async (tx) => {
    for (const one of wanted) {
      const made = { id: tx.ids.uuid(), short_id: tx.ids.shortId(), created_at: tx.now, proposed_at: tx.now };
      await tx.q
        .insertInto('proposals')
        .values({ ...columns, ...json, ...made, ...one })
        .execute();
    }
  });
}

forEachDatabase((database) => {
  test('an empty household has nothing, and nothing needs attention', async () => {
    const app = await database.open();
    const told = await overview(app);
    expect(told).toMatchObject({
      as_of: '2026-04-26T06:00:00.000Z',
      members: [],
      balances: [],
      counts: { accounts: 0, connections: 0, transactions: 0, pending: 0, categories: 122, tags: 1, rules: 1 },
      period: { earliest_date: null, latest_date: null },
      freshness: { last_sync_at: null, next_sync_at: null, added_24h: 0, added_7d: 0 },
      attention: [],
    });
    expect(new Set(Object.values(told.backlog))).toEqual(new Set([0]));
    const history = await app.request('GET', `${OVERVIEW}/history`);
    expect(history.json).toMatchObject({ interval: 'week', date_from: '2025-04-27', series: [] });
  });

  test('balances are per currency, of the accounts that count', async () => {
    const app = await database.open();
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    const make = async (balance: string, account: Parameters<typeof addAccount>[2], owner = ana) => {
      const made = await addAccount(app, owner, account);
      await setBalance(app, made, balance);
      return made;
    };
    await make('100.10', {});
    await make('50.00', { currency: 'EUR' }, ben);
    await make('7.00', { currency: null });
    await make('30.05', { type: 'credit' });
    await make('1000.00', { type: 'loan', override: ben });
    await make('9.00', { excluded: true });
    await make('9.00', { dependent: true, currency: 'CHF' });
    await setConnection(app, (await make('9.00', {})).connection, { status: 'disconnected' });
    await addAccount(app, ana, { currency: 'SEK' });
    const wallet = await make('1.00', { currency: 'EUR' });
    await setBalance(app, wallet, '2.00', { iso_currency_code: 'USD' });
    await setBalance(app, wallet, '99.00', { iso_currency_code: 'USD' }, '2026-04-19');

    expect((await overview(app)).balances).toEqual([
      { iso_currency_code: 'EUR', assets: '51.00', liabilities: '0.00', net: '51.00', account_count: 2 },
      { iso_currency_code: 'USD', assets: '102.10', liabilities: '1030.05', net: '-927.95', account_count: 4 },
      { iso_currency_code: null, assets: '7.00', liabilities: '0.00', net: '7.00', account_count: 1 },
    ]);
    expect((await overview(app, { user_id: ben.short_id })).balances).toEqual([
      { iso_currency_code: 'EUR', assets: '50.00', liabilities: '0.00', net: '50.00', account_count: 1 },
      { iso_currency_code: 'USD', assets: '0.00', liabilities: '1000.00', net: '-1000.00', account_count: 1 },
    ]);
    for (const nobody of ['nobody', inOtherCase(ana.short_id), 'a,b', wallet.id]) {
      const refused = await app.request('GET', OVERVIEW, { query: { user_id: nobody } });
      expect([refused.status, refused.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
  });

  test('counts and backlog are those of the lists, for everybody and for each member', async () => {
    const app = await database.open();
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    const [hers, his] = [await addAccount(app, ana), await addAccount(app, ben, { excluded: true })];
    const reviewed = (await app.request('GET', '/api/v1/tags/needs-review')).json as Made;
    const category = (await app.request('GET', '/api/v1/categories/food_and_drink')).json as Made;
    const cafe = await addCounterparty(app, 'Cafe');
    await addCounterparty(app, 'Merged', cafe);
    const deleted = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
    const at = { date: '2026-04-02', amount_cents: 100, name: 'Coffee', tags: [reviewed] };
    const flagged_at = '2026-04-21T00:00:00.000Z';
    await addTransactions(app, [
      { ...at, account: hers, date: '2026-03-01' },
      { ...at, account: hers, category, columns: { flagged_at } },
      { ...at, account: hers, attributed: ben, columns: { flagged_at: '2026-04-20T00:00:00.000Z' } },
      { ...at, account: his, columns: { pending: 1 } },
      { ...at, account: his, tags: [], columns: { ...deleted, flagged_at, pending: 1 }, date: '2020-01-01' },
      { ...at, account: his, columns: deleted, date: '2027-01-01' },
    ]);
    app.clock.advance(DAY);
    await addTransactions(app, [{ ...at, account: his, tags: [], date: '2026-04-05' }]);

    for (const user of [{}, { user_id: ana.id }, { user_id: ben.short_id }]) {
      const count = async (query: Record<string, string>) =>
        (await app.request('GET', '/api/v1/transactions/count', { query: { ...user, ...query } })).json.count;
      const told = await overview(app, user);
      expect(told.counts.transactions).toBe(await count({}));
      expect(told.counts.pending).toBe(await count({ pending: 'true' }));
      expect(told.backlog).toMatchObject({
        uncategorized_count: await count({ uncategorized: 'true' }),
        needs_review_count: await count({ tag: 'needs-review' }),
        flagged_count: await count({ flagged: 'true' }),
      });
      expect(told.freshness.added_7d).toBe(await count({}));
      // Attention is that of the household, whoever is asked about.
      expect(told.attention).toMatchObject([{ code: 'flagged_transactions', count: 2 }]);
    }
    expect(await overview(app)).toMatchObject({
      counts: { accounts: 2, connections: 2, transactions: 5, counterparties: 1 },
      period: { earliest_date: '2026-03-01', latest_date: '2026-04-05' },
      freshness: { added_24h: 5, added_7d: 5 },
    });
    expect(await overview(app, { user_id: ana.id })).toMatchObject({
      counts: { accounts: 1, connections: 1, transactions: 2, counterparties: 1 },
      period: { earliest_date: '2026-03-01', latest_date: '2026-04-02' },
    });
    app.clock.advance(1);
    expect((await overview(app)).freshness).toMatchObject({ added_24h: 1, added_7d: 5 });
    expect((await overview(app, { user_id: ben.id })).freshness).toMatchObject({ added_24h: 1, added_7d: 3 });
    app.clock.advance(7 * DAY);
    expect((await overview(app)).freshness).toMatchObject({ added_24h: 0, added_7d: 0 });
  });

  test('what was added is counted also where nearly everything was', async () => {
    const app = await database.open();
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    const [hers, his] = [await addAccount(app, ana), await addAccount(app, ben)];
    const at = { date: '2026-04-02', amount_cents: 100, name: 'Coffee' };
    const gone = { ...at, columns: { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' } };
    const some = (count: number, row: object) =>
      Array.from({ length: count }, () => ({ ...at, account: hers, ...row }));
    await addTransactions(app, [...some(3, {}), ...some(2, { account: his }), ...some(4, gone)]);
    app.clock.advance(8 * DAY);
    await addTransactions(app, [
      ...some(1_001, { attributed: ben }),
      ...some(5, { columns: { pending: 1 } }),
      ...some(7, gone),
    ]);

    const added = async (query: Record<string, string> = {}) => (await overview(app, query)).freshness.added_7d;
    expect([await added(), await added({ user_id: ana.id }), await added({ user_id: ben.id })]).toEqual([
      1_006, 5, 1_001,
    ]);
    app.clock.advance(8 * DAY);
    expect([await added(), await added({ user_id: ana.id }), await added({ user_id: ben.id })]).toEqual([0, 0, 0]);
  });

  test('attention names what needs a person while it does, most severe first', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const { connection } = await addAccount(app, ana);
    const codes = async () => (await overview(app)).attention.map((one: { code: string }) => one.code);
    await setConnection(app, connection, { last_sync_at: '2026-04-25T00:00:00.000Z' });
    expect((await overview(app)).freshness.last_sync_at).toBe('2026-04-25T00:00:00.000Z');
    expect(await codes()).toEqual([]);

    const [row] = (await addTransactions(app, [
      { account: await addAccount(app, ana), date: '2026-04-01', amount_cents: 1, name: 'X' },
    ])) as [Made];
    const flag = `/api/v1/transactions/${row.id}/flag`;
    await app.request('POST', flag, { body: {} });
    await setConnection(app, connection, { provider: 'plaid', status: 'pending_reauth' });
    expect((await overview(app)).attention).toEqual([
      {
        code: 'reauth_required',
        severity: 'critical',
        message: 'The bank wants you to sign in again. Until you do, this connection gets no new data.',
        count: 1,
        subject_type: 'connection',
        subject_id: connection.id,
        since: null,
      },
      expect.objectContaining({
        code: 'provider_not_configured',
        severity: 'warning',
        message: 'Plaid is not set up, so this connection cannot sync. Set it up in the settings.',
        subject_id: connection.id,
      }),
      {
        code: 'flagged_transactions',
        severity: 'info',
        message: '1 transaction is flagged.',
        count: 1,
        subject_type: 'transaction',
        subject_id: null,
        since: '2026-04-26T06:00:00.000Z',
      },
    ]);
    await setConnection(app, connection, { status: 'error' });
    await app.request('DELETE', flag);
    // The last sync was 30 hours ago, more than two intervals of 12 hours and one.
    expect(await codes()).toEqual(['connection_error', 'sync_stale', 'provider_not_configured']);
    await setConnection(app, connection, { status: 'disconnected' });
    expect(await codes()).toEqual([]);
  });

  test('unread reports and open proposals are in the backlog and need attention until someone looks', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const submit = (priority: string) =>
      app.request('POST', '/api/v1/reports', { body: { title: 'Rents', body: 'All paid.', priority } });
    await submit('info');
    app.clock.advance(1_000);
    const { json: severe } = await submit('critical');
    await addProposals(app, [
      { status: 'proposed', expires_at: '2026-04-27T06:00:00.000Z' },
      { status: 'proposed', expires_at: '2026-04-26T06:00:01.000Z' },
      { status: 'rejected', expires_at: '2026-04-27T06:00:00.000Z' },
    ]);
    const reports = {
      code: 'unread_reports',
      severity: 'critical',
      message: '2 reports are unread.',
      count: 2,
      subject_type: 'report',
      subject_id: null,
      since: '2026-04-26T06:00:00.000Z',
    };
    const proposals = {
      code: 'open_proposals',
      severity: 'info',
      message: '1 proposal waits for a decision.',
      count: 1,
      subject_type: 'proposal',
      subject_id: null,
      since: '2026-04-26T06:00:01.000Z',
    };
    for (const query of [{}, { user_id: ana.id }]) {
      expect(await overview(app, query)).toMatchObject({
        backlog: { unread_reports_count: 2, open_proposals_count: 1 },
        attention: [reports, proposals],
      });
    }
    await app.request('PATCH', `/api/v1/reports/${severe.id}/read`);
    const one = { ...reports, severity: 'info', message: '1 report is unread.', count: 1 };
    expect((await overview(app)).attention).toEqual([proposals, one]);
    await app.request('POST', '/api/v1/reports/read-all');
    app.clock.advance(DAY);
    expect(await overview(app)).toMatchObject({
      backlog: { unread_reports_count: 0, open_proposals_count: 0 },
      attention: [],
    });
  });

  test('open suggestions are counted for everybody, and for the member whose bank they are about', async () => {
    const app = await database.open();
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    const bank = await addBank(app, ana);
    const account = await addBankAccount(app, bank);
    const rows = await addTransactions(app, [
      { account, date: '2026-04-01', amount_cents: 1, name: 'X' },
      { account, date: '2026-04-01', amount_cents: 1, name: 'X' },
    ]);
    const [newer, older] = rows as [Made, Made];
    const candidates = [{ transaction_id: older.id, reasons: ['same_amount'] as const }];
    const where = { connectionId: bank.id, accountId: account.id, transactionId: newer.id };
    await suggest(app, [{ kind: 'possible_duplicate', ...where, candidates }]);
    for (const [query, expected] of [
      [{}, 1],
      [{ user_id: ana.id }, 1],
      [{ user_id: ben.id }, 0],
    ] as const) {
      expect((await overview(app, query)).backlog.open_suggestions_count).toBe(expected);
    }
  });

  test('an import whose balances do not add up needs attention until it is reverted or followed by a better one', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'), { currency: 'EUR' });
    const into = { account_id: account.id };
    const attention = async () => (await overview(app)).attention;
    const rows = ['2026-04-01 Tea -2.00', '2026-04-02 Coffee -4.50', '2026-04-03 Rent -500.00'] as const;
    const good = csvWithBalance(100_000, ...rows);
    const done = await importFile(app, good.replace('-500.00', '-501.00'), { ...into, accept_unproved: true });
    expect(done.json.import.balance_proof.status, done.text).toBe('broken');
    expect(await attention()).toEqual([
      {
        code: 'balance_mismatch',
        severity: 'warning',
        message:
          'The balances in the newest import of this account do not add up. Revert it, or import a file that proves them.',
        count: 1,
        subject_type: 'account',
        subject_id: account.id,
        since: done.json.import.finished_at,
      },
    ]);
    const set = done.headers['x-change-set-id'];
    const undone = await app.request('POST', `/api/v1/change-sets/${String(set)}/revert`, { body: {} });
    expect([undone.status, await attention()]).toEqual([200, []]);

    const wrong = good.replace('-4.50', '-4.51');
    expect((await importFile(app, wrong, { ...into, accept_unproved: true })).status).toBe(201);
    expect(await attention()).toHaveLength(1);
    app.clock.advance(1_000);
    expect((await importFile(app, good, into)).json.import.balance_proof.status).toBe('proved');
    expect(await attention()).toEqual([]);
  });
});

/** A short id may have no capital letter, so lower case alone could be the id itself. */
function inOtherCase(id: string): string {
  return [...id].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}
