import fc from 'fast-check';
import { expect, test } from 'vitest';

import { amountOf } from './amounts.ts';
import { calculate } from './arithmetic.ts';

const cents = fc.bigInt({ min: 0n, max: 99_999_999n });

test('reads amounts as people write them', () => {
  for (const [text, amount] of [
    ['12', '12.00'],
    ['12,5', '12.50'],
    ['12.50', '12.50'],
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1.234.567', '1234567.00'],
    ["1'234.50", '1234.50'],
    [',99', '0.99'],
    ['-3', '-3.00'],
    [' 3 * 4,20 ', '12.60'],
    ['12.60/3+1', '5.20'],
    ['10/3', '3.33'],
    ['20/3', '6.67'],
    ['-20/3', '-6.67'],
    ['2*(1+0,5)-1', '2.00'],
    ['10/3*3', '10.00'],
    ['−1 × −2', '2.00'],
  ] as const) {
    expect(calculate(text), text).toBe(amount);
  }
});

test('refuses what is no amount, or could be two', () => {
  const refused = [
    '',
    ' ',
    'abc',
    '1,234',
    '1.234',
    '1.2.3',
    '12,345.6,7',
    '1/0',
    '(1',
    '1)',
    '1+',
    '*2',
    '12 EUR',
    '1e5',
    '.',
    '1.2345',
  ];
  for (const text of [...refused, '10000000000', `${'('.repeat(50)}1${')'.repeat(50)}`]) {
    expect(calculate(text), text).toBeUndefined();
  }
});

test('sums and differences are exact', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('+', '-'), cents), { minLength: 1, maxLength: 20 }), (terms) => {
      const text = terms.map(([sign, value]) => `${sign}${amountOf(value)}`).join('');
      const total = terms.reduce((sum, [sign, value]) => (sign === '+' ? sum + value : sum - value), 0n);
      expect(calculate(text)).toBe(amountOf(total));
    }),
  );
});

test('a product with a whole number is exact, in either way of writing', () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 999 }), fc.boolean(), (value, times, isComma) => {
      const amount = isComma ? amountOf(value).replace('.', ',') : amountOf(value);
      const expected = value * BigInt(times);
      expect(calculate(`${times}*${amount}`)).toBe(amountOf(expected));
      expect(calculate(`(${amount})*${times}`)).toBe(amountOf(expected));
    }),
  );
});

test('a part of an amount is within half a hundredth', () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 97 }), (value, parts) => {
      const part = BigInt((calculate(`${amountOf(value)}/${parts}`) as string).replace('.', ''));
      const error = part * BigInt(parts) - value;
      expect(2n * (error < 0n ? -error : error) <= BigInt(parts)).toBe(true);
    }),
  );
});

test('whatever is typed is an amount or refused, and nothing else happens', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-+*/().,0-9 ]{0,30}$/), (text) => {
      const amount = calculate(text);
      if (amount !== undefined) expect(amount).toMatch(/^-?\d{1,10}\.\d\d$/);
    }),
  );
});
