import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isEqualJson } from './json.ts';

test('equal is what has the same text with its keys in order', () => {
  const inOrder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== 'object' || value === null) return value;
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, inOrder(member)]);
  };
  const text = (value: unknown): string => JSON.stringify([Array.isArray(value), inOrder(value)]);
  const small = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(isEqualJson(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      if (text(a) !== text(b)) expect(isEqualJson(a, b)).toBe(false);
    }),
  );
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [null] }, { b: [null], a: 1 }, true],
  [{}, [], false],
  [null, {}, false],
  [undefined, null, false],
  [[1, 2], [2, 1], false],
  [{ a: undefined }, { b: undefined }, false],
  [JSON.parse('{"__proto__":1}'), {}, false],
  ['1', 1, false],
])('%o and %o: %o', (a, b, expected) => {
  expect([isEqualJson(a, b), isEqualJson(b, a)]).toEqual([expected, expected]);
});
