import { expect, test } from 'vitest';

import { ownCurrency } from './places.ts';

test('the currency of where the browser is comes before that of its language', () => {
  expect(ownCurrency('Europe/Berlin', ['en-US'])).toBe('EUR');
  expect(ownCurrency('Europe/Zurich', ['de'])).toBe('CHF');
  expect(ownCurrency('Asia/Tokyo', ['ja-JP'])).toBe('JPY');
  expect(ownCurrency('America/Chicago', ['es-MX'])).toBe('USD');
});

test('a zone that says nothing leaves it to the region of the language, and no region to the person', () => {
  expect(ownCurrency('UTC', ['en', 'de-CH'])).toBe('CHF');
  expect(ownCurrency('UTC', ['en'])).toBe('');
  expect(ownCurrency('Antarctica/Troll', [])).toBe('');
  expect(ownCurrency('UTC', ['en-US@posix', 'en-GB'])).toBe('GBP');
});
