import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { anyCharacter } from '../../test/harness/any-character.ts';
import { fold } from './fold.ts';
import { areSimilar } from '../../test/harness/ledgers/similarity.ts';
import { paddedRuns, trigramsOf } from './trigrams.ts';

test('finds the vectors of the contract', () => {
  for (const [term, text, shared, all, similar] of [
    ['starbuks', 'Starbucks Coffee', 7, 19, true],
    ['netflx', 'NETFLIX.COM', 5, 14, true],
    ['wholefoods', 'Whole Foods Market', 9, 21, true],
    ['groceries', 'Grocery Outlet', 6, 19, true],
    ['amazon', 'AMZN MKTP US*2X4', 2, 22, false],
    ['coffee', 'SQ *BLUE BOTTLE COFFEE OAKLAND CA 0423', 7, 36, false],
  ] as const) {
    const [a, b] = [trigramsOf(fold(term)), trigramsOf(fold(text))];
    expect([term, a.intersection(b).size, a.union(b).size]).toEqual([term, shared, all]);
    expect([term, areSimilar(a, b), areSimilar(b, a)]).toEqual([term, similar, similar]);
  }
});

test('nothing is similar to a text without letters and digits', () => {
  expect(trigramsOf('%_*').size).toBe(0);
  expect(areSimilar(trigramsOf('%'), trigramsOf('%'))).toBe(false);
  expect(areSimilar(trigramsOf('a'), trigramsOf('%'))).toBe(false);
});

test('letters of any alphabet count as one character each', () => {
  expect([...trigramsOf('é')]).toEqual(['  é', ' é ']);
  expect([...trigramsOf('𐐀b')]).toEqual(['  𐐀', ' 𐐀b', '𐐀b ']);
});

test('a text is similar to itself, and similarity is symmetric', () => {
  assert(
    property(string({ unit: anyCharacter }), string({ unit: anyCharacter }), (first, second) => {
      const [a, b] = [trigramsOf(fold(first)), trigramsOf(fold(second))];
      expect(areSimilar(a, a)).toBe(a.size > 0);
      expect(areSimilar(a, b)).toBe(areSimilar(b, a));
      expect(areSimilar(a, b)).toBe(a.intersection(b).size > 0 && a.intersection(b).size / a.union(b).size >= 0.3);
    }),
  );
});

test('the padded runs hold every trigram as a substring', () => {
  assert(
    property(string({ unit: anyCharacter }), (text) => {
      const padded = paddedRuns(fold(text));
      for (const trigram of trigramsOf(fold(text))) expect(padded).toContain(trigram);
    }),
  );
});
