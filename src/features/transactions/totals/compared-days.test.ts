import { expect, test } from 'vitest';

import { comparedDays } from './compared-days.ts';

const TODAY = '2026-04-26';

const compared = (from: string, to: string, compareTo: string): string => {
  const [range, other] = comparedDays({ dateFrom: from, dateTo: to }, compareTo, TODAY);
  return [range, other].map((days) => `${days.from}..${days.to}`).join(' and ');
};

test.each([
  ['this month until today', '2026-04-01', '2026-04-30', 'previous_period', '2026-04-26', '2026-03-01..2026-03-26'],
  ['the same days last year', '2026-04-01', '2026-04-30', 'previous_year', '2026-04-26', '2025-04-01..2025-04-26'],
  ['a whole month', '2026-03-01', '2026-03-31', 'previous_period', '2026-03-31', '2026-02-01..2026-02-28'],
  ['a quarter', '2026-01-01', '2026-03-31', 'previous_period', '2026-03-31', '2025-10-01..2025-12-31'],
  ['a longer month', '2026-03-01', '2026-03-30', 'previous_period', '2026-03-30', '2026-02-01..2026-02-28'],
  ['ten days', '2026-03-10', '2026-03-19', 'previous_period', '2026-03-19', '2026-02-28..2026-03-09'],
  ['a year until today', '2026-01-01', '2026-04-26', 'previous_period', '2026-04-26', '2025-09-07..2025-12-31'],
  ['the day of a leap year', '2024-02-29', '2024-02-29', 'previous_year', '2024-02-29', '2023-02-28..2023-02-28'],
  ['two dates', '2026-04-01', '2026-04-30', '2025-01-01..2025-03-31', '2026-04-26', '2025-01-01..2025-03-31'],
  ['dates beyond today', '2026-04-01', '2026-04-30', '2026-01-01..2026-12-31', '2026-04-26', '2026-01-01..2026-04-26'],
])('%s', (_what, from, to, compareTo, until, other) => {
  expect(compared(from, to, compareTo)).toBe(`${from}..${until} and ${other}`);
});

test.each([
  ['last_week', /must be previous_period/],
  ['2025-13-01..2025-12-31', /must be previous_period/],
  ['2025-01-01..2025-02-01..2025-03-01', /must be previous_period/],
  ['2025-03-31..2025-01-01', /must not end before/],
  ['2026-05-01..2026-05-31', /begin later/],
])('%s is refused', (compareTo, message) => {
  expect(() => compared('2026-04-01', '2026-04-26', compareTo)).toThrow(message);
});

test('days that are still to come cannot be compared', () => {
  expect(() => compared('2026-05-01', '2026-05-31', 'previous_year')).toThrow(/begin later/);
  expect(() => comparedDays({ dateFrom: '2026-04-01' }, 'previous_year', TODAY)).toThrow(/needs date_from and date_to/);
});
