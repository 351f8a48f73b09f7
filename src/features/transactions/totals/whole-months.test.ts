import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addDays, dayNumber } from '../../../kernel/dates.ts';
import { daysOfMonth, splitByMonths, type Days } from './whole-months.ts';

test.each([
  [{}, { months: {}, days: [] }],
  [
    { dateFrom: '2024-01-01', dateTo: '2024-12-31' },
    { months: { from: '2024-01', to: '2024-12' }, days: [] },
  ],
  [
    { dateFrom: '2024-02-01', dateTo: '2024-02-29' },
    { months: { from: '2024-02', to: '2024-02' }, days: [] },
  ],
  [
    { dateFrom: '2023-12-31', dateTo: '2024-02-28' },
    {
      months: { from: '2024-01', to: '2024-01' },
      days: [
        { dateFrom: '2023-12-31', dateTo: '2023-12-31' },
        { dateFrom: '2024-02-01', dateTo: '2024-02-28' },
      ],
    },
  ],
  [
    { dateFrom: '2024-01-02', dateTo: '2024-01-31' },
    { months: null, days: [{ dateFrom: '2024-01-02', dateTo: '2024-01-31' }] },
  ],
  [{ dateFrom: '9999-12-15' }, { months: null, days: [{ dateFrom: '9999-12-15' }] }],
  [{ dateTo: '0001-01-15' }, { months: null, days: [{ dateTo: '0001-01-15' }] }],
  [{ dateTo: '9999-12-31' }, { months: { to: '9999-12' }, days: [] }],
] as const)('%o is split into whole months and days', (range, expected) => {
  expect(splitByMonths(range as Days)).toEqual(expected);
});

test('every day of a range is in exactly one part, and no other day is in any', () => {
  const day = fc.integer({ min: dayNumber('2023-11-01'), max: dayNumber('2024-04-30') });
  fc.assert(
    fc.property(fc.option(day, { nil: undefined }), fc.option(day, { nil: undefined }), day, (a, b, n) => {
      const date = (number: number): string => addDays('1970-01-01', number);
      const range: Days = {
        ...(a === undefined ? {} : { dateFrom: date(a) }),
        ...(b === undefined ? {} : { dateTo: date(Math.max(a ?? b, b)) }),
      };
      const { months, days } = splitByMonths(range);
      const one = date(n);
      const isIn = ({ dateFrom = one, dateTo = one }: Days): boolean => dateFrom <= one && one <= dateTo;
      const month = one.slice(0, 7);
      const inMonths = months !== null && (months.from ?? month) <= month && month <= (months.to ?? month);
      const found = days.filter(isIn).length + (inMonths ? 1 : 0);
      expect(found).toBe(isIn(range) ? 1 : 0);
    }),
    { numRuns: 2_000 },
  );
});

test('a month has its days', () => {
  expect(daysOfMonth('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
});
