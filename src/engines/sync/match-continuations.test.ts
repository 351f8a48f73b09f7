import { describe, expect, test } from 'vitest';

import {
  asked,
  bankRow,
  changes,
  feed,
  fromFile,
  knownRow,
  ledgerOf,
  pendingKnown,
  planRows as plan,
  posted,
  removedIn,
  said,
  windowOf,
} from '../../../test/harness/syncs/sync-rows.ts';
import type { AccountBatch, BankRow, KnownRow } from './account-plan.ts';
import { pairKey } from './account-plan.ts';

const dining = { categoryPrimary: 'dining' } as const;

function tellerPending(row: Partial<KnownRow> = {}): KnownRow {
  return knownRow({ pending: true, feed: feed({ namespace: 'teller', externalId: 'p1' }), ...row });
}

describe('R4, continuations without a link', () => {
  const goneAt = (amountCents: number): KnownRow[] => [
    tellerPending({ amountCents, name: 'DINER', date: '2026-02-20' }),
  ];

  test.each([
    ['the same amount', 2_000, {}, ['R4 t1'], []],
    ['20.00 → 24.00 at a restaurant', 2_400, dining, ['R4 t1'], []],
    ['20.00 → 25.00 at a restaurant', 2_500, dining, ['R4 t1'], []],
    ['20.00 → 25.01 at a restaurant', 2_501, dining, ['R5'], ['pending_posted row 0: t1']],
    ['20.00 → 40.01 at a restaurant', 4_001, dining, ['R5'], []],
    ['20.00 → 24.00 at a hardware store', 2_400, { categoryPrimary: 'home' }, ['R5'], []],
    ['20.00 → 61.37 at a pump', 6_137, { categoryPrimary: 'fuel' }, ['R5'], ['pending_posted row 0: t1']],
    ['the same amount elsewhere', 2_000, { name: 'BOOKS' }, ['R5'], ['pending_posted row 0: t1']],
    ['11 days later', 2_000, { date: '2026-03-03' }, ['R5'], []],
  ])('%s', (_, amountCents, over, decisions, questions) => {
    const found = plan(windowOf([posted({ amountCents, name: 'DINER', ...over })]), goneAt(2_000));
    expect([said(found), asked(found)]).toEqual([decisions, questions]);
    expect(removedIn(found)).toEqual(decisions[0] === 'R5' ? ['t1'] : []);
  });

  test('what the window does not cover is not gone', () => {
    const found = plan(windowOf([posted()], { read: { from: '2026-02-21', to: '2026-03-02' } }), [tellerPending()]);
    expect([said(found), removedIn(found)]).toEqual([['R5'], []]);
    expect(removedIn(plan(windowOf([], { read: null }), [tellerPending()]))).toEqual([]);
  });

  test('two identical pending coffees and two posted ones: each continued; with one posted: one is removed', () => {
    const known = ['1', '2'].map((n) =>
      tellerPending({ id: `t${n}`, feed: feed({ namespace: 'teller', externalId: `p${n}` }) }),
    );
    const both = plan(windowOf([posted({ externalId: 'a' }), posted({ externalId: 'b' })]), known);
    expect([said(both), removedIn(both)]).toEqual([['R4 t1', 'R4 t2'], []]);
    const one = plan(windowOf([posted()]), known);
    expect([said(one), removedIn(one), asked(one)]).toEqual([['R4 t1'], ['t2'], []]);
  });

  describe('a pending one that is still reported beside its posted version', () => {
    const here = { amountCents: 1_417, name: 'NETFLIX', currency: 'USD' } as const;
    const pending = (over: Partial<KnownRow> = {}): KnownRow => tellerPending({ ...here, date: '2026-02-18', ...over });
    const listed = (over: Partial<BankRow> = {}): BankRow =>
      bankRow({ ...here, externalId: 'p1', pending: true, date: '2026-02-18', ...over });
    const twin = (over: Partial<BankRow> = {}): BankRow =>
      posted({ ...here, externalId: 'new', date: '2026-02-20', ...over });
    const question = ['pending_posted row 1: t1'];
    const asking = (rows: BankRow[], known: KnownRow[]) => asked(plan(windowOf(rows), known));

    test('is asked about, and removed by nobody', () => {
      const found = plan(windowOf([listed(), twin()]), [pending()]);
      expect([said(found), asked(found), removedIn(found)]).toEqual([['R1 t1', 'R5'], question, []]);
    });

    test('also when both come at once, and from a provider that tells only changes', () => {
      expect(asking([listed(), twin()], [])).toEqual(['pending_posted row 1: row 0']);
      const plaid = pending({ feed: feed({ externalId: 'p1' }) });
      expect(asked(plan(changes([twin()]), [plaid]))).toEqual(['pending_posted row 0: t1']);
      expect(asked(plan(changes([twin({ pendingExternalId: 'other' })]), [plaid]))).toEqual([]);
    });

    test('only within 1 to 14 days, with the same amount and a compatible name', () => {
      for (const [date, questions] of [
        ['2026-02-18', []],
        ['2026-02-19', question],
        ['2026-03-04', question],
        ['2026-03-05', []],
      ] as const) {
        expect([date, asking([listed(), twin({ date })], [pending()])]).toEqual([date, questions]);
      }
      expect(asking([listed(), twin({ amountCents: 1_418 })], [pending()])).toEqual([]);
      expect(asking([listed(), twin({ name: 'BOOKS' })], [pending()])).toEqual([]);
    });

    test('not if something else of that amount and name is near', () => {
      const before = knownRow({ ...here, id: 't0', date: '2026-02-10', feed: feed({ namespace: 'teller' }) });
      expect(asking([listed(), twin()], [pending(), before])).toEqual([]);
      expect(asking([listed(), twin()], [pending(), { ...before, deletedCause: 'person' }])).toEqual(question);
      expect(asking([listed(), twin()], [pending(), { ...before, date: '2026-01-18' }])).toEqual(question);
      expect(asking([listed(), twin(), twin({ externalId: 'b', date: '2026-02-21' })], [pending()])).toEqual([]);
    });
  });

  test('two different candidates: nothing is merged, one question names both', () => {
    const known = [
      tellerPending({ id: 't1', name: 'BLUE BOTTLE SF' }),
      tellerPending({ id: 't2', name: 'BLUE BOTTLE OAK', feed: feed({ namespace: 'teller', externalId: 'p2' }) }),
    ];
    const found = plan(windowOf([posted()]), known);
    expect([said(found), removedIn(found), asked(found)]).toEqual([
      ['R5'],
      ['t1', 't2'],
      ['pending_posted row 0: t1 t2'],
    ]);
  });

  test('a group with a partner outside is left to the other steps', () => {
    const known = [
      tellerPending({ id: 't1' }),
      tellerPending({ id: 't2', name: 'BLUE BOTTLE OAK', feed: feed({ namespace: 'teller', externalId: 'p2' }) }),
    ];
    expect(said(plan(windowOf([posted(), posted({ externalId: 'b' })]), known))).toEqual(['R5', 'R5']);
  });

  test('removed up to ten days before, unless by a person', () => {
    const removed = (deletedAt: string, deletedCause: 'provider' | 'person' = 'provider'): KnownRow[] => [
      pendingKnown({ deletedCause, deletedAt }),
    ];
    expect(said(plan(changes([posted()]), removed('2026-02-20T12:00:00.000Z')))).toEqual(['R4 t1']);
    expect(said(plan(changes([posted()]), removed('2026-02-19T11:59:59.000Z')))).toEqual(['R5']);
    expect(said(plan(changes([posted()]), removed('2026-02-20T12:00:00.000Z', 'person')))).toEqual(['R5']);
  });

  test('pending rows of files are continued; one that is not goes when it is 15 days old', () => {
    const pending = fromFile({ pending: true });
    expect(said(plan(changes([posted()]), [pending]))).toEqual(['R4 t1']);
    const idle = (date: string): string[] => removedIn(plan(changes([]), [fromFile({ pending: true, date })]));
    expect([idle('2026-02-14'), idle('2026-02-15')]).toEqual([['t1'], []]);
  });

  test('pending ones of the source before a re-link go with the first rows of the new one', () => {
    const known = [
      pendingKnown({ feed: feed({ externalId: 'p1', externalAccountId: 'old' }) }),
      pendingKnown({
        id: 't2',
        name: 'ELSE',
        amountCents: 1,
        feed: feed({ externalId: 'p2', externalAccountId: 'old' }),
      }),
    ];
    const relinkedAt = '2026-02-25T12:00:00.000Z';
    const found = plan(changes([posted()], { relinkedAt }), known);
    expect([said(found), removedIn(found)]).toEqual([['R4 t1'], ['t2']]);
    expect(removedIn(plan(changes([], { relinkedAt }), known))).toEqual([]);
  });

  test('the posted version came first under another id: one question, and never about a separated pair', () => {
    const known = [
      pendingKnown({ createdAt: '2026-02-20T00:00:00.000Z' }),
      knownRow({
        id: 't2',
        date: '2026-02-21',
        createdAt: '2026-02-22T00:00:00.000Z',
        feed: feed({ externalId: 'x2' }),
      }),
    ];
    const removal = changes([], { removedIds: ['p1'] });
    const found = plan(removal, known);
    expect([removedIn(found), asked(found)]).toEqual([['t1'], ['pending_posted t2: t1']]);
    expect(asked(plan(removal, ledgerOf(known, { separated: new Set([pairKey('t1', 't2')]) })))).toEqual([]);
    const continued = known.map((one) =>
      one.pending ? one : { ...one, feed: feed({ externalId: 'x2', wasPending: true }) },
    );
    expect(asked(plan(removal, continued))).toEqual([]);
  });

  test('a posted one removed after its equal was stored as new: one question', () => {
    const known = [
      knownRow({ createdAt: '2026-02-20T00:00:00.000Z' }),
      knownRow({ id: 't2', createdAt: '2026-02-22T00:00:00.000Z', feed: feed({ externalId: 'x2' }) }),
    ];
    expect(asked(plan(changes([], { removedIds: ['x1'] }), known))).toEqual(['possible_duplicate t2: t1']);
  });
});

describe('removals', () => {
  test('a present id removes, an older one does not, an unknown one is ignored', () => {
    const ledger = {
      ...ledgerOf([knownRow({ feed: feed({ externalId: 'x2' }) })]),
      aliases: new Map([
        ['x1', 't1'],
        ['x2', 't1'],
      ]),
    };
    expect(removedIn(plan(changes([], { removedIds: ['x1', 'none'] }), ledger))).toEqual([]);
    expect(removedIn(plan(changes([], { removedIds: ['x2'] }), ledger))).toEqual(['t1']);
  });

  test('what is deleted already stays as it is, and its removal is remembered', () => {
    const found = plan(changes([], { removedIds: ['x1'] }), [knownRow({ deletedCause: 'person' })]);
    expect([removedIn(found), found.withdrawnIds]).toEqual([[], ['t1']]);
  });

  test('ids of an account that left take no history with them', () => {
    const known = knownRow({ feed: feed({ externalAccountId: 'old' }) });
    expect(removedIn(plan(changes([], { removedIds: ['x1'] }), [known]))).toEqual([]);
  });

  const many = Array.from({ length: 60 }, (_, n) =>
    knownRow({ id: `t${n}`, amountCents: n + 1, feed: feed({ externalId: `x${n}` }) }),
  );
  const without = (count: number): AccountBatch =>
    changes(
      many
        .slice(count)
        .map((one) => bankRow({ externalId: one.feed?.externalId ?? null, amountCents: one.amountCents })),
      { isCompleteRead: true },
    );

  test.each([
    [5, 5, 0],
    [6, 6, 0],
    [7, 0, 7],
  ])('a complete read that lacks %i of 60 removes %i', (count, removed, heldBack) => {
    const found = plan(without(count), many);
    expect([removedIn(found).length, found.heldBackCount]).toEqual([removed, heldBack]);
  });

  test('a complete read ends pending rows of any date, and nothing before its first row', () => {
    const known = [pendingKnown(), knownRow({ id: 't2', date: '2024-01-01', feed: feed({ externalId: 'old' }) })];
    expect(removedIn(plan(changes([], { isCompleteRead: true }), known))).toEqual(['t1']);
    expect(removedIn(plan(changes([posted({ name: 'ELSE' })], { isCompleteRead: true }), known))).toEqual(['t1']);
    // Rows of another account show how far back the answer goes.
    const since = (answeredFrom: string) => changes([], { isCompleteRead: true, answeredFrom });
    expect(removedIn(plan(since('2024-01-02'), known))).toEqual(['t1']);
    expect(removedIn(plan(since('2024-01-01'), known)).toSorted()).toEqual(['t1', 't2']);
  });

  test('what an answer lists in a row that cannot be read is not gone', () => {
    const pending = pendingKnown();
    const unreadableIds = new Set(['x1', 'p1']);
    const complete = { isCompleteRead: true, unreadableIds };
    expect(removedIn(plan(changes([posted({ name: 'ELSE' })], complete), [pending]))).toEqual([]);
    expect(removedIn(plan(changes([bankRow({ externalId: 'x2' })], complete), [knownRow()]))).toEqual([]);
    expect(removedIn(plan(changes([], { removedIds: ['x1'], unreadableIds }), [knownRow()]))).toEqual(['t1']);
    const atTeller = pendingKnown({ feed: feed({ externalId: 'p1', namespace: 'teller' }) });
    const window = windowOf([bankRow({ externalId: 'x2' })], { unreadableIds });
    expect(removedIn(plan(window, [atTeller]))).toEqual([]);
    expect(said(plan(window, [atTeller]))).toEqual(['R5']);
  });

  test('a window never removes what is posted', () => {
    expect(removedIn(plan(windowOf([]), [knownRow({ feed: feed({ namespace: 'teller' }) })]))).toEqual([]);
  });
});

describe('a provider without row ids', () => {
  const read = { from: '2026-02-01', to: '2026-03-02' };
  const none = (rows: readonly BankRow[]): AccountBatch => windowOf(rows, { namespace: 'sepa', rowIds: 'none', read });
  const own = (over: Partial<KnownRow> = {}, externalId: string | null = null): KnownRow =>
    knownRow({ feed: feed({ namespace: 'sepa', externalId }), ...over });

  test('the window again is the same transactions; identical ones are counted', () => {
    const row = bankRow({ externalId: null });
    expect(said(plan(none([row]), [own()]))).toEqual(['R3a t1']);
    expect(said(plan(none([row, row, row]), [own(), own({ id: 't2' })]))).toEqual(['R3a t1', 'R3a t2', 'R5']);
  });

  test('an id is a hint which of several equal rows one is, and nothing more', () => {
    const known = [own({ id: 't1' }, 'h1'), own({ id: 't2' }, 'h2')];
    const rows = [bankRow({ externalId: 'h2' }), bankRow({ externalId: 'h1' })];
    expect(said(plan(none(rows), known))).toEqual(['R3a t2', 'R3a t1']);
    expect(said(plan(none([bankRow({ externalId: 'h1', amountCents: 99 })]), known))).toEqual(['R5']);
  });

  test('pending, then posted: one transaction; pending and gone: removed', () => {
    const pending = own({ pending: true });
    expect(said(plan(none([bankRow({ externalId: null, pending: true })]), [pending]))).toEqual(['R3a t1']);
    expect(said(plan(none([posted({ externalId: null })]), [pending]))).toEqual(['R4 t1']);
    expect(removedIn(plan(none([]), [pending]))).toEqual(['t1']);
  });
});
