import { describe, expect, test } from 'vitest';

import { encoded, readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from '../csv.ts';
import { analyseStatements } from '../statements/analyse-statements.ts';
import { readQif } from '../statements/qif/qif.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };
const ROWS = 'Date,Description,Amount\n2026-01-05,Cafe,-3.50\n2026-01-13,Rent,-800.00\n2026-01-19,Pay,2000.00\n';
const REFUSED = ['INVALID_ROWS skip_invalid'];

describe('a table that ends without a line break', () => {
  test.each(['2026-01-20,Shoes,-1', '2026-01-20,Shoes,-120.', '2026-01-20,Shoes,-120.5', '2026-01-20,Shoes'])(
    'ends amid its last row: %s',
    (last) => {
      expect(readingOf(ROWS + last, 'utf-8')).toEqual(REFUSED);
      const [problem] = analyseCsv(encoded(ROWS + last, 'utf-8'), {}, CONTEXT).problems;
      expect([problem?.line, problem?.message]).toEqual([
        5,
        'the file ends in the middle of this row, as after a broken download; if nothing is missing, add a line break after it',
      ]);
    },
  );

  test.each(['2026-01-20,Shoes,-120.50', '2026-01-20,Shoes,-1\n', '2026-01-20,Shoes,-1\r\n', ''])(
    'may be whole: %j',
    (last) => {
      expect(readingOf(ROWS + last, 'utf-8')[0]).toBe('2026-01-05 3.50 - Cafe');
    },
  );

  test('lacks fields that every other row has', () => {
    const table = 'Date,Amount,Description,Place\n2026-01-05,-3,Cafe,A\n2026-01-13,-8,Rent,B\n2026-01-19,20,Pay,C\n';
    expect(readingOf(`${table}2026-01-20,-1`, 'utf-8')).toEqual(REFUSED);
    expect(readingOf(`${table}2026-01-20,-1,Shoes,D`, 'utf-8')).toHaveLength(4);
    const tabs = `${table}2026-01-20,-1,Shoes`.replaceAll(',', '\t');
    expect(readingOf(tabs, 'utf-8')).toHaveLength(4);
  });

  test('has amounts with other numbers of decimals', () => {
    expect(readingOf(`${ROWS}2026-01-20,Tea,-4\n2026-01-21,Shoes,-1`, 'utf-8')).toHaveLength(5);
    expect(readingOf(`${ROWS}2026-01-20,Tea,-4.5\n2026-01-21,Shoes,-1`, 'utf-8')).toHaveLength(5);
  });
});

describe('a QIF file that ends without a line break', () => {
  const read = (text: string): (string | null)[] => {
    const file = readQif(new TextEncoder().encode(text), {}, CONTEXT);
    return [...analyseStatements(file, {}, CONTEXT).rows()].map(({ outcome, message }) =>
      outcome === 'row' ? 'row' : message,
    );
  };
  const first = '!Type:Bank\nD2026-01-13\nT-3.50\nPCafe\n^\n';

  test('and without the ^ of the others ends amid its last record', () => {
    const cut =
      'the file ends in the middle of this record, as after a broken download; if nothing is missing, add a line break after it';
    expect(read(`${first}D2026-01-14\nT-12`)).toEqual(['row', cut]);
    expect(read(`${first}D2026-01-14\nT-12.50\nPSho`)).toEqual(['row', cut]);
  });

  test('is whole with its ^, with a line break, or where no record has a ^', () => {
    expect(read(`${first}D2026-01-14\nT-12.50\n^`)).toEqual(['row', 'row']);
    expect(read(`${first}D2026-01-14\nT-12.50\n`)).toEqual(['row', 'row']);
    expect(read('!Type:Bank\nD2026-01-14\nT-12.50')).toEqual(['row']);
  });
});
