import fc from 'fast-check';
import { expect, test } from 'vitest';

import { NumberColumn, TextColumn, Words } from './column-store.ts';
import { centsOrNull } from './row-store.ts';

const edges = [0, -0, 1, 127, 128, -128, -129, 32_767, 32_768, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 0.5, Number.NaN];
const cents = fc.oneof(fc.constantFrom(0, 1, 127, 999_999_999_999, -999_999_999_999), fc.maxSafeInteger());

test('a column of numbers holds each as it was set, however wide the others are', () => {
  const writes = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...edges)), { maxLength: 60 });
  fc.assert(
    fc.property(writes, fc.nat(20), (all, expected) => {
      const column = new NumberColumn(expected);
      const model = Array.from({ length: 42 }, () => 0);
      for (const [at, value] of all) {
        column.set(at, value);
        model[at] = value;
      }
      // A zero beyond the end is not stored, nor is its sign.
      for (const [at, value] of model.entries()) expect(column.get(at) + 0).toBe(value + 0);
    }),
  );
});

test('a column of cents tells none from zero', () => {
  const writes = fc.array(fc.tuple(fc.nat(20), fc.option(cents, { nil: null })), { maxLength: 30 });
  fc.assert(
    fc.property(writes, fc.nat(8), (all, expected) => {
      const column = centsOrNull(expected, new Words());
      const model = Array.from({ length: 21 }, (): number | null => null);
      for (const [at, value] of all) {
        column.set(at, value);
        model[at] = value;
      }
      expect(model.map((_, at) => column.get(at))).toEqual(model);
    }),
  );
});

test('a column of texts holds each as it was last set, whatever its letters', () => {
  const text = fc.constantFrom(
    '',
    'TX0001',
    'Übersee',
    '\u00ff',
    '\u0100',
    '\u{1f600}',
    '\ud800',
    'a much longer number: 0123',
  );
  const writes = fc.array(fc.tuple(fc.nat(20), fc.option(text, { nil: null })), { maxLength: 60 });
  fc.assert(
    fc.property(writes, fc.nat(8), (all, expected) => {
      const column = new TextColumn(expected);
      const model = Array.from({ length: 21 }, (): string | null => null);
      for (const [at, value] of all) {
        column.set(at, value);
        model[at] = value;
      }
      expect(model.map((_, at) => column.get(at))).toEqual(model);
    }),
  );
});
