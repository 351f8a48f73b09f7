import { expect, test } from 'vitest';

import { areCompatibleKeys, nameKey } from './name-key.ts';

test.each([
  ['SQ *Blue Bottle #1234', 'sq blue bottle'],
  ['TST* CAFÉ   Zoë 0042', 'tst cafe zoe'],
  ['PENDING - STARBUCKS STORE 00123', 'starbucks store'],
  ['7-ELEVEN 32', '7 eleven 32'],
  ['1042', '1042'],
  ['POS DEBIT VISA CARD', 'pos debit visa card'],
  ['CARD xxxx1234 SHELL', 'shell'],
  ['ガソリン ｾﾙﾌ', 'カソリン セルフ'],
  ['קָפֶה 0042', 'קפה'],
])('the name key of %s is %s', (text, key) => {
  expect(nameKey(text)).toBe(key);
});

test.each([
  ['PENDING - STARBUCKS STORE 00123', 'STARBUCKS STORE 00123 SEATTLE WA', true],
  ['UBER *TRIP', 'UBER *EATS', false],
  ['ALBERT HEIJN', 'Albert Heijn 1042', true],
  ['ABC', 'ABC SUPERMARKET DOWNTOWN', false],
  ['RENT MAY', 'RENT JUNE', false],
  ['BLUE BOTTLE COFFEE', 'BLUE BOTTLE BAKERY', true],
])('%s and %s', (one, other, isCompatible) => {
  expect(areCompatibleKeys(nameKey(one), nameKey(other))).toBe(isCompatible);
  expect(areCompatibleKeys(nameKey(other), nameKey(one))).toBe(isCompatible);
});
