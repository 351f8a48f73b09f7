import fc from 'fast-check';
import { expect, test } from 'vitest';

import { syncCase } from '../../../test/harness/syncs/random-syncs.ts';
import {
  bankRow,
  changes,
  feed,
  fromFile,
  knownRow,
  ledgerOf,
  planRows,
  posted,
  said,
} from '../../../test/harness/syncs/sync-rows.ts';
import type { AccountLedger } from './account-plan.ts';
import { planAccountRows } from './plan-account-rows.ts';
import { datesReached, idsReached } from './reach.ts';

const RUNS = { numRuns: 400 };

test('the order of the ledger makes no difference', () => {
  fc.assert(
    fc.property(syncCase, ({ batch, ledger }) => {
      const reversed = { ...ledger, rows: ledger.rows.toReversed() };
      expect(planAccountRows(batch, reversed)).toEqual(planAccountRows(batch, ledger));
    }),
    RUNS,
  );
});

test('one row has the last word about a transaction, and what a row is stays', () => {
  fc.assert(
    fc.property(syncCase, ({ batch, ledger }) => {
      const { decisions, removed, withdrawnIds, suggestions } = planAccountRows(batch, ledger);
      expect(decisions.map(({ row }) => row)).toEqual([...batch.rows.keys()]);
      const deciding = decisions.filter(({ isSuperseded }) => !isSuperseded);
      const ids = deciding.flatMap(({ known }) => (known ? [known.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { sameAs } of decisions) {
        if (sameAs !== null)
          expect(decisions[sameAs]).toMatchObject({ known: null, sameAs: null, isSuperseded: false });
      }
      const taken = new Set(decisions.map(({ known }) => known?.id));
      for (const { id, deletedCause } of removed) expect([taken.has(id), deletedCause]).toEqual([false, null]);
      for (const id of withdrawnIds) expect(taken.has(id)).toBe(false);
      for (const { candidates } of suggestions) {
        expect(candidates.length).toBeGreaterThan(0);
        for (const { reasons } of candidates) expect(reasons.length).toBeGreaterThan(0);
      }
    }),
    RUNS,
  );
});

test('a posted row that a file knew as pending takes the pending row that is still listed along', () => {
  const batch = changes([
    posted({ externalId: 'n0', pendingExternalId: 'x9', date: '2026-02-08', name: 'DINER' }),
    bankRow({ externalId: 'x9', pending: true, date: '2026-02-09', name: 'BLUE BOTTLE' }),
  ]);
  const known = fromFile({ pending: true, date: '2026-02-08', name: 'DINER' });
  expect(said(planRows(batch, [known]))).toEqual([expect.stringMatching(/^R\d\w* t1$/), 'R2 t1 superseded']);
});

test('what can be reached is all that matters', () => {
  fc.assert(
    fc.property(syncCase, ({ batch, ledger }) => {
      const ids = new Set(idsReached(batch).map((id) => ledger.aliases.get(id)));
      const aliases = new Map([...ledger.aliases].filter(([id]) => idsReached(batch).includes(id)));
      const first = ledger.rows.filter(
        ({ id, pending, deletedCause }) => (pending && deletedCause === null) || ids.has(id),
      );
      const days = datesReached(batch, { rows: first, aliases });
      const isWithin = (date: string | null): boolean =>
        days === 'all' || (days !== null && date !== null && days.from <= date && date <= days.to);
      const rows = ledger.rows.filter(
        (one) => first.includes(one) || isWithin(one.date) || isWithin(one.authorizedDate),
      );
      expect(planAccountRows(batch, { ...ledger, rows, aliases })).toEqual(planAccountRows(batch, ledger));
    }),
    { numRuns: 800 },
  );
});

test('of what is removed the other version can be reached', () => {
  const gone = knownRow({ pending: true, date: '2026-02-10', authorizedDate: '2026-02-09' });
  const days = datesReached(changes([], { removedIds: ['x1'] }), ledgerOf([gone]));
  expect(days).toEqual({ from: '2026-02-08', to: '2026-02-20' });
  expect(datesReached(changes([bankRow()]), ledgerOf([knownRow(), knownRow({ pending: true })]))).toBeNull();
  expect(datesReached(changes([bankRow()]), ledgerOf([]))).toEqual({ from: '2026-02-10', to: '2026-02-23' });
});

test('a pair that was separated is not suggested again', () => {
  fc.assert(
    fc.property(syncCase, ({ batch, ledger }) => {
      const before = planAccountRows(batch, ledger).suggestions;
      const separated = before.flatMap(({ of, candidates }) =>
        candidates.flatMap((one) =>
          'transactionId' in of && 'transactionId' in one.of
            ? [[of.transactionId, one.of.transactionId].toSorted().join('|')]
            : [],
        ),
      );
      const after = planAccountRows(batch, { ...ledger, separated: new Set(separated) }).suggestions;
      expect(after).toEqual(before.filter(({ of }) => 'row' in of));
    }),
    RUNS,
  );
});

const COUNT = 20_000;

test.each([
  ['an empty ledger', { isLedgerEmpty: true }],
  ['all rows known', {}],
])(
  '20,000 rows are planned without comparing each with each: %s',
  (_, { isLedgerEmpty = false }: { isLedgerEmpty?: boolean }) => {
    const rows = Array.from({ length: COUNT }, (__, at) => bankRow({ externalId: `x${at}`, amountCents: at % 977 }));
    const known = isLedgerEmpty
      ? []
      : rows.map((row, at) =>
          knownRow({ id: `t${at}`, amountCents: row.amountCents, feed: feed({ externalId: row.externalId }) }),
        );
    const ledger: AccountLedger = ledgerOf(known);
    const { decisions } = planAccountRows(changes(rows, { isCompleteRead: true }), ledger);
    expect(decisions.every(({ rule }) => rule === (isLedgerEmpty ? 'R5' : 'R1'))).toBe(true);
  },
);
