import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  anyFile,
  coffee,
  contents,
  inLedger,
  match,
  outcomes,
  provider,
  row,
  type Ledger,
} from '../../../test/harness/bank-files/matched-rows.ts';
import { bankIdKey } from './identity.ts';
import type { ImportedRow, LedgerCandidate } from './identity.ts';

describe('bank ids', () => {
  const known = row({ ...coffee, bankId: 'A1' });

  test('ids that count change the amount of a row, not its words alone', () => {
    const ledger = [inLedger(known)];
    const changed = { ...known, amountCents: 360, contentKey: 'other' };
    expect(outcomes(match([changed], ledger))).toEqual(['updated CHANGED_BY_BANK']);
    expect(outcomes(match([{ ...known, name: 'COFFEE ROASTERS', contentKey: 'other' }], ledger))).toEqual([
      'duplicate SIMILAR',
    ]);
    expect(outcomes(match([known], ledger))).toEqual(['duplicate SAME_CONTENT']);
  });

  test('an older file than the one that corrected the row changes nothing, and names it', () => {
    const ledger = [inLedger(known)];
    const older = { ...known, amountCents: 360, contentKey: 'other' };
    const { matches } = match([older], ledger, { listedLater: new Set(ledger.map(({ id }) => id)) });
    expect(matches[0]).toMatchObject({ outcome: 'duplicate', reason: 'SAME_BANK_ID', match: 'probable' });
  });

  const others = [
    row({ date: '2026-01-08', amountCents: 5000, name: 'RENT', bankId: 'A2' }),
    row({ date: '2026-01-16', amountCents: 900, name: 'BAKER', bankId: 'A3' }),
  ] as const;

  test('a date is changed only by ids that other rows prove', () => {
    const moved = { ...known, date: '2026-01-12', contentKey: 'other' };
    const ledger = [...others, known].map((one) => inLedger(one));
    expect(outcomes(match([others[0], moved, others[1]], ledger))[1]).toBe('updated CHANGED_BY_BANK');
    expect(match([moved], [inLedger(known)]).matches[0]).toMatchObject({ outcome: 'added', match: 'probable' });
  });

  test('ids that other rows have under another name change nothing', () => {
    const renamed = others.map((one) => ({ ...one, bankId: `B${one.bankId}` }));
    const changed = { ...known, amountCents: 360, contentKey: 'other' };
    const result = match(
      [renamed[0] as ImportedRow, changed, renamed[1] as ImportedRow],
      [...others, known].map((one) => inLedger(one)),
    );
    expect([outcomes(result), result.areIdsIgnored]).toEqual([
      ['duplicate SAME_CONTENT', 'added', 'duplicate SAME_CONTENT'],
      true,
    ]);
    expect(result.matches[1]).toMatchObject({ match: 'probable', beside: { amountCents: 350 } });
  });

  test('an id reused for another movement is not a match, and is reported', () => {
    const other = row({ date: '2026-01-11', amountCents: 900, name: 'RENT', bankId: 'A1', line: 7 });
    const result = match([other], [inLedger(known)]);
    expect([outcomes(result), result.reusedBankIdLines]).toEqual([['added'], [7]]);
  });

  test('the same content under another id is the same row, and is named', () => {
    expect(match([{ ...known, bankId: 'B2' }], [inLedger(known)]).matches[0]).toMatchObject({
      outcome: 'duplicate',
      match: 'probable',
    });
    expect(outcomes(match([{ ...known, bankId: null }], [inLedger(known)]))).toEqual(['duplicate SAME_CONTENT']);
  });

  test('a file does not change what the provider delivered', () => {
    const ledger = [inLedger(known, { ...provider, name: 'Coffee Corner', bankIds: [bankIdKey('csv:id', 'A1')] })];
    expect(outcomes(match([known], ledger))).toEqual(['duplicate SAME_AS_PROVIDER']);
  });
});

describe('deleted rows', () => {
  test('one that a person deleted stays deleted, one that was withdrawn comes back', () => {
    expect(outcomes(match([coffee], [inLedger(coffee, { state: 'kept_deleted' })]))).toEqual([
      'deleted DELETED_BY_PERSON',
    ]);
    expect(outcomes(match([coffee], [inLedger(coffee, { state: 'withdrawn' })]))).toEqual(['added BROUGHT_BACK']);
  });

  test('a live row is taken before one that a person deleted, that before a withdrawn one', () => {
    const ledger = [
      inLedger(coffee, { state: 'withdrawn' }),
      inLedger(coffee, { state: 'kept_deleted' }),
      inLedger(coffee),
    ];
    const result = match([coffee, coffee, coffee, coffee], ledger);
    expect(outcomes(result)).toEqual([
      'duplicate SAME_CONTENT',
      'deleted DELETED_BY_PERSON',
      'added BROUGHT_BACK',
      'added',
    ]);
  });

  test('an included line restores a deleted row, or adds one more', () => {
    const deleted = match([coffee], [inLedger(coffee, { state: 'kept_deleted' })], { includeLines: new Set([2]) });
    expect(outcomes(deleted)).toEqual(['updated RESTORED']);
    expect(outcomes(match([coffee], [inLedger(coffee)], { includeLines: new Set([2]) }))).toEqual(['added']);
    const twins = match([coffee, coffee], [inLedger(coffee)], { includeLines: new Set([2]) });
    expect(outcomes(twins)).toEqual(['added', 'duplicate SAME_CONTENT']);
  });

  test('a withdrawn row stays away if another file delivered its movement since, and comes back if not', () => {
    const withdrawn = inLedger(coffee, { state: 'withdrawn', changedAt: '2026-02-01T08:00:00.000Z' });
    const other = { sourceKey: 'other', contentKey: 'another', name: 'COFFEE SHOP' };
    const since = { ...other, changedAt: '2026-02-01T08:00:00.001Z' };
    expect(outcomes(match([coffee], [withdrawn, inLedger(coffee, since)]))).toEqual(['duplicate SIMILAR']);
    const named = { ...since, name: 'Corner shop' };
    expect(outcomes(match([coffee], [withdrawn, inLedger(coffee, named)]))).toEqual(['duplicate SIMILAR']);
    const beside = { ...other, changedAt: '2026-02-01T07:59:59.999Z' };
    expect(outcomes(match([coffee], [withdrawn, inLedger(coffee, beside)]))).toEqual(['added BROUGHT_BACK']);
    const twins = match([coffee, coffee], [withdrawn, inLedger(coffee, since)]);
    expect(outcomes(twins)).toEqual(['duplicate SIMILAR', 'added BROUGHT_BACK']);
  });

  test('an included line brings back the row that it added before', () => {
    const ledger = [inLedger(coffee), inLedger(coffee), inLedger(coffee, { state: 'withdrawn' })];
    expect(outcomes(match([coffee], ledger, { includeLines: new Set([2]) }))).toEqual(['added BROUGHT_BACK']);
  });

  test('a withdrawn row of another source is left alone', () => {
    expect(outcomes(match([coffee], [inLedger(coffee, { ...provider, state: 'withdrawn' })]))).toEqual(['added']);
  });
});

describe('other sources', () => {
  const own = row({ date: '2026-01-10', amountCents: 1250, name: 'STARBUCKS STORE 00123 SEATTLE WA' });
  const fromProvider = (change: Partial<LedgerCandidate>): LedgerCandidate =>
    inLedger(own, { ...provider, name: 'Starbucks Store', ...change });

  test('same day and similar text is certain, a day near it probable', () => {
    expect(match([own], [fromProvider({})]).matches[0]).toMatchObject({ reason: 'SAME_AS_PROVIDER', match: 'certain' });
    const covered = [{ first: '2026-01-08', last: '2026-01-14' }];
    const near = match([own], [fromProvider({ date: '2026-01-12' })], { covered });
    expect(near.matches[0]).toMatchObject({ reason: 'SAME_AS_PROVIDER', match: 'probable' });
    expect(outcomes(match([own], [fromProvider({ date: '2026-01-14' })], { covered }))).toEqual(['added']);
  });

  test('an amount of its day matches whatever the names say, and is named', () => {
    const named = fromProvider({ name: 'Something Else' });
    expect(match([own], [named]).matches[0]).toMatchObject({ outcome: 'duplicate', match: 'probable' });
    expect(match([own, own], [named]).matches.map(({ outcome }) => outcome)).toEqual(['duplicate', 'added']);
    expect(match([own], [named, fromProvider({ name: 'A Third' })]).matches[0]).toMatchObject({ match: 'probable' });
  });

  test('a file in another format matches as similar', () => {
    const ledger = [inLedger(own, { sourceKey: 'other', contentKey: 'another', name: 'STARBUCKS STORE' })];
    expect(outcomes(match([own], ledger))).toEqual(['duplicate SIMILAR']);
  });

  test('rows of the same source in other words: certain on their day, probable near it where both files cover it', () => {
    const inOtherWords = inLedger(own, { contentKey: 'another', name: 'STARBUCKS STORE' });
    expect(match([own], [inOtherWords]).matches[0]).toMatchObject({ outcome: 'duplicate', match: 'certain' });
    const near = { ...own, date: '2026-01-12', contentKey: 'near' };
    expect(outcomes(match([near], [inOtherWords]))).toEqual(['added']);
    const around = ['2026-01-08', '2026-01-15'].map((date) => row({ date, amountCents: 1, name: date }));
    const ledger = [...around.map((one) => inLedger(one)), inOtherWords];
    const { matches } = match([around[0] as ImportedRow, near, around[1] as ImportedRow], ledger);
    expect(matches[1]).toMatchObject({ outcome: 'duplicate', reason: 'SIMILAR', match: 'probable' });
  });
});

describe('pending rows', () => {
  const hold = row({ date: '2026-01-08', amountCents: 350, name: 'COFFEE', pending: true });

  test('one that is booked later becomes posted', () => {
    expect(outcomes(match([coffee], [inLedger(hold)]))).toEqual(['updated POSTED']);
    expect(outcomes(match([{ ...hold, pending: false }], [inLedger(hold)]))).toEqual(['updated POSTED']);
  });

  test('one that the file covers and no longer lists is removed', () => {
    const others = ['2026-01-07', '2026-01-09'].map((date) => row({ date, amountCents: 350, name: date }));
    const ledger = [inLedger(hold)];
    expect(match(others, ledger).removed).toEqual(ledger);
    expect(match(others, ledger, { listedPending: [{ amountCents: 350, name: 'Coffee' }] }).removed).toEqual([]);
    expect(match(others, [inLedger(hold, provider)]).removed).toEqual([]);
    expect(match([others[1] as ImportedRow], ledger).removed).toEqual([]);
  });

  test('one that the file still lists stays', () => {
    expect(outcomes(match([hold], [inLedger(hold)]))).toEqual(['duplicate SAME_CONTENT']);
  });
});

describe('currencies', () => {
  const inCurrency = (currency: string | null): ImportedRow => ({ ...coffee, currency });

  test('that become known are filled in', () => {
    const ledger = [inLedger(inCurrency(null))];
    expect(outcomes(match([inCurrency('EUR')], ledger))).toEqual(['updated CURRENCY_FILLED']);
    expect(outcomes(match([inCurrency(null)], ledger))).toEqual(['duplicate SAME_CONTENT']);
    expect(outcomes(match([inCurrency(null)], [inLedger(inCurrency('EUR'))]))).toEqual(['duplicate SAME_CONTENT']);
  });

  test('that differ are different movements', () => {
    expect(outcomes(match([inCurrency('EUR')], [inLedger(inCurrency('USD'))]))).toEqual(['added']);
    const other = inLedger(inCurrency('USD'), { ...provider, name: 'COFFEE' });
    expect(outcomes(match([inCurrency('EUR')], [other]))).toEqual(['added']);
  });

  test('that are the same come before unknown ones', () => {
    const unknown = inLedger(inCurrency(null));
    const same = inLedger(inCurrency('EUR'));
    const [first, second] = match([inCurrency('EUR'), inCurrency('EUR')], [unknown, same]).matches;
    expect([first?.ledger, second?.ledger]).toEqual([same, unknown]);
    expect(outcomes(match([inCurrency(null), inCurrency('EUR')], [unknown, same]))).toEqual([
      'duplicate SAME_CONTENT',
      'duplicate SAME_CONTENT',
    ]);
  });

  test('that are unknown meet rows of other sources, too', () => {
    const fromBank = inLedger(coffee, { ...provider, name: 'Corner', currency: 'EUR' });
    expect(outcomes(match([inCurrency(null)], [fromBank]))).toEqual(['duplicate SAME_AS_PROVIDER']);
    const twoCurrencies = [fromBank, inLedger(coffee, { ...provider, name: 'Another', currency: 'USD' })];
    expect(outcomes(match([inCurrency('USD')], twoCurrencies))).toEqual(['duplicate SAME_AS_PROVIDER']);
    expect(match([inCurrency(null)], twoCurrencies).matches[0]).toMatchObject({ match: 'probable' });
  });

  test('never double a row: a file with and without currency adds each movement once', () => {
    fc.assert(
      fc.property(anyFile, fc.array(fc.constantFrom(null, 'EUR'), { minLength: 1, maxLength: 4 }), (file, told) => {
        let ledger: Ledger = [];
        for (const currency of told) {
          const rows = file.map((one) => ({ ...one, currency }));
          const { matches } = match(rows, ledger);
          const filled = new Map(
            matches.flatMap(({ reason, ledger: known }) =>
              reason === 'CURRENCY_FILLED' && known ? [[known, currency]] : [],
            ),
          );
          const added = matches.flatMap(({ outcome }, index) =>
            outcome === 'added' ? [inLedger(rows[index] as ImportedRow)] : [],
          );
          ledger = [
            ...ledger.map((one) => (filled.has(one) ? { ...one, currency: filled.get(one) ?? null } : one)),
            ...added,
          ];
        }
        expect(contents(ledger)).toEqual(contents(file.map((one) => inLedger(one))));
        expect(ledger.every((one) => one.currency === (told.includes('EUR') ? 'EUR' : null))).toBe(true);
      }),
    );
  });
});
