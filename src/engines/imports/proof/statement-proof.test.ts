import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  analyse,
  asCamt,
  asMt940,
  type SampleEntry,
  type SampleStatement,
} from '../../../../test/harness/bank-files/statement-files.ts';
import { addDays } from '../../../kernel/dates.ts';
import type { BalanceResult, FileAnalysis } from '../analysis.ts';

const ACCOUNT = 'DE89370400440532013000';

function sum(entries: readonly SampleEntry[]): number {
  return entries.reduce((total, entry) => total + entry.cents, 0);
}

/** A statement whose closing balance follows from its entries. */
function month(openingCents: number, entries: readonly SampleEntry[], from = '2025-01-01'): SampleStatement {
  const closingDate = addDays(from, 30);
  const closingCents = openingCents - sum(entries);
  return { account: ACCOUNT, openingCents, closingCents, openingDate: from, closingDate, entries };
}

function entry(date: string, cents: number, text = 'text'): SampleEntry {
  return { date, cents, text, id: null };
}

const ENTRIES = [
  entry('2025-01-03', 1_250, 'coffee'),
  entry('2025-01-10', 30_000, 'rent'),
  entry('2025-01-10', 700, 'bread'),
  entry('2025-01-28', -250_000, 'salary'),
];

const FORMATS = [
  ['CAMT.053', asCamt],
  ['MT940', asMt940],
] as const;

describe.each(FORMATS)('%s', (_, render) => {
  const JANUARY = month(100_000, ENTRIES);
  const read = (...statements: SampleStatement[]): FileAnalysis => analyse(render(statements));
  const result = (...statements: SampleStatement[]): BalanceResult => {
    const [first] = read(...statements).balance_proof.results;
    if (!first) throw new Error('no result');
    return first;
  };
  const changed = (entries: readonly SampleEntry[]): SampleStatement => ({ ...JANUARY, entries });

  test('opening balance and entries make the closing one', () => {
    expect(result(JANUARY)).toEqual({
      file_value: ACCOUNT,
      iso_currency_code: 'EUR',
      status: 'proved',
      method: 'statement_balances',
      balance_is: null,
      kind: 'asset',
      first_date: '2025-01-03',
      last_date: '2025-01-28',
      opening_cents: 100_000,
      closing_cents: 318_050,
      rows_checked: 4,
      rows_total: 4,
      days_checked: 3,
      days_proved: 3,
      break_count: 0,
      first_break: null,
      closings: [{ date: '2025-01-31', balance_cents: 318_050, available_cents: null }],
    });
    expect(read(JANUARY).blockers).toEqual([]);
  });

  const [first, second, third, fourth] = ENTRIES as [SampleEntry, SampleEntry, SampleEntry, SampleEntry];

  test.each([
    ['a missing entry', [first, second, fourth], 'missing_row', -700, 3],
    ['a doubled entry', [first, second, third, third, fourth], 'doubled_row', 700, 2],
    ['a flipped sign', [first, second, { ...third, cents: -700 }, fourth], 'flipped_sign', -1_400, 1],
    ['a wrong decimal', [first, second, { ...third, cents: 70_000 }, fourth], 'wrong_decimal', 69_300, 1],
  ])('%s breaks the proof', (_name, entries, cause, difference, suspects) => {
    const file = read(changed(entries));
    const found = file.balance_proof.results[0];
    expect(found).toMatchObject({ status: 'broken', break_count: 1, days_proved: 0 });
    expect(found?.first_break).toMatchObject({
      line: null,
      date: '2025-01-31',
      found_cents: 318_050,
      difference_cents: difference,
      likely_cause: cause,
    });
    expect(found?.first_break?.suspect_lines.length).toBe(suspects);
    expect(file.blockers).toMatchObject([{ code: 'BALANCE_MISMATCH', parameter: 'accept_unproved' }]);
    expect(file.blockers[0]?.message).toContain('In the statement of 2025-01-31 the balance should be');
  });

  test('a mistyped closing balance is recognised by the next statement', () => {
    const february = month(JANUARY.closingCents, [entry('2025-02-05', 100)], '2025-02-01');
    expect(result({ ...JANUARY, closingCents: 318_500 }, february).first_break).toMatchObject({
      likely_cause: 'wrong_balance',
      expected_cents: 318_050,
      found_cents: 318_500,
    });
  });

  test('statements of one account join, in whichever order they stand', () => {
    const february = month(JANUARY.closingCents, [entry('2025-02-05', 100)], '2025-02-01');
    const march = month(february.closingCents, [entry('2025-03-05', -100)], '2025-03-04');
    for (const order of [
      [JANUARY, february, march],
      [march, february, JANUARY],
      [february, JANUARY, march],
    ]) {
      expect(result(...order)).toMatchObject({
        status: 'proved',
        opening_cents: 100_000,
        closing_cents: march.closingCents,
        rows_checked: 6,
        closings: [{ date: '2025-01-31' }, { date: '2025-03-03' }, { date: '2025-04-03' }],
      });
    }
    expect(result(JANUARY, march)).toMatchObject({
      status: 'broken',
      break_count: 1,
      first_break: { likely_cause: 'missing_row', difference_cents: -100, date: '2025-01-31', suspect_lines: [] },
    });
    expect(result(JANUARY, JANUARY, february).first_break?.likely_cause).toBe('doubled_row');
  });

  test('several statements of a day join by their balances', () => {
    const on = (opening: number, cents: number): SampleStatement => ({
      ...month(opening, [entry('2025-01-15', cents)]),
      closingDate: '2025-01-15',
    });
    const [a, b, c] = [on(100, -50), on(150, 120), on(30, 0)];
    for (const order of [
      [a, b, c],
      [c, b, a],
      [b, c, a],
      [c, a, b],
    ])
      expect(result(...order)).toMatchObject({ status: 'proved', opening_cents: 100, closing_cents: 30 });
    expect(result(a, c)).toMatchObject({ status: 'broken', break_count: 1 });
    const [up, down, away] = [on(0, -5), on(5, 5), on(0, -3)];
    expect(result(down, up, away)).toMatchObject({ status: 'proved', opening_cents: 0, closing_cents: 3 });
  });

  test('each account is proved on its own', () => {
    const other = { ...month(0, [entry('2025-01-15', 5)]), account: 'DE02120300000000202051', closingCents: 5 };
    const file = read(JANUARY, other);
    expect(file.balance_proof.results.map((one) => [one.file_value, one.status])).toEqual([
      [ACCOUNT, 'proved'],
      ['DE02120300000000202051', 'broken'],
    ]);
    expect(file.balance_proof.status).toBe('broken');
  });

  test('a broken proof can be overridden, with a warning', () => {
    const file = analyse(render([changed([first])]), { accept_unproved: true });
    expect([file.blockers, file.warnings.map((warning) => warning.code), file.balance_proof.status]).toEqual([
      [],
      ['PROOF_OVERRIDDEN'],
      'broken',
    ]);
  });

  test('an entry left out because it cannot be read breaks the proof', () => {
    const text = render([JANUARY]).replaceAll(/(?<=>)7\.00(?=<)|7,00(?=N)/g, (amount) => `${amount}1`);
    const strict = analyse(text);
    expect(strict.blockers.map((blocker) => blocker.code)).toEqual(['INVALID_ROWS', 'BALANCE_MISMATCH']);
    expect(strict.blockers[0]?.details).toEqual([
      { path: expect.stringMatching(/^line \d+: amount$/), message: expect.stringContaining('two decimals') },
    ]);
    const lenient = analyse(text, { skip_invalid: true });
    expect(lenient.blockers.map((blocker) => blocker.code)).toEqual(['BALANCE_MISMATCH']);
    expect(lenient.warnings.map((warning) => warning.code)).toEqual(['INVALID_SKIPPED']);
    expect([strict.row_count, strict.invalid_count, strict.problems.length]).toEqual([3, 1, 1]);
  });
});

const cents = fc.integer({ min: -500_000, max: 500_000 }).filter((amount) => amount !== 0);
const text = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{0,18}[A-Za-z0-9]$/);
const sample = fc.record({ day: fc.integer({ min: 0, max: 27 }), cents, text, hasId: fc.boolean() });
const months = fc
  .array(fc.array(sample, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 })
  .chain((lists) =>
    fc.integer({ min: -100_000, max: 100_000 }).map((opening) => {
      let known = opening;
      return lists.map((list, m) => {
        const from = `2025-0${m + 1}-01`;
        const entries = list.map((one, i) => ({
          date: addDays(from, one.day),
          cents: one.cents,
          text: one.text,
          id: one.hasId ? `ID-${m}-${i}` : null,
        }));
        const statement = month(known, entries, from);
        known = statement.closingCents;
        return { ...statement, closingDate: addDays(from, 27) };
      });
    }),
  );

describe('whatever the statements', () => {
  test('CAMT.053 and MT940 of one statement give equal rows and equal balances, and prove', () => {
    fc.assert(
      fc.property(months, (statements) => {
        const [camt, mt940] = [analyse(asCamt(statements)), analyse(asMt940(statements))];
        const facts = (file: FileAnalysis): unknown[] =>
          [...file.rows()].map((row) => [
            row.date,
            row.amount_cents,
            row.iso_currency_code,
            row.description,
            row.bank_id,
            row.account_value,
          ]);
        expect(facts(camt)).toEqual(facts(mt940));
        expect(camt.balance_proof).toEqual(mt940.balance_proof);
        expect(camt.balance_proof.status).toBe('proved');
        expect(camt.accounts.map((one) => ({ ...one, stated: null }))).toEqual(
          mt940.accounts.map((one) => ({ ...one, stated: null })),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('removing, doubling or flipping any entry never proves', () => {
    const damage = fc.constantFrom('remove', 'double', 'flip');
    fc.assert(
      fc.property(months, damage, fc.nat(), fc.nat(), fc.boolean(), (statements, kind, m, e, isCamt) => {
        const at = m % statements.length;
        const damaged = statements.map((one, i) => {
          if (i !== at) return one;
          const hit = e % one.entries.length;
          const entries = one.entries.flatMap((each, j) => {
            if (j !== hit) return [each];
            if (kind === 'remove') return [];
            return kind === 'double' ? [each, each] : [{ ...each, cents: -each.cents }];
          });
          return { ...one, entries };
        });
        fc.pre(damaged.some((one) => one.entries.length > 0));
        const file = analyse((isCamt ? asCamt : asMt940)(damaged));
        expect(file.balance_proof.status).toBe('broken');
        expect(file.blockers.map((blocker) => blocker.code)).toEqual(['BALANCE_MISMATCH']);
      }),
      { numRuns: 300 },
    );
  });

  test('shuffled statements of a month that join are proved', () => {
    fc.assert(
      fc.property(
        months.chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
        (shuffled) => {
          expect(analyse(asMt940(shuffled)).balance_proof.status).toBe('proved');
        },
      ),
      { numRuns: 100 },
    );
  });
});
