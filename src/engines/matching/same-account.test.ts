import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compareByRows, type HistoryRow } from './proof-by-rows.ts';
import { recogniseAccounts, type AccountHistory, type OtherHistory } from './same-account.ts';

const weekly = (count: number, amount = 1_000): HistoryRow[] =>
  Array.from({ length: count }, (_one, at) => ({ day: at * 7, amountCents: amount + at, currency: 'USD' }));
const account = (accountId: string, rows: readonly HistoryRow[], more: Partial<OtherHistory> = {}): OtherHistory => ({
  accountId,
  currency: null,
  mask: null,
  isLiveBank: false,
  rows,
  ...more,
});
const together = () => false;

test('the one account with the same rows is proved; of two nobody knows which', () => {
  const newer = [account('new', weekly(12))];
  const files = account('files', weekly(12));
  expect(recogniseAccounts(newer, [files, account('other', weekly(12, 9_000))], together)).toEqual([
    { accountId: 'new', joins: 'files', askAbout: [] },
  ]);
  const half = account('half', weekly(6));
  const [verdict] = recogniseAccounts(newer, [files, half], together);
  expect(verdict).toMatchObject({
    joins: null,
    askAbout: [{ accountId: 'files', pairCount: 12 }, { accountId: 'half' }],
  });
  expect(recogniseAccounts(newer, [files, account('fewer', weekly(5))], together)[0]?.joins).toBe('files');
  const twins = [account('one', weekly(12)), account('two', weekly(12))];
  expect(recogniseAccounts(twins, [files], together).map(({ joins }) => joins)).toEqual([null, null]);
});

test('another currency, another mask or a pair that is kept apart is not compared', () => {
  const newer = [account('new', weekly(12), { mask: '0000', currency: 'USD' })];
  for (const differing of [{ mask: '1111' }, { currency: 'EUR' }]) {
    expect(recogniseAccounts(newer, [account('files', weekly(12), differing)], together)).toEqual([
      { accountId: 'new', joins: null, askAbout: [] },
    ]);
  }
  const apart = (one: string, other: string) => one === 'new' && other === 'files';
  expect(recogniseAccounts(newer, [account('files', weekly(12))], apart)[0]).toMatchObject({
    joins: null,
    askAbout: [],
  });
});

test('an account of another live bank is never joined, and asked about only if its rows are alike', () => {
  const newer = [account('new', weekly(12))];
  const live = (rows: readonly HistoryRow[]) => [account('live', rows, { isLiveBank: true })];
  expect(recogniseAccounts(newer, live(weekly(12)), together)[0]).toMatchObject({
    joins: null,
    askAbout: [{ accountId: 'live', pairCount: 12, sharedCount: 10 }],
  });
  expect(recogniseAccounts(newer, live(weekly(9)), together)[0]?.askAbout).toEqual([]);
});

test('an account is asked about unless ten rows or more of its shared days contradict it', () => {
  const newer = [account('new', weekly(14))];
  const asked = (rows: readonly HistoryRow[]) =>
    recogniseAccounts(newer, [account('files', rows)], together)[0]?.askAbout.length;
  expect(asked([])).toBe(1);
  expect(asked(weekly(11, 9_000))).toBe(1);
  expect(asked(weekly(14, 9_000))).toBe(0);
  expect(asked([...weekly(14, 9_000).slice(3), ...weekly(3)])).toBe(1);
});

test('whatever the histories: what is joined is alike, no rival has half as many pairs, and nothing is joined twice', () => {
  const rows = fc.array(
    fc.record({
      day: fc.nat(60),
      amountCents: fc.integer({ min: 100, max: 110 }),
      currency: fc.constantFrom('USD', null),
    }),
    { maxLength: 30 },
  );
  const own = fc.array(rows, { minLength: 1, maxLength: 3 });
  const others = fc.array(fc.tuple(fc.oneof(rows, fc.nat(2)), fc.boolean()), { maxLength: 4 });
  fc.assert(
    fc.property(own, others, (histories, drawn) => {
      const newer = histories.map((list, at): AccountHistory => account(`new-${at}`, list));
      const known = drawn.map(([list, isLiveBank], at) =>
        // Some are one of the new accounts.
        account(`old-${at}`, typeof list === 'number' ? (histories[list] ?? []) : list, { isLiveBank }),
      );
      const verdicts = recogniseAccounts(newer, known, together);
      const pairs = (one: AccountHistory, other: AccountHistory) => compareByRows(one.rows, other.rows);
      for (const { accountId, joins, askAbout } of verdicts) {
        const one = newer.find((each) => each.accountId === accountId) as AccountHistory;
        const other = known.find((each) => each.accountId === joins);
        if (!other) {
          expect(askAbout.every((asked, at) => at === 0 || (askAbout[at - 1]?.pairCount ?? 0) >= asked.pairCount)).toBe(
            true,
          );
          continue;
        }
        const proof = pairs(one, other);
        expect([proof.isAlike, other.isLiveBank, askAbout]).toEqual([true, false, []]);
        for (const rival of known)
          if (rival !== other) expect(pairs(one, rival).pairCount * 2).toBeLessThan(proof.pairCount);
        for (const rival of newer)
          if (rival !== one) expect(pairs(rival, other).pairCount * 2).toBeLessThan(proof.pairCount);
      }
      const joined = verdicts.flatMap(({ joins }) => joins ?? []);
      expect(new Set(joined).size).toBe(joined.length);
    }),
  );
});
