import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import type { BalanceSnapshotsTable } from '../../db/schema.ts';

const ACCOUNTS = '/api/v1/accounts';

type Report = Pick<BalanceSnapshotsTable, 'date' | 'iso_currency_code'> & Partial<BalanceSnapshotsTable>;

/** Snapshots as reports leave them: the later of one day and currency replaces the earlier. */
async function report(app: TestApp, account: Made, reports: readonly Report[]): Promise<void> {
  await app.write('test.balance', async (tx) => {
    for (const one of reports) {
      const row = {
        account_id: account.id,
        balance_current_cents: null,
        balance_available_cents: null,
        balance_limit_cents: null,
        source: 'sync',
        import_id: null,
        recorded_at: tx.now,
        ...one,
      };
      await tx.q
        .insertInto('balance_snapshots')
        .values(row)
        .onConflict((conflict) => conflict.columns(['account_id', 'date', 'iso_currency_code']).doUpdateSet(row))
        .execute();
    }
  });
}

forEachDatabase((database) => {
  test('balance history is by day and currency; a day reported twice keeps the later values', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    await report(app, account, [
      { date: '2026-04-02', iso_currency_code: 'USD', balance_current_cents: 200 },
      { date: '2026-04-01', iso_currency_code: 'USD', balance_current_cents: 100, source: 'import' },
      { date: '2026-04-02', iso_currency_code: 'EUR', balance_limit_cents: -1 },
      { date: '2026-04-03', iso_currency_code: '', balance_current_cents: 0 },
    ]);
    app.clock.advance(1_000);
    await report(app, account, [{ date: '2026-04-02', iso_currency_code: 'USD', balance_available_cents: 999 }]);
    const balances = async (query: Record<string, string>) =>
      app.request('GET', `${ACCOUNTS}/${account.short_id}/balances`, { query });
    const all = (await balances({})).json;
    expect(all.account_id).toBe(account.id);
    const nothing = { balance_current: null, balance_available: null, balance_limit: null };
    const early = { source: 'sync', recorded_at: '2026-04-26T06:00:00.000Z' };
    const late = { source: 'sync', recorded_at: '2026-04-26T06:00:01.000Z' };
    expect(all.balances).toEqual([
      { ...nothing, ...early, date: '2026-04-01', iso_currency_code: 'USD', balance_current: '1.00', source: 'import' },
      { ...nothing, ...early, date: '2026-04-02', iso_currency_code: 'EUR', balance_limit: '-0.01' },
      { ...nothing, ...late, date: '2026-04-02', iso_currency_code: 'USD', balance_available: '9.99' },
      { ...nothing, ...early, date: '2026-04-03', iso_currency_code: null, balance_current: '0.00' },
    ]);
    const within = { date_from: '2026-04-02', date_to: '2026-04-02' };
    expect((await balances(within)).json.balances).toEqual(all.balances.slice(1, 3));
    expect((await balances({ date_from: '2026-04-03' })).json.balances).toHaveLength(1);
    for (const query of [
      { date_from: '2026-02-30' },
      { date_to: 'x' },
      { date_from: '2026-04-02', date_to: '2026-04-01' },
    ]) {
      expect((await balances(query)).json.error.code).toBe('INVALID_PARAMETER');
    }
  });

  test('detail has the newest 25 transactions and the latest balance of each currency', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const account = await addAccount(app, ana);
    const get = async () => (await app.request('GET', `${ACCOUNTS}/${account.id}`)).json;
    const detail = async (id = account.id) => (await app.request('GET', `${ACCOUNTS}/${id}/detail`)).json;
    const none = { balance_current: null, balance_available: null, balance_limit: null };
    expect(await detail()).toEqual({
      ...(await get()),
      connection_user_name: 'Ana',
      connection_short_id: account.connection.short_id,
      balances: [{ iso_currency_code: 'USD', ...none }],
      recent_transactions: [],
    });
    await report(app, account, [
      { date: '2026-04-01', iso_currency_code: 'EUR', balance_current_cents: 1 },
      { date: '2026-04-02', iso_currency_code: 'EUR', balance_current_cents: 2 },
      { date: '2026-04-01', iso_currency_code: 'USD', balance_current_cents: 3 },
    ]);
    const other = await addAccount(app, ana);
    const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}`;
    const rows = Array.from({ length: 30 }, (_row, n) => ({
      account,
      date: day(1 + Math.floor(n / 2)),
      amount_cents: n,
      name: `Row ${n}`,
      columns: { pending: n === 29 ? (1 as const) : (0 as const) },
    }));
    await addTransactions(app, [...rows, { account: other, date: day(31), amount_cents: 1, name: 'Other' }]);
    await app.request('PATCH', `${ACCOUNTS}/${account.id}`, { body: { is_dependent_linked: true } });
    const shown = await detail();
    expect(shown.balances).toEqual([
      { ...none, iso_currency_code: 'EUR', balance_current: '0.02' },
      { ...none, iso_currency_code: 'USD', balance_current: '0.03' },
    ]);
    const expected = Array.from({ length: 25 }, (_row, n) => `Row ${29 - n}`);
    expect(shown.recent_transactions.map((row: { name: string }) => row.name)).toEqual(expected);
    const [first] = shown.recent_transactions;
    expect(first).toEqual((await app.request('GET', `/api/v1/transactions/${first.id}`)).json);
  });
});
