import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';
import type { AnalysedRow, FileAnalysis, ReadOptions } from './analysis.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function analysed(file: string, options: ReadOptions = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(file), options, CONTEXT);
}

function rowsOf(file: string, options: ReadOptions = {}): AnalysedRow[] {
  return [...analysed(file, options).rows()];
}

describe('what a person sees at a glance', () => {
  test.each(['Note', 'Notes', 'Comments', 'Action', 'Aktion', 'Notiz'])('a column named %s describes', (name) => {
    const file = `Date,${name},Amount\n2025-03-01,Corner shop,-12.50\n2025-03-02,Salary March,500.00\n`;
    expect(readingOf(file, 'utf-8')).toEqual(['2025-03-01 12.50 - Corner shop', '2025-03-02 -500.00 - Salary March']);
  });

  test('beside a column of types a note describes, and stays a note beside a description', () => {
    const typed = 'Date,Type,Note,Amount\n2025-03-01,Card,Shop,-12.50\n2025-03-02,Card,Baker,-2.50\n';
    expect(readingOf(typed, 'utf-8')).toEqual(['2025-03-01 12.50 - Shop', '2025-03-02 2.50 - Baker']);
    const both = 'Date,Description,Note,Amount\n2025-03-01,Shop,for Anna,-12.50\n2025-03-02,Baker,for Bob,-2.50\n';
    expect(rowsOf(both).map(({ description, notes }) => [description, notes])).toEqual([
      ['Shop', 'for Anna'],
      ['Baker', 'for Bob'],
    ]);
    const merchant = 'Date,Payee,Note,Amount\n2025-03-01,Shop,for Anna,-12.50\n2025-03-02,Baker,for Bob,-2.50\n';
    expect(rowsOf(merchant).map(({ description, notes }) => [description, notes])).toEqual([
      ['Shop', 'for Anna'],
      ['Baker', 'for Bob'],
    ]);
  });

  test.each([
    ['20250131T120000Z', '12:00:00', '2025-01-31T12:00:00.000Z'],
    ['20250131120000[-5:EST]', '12:00:00', null],
    ['20250131120000.000[+1]', '12:00:00', null],
    ['20250131 233000 +0100', '23:30:00', '2025-01-31T22:30:00.000Z'],
    ['20250131T2330Z', null, null],
    ['20250131 2330', null, null],
  ])('%s is the day as it is written', (cell, time, datetime) => {
    const file = `Date,Description,Amount\n${cell},Shop,-12.50\n${cell},Baker,-2.50\n`;
    const rows = rowsOf(file).map((row) => [row.outcome, row.date, row.time, row.datetime]);
    expect(rows).toEqual([1, 2].map(() => ['row', '2025-01-31', time, datetime]));
  });

  test.each(['20250131256000', '20250131T996000Z', '20250131 1200 Shop', '202501311200', '20251331120000Z'])(
    '%s is not a date',
    (cell) => {
      const file = `Date,Description,Amount\n2025-01-30,Shop,-12.50\n${cell},Baker,-2.50\n`;
      expect(readingOf(file, 'utf-8')).toEqual(['INVALID_ROWS skip_invalid']);
    },
  );

  test('a date "as of" another is the day of posting, and the other the day of the purchase', () => {
    const file = `Run Date,Description,Amount
03/14/2025 as of 03/13/2025,Shop,-12.50
03/04/2025,Baker,-2.50
03/03/2025 as of Mar-1-25,Other,-1.00
`;
    expect(readingOf(file, 'utf-8')).toEqual(['INVALID_ROWS skip_invalid']);
    const rows = rowsOf(file).map(({ date, authorized_date: authorized }) => [date, authorized]);
    expect(rows.slice(0, 2)).toEqual([
      ['2025-03-14', '2025-03-13'],
      ['2025-03-04', null],
    ]);
  });

  test('both dates tell the order of day and month', () => {
    const file =
      'Date,Description,Amount\n03/04/2025 as of 03/01/2025,Shop,-12.50\n03/04/2025 as of 02/27/2025,Baker,-1.00\n';
    expect(rowsOf(file)[0]).toMatchObject({ date: '2025-03-04', authorized_date: '2025-03-01' });
    expect(readingOf(file.replace('02/27', '03/03'), 'utf-8')).toEqual(['AMBIGUOUS_FORMAT date_format']);
  });

  test('CR beyond the header marks money in', () => {
    const shop = '2025-03-01,Shop,12.50';
    const names = 'Date,Description,Amount\n';
    const expected = ['2025-03-01 12.50 - Shop', '2025-03-02 -500.00 - Pay', '2025-03-03 3.00 - Baker'];
    for (const blank of ['', ','])
      expect(
        readingOf(`${names}${shop}${blank}\n2025-03-02,Pay,500.00,CR\n2025-03-03,Baker,3.00${blank}\n`, 'utf-8'),
      ).toEqual(expected);
    const all = `${names}${shop},DR\n2025-03-02,Pay,500.00,CR\n2025-03-03,Baker,3.00,DR\n`;
    expect(readingOf(all, 'utf-8')).toEqual(expected);
  });

  test.each([
    ['only DR', '2025-03-01,Shop,12.50,DR\n2025-03-02,Pay,500.00\n', 'INVALID_ROWS skip_invalid'],
    [
      'some of both',
      '2025-03-01,Shop,12.50,DR\n2025-03-02,Pay,500.00,CR\n2025-03-03,X,1.00\n',
      'INVALID_ROWS skip_invalid',
    ],
    ['another text', '2025-03-01,Shop,12.50\n2025-03-02,Pay,500.00,paid\n', 'INVALID_ROWS skip_invalid'],
  ])('beyond the header, %s is not guessed', (_, rows, refusal) => {
    expect(readingOf(`Date,Description,Amount\n${rows}`, 'utf-8')).toEqual(['AMBIGUOUS_FORMAT sign', refusal]);
  });

  test('a mark on the balance does not belong to the amount', () => {
    const file = `Date,Description,Amount,Balance
2025-03-01,Shop,12.50,100.00,CR
2025-03-02,Pay,500.00,600.00,CR
2025-03-03,Baker,3.00,597.00,CR
`;
    expect(readingOf(file, 'utf-8')).toEqual(['BALANCE_MISMATCH accept_unproved']);
  });
});

describe('amounts in several columns without names', () => {
  const TURNS = '18.09.2023;Market;;33,87\n20.09.2023;Employer;24,00;\n21.09.2023;Baker;;3,10\n';
  const BALANCED =
    '18.09.2023;Market;;33,87;100,00\n20.09.2023;Employer;24,00;;124,00\n21.09.2023;Baker;;3,10;120,90\n';
  const ROWS = ['2023-09-18 33.87 - Market', '2023-09-20 -24.00 - Employer', '2023-09-21 3.10 - Baker'];

  test('two that take turns are asked about, with the rows under each reading', () => {
    const [question] = analysed(TURNS).blockers;
    expect(question).toMatchObject({ code: 'AMBIGUOUS_FORMAT', parameter: 'column_mapping' });
    expect(question?.candidates).toEqual([
      {
        value: '{"debit":2,"credit":3}',
        line: 1,
        raw: '18.09.2023;Market;;33,87',
        read_as: '2023-09-18 33.87 money in; 2023-09-20 24.00 money out; 2023-09-21 3.10 money in',
      },
      {
        value: '{"debit":3,"credit":2}',
        line: 1,
        raw: '18.09.2023;Market;;33,87',
        read_as: '2023-09-18 33.87 money out; 2023-09-20 24.00 money in; 2023-09-21 3.10 money out',
      },
    ]);
  });

  test('the answer is one of the candidates, as it is', () => {
    const answer = { column_mapping: JSON.parse(analysed(TURNS).blockers[0]?.candidates[1]?.value ?? '{}') };
    expect(analysed(TURNS, answer).blockers).toEqual([]);
    expect(rowsOf(TURNS, answer).map((row) => row.amount_cents)).toEqual([3_387, -2_400, 310]);
  });

  test.each([
    ['oldest first', BALANCED, ROWS],
    ['newest first', BALANCED.trim().split('\n').toReversed().join('\n'), ROWS.toReversed()],
    ['with zeros', BALANCED.replaceAll(';;', ';0,00;'), ROWS],
  ])('balances prove one of the readings, %s', (_, file, rows) => {
    expect(readingOf(file, 'utf-8')).toEqual(rows);
    const { detection, warnings } = analysed(file);
    expect(detection.sign).toMatchObject({ confidence: 'assumed', evidence: ['balance_proof', 'default'] });
    expect(warnings.map(({ code }) => code)).toContain('SIGN_ASSUMED');
    expect(analysed(file, { account_type: 'depository' }).warnings.map(({ code }) => code)).not.toContain(
      'SIGN_ASSUMED',
    );
    expect(analysed(file, { refuse_assumptions: true }).blockers[0]).toMatchObject({ parameter: 'column_mapping' });
  });

  test('for a card the same balances prove the other one', () => {
    const rows = rowsOf(BALANCED, { account_type: 'credit' });
    expect(rows.map((row) => row.amount_cents)).toEqual([-3_387, 2_400, -310]);
  });

  test('balances that fit neither reading prove none', () => {
    expect(readingOf(BALANCED.replace('124,00', '125,00'), 'utf-8')[0]).toBe('AMBIGUOUS_FORMAT column_mapping');
  });

  test('several full columns are asked about, unless one is the balance of another', () => {
    const open = '18.09.2023;Market;-33,87;1,50\n20.09.2023;Employer;24,00;2,10\n21.09.2023;Baker;-3,10;3,75\n';
    const values = analysed(open).blockers[0]?.candidates.map(({ value, read_as: read }) => [value, read]);
    expect(values).toEqual([
      ['{"amount":2}', '2023-09-18 33.87; 2023-09-20 24.00; 2023-09-21 3.10'],
      ['{"amount":3}', '2023-09-18 1.50; 2023-09-20 2.10; 2023-09-21 3.75'],
    ]);
    const chained =
      '18.09.2023;Market;-33,87;100,00\n20.09.2023;Employer;24,00;124,00\n21.09.2023;Baker;-3,10;120,90\n';
    expect(readingOf(chained, 'utf-8')).toEqual(ROWS);
  });
});

describe('a letter that is damaged', () => {
  const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
    Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));
  const FILE = bytes(
    'Date,Description,Amount\n2025-03-01,Café Noir,-12.50\n2025-03-02,Bäckerei M',
    0xc3,
    'ller,-2.50\n',
  );
  const read = (file: Uint8Array, options: ReadOptions = {}): FileAnalysis => analyseCsv(file, options, CONTEXT);

  test('leaves the rest of the file UTF-8, and is asked about', () => {
    const { detection, blockers } = read(FILE);
    expect(blockers.map(({ parameter }) => parameter)).toEqual(['encoding']);
    expect(detection.encoding.candidates.map(({ value, line, read_as: shown }) => [value, line, shown])).toEqual([
      ['utf-8', 3, '2025-03-02,Bäckerei M\ufffdller,-2.50'],
      ['windows-1252', 3, '2025-03-02,BÃ¤ckerei MÃller,-2.50'],
      ['windows-1250', 3, '2025-03-02,BĂ¤ckerei MĂller,-2.50'],
    ]);
  });

  test('is shown as such when the answer is UTF-8, with a warning', () => {
    const file = read(FILE, { encoding: 'utf-8' });
    expect(file.blockers).toEqual([]);
    expect([...file.rows()].map(({ description }) => description)).toEqual(['Café Noir', 'Bäckerei M\ufffdller']);
    expect(file.warnings[0]).toMatchObject({ code: 'DAMAGED_CHARACTERS', lines: [3] });
  });

  test('in western text is a western letter', () => {
    const western = bytes('Date,Description,Amount\n2025-03-01,Caf', 0xe9, ' Noir,-12.50\n');
    expect(read(western).detection.encoding).toMatchObject({ value: 'windows-1252', confidence: 'likely' });
    expect(() => read(western, { encoding: 'utf-8' })).toThrow(/cannot be read that way/);
  });

  test('below a UTF-8 byte order mark is asked about too', () => {
    const { detection } = read(bytes('\ufeff', ...FILE));
    expect([detection.encoding.confidence, detection.encoding.value]).toEqual(['ambiguous', 'utf-8']);
  });
});
