import { assert, bigInt, integer, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { anyCharacter } from '../../test/harness/any-character.ts';
import { averageCents, formatCents, MAX_CENTS, parseCents } from './money.ts';

const cents = integer({ min: -MAX_CENTS, max: MAX_CENTS });

test('a formatted amount is parsed to itself', () => {
  assert(
    property(cents, (value) => {
      expect(formatCents(value)).toMatch(/^(0|-?[1-9]\d*|-0)\.\d{2}$/);
      expect(parseCents(formatCents(value))).toBe(value === 0 ? 0 : value);
      expect(parseCents(Number(formatCents(value)))).toBe(value === 0 ? 0 : value);
    }),
  );
});

test('reads plain decimals with at most two places, as text or number', () => {
  for (const [value, read] of [
    ['12.34', 1_234],
    ['-12.5', -1_250],
    ['0', 0],
    ['-0.00', 0],
    ['007', 700],
    [12.34, 1_234],
    [0.1, 10],
    [-0, 0],
    [9_999_999_999.99, MAX_CENTS],
    ['-9999999999.99', -MAX_CENTS],
  ] as const) {
    expect([value, Object.is(parseCents(value), read)]).toEqual([value, true]);
  }
});

test('reads nothing else', () => {
  for (const value of [
    '',
    ' ',
    '1 ',
    '+1',
    '.5',
    '5.',
    '1,5',
    '1.234',
    '1e3',
    '0x10',
    '١',
    'NaN',
    'Infinity',
    '10000000000',
    '--1',
    '1_0',
  ]) {
    expect([value, parseCents(value)]).toEqual([value, undefined]);
  }
  for (const value of [Number.NaN, Infinity, 1e21, 1e-7, 0.1 + 0.2, 1.005, 10_000_000_000]) {
    expect([value, parseCents(value)]).toEqual([value, undefined]);
  }
  assert(
    property(oneof(string(), string({ unit: anyCharacter })), (text) => {
      if (!/^-?\d+(\.\d{1,2})?$/.test(text)) expect(parseCents(text)).toBeUndefined();
    }),
  );
});

test('totals beyond safe integers are written exactly', () => {
  assert(
    property(bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (total) => {
      const [whole = '', places] = formatCents(total).split('.');
      expect(BigInt(`${whole}${places}`)).toBe(total);
    }),
  );
  expect(formatCents(-5n)).toBe('-0.05');
});

test('averages round half away from zero', () => {
  for (const [total, count, average] of [
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [4n, 3n, 1n],
    [0n, 7n, 0n],
    [1n, 3n, 0n],
  ] as const) {
    expect(averageCents(total, count)).toBe(average);
  }
  assert(
    property(bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), bigInt({ min: 1n, max: 10n ** 9n }), (total, count) => {
      const twiceError = 2n * (averageCents(total, count) * count - total);
      expect(twiceError <= count && twiceError >= -count).toBe(true);
      expect(averageCents(-total, count)).toBe(-averageCents(total, count));
    }),
  );
});
