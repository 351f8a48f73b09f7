import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { anyCharacter } from '../../test/harness/any-character.ts';
import { compareCodePoints, fold } from './fold.ts';

test('folds the vectors of the contract', () => {
  for (const [text, folded] of [
    ['Crème  BRÛLÉE', 'creme brulee'],
    ['Straße', 'strasse'],
    ['ŁÓDŹ', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ＡＢＣ', 'abc'],
    ['McDonald’s', "mcdonald's"],
    ['Æther Œuvre Ø đ Ð Þórr ħ ı ẞ', 'aether oeuvre o d d thorr h i ss'],
    ['“a” ‐ ‑ – —', '"a" - - - -'],
    [' \t a\u00a0\u2003b\n', 'a b'],
    ['', ''],
    ['  ', ''],
  ] as const) {
    expect([text, fold(text)]).toEqual([text, folded]);
  }
});

test('gives plain text in lower case, without marks or outer space', () => {
  // oxlint-disable-next-line no-misleading-character-class -- ranges that hold marks and nothing else
  const marks = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/;
  assert(
    property(string({ unit: anyCharacter }), (text) => {
      const folded = fold(text);
      expect(folded).toBe(folded.trim());
      expect(folded).not.toMatch(/[A-Z]|\s\s|[ßæœøđłþ’“”—]/);
      expect(folded).not.toMatch(marks);
    }),
  );
  assert(
    property(string({ unit: 'binary-ascii' }), (text) => {
      expect(fold(text)).toBe(text.toLowerCase().replace(/\s+/g, ' ').trim());
    }),
  );
});

test('composed and decomposed spellings fold alike', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
    }),
  );
});

test('texts are ordered code point by code point, as their UTF-8 bytes are', () => {
  expect(compareCodePoints('\u{1f600}', '\uffee')).toBeGreaterThan(0);
  assert(
    property(string({ unit: anyCharacter }), string({ unit: anyCharacter }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
