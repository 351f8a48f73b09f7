import { describe, expect, test } from 'vitest';

import { checkBalance, type BalanceCheck, type BalanceMemory, type BalanceReport } from './balance-check.ts';

const START = Date.parse('2026-03-01T06:00:00.000Z');
const NOTHING: BalanceMemory = { anchor: null, differsSince: null, differsCount: 0 };

function report(day: number, over: Partial<BalanceReport> = {}): BalanceReport {
  return {
    now: new Date(START + day * 86_400_000).toISOString(),
    source: 'A',
    type: 'depository',
    currency: 'USD',
    currentCents: 100_000,
    postedCents: 5_000,
    pendingCents: 0,
    isHistoryComplete: true,
    ...over,
  };
}

function after(...reports: BalanceReport[]): BalanceCheck {
  let check = checkBalance(reports[0] as BalanceReport, NOTHING);
  for (const one of reports.slice(1)) check = checkBalance(one, check.memory);
  return check;
}

describe('the movement of the balance against that of the rows', () => {
  test.each([
    ['money out of an account', {}, { currentCents: 98_800, postedCents: 6_200 }, 'agrees', null],
    [
      'a purchase by card',
      { type: 'credit' },
      { type: 'credit', currentCents: 101_200, postedCents: 6_200 },
      'agrees',
      null,
    ],
    [
      'pending rows that the bank counts',
      {},
      { currentCents: 98_800, postedCents: 5_700, pendingCents: 500 },
      'agrees',
      null,
    ],
    [
      'pending rows that the bank does not count',
      {},
      { currentCents: 99_300, postedCents: 5_700, pendingCents: 500 },
      'agrees',
      null,
    ],
    ['a row that is missing', {}, { currentCents: 98_800, postedCents: 5_200 }, 'differs', -1_000],
    ['a row too many', {}, { currentCents: 100_000, postedCents: 5_200 }, 'differs', 200],
    ['another currency', {}, { currency: 'EUR' }, 'not_available', null],
    ['another source', {}, { source: 'B' }, 'not_available', null],
    ['another type', {}, { type: 'credit' }, 'not_available', null],
    ['no balance', {}, { currentCents: null }, 'not_available', null],
    ['an investment account', { type: 'investment' }, { type: 'investment' }, 'not_available', null],
  ] as const)('%s', (_, before, then, status, difference) => {
    const found = after(report(0, before), report(1, then));
    expect([found.status, found.differenceCents]).toEqual([status, difference]);
  });

  test('it begins with the sync that completed the history', () => {
    const loading = { isHistoryComplete: false };
    expect(after(report(0, loading), report(1, { ...loading, currentCents: 1 })).status).toBe('not_available');
    expect(after(report(0, loading), report(1)).memory.anchor?.currentCents).toBe(100_000);
    expect(after(report(0, loading), report(1), report(2)).status).toBe('agrees');
  });

  test('a report without a balance leaves what is remembered', () => {
    const check = after(report(0), report(1, { currentCents: null }), report(2, { currentCents: 99_000 }));
    expect([check.status, check.differenceCents]).toEqual(['differs', -1_000]);
  });
});

describe('a difference', () => {
  const differing = (day: number): BalanceReport => report(day, { currentCents: 99_000 });

  test('is said with the day of the last agreement', () => {
    expect(after(report(0), report(1), differing(2), differing(3)).since).toBe('2026-03-02T06:00:00.000Z');
  });

  test('is a warning once every sync of three days had it', () => {
    expect(after(report(0), differing(1), differing(3.9)).isWarningDue).toBe(false);
    expect(after(report(0), differing(1), differing(4)).isWarningDue).toBe(true);
    expect(after(report(0), differing(1), report(3), differing(4), differing(6)).isWarningDue).toBe(false);
  });

  test('ends when the missing row comes', () => {
    const check = after(report(0), differing(1), report(2, { currentCents: 99_000, postedCents: 6_000 }));
    expect([check.status, check.memory.differsSince]).toEqual(['agrees', null]);
  });

  test('is given up for a new anchor after 30 days', () => {
    expect(after(report(0), differing(1), differing(30.9)).memory.anchor?.currentCents).toBe(100_000);
    const check = after(report(0), differing(1), differing(31));
    expect([check.status, check.isWarningDue, check.memory.differsSince]).toEqual(['differs', true, null]);
    expect(checkBalance(differing(32), check.memory).status).toBe('agrees');
  });
});
