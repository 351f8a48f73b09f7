import { expect, test } from 'vitest';

import {
  addAccount,
  addMember,
  addTransactions,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';

async function seriesWith(app: TestApp, rows: readonly Partial<NewTransaction>[]): Promise<Made> {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const { json: series } = await app.request('POST', '/api/v1/series', { body: { name: 'Streaming' } });
  await addTransactions(
    app,
    rows.map((one) => ({
      account,
      date: '2026-01-01',
      amount_cents: 1_000,
      name: 'STREAMING',
      ...one,
      columns: { series_id: series.id, ...one.columns },
    })),
  );
  return series;
}

forEachDatabase((database) => {
  const detail = async (app: TestApp, { id }: Made) => (await app.request('GET', `/api/v1/series/${id}`)).json;

  test('monthly rows are 28 days apart; the newest by date, then id, gives date and amount', async () => {
    const app = await database.open();
    const series = await seriesWith(app, [
      { date: '2026-03-03', amount_cents: 1_100, iso_currency_code: 'EUR' },
      { date: '2026-01-03', iso_currency_code: null },
      { date: '2026-02-03', iso_currency_code: null },
      { date: '2026-02-03', iso_currency_code: null },
      { date: '2026-03-03', amount_cents: 1_200, iso_currency_code: null },
    ]);
    expect(await detail(app, series)).toMatchObject({
      transaction_count: 5,
      last_date: '2026-03-03',
      last_amount: '12.00',
      last_iso_currency_code: null,
      typical_interval_days: 28,
      cadence: 'monthly',
      next_expected_date: '2026-04-03',
    });
  });

  test('deleted transactions do not count; pending ones are counted, and no payments yet', async () => {
    const app = await database.open();
    const series = await seriesWith(app, [
      { date: '2026-01-03' },
      { date: '2026-02-03' },
      { date: '2026-03-03', amount_cents: 1_549 },
      { date: '2026-03-04', amount_cents: 800, columns: { pending: 1 } },
      { date: '2026-03-05', amount_cents: 900, columns: { pending: 1 } },
      { date: '2026-03-06', columns: { deleted_at: '2026-03-07T00:00:00.000Z', deleted_cause: 'person' } },
    ]);
    expect(await detail(app, series)).toMatchObject({
      transaction_count: 5,
      last_date: '2026-03-03',
      last_amount: '15.49',
      last_iso_currency_code: 'USD',
      typical_interval_days: 28,
    });
  });

  test('the list with details has what each record has', async () => {
    const app = await database.open();
    const monthly = ['2026-01-03', '2026-02-03', '2026-03-03'];
    const streaming = await seriesWith(
      app,
      monthly.map((date) => ({ date })),
    );
    await app.request('POST', '/api/v1/series', { body: { name: 'Unused', type: 'bill' } });
    const { series } = (await app.request('GET', '/api/v1/series', { query: { detail: 'true' } })).json;
    expect(series).toHaveLength(2);
    for (const listed of series) expect(listed).toEqual(await detail(app, listed));
    const query = { detail: 'true', search: 'stream' };
    expect((await app.request('GET', '/api/v1/series', { query })).json.series).toEqual([await detail(app, streaming)]);
    expect((await app.request('GET', '/api/v1/series')).json.series[0]).not.toHaveProperty('status');
  });

  test('pending transactions alone give a count, nothing else', async () => {
    const app = await database.open();
    const series = await seriesWith(app, [{ date: '2026-01-03', columns: { pending: 1 } }]);
    expect(await detail(app, series)).toMatchObject({
      transaction_count: 1,
      last_date: null,
      last_amount: null,
      last_iso_currency_code: null,
      typical_interval_days: null,
    });
  });

  test('intervals older than the newest 24 do not count', async () => {
    const app = await database.open();
    // Twelve years, then twelve weeks, then years again: one interval more or less would tip the balance.
    const steps = [...Array<number>(12).fill(365), ...Array<number>(12).fill(7), ...Array<number>(9).fill(365)];
    const days = [dayNumber('2026-04-20')];
    for (const step of steps) days.push((days.at(-1) as number) - step);
    const series = await seriesWith(
      app,
      days.map((day) => ({ date: dateOfDayNumber(day) })),
    );
    expect(await detail(app, series)).toMatchObject({ transaction_count: 34, typical_interval_days: 7 });
  });

  test('both legs of a transfer are one payment; prices are those of one leg', async () => {
    const app = await database.open();
    const legs = [5, 6, 7, 8, 9, 10, 11, 12].flatMap((month) => {
      const date = `2025-${String(month).padStart(2, '0')}-05`;
      const amount = month < 9 ? 38_912 : 40_000;
      return [
        { date, amount_cents: amount },
        { date, amount_cents: -amount },
      ];
    });
    const series = await seriesWith(app, legs);
    expect(await detail(app, series)).toMatchObject({
      transaction_count: 16,
      direction: 'out',
      last_amount: '400.00',
      amount_kind: 'fixed',
      yearly_cost: '4800.00',
    });
    const { status, json } = await app.request('GET', `/api/v1/series/${series.short_id}/prices`);
    expect(status).toBe(200);
    const first = { from: '2025-05-05', amount: '389.12', change: null, percent: null, yearly_effect: null };
    const second = { from: '2025-09-05', amount: '400.00', change: '10.88', percent: '2.8', yearly_effect: '130.56' };
    expect(json.prices).toMatchObject([
      { ...first, confirmed: true, iso_currency_code: 'USD' },
      { ...second, confirmed: true },
    ]);
    const { json: paid } = await app.request('GET', `/api/v1/transactions/${json.prices[1].transaction_id}`);
    expect(paid).toMatchObject({ date: '2025-09-05', amount: '400.00' });
    const unknown = await app.request('GET', '/api/v1/series/zzzzzzzz/prices');
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('has ended if its account goes on without it, and not if only the files stop', async () => {
    const app = await database.open();
    app.clock.set('2026-11-28T12:00:00.000Z');
    const series = await seriesWith(
      app,
      ['2025-02-22', '2025-03-22', '2025-04-22'].map((date) => ({ date })),
    );
    expect(await detail(app, series)).toMatchObject({ status: 'active', yearly_cost: '120.00' });
    const account = (await app.request('GET', '/api/v1/accounts')).json[0];
    const groceries = (date: string) => addTransactions(app, [{ account, date, amount_cents: 1, name: 'MARKET' }]);
    await groceries('2025-05-10');
    expect(await detail(app, series)).toMatchObject({ status: 'active' });
    await groceries('2025-06-02');
    expect(await detail(app, series)).toMatchObject({ status: 'late', yearly_cost: '120.00' });
    // A booking of next year tells nothing about the days until then.
    await groceries('2027-01-01');
    expect(await detail(app, series)).toMatchObject({ status: 'ended', yearly_cost: null, last_date: '2025-04-22' });
  });

  test('a successful sync tells that nothing came, an import does not', async () => {
    const app = await database.open();
    app.clock.set('2025-06-10T12:00:00.000Z');
    const series = await seriesWith(
      app,
      ['2025-02-22', '2025-03-22', '2025-04-22'].map((date) => ({ date })),
    );
    const syncedAt = (provider: string) =>
      app.write('test.sync', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        const last_sync_at = '2025-06-09T12:00:00.000Z';
        await tx.q.updateTable('connections').set({ provider, last_sync_at }).execute();
      });
    await syncedAt('csv');
    expect(await detail(app, series)).toMatchObject({ status: 'active' });
    await syncedAt('plaid');
    expect(await detail(app, series)).toMatchObject({ status: 'late', next_expected_date: '2025-05-22' });
  });
});
