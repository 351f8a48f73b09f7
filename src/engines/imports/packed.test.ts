import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyCharacter } from '../../../test/harness/any-character.ts';
import { mapped, Packed } from './packed.ts';

const entry = fc.record({
  line: fc.nat(),
  text: fc.string({ unit: anyCharacter }),
  cents: fc.option(fc.maxSafeInteger(), { nil: null }),
  fields: fc.dictionary(fc.string(), fc.string({ unit: anyCharacter })),
});

test('every pass yields what was put in', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), fc.integer({ min: 1, max: 120 }), (few, times) => {
      const all = Array.from({ length: times }, () => few).flat();
      const packed = new Packed<(typeof all)[number]>();
      for (const one of all) packed.push(one);
      expect(packed).toHaveLength(all.length);
      for (let pass = 0; pass < 2; pass++) expect(plain([...packed])).toEqual(plain(all));
      const lines = mapped(packed, ({ line }) => line + 1);
      expect([lines.length, [...lines]]).toEqual([all.length, all.map(({ line }) => line + 1)]);
    }),
  );
});

test('changing a value that came out changes no other copy', () => {
  const packed = new Packed<{ text: string }>();
  packed.push({ text: 'as it was' });
  for (const one of packed) one.text = 'changed';
  packed.push({ text: 'later' });
  expect([...packed].map(({ text }) => text)).toEqual(['as it was', 'later']);
});

/** -0 is 0, and an object without a prototype an ordinary one: neither means anything in a bank file. */
function plain(values: unknown): unknown {
  return JSON.parse(JSON.stringify(values));
}
