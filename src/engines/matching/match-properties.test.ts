import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  anyFile,
  contents,
  imported,
  inLedger,
  match,
  provider,
  type Ledger,
} from '../../../test/harness/bank-files/matched-rows.ts';
import { dayNumber } from '../../kernel/dates.ts';
import type { ImportedRow } from './identity.ts';

describe('properties', () => {
  test('importing a file twice is importing it once', () => {
    fc.assert(
      fc.property(anyFile, (file) => {
        const once = imported(file, []);
        expect(once).toHaveLength(file.length);
        expect(match(file, once).matches.every(({ outcome }) => outcome === 'duplicate')).toBe(true);
      }),
    );
  });

  test('overlapping parts of one history, in any order, end as its union', () => {
    fc.assert(
      fc.property(
        anyFile,
        fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 1, maxLength: 5 }),
        (history, windows) => {
          const inside = (from: number, to: number): ImportedRow[] =>
            history.filter(({ date }) => {
              const day = dayNumber(date) - dayNumber('2026-01-05');
              return day >= Math.min(from, to) && day <= Math.max(from, to);
            });
          let ledger: Ledger = [];
          for (const [from, to] of windows) ledger = imported(inside(from, to), ledger);
          const union = history.filter((one) => windows.some(([from, to]) => inside(from, to).includes(one)));
          expect(contents(ledger)).toEqual(contents(union.map((one) => inLedger(one))));
        },
      ),
    );
  });

  test('per day and amount the ledger ends with the larger of both counts', () => {
    fc.assert(
      fc.property(anyFile, anyFile, (file, before) => {
        const ledger = before.map((one) => inLedger(one));
        const keysOf = (list: readonly { date: string; amountCents: number }[]): string[] =>
          list.map(({ date, amountCents }) => `${date} ${amountCents}`);
        const { matches } = match(file, ledger);
        const times = (list: readonly string[], key: string): number => list.filter((one) => one === key).length;
        const after = keysOf(imported(file, ledger));
        const doubtful = matches.filter(({ match: how }) => how === 'probable').length;
        const wanted = [...new Set([...keysOf(file), ...keysOf(ledger)])].map((key) =>
          Math.max(times(keysOf(file), key), times(keysOf(ledger), key)),
        );
        const sum = wanted.reduce((all, one) => all + one, 0);
        expect(after.length).toBeLessThanOrEqual(sum);
        expect(sum - after.length).toBeLessThanOrEqual(doubtful);
      }),
    );
  });

  test('each ledger row is used at most once', () => {
    fc.assert(
      fc.property(anyFile, anyFile, (file, before) => {
        const ledger = before.map((one, index) => inLedger(one, index % 2 === 0 ? provider : {}));
        const used = match(file, ledger).matches.flatMap(({ ledger: known }) => known ?? []);
        expect(new Set(used).size).toBe(used.length);
      }),
    );
  });
});
