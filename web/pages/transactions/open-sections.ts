import { createStore } from '../../lib/store.ts';
import { TALL_ROWS, type Period } from './months.ts';

/** Rows that may have room at once. With more, the months farthest from the one opened last are closed. */
const MOST_ROWS = 150_000;

/** The months that are open once another one is: the nearest to it stay, as far as there is room. */
export function opening(open: ReadonlySet<string>, month: string, months: readonly Period[]): ReadonlySet<string> {
  const at = months.findIndex(({ key }) => key === month);
  const nearest = months
    .map(({ key, count }, index) => ({ key, count, distance: Math.abs(index - at) }))
    .filter(({ key }) => key === month || open.has(key))
    .toSorted((a, b) => a.distance - b.distance);
  const next = new Set<string>();
  let rows = 0;
  for (const { key, count } of nearest) {
    rows += Math.min(count, TALL_ROWS);
    if (rows > MOST_ROWS && next.size > 0) break;
    next.add(key);
  }
  return next;
}

/** In a month of very many rows the days are open one at a time: this one, or the newest. */
export const openDay = createStore<string | null>(null);

export function isTall({ count }: Period): boolean {
  return count > TALL_ROWS;
}
