import { expect, test } from 'vitest';

import { findOptions } from './find-options.ts';

const OPTIONS = [
  { id: 'food', label: 'Food & Drink' },
  { id: 'groceries', label: 'Groceries', hint: 'Food & Drink', isIndented: true },
  { id: 'coffee', label: 'Coffee Shops', hint: 'Food & Drink', isIndented: true },
  { id: 'bookshop', label: 'Book shop' },
  { id: 'cafe', label: 'Café Löwe' },
];
const found = (text: string, first: readonly string[] = [], create?: string) =>
  findOptions(OPTIONS, { text, first, create });
const ids = (text: string, first: readonly string[] = []) => found(text, first).items.map(({ id }) => id);

test('three letters find it, whatever their case and marks', () => {
  expect(ids('GRO')).toEqual(['groceries']);
  expect(ids('lowe')).toEqual(['cafe']);
});

test('what begins so comes before what has it inside, and what is found by its parent comes last', () => {
  expect(ids('shop')).toEqual(['coffee', 'bookshop']);
  expect(ids('food')).toEqual(['food', 'groceries', 'coffee']);
  expect(ids('drink coffee')).toEqual(['coffee']);
});

test('likely ones come first, once, and among equals', () => {
  const { items, groups } = found('', ['coffee', 'gone', 'coffee']);
  expect(items.map(({ id }) => id)).toEqual(['coffee', 'food', 'groceries', 'coffee', 'bookshop', 'cafe']);
  expect(groups).toEqual([
    { title: 'Likely', from: 0, to: 1 },
    { title: 'All', from: 1, to: 6 },
  ]);
  expect(ids('shop', ['bookshop'])).toEqual(['bookshop', 'coffee']);
});

test('a text that is none of them makes a new one, where that is allowed', () => {
  expect(found('Pets', [], 'category').items).toEqual([{ id: '', label: 'New category “Pets”', isNew: true }]);
  expect(found('groceries', [], 'category').items.map(({ id }) => id)).toEqual(['groceries']);
  expect(found('Pets').items).toEqual([]);
});

test('of very many, the first are shown and the rest are counted', () => {
  const many = Array.from({ length: 400 }, (_, index) => ({ id: String(index), label: `Shop ${index}` }));
  expect(findOptions(many, { text: '', first: [] }).more).toBe(250);
  expect(findOptions(many, { text: 'shop', first: [] }).more).toBe(250);
});
