import { expect, test } from 'vitest';

import { differenceMadeBy, differenceOf } from './difference.ts';

test('two states differ in the fields that only one has, or that have other values there', () => {
  const was = { name: 'Coffee', tags: ['a', 'b'], flagged_at: null, updated_at: '1' };
  const is = { name: 'Tea', tags: ['a', 'b'], category_id: 'c', updated_at: '2' };
  expect(differenceOf(was, is)).toEqual({
    before: { name: 'Coffee', flagged_at: null },
    after: { name: 'Tea', category_id: 'c' },
  });
});

test('the order of the members of a value is no difference, nor is the stamp of the last change', () => {
  const was = { value: { a: 1, b: [2] }, updated_at: '1' };
  expect(differenceOf(was, { value: { b: [2], a: 1 }, updated_at: '2' })).toBeNull();
});

test('a patch differs only in its own fields, and a field that was not there was null', () => {
  const was = { name: 'Coffee', amount: '1.00' };
  expect(differenceMadeBy({ name: 'Tea', note: 'hot' }, was)).toEqual({
    before: { name: 'Coffee', note: null },
    after: { name: 'Tea', note: 'hot' },
  });
  expect(differenceMadeBy({ name: 'Coffee', note: null }, was)).toBeNull();
});
