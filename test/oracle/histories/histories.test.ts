import { expect, test } from 'vitest';

import { bankHistory } from './bank-history.ts';
import { judgedHistory, type Judged } from './judged-history.ts';

const HISTORIES = 150;
const SEED = 1_000_000;

const judged = Array.from({ length: HISTORIES }, (_, number) => {
  const history = bankHistory(SEED + number);
  return { ...judgedHistory(history), bank: history.bank };
});

function sumOf(key: keyof Judged, list: readonly Judged[] = judged): number {
  return list.reduce((sum, one) => sum + one[key], 0);
}

test('no row takes the values of another, and all files once more change nothing', () => {
  expect(sumOf('rows')).toBeGreaterThan(10_000);
  expect({ overwritten: sumOf('overwritten'), restless: sumOf('restless') }).toEqual({ overwritten: 0, restless: 0 });
});

test('hardly a row is doubled or dropped without a word', () => {
  expect(sumOf('silent')).toBeLessThanOrEqual(sumOf('rows') / 10_000);
});

test('of the exports of a bank that changes nothing hardly any names a row', () => {
  const quiet = judged.filter(
    ({ bank }) => bank.change === 'nothing' && (bank.ids === 'stable' || bank.ids === 'none'),
  );
  expect(sumOf('namedFiles', quiet)).toBeLessThanOrEqual(sumOf('files', quiet) / 25);
  expect(sumOf('namedFiles')).toBeLessThanOrEqual(sumOf('files') / 10);
});
