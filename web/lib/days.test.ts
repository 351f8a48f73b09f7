import { expect, test } from 'vitest';

import { amountOf, centsOf } from './amounts.ts';
import { addDays, addMonths, dayIn, daysBetween, monthOf, startOfDay } from './days.ts';

test('a day is that of the household, wherever the browser is', () => {
  expect(dayIn('Pacific/Kiritimati', '2026-04-25T10:00:00.000Z')).toBe('2026-04-26');
  expect(dayIn('America/Los_Angeles', '2026-01-01T07:59:59.999Z')).toBe('2025-12-31');
});

test('a day begins with the first instant that has its date', () => {
  for (const [timezone, day, instant] of [
    ['UTC', '2026-04-26', '2026-04-26T00:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-04-26', '2026-04-25T10:00:00.000Z'],
    ['America/Los_Angeles', '2026-01-01', '2026-01-01T08:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    // The clocks go from 00:00 to 01:00.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ] as const) {
    expect(startOfDay(timezone, day)).toBe(instant);
    expect(dayIn(timezone, instant)).toBe(day);
  }
});

test('months end with their last day', () => {
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
  expect(addMonths('2024-03-31', -1)).toBe('2024-02-29');
  expect(addMonths('2026-01-15', -12)).toBe('2025-01-15');
  expect(addMonths('2026-11-30', 3)).toBe('2027-02-28');
  expect(monthOf(addMonths('2026-01-31', -1))).toBe('2025-12');
  expect([addDays('2026-03-01', -1), daysBetween('2026-02-01', '2026-03-01')]).toEqual(['2026-02-28', 28]);
});

test('amounts are exact however large', () => {
  for (const amount of ['0.00', '-0.05', '12.30', '-9999999999.99', '123456789012345678.91']) {
    expect(amountOf(centsOf(amount))).toBe(amount);
  }
  expect(amountOf(centsOf('9007199254740993.01') - centsOf('0.02'))).toBe('9007199254740992.99');
});
