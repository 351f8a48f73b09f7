import { describe, expect, test } from 'vitest';

import {
  asked,
  bankRow,
  byHand,
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
} from '../../../test/harness/syncs/sync-rows.ts';
import type { BankRow, KnownRow } from './account-plan.ts';

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

test('a new id of what was posted is found although its pending version is still listed', () => {
  const known = knownRow({ feed: feed({ externalId: 'x9', wasPending: true }) });
  const aliases = new Map([
    ['x9', 't1'],
    ['p1', 't1'],
  ]);
  const rows = [bankRow({ externalId: 'p1', pending: true }), bankRow({ externalId: 'y1' })];
  const found = plan(changes(rows, { removedIds: ['x9'] }), { ...ledgerOf([known]), aliases });
  expect([said(found), removedIn(found)]).toEqual([['R1 t1 superseded', 'R3a t1'], []]);
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
