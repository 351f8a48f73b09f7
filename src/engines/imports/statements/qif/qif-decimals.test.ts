import { expect, test } from 'vitest';

import type { StatementFile } from '../statement.ts';
import { readQif } from './qif.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function read(...records: readonly string[]): StatementFile {
  const text = records.map((record) => `D31/12/2024\n${record}\n^\n`).join('');
  return readQif(new TextEncoder().encode(`!Type:Bank\n${text}`), {}, CONTEXT);
}

test('a separator that nothing shows is a question with both readings', () => {
  const file = read('T50', 'T-1.500');
  expect(file.decimal_separator).toMatchObject({
    confidence: 'ambiguous',
    candidates: [
      { value: '.', line: 5, raw: '-1.500', read_as: '-1.50' },
      { value: ',', line: 5, raw: '-1.500', read_as: '-1500.00' },
    ],
  });
  expect([...(file.statements[0]?.entries ?? [])].map(({ amount_cents: cents }) => cents)).toEqual([-5000, 150]);
});

test('where other amounts have a point and a comma before the cents, it is a cell that cannot be read', () => {
  const file = read('T-1.500\nSFood\n$-12,50\nSFuel\n$-1.20');
  expect(file.decimal_separator).toBeUndefined();
  expect([...(file.statements[0]?.entries ?? [])]).toMatchObject([{ outcome: 'invalid', reason: 'AMOUNT_INVALID' }]);
});
