import { describe, expect, test } from 'vitest';

import {
  bankRow,
  byHand,
  changes,
  feed,
  fromFile,
  knownRow,
  ledgerOf,
  windowOf,
} from '../../../test/harness/sync-rows.ts';
import type { AccountBatch, AccountLedger, AccountPlan, BankRow, KnownRow } from './account-plan.ts';
import { pairKey } from './account-plan.ts';
import { planAccountRows } from './plan-account-rows.ts';

/** What each row is: `R2 t1`, `R5` for a new one, `R2 = row 1` for one that another row makes. */
function said({ decisions }: AccountPlan): string[] {
  return decisions.map(({ known, rule, sameAs, isSuperseded }) => {
    const what = known ? ` ${known.id}` : sameAs === null ? '' : ` = row ${sameAs}`;
    return `${rule}${what}${isSuperseded && sameAs === null ? ' superseded' : ''}`;
  });
}

function removedIn({ removed }: AccountPlan): string[] {
  return removed.map(({ id }) => id);
}

function asked({ suggestions }: AccountPlan): string[] {
  const nameOf = (one: object): string =>
    'row' in one ? `row ${String(one.row)}` : (one as { transactionId: string }).transactionId;
  return suggestions.map(
    ({ kind, of, candidates }) => `${kind} ${nameOf(of)}: ${candidates.map((one) => nameOf(one.of)).join(' ')}`,
  );
}

function plan(batch: AccountBatch, ledger: readonly KnownRow[] | AccountLedger): AccountPlan {
  return planAccountRows(batch, 'rows' in ledger ? ledger : ledgerOf(ledger, {}, batch.namespace));
}

const pendingKnown = (row: Partial<KnownRow> = {}): KnownRow =>
  knownRow({ pending: true, feed: feed({ externalId: 'p1' }), ...row });
const tellerPending = (row: Partial<KnownRow> = {}): KnownRow =>
  knownRow({ pending: true, feed: feed({ namespace: 'teller', externalId: 'p1' }), ...row });
const posted = (row: Partial<BankRow> = {}): BankRow => bankRow({ externalId: 'x9', date: '2026-02-21', ...row });
const dining = { categoryPrimary: 'dining' } as const;

describe('R1, known ids', () => {
  test('a row with a known id is that transaction, whatever it says', () => {
    const found = plan(changes([bankRow({ amountCents: 999, name: 'OTHER', date: '2025-01-01' })]), [knownRow()]);
    expect(said(found)).toEqual(['R1 t1']);
    expect(asked(found)).toEqual([]);
  });

  test('a transaction that the provider now reports in this account comes over, and its old account does not remove it', () => {
    const moved = knownRow();
    const here = plan(changes([bankRow()]), { ...ledgerOf([]), elsewhere: [moved], aliases: new Map([['x1', 't1']]) });
    expect(said(here)).toEqual(['R1 t1']);
    const complete = changes([bankRow({ externalId: 'x2', date: '2026-01-01', name: 'ELSE' })], {
      isCompleteRead: true,
    });
    const there = plan(complete, { ...ledgerOf([moved]), leaving: new Set(['t1']) });
    expect(removedIn(there)).toEqual([]);
  });

  test('the pending version that is still listed says nothing more about what was posted', () => {
    const known = knownRow({ feed: feed({ externalId: 'x9', wasPending: true }) });
    const ledger = {
      ...ledgerOf([known]),
      aliases: new Map([
        ['x9', 't1'],
        ['p1', 't1'],
      ]),
    };
    const rows = [posted(), bankRow({ externalId: 'p1', pending: true })];
    expect(said(plan(changes(rows), ledger))).toEqual(['R1 t1', 'R1 t1 superseded']);
    expect(said(plan(changes(rows.slice(1)), ledger))).toEqual(['R1 t1 superseded']);
    expect(said(plan(changes(rows.slice(1), { removedIds: ['x9'] }), ledger))).toEqual(['R1 t1']);
  });
});

describe('R2, links of the provider', () => {
  test.each([
    ['the removal in the same batch', { removedIds: ['p1'] }, {}],
    ['a later removal', {}, {}],
    ['an earlier removal', {}, { deletedCause: 'provider', deletedAt: '2026-02-20T20:00:00.000Z' }],
    ['a deletion by a person', {}, { deletedCause: 'person', deletedAt: '2026-02-20T20:00:00.000Z' }],
  ] as const)('continues with %s', (_, over, known) => {
    const found = plan(changes([posted({ pendingExternalId: 'p1', amountCents: 480 })], over), [pendingKnown(known)]);
    expect([said(found), removedIn(found), asked(found)]).toEqual([['R2 t1'], [], []]);
  });

  test('21.00 becomes 24.00 under any name', () => {
    const row = posted({ pendingExternalId: 'p1', amountCents: 2_400, name: 'ELSE' });
    expect(said(plan(changes([row]), [pendingKnown({ amountCents: 2_100 })]))).toEqual(['R2 t1']);
  });

  test('a link that cannot be is not believed: a new transaction and a question', () => {
    const row = posted({ pendingExternalId: 'p1', amountCents: 199, name: 'APP STORE' });
    const found = plan(changes([row], { removedIds: ['p1'] }), [pendingKnown({ amountCents: 8_400 })]);
    expect([said(found), removedIn(found), asked(found)]).toEqual([['R5'], ['t1'], ['pending_posted row 0: t1']]);
    expect(found.suggestions[0]?.candidates[0]?.reasons).toEqual(['provider_link', 'close_date']);
  });

  test('a sign or currency that differs is never believed', () => {
    const refund = posted({ pendingExternalId: 'p1', amountCents: -450 });
    expect(said(plan(changes([refund]), [pendingKnown()]))).toEqual(['R5']);
    const euro = posted({ pendingExternalId: 'p1', currency: 'EUR' });
    expect(said(plan(changes([euro]), [pendingKnown()]))).toEqual(['R5']);
    expect(said(plan(changes([posted({ pendingExternalId: 'p1', currency: null })]), [pendingKnown()]))).toEqual([
      'R2 t1',
    ]);
  });

  test('one pending transaction is continued once', () => {
    const rows = [posted({ pendingExternalId: 'p1' }), posted({ externalId: 'x10', pendingExternalId: 'p1' })];
    expect(said(plan(changes(rows), [pendingKnown()]))).toEqual(['R2 t1', 'R5']);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('both versions new in one answer are one transaction (%i, %i)', (...order) => {
    const rows = [bankRow({ externalId: 'p1', pending: true }), posted({ pendingExternalId: 'p1' })];
    const found = plan(changes(order.map((at) => rows[at] as BankRow)), []);
    expect(said(found).toSorted()).toEqual([`R2 = row ${order[1]}`, 'R5']);
  });

  test('both versions of what a file delivered are that transaction', () => {
    const rows = [bankRow({ externalId: 'p1', pending: true }), posted({ pendingExternalId: 'p1' })];
    const found = plan(changes(rows), [fromFile({ date: '2026-02-21' })]);
    expect(said(found)).toEqual(['R2 t1 superseded', 'R3a t1']);
  });
});

describe('R3, seen before', () => {
  test('what a file delivered is not added again', () => {
    const found = plan(changes([bankRow({ name: 'Blue Bottle #12 345' })]), [fromFile({ name: 'BLUE BOTTLE' })]);
    expect(said(found)).toEqual(['R3b t1']);
    expect(said(plan(changes([bankRow({ currency: null, name: 'BLUE BOTTLE 0042' })]), [fromFile()]))).toEqual([
      'R3a t1',
    ]);
  });

  test('the authorized date of the one is the date of the other', () => {
    const row = bankRow({ date: '2026-02-25', authorizedDate: '2026-02-20' });
    expect(said(plan(changes([row]), [fromFile()]))).toEqual(['R3a t1']);
  });

  test('two identical purchases stay two, and a third one is new', () => {
    const files = [fromFile({ id: 't1' }), fromFile({ id: 't2' })];
    const rows = ['a', 'b', 'c'].map((externalId) => bankRow({ externalId }));
    const found = plan(changes(rows), files);
    expect(said(found)).toEqual(['R3a t1', 'R3a t2', 'R5']);
    expect(asked(found)).toEqual([]);
  });

  test('equal texts come first, then live ones, then creation', () => {
    const files = [
      fromFile({ id: 't1', name: 'BLUE BOTTLE 0011', deletedCause: 'person' }),
      fromFile({ id: 't2', name: 'BLUE BOTTLE 0022' }),
    ];
    const named = bankRow({ name: 'BLUE BOTTLE 0011' });
    expect(said(plan(changes([named]), files))).toEqual(['R3a t1']);
    expect(said(plan(changes([bankRow({ name: 'BLUE BOTTLE 0033' })]), files))).toEqual(['R3a t2']);
  });

  test('as many rows as transactions of a day and amount are the same ones', () => {
    const files = [fromFile({ id: 't1', name: 'Kaffee' }), fromFile({ id: 't2', name: 'Bottle' })];
    const rows = [bankRow({ externalId: 'a', name: 'POS 1' }), bankRow({ externalId: 'b', name: 'BOTTLE COFFEE' })];
    expect(said(plan(changes(rows), files))).toEqual(['R3b t1', 'R3b t2']);
    const more = [...rows, bankRow({ externalId: 'c', name: 'THIRD' })];
    const found = plan(changes(more), files);
    expect(said(found)).toEqual(['R5', 'R3c t2', 'R5']);
    expect(asked(found)).toEqual(['possible_duplicate row 0: t1', 'possible_duplicate row 2: t1']);
  });

  test('three days apart with compatible names and no other partner', () => {
    expect(said(plan(changes([bankRow({ date: '2026-02-23', name: 'BLUE BOTTLE SF' })]), [fromFile()]))).toEqual([
      'R3c t1',
    ]);
    expect(said(plan(changes([bankRow({ date: '2026-02-24', name: 'BLUE BOTTLE SF' })]), [fromFile()]))).toEqual([
      'R5',
    ]);
    const twice = [bankRow({ externalId: 'a', date: '2026-02-22' }), bankRow({ externalId: 'b', date: '2026-02-23' })];
    const found = plan(changes(twice), [fromFile()]);
    expect(said(found)).toEqual(['R5', 'R5']);
    expect(asked(found)).toEqual(['possible_duplicate row 0: t1', 'possible_duplicate row 1: t1']);
    expect(found.suggestions[0]?.candidates[0]?.reasons).toEqual(['same_amount', 'compatible_name', 'close_date']);
  });

  test('what a person deleted is no question', () => {
    const found = plan(changes([bankRow({ date: '2026-02-22', name: 'ELSE' })]), [
      fromFile({ deletedCause: 'person' }),
    ]);
    expect([said(found), asked(found)]).toEqual([['R5'], []]);
  });

  test('what was entered by hand needs no equal name and no equal flag', () => {
    expect(
      said(
        plan(changes([bankRow({ date: '2026-02-22', name: 'SQ *BB', pending: true })]), [byHand({ name: 'Coffee' })]),
      ),
    ).toEqual(['R3c t1']);
    expect(said(plan(changes([bankRow({ pending: true })]), [fromFile()]))).toEqual(['R5']);
  });

  test('ids that the bank replaces: the same transactions, in one batch, or removed up to 30 days before', () => {
    const known = [1, 2, 3].map((n) => knownRow({ id: `t${n}`, feed: feed({ externalId: `x${n}` }) }));
    const rows = [1, 2, 3].map((n) => bankRow({ externalId: `y${n}` }));
    const once = plan(changes(rows, { removedIds: ['x1', 'x2', 'x3'] }), known);
    expect([said(once), removedIn(once), once.withdrawnIds]).toEqual([['R3a t1', 'R3a t2', 'R3a t3'], [], []]);
    const removal = plan(changes([], { removedIds: ['x1', 'x2', 'x3'] }), known);
    expect([removedIn(removal), removal.withdrawnIds]).toEqual([
      ['t1', 't2', 't3'],
      ['t1', 't2', 't3'],
    ]);
    const after = (removedAt: string): KnownRow[] =>
      known.map((one) => ({
        ...one,
        deletedCause: 'provider',
        deletedAt: removedAt,
        feed: { ...feed(), ...one.feed, removedAt },
      }));
    expect(said(plan(changes(rows), after('2026-02-01T12:00:00.000Z')))).toEqual(['R3a t1', 'R3a t2', 'R3a t3']);
    expect(said(plan(changes(rows), after('2026-01-29T12:00:00.000Z')))).toEqual(['R5', 'R5', 'R5']);
  });

  test('a re-linked account: rows of the source before, up to three days after it', () => {
    const old = [1, 2].map((n) =>
      knownRow({ id: `t${n}`, feed: feed({ namespace: 'teller', externalAccountId: 'old' }) }),
    );
    const relinkedAt = '2026-02-25T12:00:00.000Z';
    const rows = ['a', 'b', 'c'].map((externalId) => bankRow({ externalId }));
    expect(said(plan(changes(rows, { relinkedAt }), old))).toEqual(['R3a t1', 'R3a t2', 'R5']);
    const late = old.map((one) => ({ ...one, date: '2026-03-01' }));
    expect(said(plan(changes([bankRow({ date: '2026-03-01' })], { relinkedAt }), late))).toEqual(['R5']);
  });

  test('after a disconnection that deleted them they are the same ones; those of a person stay deleted', () => {
    const old = (deletedCause: 'connection' | 'person', n: number): KnownRow =>
      knownRow({ id: `t${n}`, amountCents: n, deletedCause, feed: feed({ externalAccountId: 'old' }) });
    const rows = [bankRow({ externalId: 'a', amountCents: 1 }), bankRow({ externalId: 'b', amountCents: 2 })];
    const found = plan(changes(rows, { relinkedAt: '2026-02-25T12:00:00.000Z' }), [
      old('connection', 1),
      old('person', 2),
    ]);
    expect(said(found)).toEqual(['R3a t1', 'R3a t2']);
  });
});

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
