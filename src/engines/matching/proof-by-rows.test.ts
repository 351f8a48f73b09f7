import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compareByRows, provedAmong, type HistoryRow } from './proof-by-rows.ts';
import { SharedDays, sortedMovements } from './shared-days.ts';

const month = Array.from({ length: 30 }, (_, day): HistoryRow => ({ day, amountCents: 100 + day, currency: 'EUR' }));
const shifted = (by: number): HistoryRow[] => month.map((row) => ({ ...row, day: row.day + by }));

test('the same rows prove the account, up to three days apart and where one side knows no currency', () => {
  expect(compareByRows(month, month)).toEqual({ pairCount: 30, isAlike: true, sharedCount: 24, sharedPairCount: 24 });
  expect(compareByRows(month, shifted(3)).isAlike).toBe(true);
  expect(compareByRows(month, shifted(4))).toMatchObject({ pairCount: 0, isAlike: false });
  expect(
    compareByRows(
      month,
      month.map((row) => ({ ...row, currency: null })),
    ).isAlike,
  ).toBe(true);
  expect(
    compareByRows(
      month,
      month.map((row) => ({ ...row, currency: 'USD' })),
    ).pairCount,
  ).toBe(0);
});

test('nine in ten rows of either side are needed, and ten pairs', () => {
  const extra = month.map((row) => ({ ...row, amountCents: row.amountCents + 5_000 }));
  expect(compareByRows(month, [...month, ...extra.slice(10, 12)]).isAlike).toBe(true);
  expect(compareByRows(month, [...month, ...extra.slice(10, 16)]).isAlike).toBe(false);
  expect(compareByRows([...month, ...extra.slice(10, 16)], month).isAlike).toBe(false);
  expect(compareByRows(month.slice(0, 9), month.slice(0, 9))).toMatchObject({ pairCount: 9, isAlike: false });
});

test('two accounts alike prove nothing', () => {
  const alike = compareByRows(month, month);
  const half = compareByRows(month, month.slice(0, 15));
  expect(provedAmong([alike, { pairCount: 14, isAlike: false }])).toBe(0);
  expect(provedAmong([half, alike])).toBe(-1);
  expect(provedAmong([alike, alike])).toBe(-1);
  expect(provedAmong([])).toBe(-1);
});

const anyRows = fc.array(
  fc.record({ day: fc.nat(20), amountCents: fc.constantFrom(100, 200, -100), currency: fc.constantFrom('EUR', null) }),
  { maxLength: 40 },
);

test('rows are paired one to one, the same in both directions, and as many as can be', () => {
  fc.assert(
    fc.property(anyRows, anyRows, (one, other) => {
      const { pairCount } = compareByRows(one, other);
      expect(pairCount).toBeLessThanOrEqual(Math.min(one.length, other.length));
      const known = (rows: readonly HistoryRow[]): HistoryRow[] => rows.map((row) => ({ ...row, currency: 'EUR' }));
      expect(compareByRows(known(one), known(other)).pairCount).toBe(compareByRows(known(other), known(one)).pairCount);
      expect(compareByRows(one, one).pairCount).toBe(one.length);
    }),
  );
});

test('rows of shared days meet one to one, whatever comes first', () => {
  const anyMovements = fc.array(fc.tuple(fc.nat(9), fc.constantFrom(100, 200, -100)), { maxLength: 30 });
  fc.assert(
    fc.property(anyMovements, anyMovements, fc.nat(9), fc.nat(9), (file, account, a, b) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      const movements = sortedMovements(
        Int32Array.from(file, ([day]) => day),
        Float64Array.from(file, ([, amount]) => amount),
      );
      const shared = new SharedDays(movements, { firstDay: first, lastDay: last, ends: [] });
      for (const [day, amount] of account) shared.meet(day, amount);
      const left = account.map(String);
      const within = file.filter(([day]) => day >= first && day <= last).map(String);
      const met = within.filter((row) => left.includes(row) && left.splice(left.indexOf(row), 1).length > 0).length;
      expect(shared.stand === 'meets').toBe(within.length > 0 && met * 10 >= within.length * 9);
    }),
  );
});
