import { dayNumber, type DateOnly } from '../../kernel/dates.ts';

/** How many of the newest intervals tell what is usual. */
export const INTERVALS = 24;

/**
 * Median of the days between consecutive dates, of the newest 24 intervals; of two in the middle the smaller one.
 * Null when there are fewer than two. The dates are distinct, newest first.
 */
export function typicalInterval(newestFirst: readonly DateOnly[]): number | null {
  const days = newestFirst.slice(0, INTERVALS + 1).map(dayNumber);
  const intervals = days.slice(1).map((day, index) => (days[index] as number) - day);
  if (intervals.length < 2) return null;
  intervals.sort((a, b) => a - b);
  return intervals[Math.floor((intervals.length - 1) / 2)] as number;
}
