import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from '../csv.ts';
import { splitDecimals } from './split-decimals.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

describe('decimal commas without quotes in a file separated by commas', () => {
  test('the halves of an amount are one amount, with thousands or without', () => {
    const file = `Date,Description,Amount
15/09/2026,Shop,-12,50
16/09/2026,"Rent, September",-1.500,00
17/09/2026,Pay,2000,25
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-09-15 12.50 - Shop',
      '2026-09-16 1500.00 - Rent, September',
      '2026-09-17 -2000.25 - Pay',
    ]);
  });

  test('an amount before the description does not push it away', () => {
    const file = `Date,Amount,Description
15/09/2026,-12,50,Shop
16/09/2026,-1500,00,Rent
17/09/2026,2000,25,Pay
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-09-15 12.50 - Shop',
      '2026-09-16 1500.00 - Rent',
      '2026-09-17 -2000.25 - Pay',
    ]);
  });

  test('debits and credits stay in their columns, which the balances prove', () => {
    const file = `Date,Description,Debit,Credit,Balance
15/09/2026,Shop,12,50,,987,50
16/09/2026,Pay,,2000,25,2987,75
17/09/2026,Rent,1500,00,,1487,75
`;
    const bytes = new TextEncoder().encode(file);
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-09-15 12.50 - Shop',
      '2026-09-16 -2000.25 - Pay',
      '2026-09-17 1500.00 - Rent',
    ]);
    expect(analyseCsv(bytes, {}, CONTEXT).balance_proof.status).toBe('proved');
  });

  test('a row whose halves go together in two ways is refused with its line', () => {
    const pairs = Array.from({ length: 9 }, (_, at) => `1${at}/09/2026,Shop,-2,50,${1000 - at},75`);
    const file = ['Date,Description,Amount,Balance', ...pairs, '20/09/2026,Shop,-12,50,98'].join('\n');
    const rows = [...analyseCsv(new TextEncoder().encode(file), {}, CONTEXT).rows()];
    const refused = rows.filter(({ outcome }) => outcome !== 'row');
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([[11, 'FIELD_COUNT']]);
  });

  test('values of columns without a name are not taken for decimals', () => {
    const file = `Date,Description,Amount
15/09/2026,Shop,-12.50,17
16/09/2026,Rent,-1500.00,17
`;
    expect(readingOf(file, 'utf-8')).toEqual(['2026-09-15 12.50 - Shop', '2026-09-16 1500.00 - Rent']);
  });

  test('a wide row of which many ways fall short is looked at in no time', () => {
    const names = ['Date', ...Array.from({ length: 60 }, () => 'Amount'), 'Description'].join(',');
    const row = ['2026-09-15', ...Array.from({ length: 90 }, () => '12'), 'Shop'].join(',');
    const start = performance.now();
    expect(splitDecimals([names, row, row])).toBe(null);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
