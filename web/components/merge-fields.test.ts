import { expect, test } from 'vitest';

import { mergeFields } from './merge-fields.ts';

test('what one side alone changed is taken from it, and what both changed in the same way is no conflict', () => {
  const base = { label: 'Joint', owner: '', tags: ['a'], excluded: false };
  const mine = { label: 'Household', owner: '', tags: ['a'], excluded: true };
  const theirs = { label: 'Joint', owner: 'Ben', tags: ['a', 'b'], excluded: true };
  expect(mergeFields(base, mine, theirs)).toEqual({
    values: { label: 'Household', owner: 'Ben', tags: ['a', 'b'], excluded: true },
    conflicts: {},
  });
});

test('what both sides changed stays mine until it is decided', () => {
  const found = mergeFields(
    { label: 'Joint', owner: '' },
    { label: 'Mine', owner: '' },
    { label: 'Theirs', owner: 'Ben' },
  );
  expect(found).toEqual({
    values: { label: 'Mine', owner: 'Ben' },
    conflicts: { label: { mine: 'Mine', theirs: 'Theirs' } },
  });
});

test('a field that the record no longer has stays as it was entered', () => {
  expect(mergeFields({ subtype: 'cash' }, { subtype: 'purse' }, {})).toEqual({
    values: { subtype: 'purse' },
    conflicts: {},
  });
});
