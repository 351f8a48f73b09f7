import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { TagReader } from './ofx-tags.ts';

interface Read {
  kind: string;
  name: string;
  value: string;
  line: number;
}

/** All tags of a text that comes in these pieces, or what it is refused with. */
function tagsOf(pieces: readonly string[]): Read[] | string {
  const reader = new TagReader(
    () => pieces,
    (name) => name === 'STMTTRN',
  );
  const tags: Read[] = [];
  try {
    while (reader.next()) tags.push({ kind: reader.kind, name: reader.name, value: reader.value, line: reader.line() });
  } catch (error) {
    return (error as Error).message;
  }
  return tags;
}

/** The text cut at each of these places. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((from, i) => text.slice(from, ends[i] ?? text.length));
}

const PARTS = [
  '<STMTTRN>',
  '</STMTTRN>\r\n',
  '<NAME>AT&amp;amp;T &#228; &l',
  't;</NAME>\r',
  '<MEMO>first\nsecond',
  '<TRNAMT>-3.50\n',
  '<ns:FITID a="b">A<B</ns:FITID>',
  '<EMPTY/>',
  '<!-- a <STMTTRN> in a comment -->',
  '<MEMO><![CDATA[ 1 < 2 ]]></MEMO>',
  '<?ofx version="2"?>',
  ' 1 < 2 <',
  `<MEMO>${'x '.repeat(1_500)}`,
  `<!--${'-'.repeat(3_000)}-->`,
  'plain text\n',
];
const ODD = ['<!DOCTYPE a>', '<!-- no end', '<![CDATA[ no end', `<MEMO>${'y'.repeat(70_000)}`, '<NAME', '<MEMO a="'];

describe('the tags of a text are the same in whatever pieces it comes', () => {
  const text = fc.tuple(
    fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }),
    fc.option(fc.constantFrom(...ODD), { nil: '' }),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 3 }),
  );
  test('cut anywhere', () => {
    const property = fc.property(text, fc.array(fc.nat(200_000), { maxLength: 60 }), ([a, odd, b], places) => {
      const whole = [...a, odd, ...b].join('');
      expect(tagsOf(cut(whole, places))).toEqual(tagsOf([whole]));
    });
    fc.assert(property, { numRuns: 400 });
  });

  test('character by character', () => {
    for (const odd of ['', ...ODD]) {
      const whole = `${PARTS.join('')}${odd}${PARTS.join('')}`;
      expect(tagsOf([...whole])).toEqual(tagsOf([whole]));
    }
  });
});

test('lines are counted from the beginning of the file, whatever ends them', () => {
  const text = `a\r\nb\rc\n${'\r\n'.repeat(5_000)}<NAME>x\r\n<MEMO>y`;
  const lines = [
    ['NAME', 5_004],
    ['MEMO', 5_005],
  ];
  for (const pieces of [[text], cut(text, [2, 3, 4, 9, 4_000, 8_001, 10_004])]) {
    const read = tagsOf(pieces);
    expect(Array.isArray(read) && read.map(({ name, line }) => [name, line])).toEqual(lines);
  }
});

test('a megabyte without a tag is refused as a value before the rest is read', () => {
  let given = 0;
  function* pieces(): Generator<string, void, undefined> {
    yield '<MEMO>';
    for (; given < 1_000; given++) yield 'z'.repeat(65_536);
  }
  const reader = new TagReader(pieces, () => false);
  expect(() => reader.next()).toThrow('longer than 64 KiB');
  expect(given).toBeLessThan(64);
});
