import { createHash } from 'node:crypto';

import { assert, integer, property, string, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decryptRecord, deriveKey, encryptRecord, hmacHex, keyIdOf, sha256Hex } from './crypto.ts';
import { systemRandom } from './random.ts';

const KEY = new Uint8Array(32).fill(7);
const PLACE = 'connections:0198:credentials';
const random = systemRandom();

describe('records', () => {
  test('give back what was put in, and only at their place with their key', () => {
    assert(
      property(string({ unit: 'grapheme' }), uint8Array({ minLength: 32, maxLength: 32 }), (text, key) => {
        const record = encryptRecord(key, PLACE, text, random);
        expect(decryptRecord(key, PLACE, record)).toBe(text);
        for (const place of ['connections:0199:credentials', 'connections:0198:sync_position', `${PLACE} `, '']) {
          expect(decryptRecord(key, place, record)).toBeUndefined();
        }
        const other = Uint8Array.from(key, (byte, index) => (index === 0 ? byte ^ 1 : byte));
        expect(decryptRecord(other, PLACE, record)).toBeUndefined();
      }),
    );
  });

  test('have the layout of the contract', () => {
    const record = Buffer.from(encryptRecord(KEY, PLACE, 'secret', random));
    expect(record[0]).toBe(1);
    expect(record.subarray(1, 5).toString('hex')).toBe(keyIdOf(KEY));
    expect(record.length).toBe(1 + 4 + 12 + 'secret'.length + 16);
    expect(record.includes('secret')).toBe(false);
  });

  test('with any one bit changed, or cut short, fail', () => {
    const record = encryptRecord(KEY, PLACE, 'a secret of some length', random);
    // The key id only tells which key to take, so it is not part of what is authenticated.
    const authenticated = [...record.keys()].filter((index) => index < 1 || index > 4);
    for (const index of authenticated) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Uint8Array.from(record);
        changed[index] = (changed[index] as number) ^ (1 << bit);
        expect([index, bit, decryptRecord(KEY, PLACE, changed)]).toEqual([index, bit, undefined]);
      }
    }
    assert(
      property(integer({ min: 0, max: record.length - 1 }), (length) => {
        expect(decryptRecord(KEY, PLACE, record.slice(0, length))).toBeUndefined();
      }),
    );
    expect(decryptRecord(KEY, PLACE, new Uint8Array(100))).toBeUndefined();
  });

  test('have 10,000 nonces for 10,000 encryptions of one text', () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 10_000; i++) {
      nonces.add(
        Buffer.from(encryptRecord(KEY, PLACE, 'x', random))
          .subarray(5, 17)
          .toString('hex'),
      );
    }
    expect(nonces.size).toBe(10_000);
  });
});

test('keys are derived by HKDF-SHA-256 without salt (RFC 5869, test case 3)', () => {
  const derived = Buffer.from(deriveKey(new Uint8Array(22).fill(0x0b), '')).toString('hex');
  expect(derived).toBe('8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d');
  expect(deriveKey(KEY, 'a')).not.toEqual(deriveKey(KEY, 'b'));
});

test('a key is named by the first 4 bytes of its labelled hash', () => {
  const hash = createHash('sha256').update(Buffer.concat([Buffer.from('homeledger/key-id/v1'), KEY]));
  expect(keyIdOf(KEY)).toBe(hash.digest('hex').slice(0, 8));
});

test('digests', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hmacHex(Buffer.from('key'), 'The quick brown fox jumps over the lazy dog')).toBe(
    'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
  );
});
