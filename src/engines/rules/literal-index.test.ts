import fc from 'fast-check';
import { expect, test } from 'vitest';

import { indexLiterals, type IndexedLiteral } from './literal-index.ts';
import { RULE_LIMITS } from './rule-limits.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), minLength: 1, maxLength: 6 });
const literal: fc.Arbitrary<IndexedLiteral> = fc.record({
  text,
  isWhole: fc.boolean(),
  rule: fc.integer({ min: 0, max: 40 }),
});

test('finds the rules of the literals that occur, and no others', () => {
  fc.assert(
    fc.property(fc.array(literal, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), (literals, parts) => {
      const folded = `${parts.join('')}é${parts.join('a')}`;
      const expected = literals.filter((one) => (one.isWhole ? folded === one.text : folded.includes(one.text)));
      const found = indexLiterals(literals)?.(folded) ?? [];
      expect(new Set(found)).toEqual(new Set(expected.map(({ rule }) => rule)));
      const [whole] = literals.filter(({ isWhole }) => isWhole);
      if (whole) expect(indexLiterals(literals)?.(whole.text)).toContain(whole.rule);
    }),
    { numRuns: 1_000 },
  );
});

test('finds a short literal inside longer ones that do not occur', () => {
  const search = indexLiterals(['abcx', 'bcax', 'c'].map((text, rule) => ({ text, isWhole: false, rule })));
  expect(search?.('abc')).toEqual([2]);
  expect(search?.('abcabcax')).toEqual([2, 1]);
});

test('looks for the beginning of a long literal', () => {
  const search = indexLiterals([{ text: 'a'.repeat(500), isWhole: false, rule: 7 }]);
  expect(search?.('a'.repeat(RULE_LIMITS.literalChars))).toEqual([7]);
  expect(search?.('a'.repeat(RULE_LIMITS.literalChars - 1))).toEqual([]);
});

test('gives up if the index would be too large', () => {
  const many = Array.from({ length: 20_000 }, (_, rule) => ({
    text: `${String.fromCodePoint(0x4e00 + (rule % 5_000))}${rule}`,
    isWhole: false,
    rule,
  }));
  expect(indexLiterals(many)).toBeUndefined();
  expect(indexLiterals(many.map((one) => ({ ...one, isWhole: true })))?.('一0')).toEqual([0]);
});
