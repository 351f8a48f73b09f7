import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { formatCents } from '../../../kernel/money.ts';
import type { FileAnalysis, ReadOptions } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

interface Row {
  day: number;
  /** Change of the balance in hundredths. */
  change: number;
}

interface Line {
  day: number;
  amount: string;
  balance: string;
}

function lines(rows: readonly Row[], opening = 100_000): Line[] {
  let balance = opening;
  return rows.map(({ day, change }) => {
    balance += change;
    return { day, amount: formatCents(change), balance: formatCents(balance) };
  });
}

function table(of: readonly Line[]): string {
  return `Date,Text,Amount,Balance\n${of.map((line) => `2025-01-${String(line.day).padStart(2, '0')},t,${line.amount},${line.balance}\n`).join('')}`;
}

function analyse(content: string, options: ReadOptions = { account_type: 'depository' }): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(content), options, CONTEXT);
}

const GOOD: Row[] = [
  { day: 2, change: -1_234 },
  { day: 3, change: -5_678 },
  { day: 3, change: 90_123 },
  { day: 3, change: -777 },
  { day: 5, change: -1_250 },
  { day: 9, change: -31 },
  { day: 9, change: -4_400 },
];

function changed(edit: (of: Line[]) => void): FileAnalysis {
  const of = lines(GOOD);
  edit(of);
  return analyse(table(of));
}

function firstBreak(file: FileAnalysis): unknown {
  const found = file.balance_proof.results[0]?.first_break;
  return found && [found.line, found.likely_cause, found.difference_cents];
}

describe('a running balance', () => {
  test('proves a good file, whichever way it is sorted', () => {
    const good = lines(GOOD);
    const file = analyse(table(good));
    expect(file.balance_proof).toMatchObject({ status: 'proved', proves_with: [] });
    expect(file.balance_proof.results[0]).toMatchObject({
      opening_cents: 100_000,
      rows_checked: 6,
      rows_total: 7,
      days_checked: 3,
      days_proved: 3,
      break_count: 0,
      balance_is: 'after',
      kind: 'asset',
    });
    expect(file.balance_proof.results[0]?.closings.map((one) => one.date)).toEqual([
      '2025-01-02',
      '2025-01-03',
      '2025-01-05',
      '2025-01-09',
    ]);
    expect(file.detection.sign).toMatchObject({ value: 'positive_is_in', confidence: 'proved' });
    const reversed = analyse(table(good.toReversed()));
    expect(reversed.balance_proof.results).toEqual(file.balance_proof.results);
  });

  test('does not mind the order of rows within a day', () => {
    const of = lines(GOOD);
    const shuffled = [of[0], of[3], of[1], of[2], of[4], of[6], of[5]] as Line[];
    expect(analyse(table(shuffled)).balance_proof).toMatchObject({ status: 'proved' });
  });

  test.each<[string, (of: Line[]) => void, [number, string, number]]>([
    ['a missing row', (of) => of.splice(4, 1), [6, 'missing_row', -1_250]],
    ['a doubled row', (of) => of.splice(4, 0, { ...(of[4] as Line) }), [7, 'doubled_row', 1_250]],
    ['a flipped sign', (of) => ((of[4] as Line).amount = '12.50'), [6, 'flipped_sign', -2_500]],
    ['a misplaced decimal', (of) => ((of[4] as Line).amount = '-1250'), [6, 'wrong_decimal', 123_750]],
    ['a mistyped balance', (of) => ((of[4] as Line).balance = '1817.84'), [6, 'wrong_balance', 0]],
  ])('%s breaks it with its cause', (_, edit, [line, cause, difference]) => {
    const file = changed(edit);
    expect(file.balance_proof.status).toBe('broken');
    expect(file.blockers.map((blocker) => blocker.code)).toEqual(['BALANCE_MISMATCH']);
    const [foundLine, foundCause, foundDifference] = firstBreak(file) as [number, string, number];
    expect([foundLine, foundCause]).toEqual([line, cause]);
    if (difference !== 0) expect(foundDifference).toBe(difference);
  });

  test('accept_unproved lets it pass with a warning', () => {
    const of = lines(GOOD);
    of.splice(4, 1);
    const file = analyse(table(of), { account_type: 'depository', accept_unproved: true });
    expect([file.blockers, file.balance_proof.status]).toEqual([[], 'broken']);
    expect(file.warnings.map((warning) => warning.code)).toContain('PROOF_OVERRIDDEN');
  });

  test('a wrong sign of the caller is answered with the right one', () => {
    const file = analyse(table(lines(GOOD)), { sign: 'positive_is_out', account_type: 'depository' });
    expect(file.balance_proof).toMatchObject({
      status: 'broken',
      proves_with: [{ parameter: 'sign', value: 'positive_is_in' }],
    });
    expect(file.warnings.map((warning) => warning.code)).toContain('SIGN_CONTRADICTS_BALANCE');
  });

  test('a card with owed balances and positive purchases proves as debt', () => {
    const file = analyse(
      table(
        lines(
          [
            { day: 2, change: 2_000 },
            { day: 3, change: 3_500 },
            { day: 4, change: -5_000 },
          ],
          10_000,
        ),
      ),
      { account_type: 'credit' },
    );
    expect(file.balance_proof.results[0]).toMatchObject({ status: 'proved', kind: 'debt' });
    expect(file.detection.sign).toMatchObject({ value: 'positive_is_out', confidence: 'proved' });
  });

  test('for an unknown account the proof alone is an assumption, with words it is proved, against words it is asked', () => {
    const plain = analyse(table(lines(GOOD)), {});
    expect(plain.detection.sign).toMatchObject({ value: 'positive_is_in', confidence: 'assumed' });
    const withTypes = (out: string, into: string): FileAnalysis =>
      analyse(
        `Date,Text,Amount,Balance,Type\n${lines(GOOD)
          .map(
            (line) =>
              `2025-01-0${line.day},t,${line.amount},${line.balance},${line.amount.startsWith('-') ? out : into}\n`,
          )
          .join('')}`,
        {},
      );
    expect(withTypes('Withdrawal', 'Deposit').detection.sign).toMatchObject({
      value: 'positive_is_in',
      confidence: 'proved',
    });
    const against = withTypes('Refund', 'Purchase');
    expect(against.detection.sign.confidence).toBe('ambiguous');
    expect(against.blockers[0]?.details.map(({ path }) => path)).toEqual(['sign', 'account_type']);
  });

  test('balances on the last row of a day only are enough', () => {
    const of = lines(GOOD).map((line, i, all) => (all[i + 1]?.day === line.day ? { ...line, balance: '' } : line));
    expect(analyse(table(of)).balance_proof).toMatchObject({ status: 'proved' });
    (of[1] as Line).amount = '-56.79';
    expect(firstBreak(analyse(table(of)))).toEqual([5, 'missing_row', 1]);
  });

  test('a balance before the row is noticed', () => {
    let balance = 50_000;
    const of = GOOD.map(({ day, change }) => {
      const line = { day, amount: formatCents(change), balance: formatCents(balance) };
      balance += change;
      return line;
    });
    expect(analyse(table(of)).balance_proof.results[0]).toMatchObject({
      status: 'proved',
      balance_is: 'before',
      opening_cents: 50_000,
      closing_cents: balance,
    });
  });

  test('an opening row is where the chain begins', () => {
    const content = table(lines(GOOD)).replace('Balance\n', 'Balance\n2025-01-01,Opening balance,,1000.00\n');
    const file = analyse(content);
    expect(file.balance_proof.results[0]).toMatchObject({ status: 'proved', rows_checked: 7, opening_cents: 100_000 });
    expect(analyse(content.replace('1000.00', '1000.01')).balance_proof.status).toBe('broken');
  });

  test('a row that cannot be read breaks the chain', () => {
    const content = table(lines(GOOD)).replace('-12.50', 'n/a 5');
    const file = analyse(content, { account_type: 'depository', skip_invalid: true });
    expect(file.blockers.map((blocker) => blocker.code)).toEqual(['BALANCE_MISMATCH']);
  });

  test('pending rows take no part', () => {
    const of = lines(GOOD);
    const content = `Date,Text,Amount,Balance,Status\n${of.map((line) => `2025-01-0${line.day},t,${line.amount},${line.balance},posted\n`).join('')}2025-01-09,p,-5.00,,pending\n`;
    expect(analyse(content).balance_proof).toMatchObject({ status: 'proved' });
  });

  test('accounts and currencies are proved on their own', () => {
    const a = lines(GOOD);
    const b = lines(GOOD, 5_000);
    const both = a.flatMap((line, i) => [
      `2025-01-0${line.day},t,${line.amount},${line.balance},EUR`,
      `2025-01-0${line.day},t,${(b[i] as Line).amount},${(b[i] as Line).balance},USD`,
    ]);
    const file = analyse(`Date,Text,Amount,Balance,Currency\n${both.join('\n')}\n`);
    expect(file.balance_proof.results.map((one) => [one.iso_currency_code, one.status])).toEqual([
      ['EUR', 'proved'],
      ['USD', 'proved'],
    ]);
  });
});

describe('any good file with one mistake', () => {
  const row = fc.record({
    day: fc.integer({ min: 1, max: 28 }),
    change: fc.integer({ min: -99_999, max: 99_999 }).filter((cents) => cents % 10 !== 0),
  });
  const goodRows = fc
    .array(row, { minLength: 4, maxLength: 25 })
    .map((rows) => rows.toSorted((a, b) => a.day - b.day))
    .filter((rows) => new Set(rows.map(({ change }) => Math.abs(change))).size === rows.length && balancesDiffer(rows));
  const inner = fc
    .record({ rows: goodRows, at: fc.nat() })
    .map(({ rows, at }) => ({ of: lines(rows), rows, i: 1 + (at % (rows.length - 2)) }));

  function balancesDiffer(rows: readonly Row[]): boolean {
    const seen = new Set(lines(rows).map((line) => line.balance));
    return seen.size === rows.length && !seen.has('1000.00');
  }

  // The sign is sent: a broken file of a few rows with one sign only could not tell it.
  const read = (of: readonly Line[]): FileAnalysis =>
    analyse(table(of), { account_type: 'depository', sign: 'positive_is_in' });
  const status = (of: readonly Line[]): string => read(of).balance_proof.status;
  const cause = (of: readonly Line[]): string | undefined =>
    read(of).balance_proof.results[0]?.first_break?.likely_cause;

  test('is proved without the mistake, also newest first', () => {
    fc.assert(
      fc.property(inner, ({ of }) => status(of) === 'proved' && status(of.toReversed()) === 'proved'),
      { numRuns: 60 },
    );
  });

  test('is broken by a removed row: the difference is what is missing', () => {
    fc.assert(
      fc.property(inner, ({ of, rows, i }) => {
        // What is missing equals twice the next amount: the file reads as well with that one's sign flipped.
        fc.pre(rows[i]?.change !== -2 * (rows[i + 1]?.change ?? 0));
        const file = read(of.toSpliced(i, 1));
        expect(file.balance_proof.status).toBe('broken');
        const found = file.balance_proof.results[0]?.first_break;
        expect([found?.likely_cause, found?.difference_cents, found?.line]).toEqual([
          'missing_row',
          rows[i]?.change,
          i + 2,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test('is broken by a doubled row', () => {
    fc.assert(
      fc.property(inner, ({ of, i }) => {
        const twice = of.toSpliced(i, 0, { ...(of[i] as Line) });
        expect([status(twice), cause(twice)]).toEqual(['broken', 'doubled_row']);
      }),
      { numRuns: 60 },
    );
  });

  test('is broken by a flipped sign', () => {
    fc.assert(
      fc.property(inner, ({ of, rows, i }) => {
        const flipped = of.with(i, { ...(of[i] as Line), amount: formatCents(-(rows[i] as Row).change) });
        expect([status(flipped), cause(flipped)]).toEqual(['broken', 'flipped_sign']);
      }),
      { numRuns: 60 },
    );
  });

  test('is broken by a misplaced decimal', () => {
    fc.assert(
      fc.property(inner, ({ of, rows, i }) => {
        const moved = of.with(i, { ...(of[i] as Line), amount: formatCents((rows[i] as Row).change * 100) });
        expect([status(moved), cause(moved)]).toEqual(['broken', 'wrong_decimal']);
      }),
      { numRuns: 60 },
    );
  });

  test('is broken by a mistyped balance', () => {
    fc.assert(
      fc.property(inner, fc.integer({ min: 50_000_000, max: 90_000_000 }), ({ of, i }, error) => {
        const line = of[i] as Line;
        const wrong = of.with(i, { ...line, balance: formatCents(Math.round(Number(line.balance) * 100) + error) });
        expect([status(wrong), cause(wrong)]).toEqual(['broken', 'wrong_balance']);
      }),
      { numRuns: 60 },
    );
  });
});
