import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  addAccount,
  addMember,
  addTransactions,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import { typicalInterval } from './series-outlooks.ts';

describe('the typical interval', () => {
  test('is the median, the lower one of two', () => {
    expect(typicalInterval(['2026-03-03', '2026-02-03', '2026-01-03'])).toBe(28);
    expect(typicalInterval(['2026-03-03', '2026-02-03', '2026-01-03', '2025-12-20'])).toBe(28);
    expect(typicalInterval(['2026-01-03', '2026-01-01'])).toBeNull();
    expect(typicalInterval(['2026-01-03'])).toBeNull();
    expect(typicalInterval([])).toBeNull();
  });

  test('depends on the newest 24 intervals only, and at least half of them are as long or longer', () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 20_000 }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(days, (numbers) => {
        const newestFirst = numbers.sort((a, b) => b - a).map(dateOfDayNumber);
        const found = typicalInterval(newestFirst) as number;
        expect(typicalInterval(newestFirst.slice(0, 25))).toBe(found);
        const shown = newestFirst.slice(0, 25).map(dayNumber);
        const intervals = shown.slice(1).map((day, index) => (shown[index] as number) - day);
        expect(intervals).toContain(found);
        expect(2 * intervals.filter((one) => one <= found).length).toBeGreaterThanOrEqual(intervals.length);
        expect(2 * intervals.filter((one) => one >= found).length).toBeGreaterThanOrEqual(intervals.length);
      }),
    );
  });
});

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
      { date: '2026-01-03' },
      { date: '2026-02-03' },
      { date: '2026-02-03' },
      { date: '2026-03-03', amount_cents: 1_200, iso_currency_code: null },
    ]);
    expect(await detail(app, series)).toMatchObject({
      transaction_count: 5,
      last_date: '2026-03-03',
      last_amount: '12.00',
      last_iso_currency_code: null,
      typical_interval_days: 28,
    });
  });

  test('deleted transactions do not count; pending ones give the date but neither amount nor interval', async () => {
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
      last_date: '2026-03-05',
      last_amount: '15.49',
      last_iso_currency_code: 'USD',
      typical_interval_days: 28,
    });
  });

  test('pending transactions alone give a date and a count, nothing else', async () => {
    const app = await database.open();
    const series = await seriesWith(app, [{ date: '2026-01-03', columns: { pending: 1 } }]);
    expect(await detail(app, series)).toMatchObject({
      transaction_count: 1,
      last_date: '2026-01-03',
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
});
