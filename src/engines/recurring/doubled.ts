import { dayNumber } from '../../kernel/dates.ts';
import type { Member } from './rhythm.ts';

/** A payment of a series that may be one of two for the same thing. */
export interface Payment extends Member {
  seriesId: string;
  /** The same for all rows of one merchant. */
  merchant: string;
  typicalIntervalDays: number | null;
}

export interface Doubled<P extends Payment> {
  earlier: P;
  later: P;
}

const DAYS_WITHOUT_RHYTHM = 3;

/**
 * Payments of equal amount, of one series or of one merchant, less than half of the usual interval apart (contract 70.3).
 * Each with the one before it.
 */
export function doubledPayments<P extends Payment>(payments: readonly P[]): Doubled<P>[] {
  const inOrder = payments.toSorted((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1));
  const found = new Map<string, Doubled<P>>();
  for (const same of [({ seriesId }: P) => seriesId, ({ merchant }: P) => merchant]) {
    const groups = Map.groupBy(inOrder, (one) => JSON.stringify([same(one), one.currency, one.cents]));
    for (const group of groups.values()) {
      for (const [index, later] of group.entries()) {
        const earlier = group[index - 1];
        if (earlier && isTooSoon(earlier, later)) found.set(`${earlier.id} ${later.id}`, { earlier, later });
      }
    }
  }
  return [...found.values()];
}

function isTooSoon(earlier: Payment, later: Payment): boolean {
  const days = dayNumber(later.date) - dayNumber(earlier.date);
  const usual = [earlier, later].flatMap(({ typicalIntervalDays }) => typicalIntervalDays ?? []);
  return usual.length === 0 ? days < DAYS_WITHOUT_RHYTHM : days * 2 < Math.min(...usual);
}
