import { expect, test } from 'vitest';

import { counted, durationInWords, inDigits } from './numbers.ts';

test('counts are grouped, and their nouns agree with them', () => {
  expect([inDigits(12_400), counted(1, 'change'), counted(0, 'change'), counted(2, 'category', 'categories')]).toEqual([
    '12,400',
    '1 change',
    '0 changes',
    '2 categories',
  ]);
});

test('durations have the unit that suits them', () => {
  const durations = [null, 0, 999, 1_000, 9_940, 10_000, 119_400, 120_000, 725_000].map(durationInWords);
  expect(durations).toEqual(['–', '0 ms', '999 ms', '1.0 s', '9.9 s', '10 s', '119 s', '2 min 0 s', '12 min 5 s']);
});
