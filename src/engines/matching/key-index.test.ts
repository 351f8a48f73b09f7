import fc from 'fast-check';
import { expect, test } from 'vitest';

import { KeyIndex } from './key-index.ts';

test('finds every place of a key, the newest first, however many there are', () => {
  const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 32, maxLength: 32 });
  const key = fc.oneof(fc.constantFrom('a', 'b', '', 'ä'), fc.string({ maxLength: 3 }), hash);
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.nat(100), key, (keys, expected, other) => {
      const index = new KeyIndex(expected);
      for (const [place, one] of keys.entries()) index.add(one, place);
      for (const wanted of new Set([...keys, other])) {
        const found = [...index.placesOf(wanted)].filter((place) => keys[place] === wanted);
        expect(found).toEqual([...keys.keys()].filter((place) => keys[place] === wanted).toReversed());
      }
    }),
  );
});

test('keys that are alike spread over the buckets', () => {
  const index = new KeyIndex(1_000);
  for (let place = 0; place < 1_000; place++) index.add(`key ${place}`, place);
  const looked = Array.from({ length: 1_000 }, (_, place) => [...index.placesOf(`key ${place}`)].length);
  expect(looked.reduce((sum, count) => sum + count, 0)).toBeLessThan(3_000);
});
