import { expect, test } from 'vitest';

import { agoInWords, dayInWords, instantInWords } from './instants.ts';

const ago = (at: string, now: string, zone = 'Europe/Amsterdam'): string => agoInWords(at, Date.parse(now), zone);

test('days are counted by the calendar of the household, not in spans of 24 hours', () => {
  // 47 hours, over two midnights.
  expect(ago('2026-06-10T10:00:00Z', '2026-06-12T09:00:00Z')).toBe('2 days ago');
  expect(ago('2026-06-12T09:00:00Z', '2026-06-10T10:00:00Z')).toBe('in 2 days');
  expect(ago('2026-06-10T21:30:00Z', '2026-06-12T21:00:00Z')).toBe('2 days ago');
  expect(ago('2026-06-10T22:30:00Z', '2026-06-12T21:00:00Z')).toBe('yesterday');
  expect(ago('2026-06-10T22:30:00Z', '2026-06-12T21:00:00Z', 'Pacific/Kiritimati')).toBe('2 days ago');
  expect(ago('2026-06-12T08:00:00Z', '2026-06-12T09:00:00Z')).toBe('1 hour ago');
  expect(ago('2026-06-12T08:59:30Z', '2026-06-12T09:00:00Z')).toBe('just now');
});

test('in nights in which clocks change, a day is as long as it is', () => {
  // 25 October 2026 has 25 hours in Amsterdam: both are on it, 24 hours apart.
  expect(ago('2026-10-24T22:10:00Z', '2026-10-25T22:20:00Z')).toBe('24 hours ago');
  // 29 March 2026 has 23: 47 hours lie over it.
  expect(ago('2026-03-28T11:00:00Z', '2026-03-30T10:00:00Z')).toBe('2 days ago');
});

test('what is long ago is a day of the household, wherever the browser is', () => {
  expect(ago('2026-01-02T23:30:00Z', '2026-06-01T00:00:00Z')).toContain('3');
  expect(ago('2026-01-02T23:30:00Z', '2026-06-01T00:00:00Z', 'UTC')).toContain('2,');
  expect(dayInWords('2026-01-02T10:30:00Z', 'Pacific/Kiritimati')).toContain('3');
  expect(instantInWords('2026-01-02T23:30:00Z', 'Asia/Tokyo')).toContain('8:30:00');
});
