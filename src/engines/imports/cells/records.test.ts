import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { detectEncoding } from '../bytes/encoding.ts';
import { RecordReader } from './records.ts';

function readAll(text: string, delimiter = ','): { line: number; cells: string[] }[] {
  const reader = new RecordReader(detectEncoding(new TextEncoder().encode(text), 'utf-8').source, delimiter);
  const out: { line: number; cells: string[] }[] = [];
  while (reader.next()) out.push({ line: reader.line, cells: reader.cells() });
  return out;
}

describe('the record reader', () => {
  test.each([
    [
      'a,b\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a,b\rc,d\r',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a\n\nb',
      [
        [1, 'a'],
        [2, ''],
        [3, 'b'],
      ],
    ],
    [' a , b ', [[1, 'a', 'b']]],
    ['"a""b", "c,d"', [[1, 'a"b', 'c,d']]],
    ['"a"tail,b', [[1, 'atail', 'b']]],
    ['a"b,c', [[1, 'a"b', 'c']]],
    [
      '"x\ny\r\nz",1\nnext,2',
      [
        [1, 'x\ny\r\nz', '1'],
        [4, 'next', '2'],
      ],
    ],
    [
      '"open,1\nb,2',
      [
        [1, '"open', '1'],
        [2, 'b', '2'],
      ],
    ],
    ['"",""', [[1, '', '']]],
  ] as const)('%j', (text, expected) => {
    expect(readAll(text)).toEqual(expected.map(([line, ...cells]) => ({ line, cells })));
  });

  test('a quoted field of 64 KiB takes its quote literally and is reported', () => {
    const text = `"open,1\n${'x,2\n'.repeat(30_000)}last,"3"`;
    const reader = new RecordReader(detectEncoding(new TextEncoder().encode(text), 'utf-8').source, ',');
    const lines: number[] = [];
    while (reader.next()) lines.push(reader.line);
    expect(lines).toHaveLength(30_002);
    expect(lines.at(-1)).toBe(30_002);
    expect(reader.unbalancedLines).toEqual([1]);
  });

  test('one endless line is refused early', () => {
    const bytes = new Uint8Array(20_000_000).fill(0x61);
    const reader = new RecordReader({ bytes, label: 'utf-8', start: 0, end: bytes.length }, ',');
    expect(() => reader.next()).toThrow(/64 KiB|1 MiB/);
  });

  test('any table written with quotes reads back, across chunk borders', () => {
    const cell = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ';', '€', ' x') });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.nat(40),
        (rows, padding) => {
          const first = ['p'.repeat(131_072 - padding)].map(
            (text) => text.match(/.{1,60000}/g) as string[],
          )[0] as string[];
          const table = [first, ...rows];
          const text = table
            .map((cells) => cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
            .join('\n');
          expect(readAll(text).map((record) => record.cells)).toEqual(table);
        },
      ),
      { numRuns: 40 },
    );
  });
});
