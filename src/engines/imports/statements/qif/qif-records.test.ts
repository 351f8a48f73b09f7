import fc from 'fast-check';
import { expect, test } from 'vitest';

import { qifRecords } from './qif-records.ts';

function recordsOf(pieces: readonly string[]): unknown {
  try {
    return [...qifRecords(pieces)];
  } catch (error) {
    return (error as Error).message;
  }
}

const PARTS = [
  '!Type:Bank\r\n',
  'D2026-01-02\r',
  '\n',
  '\r',
  'T-3.50\n',
  '  \t PCOFFEE  AND\r\n',
  '\ufeffMmemo\n',
  'more of it\r\n',
  '^\r\n',
  ' ',
  `M${' '.repeat(70_000)}\n`,
  `M${' '.repeat(70_000)}x\n`,
];

test('the records of a text are the same in whatever pieces it comes', () => {
  const parts = fc.array(fc.constantFrom(...PARTS), { maxLength: 30 });
  const property = fc.property(parts, fc.array(fc.nat(100_000), { maxLength: 40 }), (some, places) => {
    const text = some.join('');
    const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
    const pieces = [0, ...ends].map((from, i) => text.slice(from, ends[i] ?? text.length));
    expect(recordsOf(pieces)).toEqual(recordsOf([text]));
  });
  fc.assert(property, { numRuns: 300 });
});

test('lines are counted as an editor counts them, across the pieces', () => {
  const records = [...qifRecords(['!Type:Bank\r', '\nD1/2/26\r\r\n\nT1\n^\rD', '1/3/26\n', 'T2'])];
  expect(records.map(({ line, fields }) => [line, fields])).toEqual([
    [
      2,
      [
        ['D', '1/2/26'],
        ['T', '1'],
      ],
    ],
    [
      7,
      [
        ['D', '1/3/26'],
        ['T', '2'],
      ],
    ],
  ]);
});
