import { describe, expect, test } from 'vitest';

import type { AnalysedRow, FileAnalysis, ReadOptions } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function analyse(lines: readonly string[], options: ReadOptions = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(lines.join('\n')), options, CONTEXT);
}

function rows(file: FileAnalysis): AnalysedRow[] {
  return [...file.rows()].filter(({ outcome }) => outcome === 'row');
}

function questions({ blockers }: FileAnalysis): string[] {
  return blockers.map(({ code, parameter }) => `${code} ${parameter}`);
}

describe('files that were read wrong without a question', () => {
  test('a list of purchases with one refund by its type, and no minus: asked, and the words may be sorted', () => {
    const kinds = ['Purchase', 'Fee', 'Purchase', 'Purchase', 'Fee', 'Purchase', 'Fee', 'Purchase', 'Purchase', 'Fee'];
    const file = [
      'Date,Type,Description,Amount',
      ...[...kinds, 'Rebate'].map((kind, i) => `2025-03-${13 + i},${kind},Shop ${i},1${i}.50`),
    ];
    const asked = analyse(file);
    expect(questions(asked)).toEqual(['AMBIGUOUS_FORMAT sign']);
    expect(asked.blockers[0]?.details.map(({ path }) => path)).toContain('direction_values');
    const read = rows(analyse(file, { direction_values: { out: ['Purchase', 'Fee'], in: ['Rebate'] } }));
    expect(read.map(({ amount_cents: cents }) => Math.sign(cents ?? 0))).toEqual([...kinds.map(() => 1), -1]);
  });

  test('a rent on the 5th of each month is not a week of May', () => {
    const dates = ['07/05/2024', '08/05/2024', '09/05/2024', '10/05/2024', '11/05/2024'];
    const file = ['Date,Description,Amount', ...dates.map((date) => `${date},Rent,-800.00`)];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT date_format']);
  });

  test('without column names, money out and money in that take turns with a zero are two columns', () => {
    const file = ['28.01.25;Shop A;-8577;0', '22.01.25;Shop B;0;8250', '21.01.25;Shop C;-30;0', '20.01.25;D;0;45'];
    const [question] = analyse(file).blockers;
    expect(question?.parameter).toBe('column_mapping');
    expect(question?.candidates.map(({ value }) => value)).toContain('{"debit":2,"credit":3}');
  });

  test('a column of states is known by its words, under any name and under none', () => {
    const body = ['2025-01-13,Shop A,-12.50,Posted', '2025-01-14,Shop B,-7.20,Declined', '2025-01-15,C,-3.10,Pending'];
    for (const file of [body, ['Date,Description,Amount,Progress', ...body]])
      expect(rows(analyse(file)).map(({ amount_cents: cents }) => cents)).toEqual([1_250]);
  });

  test('several currencies in a column without a name are read', () => {
    const file = ['13.01.2025;-10,00;GBP;Shop A', '14.01.2025;-6,50;SEK;Shop B', '15.01.2025;20,10;SEK;Shop C'];
    expect(rows(analyse(file)).map(({ iso_currency_code: code }) => code)).toEqual(['GBP', 'SEK', 'SEK']);
  });

  test('money in that cannot be read makes its rows unreadable, never zero', () => {
    const file = ['Date,Description,Debit,Credit', '2025-01-13,A,0.00,2Ê378.81', '2025-01-14,B,12.00,0.00'];
    expect(rows(analyse(file)).some(({ amount_cents: cents }) => cents === 0)).toBe(false);
    expect(questions(analyse(file))).toEqual(['INVALID_ROWS skip_invalid']);
  });
});

describe('balances that count money owed', () => {
  const card = [
    'Date,Description,Amount,Direction,Balance',
    '2025-01-13,Shop A,10.00,Debit,110.00',
    '2025-01-14,Shop B,25.50,Debit,135.50',
    '2025-01-15,Payment,35.50,Credit,100.00',
  ];

  test('an account of unknown kind: the error names the kind of account', () => {
    const file = analyse(card);
    expect(questions(file)).toEqual(['BALANCE_MISMATCH account_type']);
    expect(file.balance_proof.proves_with).toEqual([{ parameter: 'account_type', value: 'credit' }]);
    expect(analyse(card, { account_type: 'credit' }).blockers).toEqual([]);
  });

  test('a sign that was asked for and given is not refused without a way on', () => {
    const lines = ['2025-01-13,A,10.00,110.00', '2025-01-14,B,25.50,135.50', '2025-01-15,C,4.50,140.00'];
    const file = ['Date,Description,Amount,Balance', ...lines];
    const [blocker] = analyse(file, { sign: 'positive_is_out' }).blockers;
    expect(blocker?.details.map(({ path }) => path)).toEqual(expect.arrayContaining(['sign', 'account_type']));
    expect(analyse(file, { sign: 'positive_is_out', account_type: 'credit' }).blockers).toEqual([]);
  });

  test('opening and closing balances that fit both ways: the error names the other sign and the kind of account', () => {
    const file = [
      'Opening balance;500.00',
      'Closing balance 2025-01-15;465.00',
      'Date;Description;Amount',
      '2025-01-13;A;10.00',
      '2025-01-14;B;-5.00',
      '2025-01-15;C;30.00',
    ];
    const analysis = analyse(file);
    expect(analysis.balance_proof.proves_with).toEqual([{ parameter: 'sign', value: 'positive_is_out' }]);
    expect(analysis.blockers[0]?.details.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['sign', 'account_type']),
    );
    expect(analyse(file, { sign: 'positive_is_out' }).balance_proof.status).toBe('proved');
  });

  test('a card that was overpaid owes less than nothing', () => {
    const overpaid = [card[0] ?? '', '2025-01-13,Payment,300.00,Credit,-200.00', '2025-01-14,Shop,50.00,Debit,-150.00'];
    expect(analyse(overpaid, { account_type: 'credit' }).balance_proof.status).toBe('proved');
  });
});
