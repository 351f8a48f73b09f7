import { expect, test } from 'vitest';

import { nearest, probablyMeant } from './nearest.ts';

const KNOWN = ['date_from', 'category_id', 'category_slug', 'transaction_ids', 'tag', 'limit'];

test('the nearest name is the one with the fewest letters to change', () => {
  expect(nearest('catgory_slug', KNOWN)).toBe('category_slug');
  expect(nearest('PORTT', ['HOST', 'PORT'])).toBe('PORT');
});

test('suggests a name that differs by a slip or contains the given word, and nothing else', () => {
  for (const [name, meant] of [
    ['catgory_slug', 'category_slug'],
    ['categoryId', 'category_id'],
    ['category-id', 'category_id'],
    ['from', 'date_from'],
    ['category', 'category_id'],
    ['ids', 'transaction_ids'],
    ['tags', 'tag'],
    ['LIMIT', 'limit'],
    ['offset', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['x'.repeat(10_000), undefined],
  ] as const) {
    expect([name.slice(0, 20), probablyMeant(name, KNOWN)]).toEqual([name.slice(0, 20), meant]);
  }
  expect(probablyMeant('limit', [])).toBeUndefined();
});

test('suggests what others call the same thing, where that is known', () => {
  const list = ['from', 'to', 'search', 'limit', 'cursor'];
  for (const [name, meant] of [
    ['date_from', 'from'],
    ['end_date', 'to'],
    ['q', 'search'],
    ['per_page', 'limit'],
  ] as const) {
    expect([name, probablyMeant(name, list)]).toEqual([name, meant]);
  }
  expect(probablyMeant('query', ['name'])).toBeUndefined();
});
