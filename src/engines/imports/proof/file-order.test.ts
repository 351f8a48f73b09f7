import { expect, test } from 'vitest';

import { isNewestFirst } from './file-order.ts';

test.each([
  ['one day', ['2025-01-02'], false],
  ['days that never fall', ['2025-01-01', '2025-01-01', '2025-01-03'], false],
  ['days that never rise', ['2025-01-03', '2025-01-01', '2025-01-01'], true],
  ['shuffled days that mostly fall', ['2025-01-09', '2025-01-07', '2025-01-08', '2025-01-02'], true],
  ['as many falls as rises', ['2025-01-02', '2025-01-01', '2025-01-05'], false],
])('%s', (_, dates, isReversed) => {
  expect(isNewestFirst(dates)).toBe(isReversed);
  expect(isNewestFirst(Int32Array.from(dates, (date) => Number(date.replaceAll('-', ''))))).toBe(isReversed);
});
