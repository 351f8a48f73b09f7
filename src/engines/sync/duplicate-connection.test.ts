import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isSameLink, type ComparedAccount, type ComparedLink } from './duplicate-connection.ts';

const CHECKING: ComparedAccount = {
  names: ['Everyday Checking'],
  mask: '0000',
  type: 'depository',
  subtype: 'checking',
};
const link = (accounts: readonly ComparedAccount[], bank: Partial<ComparedLink> = {}): ComparedLink => ({
  institutionId: 'ins_1',
  institutionName: 'First Bank',
  accounts,
  ...bank,
});
const with_ = (change: Partial<ComparedAccount>): ComparedAccount => ({ ...CHECKING, ...change });

test.each<[boolean, string, ComparedLink, ComparedLink]>([
  [true, 'the same account', link([CHECKING]), link([with_({ names: ['Renamed'] })])],
  [true, 'one shared account among others', link([with_({ mask: '1' }), CHECKING]), link([CHECKING])],
  [false, 'another mask', link([CHECKING]), link([with_({ mask: '0001' })])],
  [false, 'another type', link([CHECKING]), link([with_({ type: 'credit' })])],
  [false, 'another subtype', link([CHECKING]), link([with_({ subtype: 'savings' })])],
  [true, 'a subtype that one side does not tell', link([CHECKING]), link([with_({ subtype: null })])],
  [
    true,
    'no mask, equal name keys',
    link([CHECKING]),
    link([with_({ mask: null, names: ['EVERYDAY  checking 0042'] })]),
  ],
  [false, 'no mask, other names', link([CHECKING]), link([with_({ mask: null, names: ['Holiday fund'] })])],
  [
    true,
    'no mask, one of several names',
    link([with_({ mask: null, names: ['Joint', 'Everyday Checking'] })]),
    link([CHECKING]),
  ],
  [false, 'another bank by id, whatever its name', link([CHECKING]), link([CHECKING], { institutionId: 'ins_2' })],
  [
    true,
    'the bank by name, where one id is missing',
    link([CHECKING]),
    link([CHECKING], { institutionId: null, institutionName: 'FIRST  bank' }),
  ],
  [
    false,
    'another bank by name',
    link([CHECKING]),
    link([CHECKING], { institutionId: null, institutionName: 'Second Bank' }),
  ],
  [
    false,
    'nothing known of the bank',
    link([CHECKING], { institutionId: null }),
    link([CHECKING], { institutionName: null }),
  ],
  [false, 'no accounts', link([]), link([])],
])('%s: %s', (expected, _what, one, other) => {
  expect(isSameLink(one, other)).toBe(expected);
});

const text = fc.constantFrom('First Bank', 'first  bank', 'Second Bank', 'Checking', 'CHECKING 0042', 'Card');
const account = fc.record({
  names: fc.array(text, { maxLength: 2 }),
  mask: fc.constantFrom('0000', '3333', null),
  type: fc.constantFrom('depository', 'credit', null),
  subtype: fc.constantFrom('checking', 'savings', null),
});
const anyLink = fc.record({
  institutionId: fc.constantFrom('ins_1', 'ins_2', null),
  institutionName: fc.option(text),
  accounts: fc.array(account, { maxLength: 3 }),
});

test('the order of the two, of accounts and of names does not matter', () => {
  fc.assert(
    fc.property(anyLink, anyLink, (one, other) => {
      const expected = isSameLink(one, other);
      const turned = {
        ...other,
        accounts: other.accounts.toReversed().map((a) => ({ ...a, names: a.names.toReversed() })),
      };
      expect([isSameLink(other, one), isSameLink(one, turned)]).toEqual([expected, expected]);
    }),
  );
});

test('an account more on either side never hides a duplicate', () => {
  fc.assert(
    fc.property(anyLink, anyLink, account, (one, other, more) => {
      fc.pre(isSameLink(one, other));
      expect(isSameLink({ ...one, accounts: [more, ...one.accounts] }, other)).toBe(true);
    }),
  );
});

test('a link with an account that can be told from others is a duplicate of itself', () => {
  fc.assert(
    fc.property(anyLink, (one) => {
      const isKnown = one.institutionId !== null || one.institutionName !== null;
      const canTell = one.accounts.some(({ mask, names }) => mask !== null || names.length > 0);
      expect(isSameLink(one, one)).toBe(isKnown && canTell);
    }),
  );
});
