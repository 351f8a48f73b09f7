import { expect, test } from 'vitest';

import { readSearch, writeSearch } from './search-text.ts';

test('what looks like a number or a truth value stays as it was written', () => {
  const address = '?amount_min=10.50&flagged=true&search=1e5&tag=2026';
  expect(readSearch(address)).toEqual({ amount_min: '10.50', flagged: 'true', search: '1e5', tag: '2026' });
  expect(writeSearch(readSearch(address))).toBe(address);
});

test('a name given twice is a list', () => {
  expect(readSearch('?tag=a&tag=b')).toEqual({ tag: 'a,b' });
  expect(writeSearch({ tag: 'a,b' })).toBe('?tag=a,b');
});

test('what is absent or empty is not in the address', () => {
  expect(writeSearch({ a: undefined, b: '', c: null })).toBe('');
});

test('any text comes back', () => {
  for (const text of ['a+b & c=d', '100% ', '"quoted"', '#hash?', 'null', 'Ä,ß']) {
    expect(readSearch(writeSearch({ search: text }))['search']).toBe(text);
  }
});
