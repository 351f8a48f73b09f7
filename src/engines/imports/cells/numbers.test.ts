import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { formatCents } from '../../../kernel/money.ts';
import { IN, OUT } from '../lexicon/lexicon.ts';
import { NumberCell, VOTE } from './numbers.ts';

function read(cell: string, decimal: '.' | ','): number | string {
  const number = new NumberCell();
  if (!number.read(cell)) return number.problem;
  const cents = number.cents(decimal);
  return Number.isNaN(cents) ? number.problem : cents;
}

describe('a number cell', () => {
  test.each([
    ['250', '.', 25_000],
    ['-3,50', ',', -350],
    ['1.234,56', ',', 123_456],
    ['€ 12,99', ',', 1_299],
    ["1'234.50", '.', 123_450],
    ['1’234.50', '.', 123_450],
    ['1 234,50', ',', 123_450],
    ['1\u00a0234,50', ',', 123_450],
    ['1\u202f234\u202f567,50', ',', 123_456_750],
    ['(1,200.00)', '.', -120_000],
    ['25.00-', '.', -2_500],
    ['25.00+', '.', 2_500],
    ['- $25.00', '.', -2_500],
    ['+ $1,200.00', '.', 120_000],
    ['$-25.00', '.', -2_500],
    ['-25,00 €', ',', -2_500],
    ['−5,00', ',', -500],
    ['1,23,456.78', '.', 12_345_678],
    ['25.000000000', '.', 2_500],
    ['.50', '.', 50],
    ['100,-', ',', 10_000],
    ['１２３．４５', '.', 12_345],
    ['USD 5.00', '.', 500],
    ['1.234,56 Kč', ',', 123_456],
    ['1,234.00 CR', '.', 123_400],
    ['500 DR.', '.', 50_000],
    ['9999999999.99', '.', 999_999_999_999],
    ['0.00', '.', 0],
    ['-0.00', '.', 0],
  ] as const)('%s with %s is %i hundredths', (cell, decimal, cents) => {
    expect(read(cell, decimal)).toBe(cents);
  });

  test.each([
    ['12.345', '.', 'precision'],
    ['0.001', '.', 'precision'],
    ['10000000000.00', '.', 'range'],
    ['', '.', 'empty'],
    ['  ', '.', 'empty'],
    ['abc', '.', 'invalid'],
    ['-', '.', 'invalid'],
    ['1e5', '.', 'invalid'],
    ['12 34', '.', 'invalid'],
    ['1,2,3', '.', 'invalid'],
    ['12,34.50', '.', 'invalid'],
    ['-5-', '.', 'invalid'],
    ['(-5.00)', '.', 'invalid'],
    ['5.00 XYZ', '.', 'invalid'],
    ['2018-03-01', '.', 'invalid'],
    ['1.234,56', '.', 'invalid'],
    ['12,50', '.', 'invalid'],
  ] as const)('%s with %s is %s', (cell, decimal, problem) => {
    expect(read(cell, decimal)).toBe(problem);
  });

  test.each([
    ['12.50', VOTE.point],
    ['12,5', VOTE.comma],
    ['1.234,56', VOTE.comma],
    ['1,234.56', VOTE.point],
    ['1.234.567', VOTE.comma],
    ['1,234,567', VOTE.point],
    ['1.000', VOTE.undecidedPoint],
    ['1,000', VOTE.undecidedComma],
    ['0.123', VOTE.point],
    ['1234.567', VOTE.point],
    ['0,12345', VOTE.comma],
    ['500', VOTE.none],
    ['1 000', VOTE.none],
  ] as const)('%s votes %i', (cell, vote) => {
    const number = new NumberCell();
    number.read(cell);
    expect(number.vote()).toBe(vote);
  });

  test('a suffix states the direction and the currency beside it is kept', () => {
    const number = new NumberCell();
    number.read('€ 12,00 S');
    expect([number.direction, number.currency]).toEqual([OUT, 'EUR']);
    number.read('12.00 CR');
    expect(number.direction).toBe(IN);
    number.read('$5.00');
    expect(number.currency).toBeUndefined();
  });

  const styles = fc.record({
    grouping: fc.constantFrom('', '.', ',', "'", ' ', '\u00a0'),
    decimal: fc.constantFrom('.' as const, ',' as const),
    sign: fc.constantFrom<(text: string) => string>(
      (text) => `-${text}`,
      (text) => `${text}-`,
      (text) => `(${text})`,
      (text) => `- €${text}`,
      (text) => `€-${text}`,
      (text) => `-${text} EUR`,
    ),
  });

  test('every way of writing an amount reads back to the same hundredths', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), styles, (cents, style) => {
        fc.pre(style.grouping !== style.decimal);
        const [units, hundredths] = formatCents(Math.abs(cents)).split('.') as [string, string];
        const grouped = units.replace(/\B(?=(\d{3})+$)/g, style.grouping);
        const plain = `${grouped}${style.decimal}${hundredths}`;
        expect(read(cents < 0 ? style.sign(plain) : plain, style.decimal)).toBe(cents);
      }),
    );
  });
});
