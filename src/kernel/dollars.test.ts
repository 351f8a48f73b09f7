import fc from 'fast-check';
import { expect, test } from 'vitest';

import { dollarsOf, isWholeMicros, microsOf } from './dollars.ts';
import { LIMITS } from './limits.ts';

const MOST = LIMITS.workflowBudgetMicros;
const someMicros = fc.oneof(fc.nat(MOST), fc.nat(2_000_000), fc.integer({ min: MOST - 100, max: MOST }));

test('no millionth is lost between dollars and micros, whichever way', () => {
  fc.assert(
    fc.property(someMicros, (micros) => {
      const written = `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;
      const sent = JSON.parse(written) as number;
      expect(microsOf(sent)).toBe(micros);
      expect(isWholeMicros(sent)).toBe(true);
      expect(dollarsOf(micros)).toBe(sent);
      expect(JSON.parse(JSON.stringify(dollarsOf(micros)))).toBe(sent);
    }),
    { numRuns: 2_000 },
  );
});

test('a seventh decimal is noticed, however small', () => {
  fc.assert(
    fc.property(someMicros, fc.integer({ min: 1, max: 999 }), (micros, rest) => {
      const written = `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;
      expect(isWholeMicros(Number(`${written}${String(rest).padStart(3, '0')}`))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
  for (const odd of [0.1 + 0.2, 1e-7, 0.0000001, 1 / 3, Number.MIN_VALUE]) expect(isWholeMicros(odd)).toBe(false);
});
