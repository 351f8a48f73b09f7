import { expect, test } from 'vitest';

import { readQif } from './qif.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function section(account: string, dates: readonly string[]): string {
  const records = dates.map((date) => `D${date}\nT-10.00\nPShop\n^\n`);
  return `!Account\nN${account}\nTBank\n^\n!Type:Bank\n${records.join('')}`;
}

function order(content: string): string {
  const { confidence, value } = readQif(new TextEncoder().encode(content), {}, CONTEXT).date_format;
  return confidence === 'ambiguous' ? confidence : `${confidence} ${String(value)}`;
}

test('a payment on the same day of each month is not taken for the days of one month', () => {
  expect(order(section('Loan', ['03/01/2024', '03/02/2024', '03/03/2024', '03/04/2024']))).toBe('ambiguous');
  expect(order(section('Shop', ['01/02/2025', '01/03/2025', '01/05/2025']))).toMatch(/^likely /);
});

test('accounts that follow each other each begin with their oldest record', () => {
  const months = ['07', '08', '09', '10', '11'];
  const first = section(
    'One',
    months.map((month) => `${month}/06/2024`),
  );
  const second = section(
    'Two',
    months.map((month) => `${month}/11/2024`),
  );
  expect(order(first + second)).toBe('ambiguous');
});
