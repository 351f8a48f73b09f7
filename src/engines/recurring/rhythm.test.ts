import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { addDays, addMonths, dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import { doubledPayments } from './doubled.ts';
import { priceSteps } from './prices.ts';
import { rhythmOf, statusOn, typicalInterval, type Member } from './rhythm.ts';

/** Rows oldest first: `[date, hundredths]`, in dollars unless they say otherwise. */
function rows(...given: readonly (readonly [date: string, cents: number, currency?: string])[]): Member[] {
  return given.map(([date, cents, currency = 'USD'], index) => ({
    id: String(index).padStart(4, '0'),
    date,
    cents,
    currency,
  }));
}

const paidOn = (...dates: readonly string[]): Member[] => rows(...dates.map((date) => [date, 1_000] as const));
const monthly = (first: string, amounts: readonly number[]): Member[] =>
  rows(...amounts.map((cents, index) => [addMonths(first, index), cents] as const));
const times = (count: number, cents: number): number[] => Array.from({ length: count }, () => cents);

describe('payments of a series', () => {
  test('are one leg of a transfer between own accounts, and no refunds', () => {
    const legs = Array.from({ length: 12 }, (_, index) => addMonths('2025-05-05', index)).flatMap((date) => [
      [date, 38_912] as const,
      [date, -38_912] as const,
    ]);
    const rhythm = rhythmOf(rows(...legs));
    expect(rhythm).toMatchObject({
      direction: 'out',
      last: { cents: 38_912 },
      cadence: 'monthly',
      amountKind: 'fixed',
    });
    expect(rhythm.occurrences).toHaveLength(12);
    expect(priceSteps(rhythm)).toMatchObject([{ cents: 38_912, before: null }]);
    const refunded = rhythmOf(
      rows(['2026-01-03', 999], ['2026-02-03', 999], ['2026-02-10', -999], ['2026-03-03', 999]),
    );
    expect(refunded.occurrences.map(({ date }) => date)).toEqual(['2026-01-03', '2026-02-03', '2026-03-03']);
  });

  test('are those in the currency of the newest one; pay comes in', () => {
    const moved = rhythmOf(rows(['2026-01-03', 999], ['2026-02-03', 899, 'EUR'], ['2026-03-03', 899, 'EUR']));
    expect(moved.occurrences.map(({ currency }) => currency)).toEqual(['EUR', 'EUR']);
    expect(rhythmOf(rows(['2026-01-30', -250_000], ['2026-02-27', -250_000], ['2026-03-01', 100]))).toMatchObject({
      direction: 'in',
      last: { cents: -250_000 },
    });
    expect(rhythmOf([])).toMatchObject({ direction: 'out', occurrences: [], last: null, amountKind: null });
  });
});

describe('the rhythm', () => {
  test.each([
    [7, 'weekly'],
    [14, 'biweekly'],
    [30, 'monthly'],
    [61, 'bimonthly'],
    [91, 'quarterly'],
    [183, 'half_yearly'],
    [365, 'yearly'],
    [10, null],
    [45, null],
  ])('of every %i days is %s', (days, cadence) => {
    const dates = [0, 1, 2, 3].map((index) => addDays('2024-01-10', index * days));
    expect(rhythmOf(paidOn(...dates)).cadence).toBe(cadence);
  });

  test.each([
    ['the day of the month', ['2026-01-03', '2026-02-03', '2026-03-03'], '2026-04-03'],
    ['a rent on the first', ['2025-09-01', '2025-10-01', '2025-11-01'], '2025-12-01'],
    ['the last of the month', ['2026-01-31', '2026-02-28', '2026-03-31'], '2026-04-30'],
    ['the 30th in a short month', ['2025-11-30', '2025-12-30', '2026-01-30'], '2026-02-28'],
    ['a later payment of one day', ['2026-01-05', '2026-02-05', '2026-03-09'], '2026-04-05'],
    ['two weeks on', ['2026-03-06', '2026-03-20', '2026-04-03'], '2026-04-17'],
    ['a quarter on', ['2025-07-14', '2025-10-14', '2026-01-14'], '2026-04-14'],
    ['a year on', ['2022-02-20', '2023-02-20', '2024-02-20', '2025-02-20'], '2026-02-20'],
  ])('expects %s', (_what, dates, next) => {
    expect(rhythmOf(paidOn(...dates)).nextExpectedDate).toBe(next);
  });

  test('takes an early payment for the day that it was meant for', () => {
    const firsts = Array.from({ length: 11 }, (_, index) => addMonths('2025-07-01', index));
    expect(rhythmOf(paidOn(...firsts, '2026-05-29')).nextExpectedDate).toBe('2026-07-01');
  });

  test('the typical interval is the median of the newest 24, the lower one of two', () => {
    expect(typicalInterval(['2026-03-03', '2026-02-03', '2026-01-03'])).toBe(28);
    expect(typicalInterval(['2026-03-03', '2026-02-03', '2026-01-03', '2025-12-20'])).toBe(28);
    expect(typicalInterval(['2026-01-03', '2026-01-01'])).toBeNull();
    expect(typicalInterval([])).toBeNull();
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

describe('the status', () => {
  const series = rhythmOf(paidOn('2026-01-03', '2026-02-03', '2026-03-03'));
  const yearly = rhythmOf(paidOn('2023-03-10', '2024-03-10', '2025-03-10'));

  test.each([
    ['2026-04-08', 'active'],
    ['2026-04-09', 'late'],
    ['2026-05-08', 'late'],
    ['2026-05-09', 'ended'],
  ])('of a monthly payment, known until %s, is %s', (known, status) => {
    expect(statusOn(series, known)).toBe(status);
  });

  test.each([
    ['2026-03-30', 'active'],
    ['2026-03-31', 'late'],
    ['2027-03-30', 'late'],
    ['2027-03-31', 'ended'],
  ])('of a yearly payment, known until %s, is %s', (known, status) => {
    expect(statusOn(yearly, known)).toBe(status);
  });

  test('without a rhythm, a series ends after 400 days', () => {
    const once = rhythmOf(paidOn('2025-01-01'));
    expect(statusOn(once, addDays('2025-01-01', 400))).toBe('active');
    expect(statusOn(once, addDays('2025-01-01', 401))).toBe('ended');
    expect(statusOn(rhythmOf([]), '2026-01-01')).toBe('active');
  });
});

describe('amounts', () => {
  test('are fixed if four fifths repeat a neighbour', () => {
    expect(rhythmOf(monthly('2024-01-07', [1_799])).amountKind).toBeNull();
    expect(rhythmOf(monthly('2024-01-07', [1_799, 1_999])).amountKind).toBe('variable');
    expect(rhythmOf(monthly('2024-01-07', [1_799, 1_799, 1_999])).amountKind).toBe('fixed');
    expect(rhythmOf(monthly('2024-01-07', [100, 100, 100, 100, 7, 100])).amountKind).toBe('fixed');
    expect(rhythmOf(monthly('2024-01-07', [100, 100, 100, 7, 100])).amountKind).toBe('variable');
    const yearly = rows(['2023-01-05', 100], ['2024-01-05', 200], ['2025-01-05', 300]);
    expect(rhythmOf(yearly).amountKind).toBe('fixed');
  });

  test('a year costs so many payments of the last amount, or of the usual one', () => {
    expect(rhythmOf(monthly('2024-01-07', [1_799, 1_799, 1_999])).yearlyCents).toBe(12 * 1_999);
    const bills = Array.from({ length: 13 }, (_, index) => 1_000 * (index + 1));
    // The twelve newest are 20.00 to 130.00; of the two in the middle, the lower one.
    expect(rhythmOf(monthly('2024-01-07', bills))).toMatchObject({ expectedCents: 7_000, yearlyCents: 84_000 });
    expect(rhythmOf(rows(['2026-01-02', -50], ['2026-01-09', -50], ['2026-01-16', -50])).yearlyCents).toBe(52 * 50);
  });
});

describe('prices', () => {
  const pricesOf = (members: Member[]): unknown[] =>
    priceSteps(rhythmOf(members)).map((step) => [
      step.from,
      step.cents,
      step.before,
      step.yearlyEffectCents,
      step.confirmed,
    ]);

  test('are the amounts that last; a single odd charge is none', () => {
    const streaming = [...times(20, 1_799), ...times(3, 1_999)];
    const steps = [
      ['2024-01-07', 1_799, null, null, true],
      ['2025-09-07', 1_999, 1_799, 2_400, true],
    ];
    expect(pricesOf(monthly('2024-01-07', streaming))).toEqual(steps);
    const odd = [...times(10, 1_799), 3_998, ...times(10, 1_799)];
    expect(pricesOf(monthly('2024-01-07', odd))).toEqual([steps[0]]);
  });

  test('the newest amount is not confirmed while it was paid once', () => {
    expect(pricesOf(monthly('2026-01-07', [...times(5, 1_799), 1_999])).at(-1)).toEqual([
      '2026-06-07',
      1_999,
      1_799,
      2_400,
      false,
    ]);
    expect(pricesOf(monthly('2026-01-07', [...times(8, 1_799), 999, 1_799]))).toHaveLength(1);
  });

  test('of yearly payments every amount is one; of variable ones none', () => {
    expect(pricesOf(rows(['2023-01-05', 9_900], ['2024-01-05', 11_900], ['2025-01-05', 11_900]))).toEqual([
      ['2023-01-05', 9_900, null, null, true],
      ['2024-01-05', 11_900, 9_900, 2_000, true],
    ]);
    expect(
      pricesOf(
        monthly(
          '2025-01-11',
          Array.from({ length: 12 }, (_, index) => 9_000 + index),
        ),
      ),
    ).toEqual([]);
  });

  test('each is first paid on a day of the series, differs from the one before, and the last is what is paid now', () => {
    const amounts = fc.array(fc.constantFrom(900, 1_000, 1_100), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(amounts, (drawn) => {
        const rhythm = rhythmOf(monthly('2020-01-15', drawn));
        const steps = priceSteps(rhythm);
        fc.pre(rhythm.amountKind === 'fixed');
        for (const [index, step] of steps.entries()) {
          expect(rhythm.occurrences.find(({ id }) => id === step.transactionId)).toMatchObject({
            date: step.from,
            cents: step.cents,
          });
          expect(step.before).toBe(steps[index - 1]?.cents ?? null);
          expect(step.cents).not.toBe(step.before);
        }
        expect(steps.at(-1)?.cents).toBe(drawn.at(-1));
      }),
    );
  });
});

test('payments too soon after another of the same amount may be doubled', () => {
  const payment = (id: string, date: string, more: object = {}) => ({
    id,
    date,
    cents: 1_000,
    currency: 'USD',
    seriesId: 'a',
    merchant: 'm',
    typicalIntervalDays: 30,
    ...more,
  });
  const found = (...payments: ReturnType<typeof payment>[]): string[] =>
    doubledPayments(payments).map(({ earlier, later }) => `${earlier.id}${later.id}`);
  expect(found(payment('1', '2026-01-01'), payment('2', '2026-01-15'), payment('3', '2026-01-30'))).toEqual(['12']);
  expect(found(payment('1', '2026-01-01'), payment('2', '2026-01-16'))).toEqual([]);
  expect(found(payment('1', '2026-01-01'), payment('2', '2026-01-01', { cents: 999 }))).toEqual([]);
  expect(found(payment('1', '2026-01-01'), payment('2', '2026-01-01', { currency: 'EUR' }))).toEqual([]);
  const other = { seriesId: 'b' };
  expect(found(payment('1', '2026-01-01'), payment('2', '2026-01-03', other))).toEqual(['12']);
  expect(found(payment('1', '2026-01-01'), payment('2', '2026-01-03', { ...other, merchant: 'n' }))).toEqual([]);
  const rare = { typicalIntervalDays: null };
  expect(found(payment('1', '2026-01-01', rare), payment('2', '2026-01-03', rare))).toEqual(['12']);
  expect(found(payment('1', '2026-01-01', rare), payment('2', '2026-01-04', rare))).toEqual([]);
});
