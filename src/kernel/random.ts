import { randomFillSync } from 'node:crypto';

/** The only source of randomness. `bytes` fills and returns a fresh array of n random bytes. */
export interface Random {
  bytes(n: number): Uint8Array;
}

const POOL_SIZE = 16_384;

/** The operating system's CSPRNG, read in pools because one call per id would dominate bulk inserts. */
export function systemRandom(): Random {
  const pool = new Uint8Array(POOL_SIZE);
  let used = POOL_SIZE;
  return {
    bytes(n) {
      if (n > POOL_SIZE) return randomFillSync(new Uint8Array(n));
      if (used + n > POOL_SIZE) {
        randomFillSync(pool);
        used = 0;
      }
      const out = pool.slice(used, used + n);
      pool.fill(0, used, used + n);
      used += n;
      return out;
    },
  };
}

/** A deterministic stream (splitmix32) for demo households and tests; never for secrets. */
export function seededRandom(seed: number): Random & { next(): number } {
  let state = seed >>> 0;
  const next32 = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  return {
    bytes(n) {
      const out = new Uint8Array(n);
      for (let i = 0; i < n; i++) out[i] = next32() & 0xff;
      return out;
    },
    /** A float in [0, 1). */
    next: () => next32() / 4_294_967_296,
  };
}
