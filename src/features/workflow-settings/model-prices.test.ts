import fc from 'fast-check';
import { expect, test } from 'vitest';

import { costOf, priceIn, SHIPPED_MODELS } from './model-prices.ts';

const tokens = fc.integer({ min: 0, max: 1_000_000_000 });
const micros = fc.integer({ min: 0, max: 10_000_000_000 });

test('a cost is exact to the millionth, rounded half up', () => {
  const usage = fc.record({ input: tokens, output: tokens, cacheRead: tokens, cacheCreation: tokens });
  const price = fc.record({ input: micros, output: micros, cacheRead: micros, cacheWrite: micros });
  fc.assert(
    fc.property(usage, price, (used, per) => {
      const cost = BigInt(costOf(used, per));
      const exact =
        BigInt(used.input) * BigInt(per.input) +
        BigInt(used.output) * BigInt(per.output) +
        BigInt(used.cacheRead) * BigInt(per.cacheRead) +
        BigInt(used.cacheCreation) * BigInt(per.cacheWrite);
      // At most half a millionth below the exact value, and less than that above it.
      const off = exact - cost * 1_000_000n;
      if (cost < BigInt(Number.MAX_SAFE_INTEGER)) expect(off >= -500_000n && off < 500_000n).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('half a millionth is rounded up', () => {
  const price = { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 };
  const usage = { output: 0, cacheRead: 0, cacheCreation: 0 };
  expect(costOf({ ...usage, input: 500_000 }, price)).toBe(1);
  expect(costOf({ ...usage, input: 499_999 }, price)).toBe(0);
});

test('each kind of token has its own price, and a cache price that is not set is the input price', () => {
  const usage = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheCreation: 1_000_000 };
  const haiku = priceIn([], SHIPPED_MODELS.fast);
  expect(haiku && costOf(usage, haiku)).toBe(7_350_000);
  const row = {
    model: 'm',
    input_per_mtok: 2,
    output_per_mtok: 3,
    cache_read_per_mtok: null,
    cache_write_per_mtok: null,
  };
  const own = priceIn([row], 'm');
  expect(own && costOf(usage, own)).toBe(9_000_000);
});

test('an own price replaces the shipped one, and an unknown model has none', () => {
  const row = {
    model: SHIPPED_MODELS.deep,
    input_per_mtok: 0,
    output_per_mtok: 0,
    cache_read_per_mtok: 0,
    cache_write_per_mtok: 0,
  };
  expect(priceIn([row], SHIPPED_MODELS.deep)).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  expect(Object.values(SHIPPED_MODELS).map((model) => priceIn([], model) !== null)).toEqual([true, true, true]);
  expect(priceIn([], 'local-model')).toBeNull();
});
