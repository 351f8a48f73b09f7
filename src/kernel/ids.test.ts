import { array, assert, constantFrom, integer, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fixedClock } from '../../test/harness/fixed-clock.ts';
import { base62Of32Bytes, createIds, firstUuidAt, isShortId, isUuid, randomBase62 } from './ids.ts';
import { seededRandom, systemRandom } from './random.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('UUIDs', () => {
  test('are version 7 with the time in front', () => {
    const id = createIds(fixedClock('2026-04-26T06:00:00Z'), systemRandom()).uuid();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-04-26T06:00:00Z'));
  });

  test('made at or after an instant do not sort before its first one, those made earlier do', () => {
    const clock = fixedClock('2026-04-26T06:00:00Z');
    const ids = createIds(clock, systemRandom());
    const made = ids.uuid();
    expect(isUuid(firstUuidAt('2026-04-26T06:00:00.000Z'))).toBe(true);
    expect(made >= firstUuidAt('2026-04-26T06:00:00.000Z')).toBe(true);
    expect(made < firstUuidAt('2026-04-26T06:00:00.001Z')).toBe(true);
  });

  test('only grow, even when the clock stands still or goes back', () => {
    assert(
      property(array(integer({ min: -10, max: 10 }), { maxLength: 50 }), (steps) => {
        const clock = fixedClock('2026-04-26T06:00:00Z');
        const ids = createIds(clock, seededRandom(1));
        let last = '';
        for (const step of steps) {
          clock.advance(step);
          const id = ids.uuid();
          expect(id > last && isUuid(id)).toBe(true);
          last = id;
        }
      }),
    );
    const ids = createIds(fixedClock('2026-04-26T06:00:00Z'), seededRandom(1));
    const many = Array.from({ length: 10_000 }, () => ids.uuid());
    expect(many).toEqual([...many].sort());
    expect(new Set(many).size).toBe(many.length);
  });

  test('are lower case with dashes, and nothing else is one', () => {
    for (const bad of [
      '01981F6E-7c1a-7b3e-9a44-2f6d0c5e8b10',
      '01981f6e7c1a7b3e9a442f6d0c5e8b10',
      '',
      '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10\n',
    ]) {
      expect([bad, isUuid(bad)]).toEqual([bad, false]);
    }
  });
});

describe('short ids', () => {
  test('are eight characters of base62', () => {
    const ids = createIds(fixedClock('2026-04-26T06:00:00Z'), systemRandom());
    for (let i = 0; i < 1_000; i++) expect(isShortId(ids.shortId())).toBe(true);
    for (const bad of ['aB3dE5f', 'aB3dE5fG1', 'aB3dE5f-', 'aB3dE5fé', 'aB3dE5fG\n'])
      expect(isShortId(bad)).toBe(false);
  });

  test('take every character equally often: bytes that would favour some are drawn again', () => {
    let next = 0;
    const counting = { bytes: (n: number) => Uint8Array.from({ length: n }, () => next++ % 256) };
    const counts = new Map<string, number>();
    for (const letter of randomBase62(counting, 248 * 10)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect([...counts.keys()].sort().join('')).toBe(ALPHABET);
    expect(new Set(counts.values())).toEqual(new Set([40]));
  });
});

describe('keys', () => {
  test('are 43 characters for any 32 bytes, different for different bytes', () => {
    expect(base62Of32Bytes(new Uint8Array(32))).toBe('0'.repeat(43));
    expect(base62Of32Bytes(Uint8Array.from({ length: 32 }, (_v, i) => (i === 31 ? 61 : 0)))).toBe(`${'0'.repeat(42)}z`);
    const bytes = uint8Array({ minLength: 32, maxLength: 32 });
    assert(
      property(bytes, constantFrom(...Array.from({ length: 32 }, (_v, i) => i)), (some, index) => {
        const text = base62Of32Bytes(some);
        expect(text).toMatch(/^[0-9A-Za-z]{43}$/);
        let value = 0n;
        for (const letter of text) value = value * 62n + BigInt(ALPHABET.indexOf(letter));
        expect(value.toString(16).padStart(64, '0')).toBe(Buffer.from(some).toString('hex'));
        const other = Uint8Array.from(some);
        other[index] = ((other[index] as number) + 1) % 256;
        expect(base62Of32Bytes(other)).not.toBe(text);
      }),
    );
  });
});

describe('randomness', () => {
  test('is never handed out twice', () => {
    const random = systemRandom();
    const seen = new Set<string>();
    for (let i = 0; i < 5_000; i++) seen.add(Buffer.from(random.bytes(16)).toString('hex'));
    expect(seen.size).toBe(5_000);
    expect(random.bytes(100_000)).toHaveLength(100_000);
  });

  test('with a seed is the same every time', () => {
    expect(seededRandom(7).bytes(16)).toEqual(seededRandom(7).bytes(16));
    expect(seededRandom(7).bytes(16)).not.toEqual(seededRandom(8).bytes(16));
  });
});
