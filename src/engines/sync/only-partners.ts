import { LIMITS } from '../../kernel/limits.ts';

/** A list of movements that is asked for days and amounts. */
export interface DayIndex<T> {
  /** Those within, both ends inclusive; one that is listed under two days may come twice. */
  within(fromDay: number, toDay: number, fromCents: number, toCents: number): Iterable<T>;
}

/** `items` come in the order in which equal ones are to be found. */
export function indexByDay<T extends { readonly amountCents: number }>(
  items: Iterable<T>,
  daysOf: (item: T) => readonly number[],
): DayIndex<T> {
  const byDay = new Map<number, T[]>();
  for (const item of items) {
    for (const day of daysOf(item)) {
      const known = byDay.get(day);
      if (known) known.push(item);
      else byDay.set(day, [item]);
    }
  }
  for (const list of byDay.values()) list.sort((a, b) => a.amountCents - b.amountCents);
  return {
    *within(fromDay, toDay, fromCents, toCents) {
      for (let day = fromDay; day <= toDay; day += 1) {
        const list = byDay.get(day);
        if (!list) continue;
        for (let at = firstFrom(list, fromCents); at < list.length; at += 1) {
          const item = list[at] as T;
          if (item.amountCents > toCents) break;
          yield item;
        }
      }
    },
  };
}

function firstFrom(list: readonly { readonly amountCents: number }[], cents: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as { amountCents: number }).amountCents < cents) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The one that passes among those near; `many` too if there are too many of them to compare. */
export function onlyPartner<T>(near: Iterable<T>, isPartner: (one: T) => boolean): T | 'many' | null {
  let found: T | null = null;
  let compared = 0;
  for (const one of near) {
    if (one === found) continue;
    compared += 1;
    if (compared > LIMITS.syncRowsCompared) return 'many';
    if (!isPartner(one)) continue;
    if (found !== null) return 'many';
    found = one;
  }
  return found;
}

/** Those that pass among the first near ones, each once. */
export function partnersAmong<T>(near: Iterable<T>, isPartner: (one: T) => boolean): T[] {
  const seen = new Set<T>();
  const found: T[] = [];
  for (const one of near) {
    if (seen.has(one)) continue;
    seen.add(one);
    if (seen.size > LIMITS.syncRowsCompared) break;
    if (isPartner(one)) found.push(one);
  }
  return found;
}
