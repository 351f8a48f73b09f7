import { CARD } from '../people.ts';
import type { HouseholdSeries } from '../records.ts';

/** What an amount depends on; `fixed` amounts come from `prices`. */
export type Sum =
  | 'fixed'
  | 'salary'
  | 'fees'
  | 'metered'
  | 'statement'
  | 'sweep'
  | 'pocket'
  | 'savings-interest'
  | 'loan-interest';

export interface Leg {
  account: number;
  text: string;
  slug: string;
}

export interface Standing {
  /** Position among all; given in standing-orders.ts. */
  id: number;
  key: string;
  name: string;
  series: HouseholdSeries['type'] | null;
  /** The other side, null for movements between own accounts. */
  counterparty: string | null;
  site: string | null;
  mcc: string | null;
  channel: 'online' | 'other';
  /** One leg, or both sides of a movement between own accounts: out first. */
  legs: readonly [Leg] | readonly [Leg, Leg];
  everyMonths: number;
  day: number;
  businessDays: boolean;
  sum: Sum;
  /** Amount in force from so many months before the end; the first one from the beginning. */
  prices: readonly (readonly [monthsBeforeEnd: number, cents: number])[];
  /** Months before the end between which it runs. */
  runs: readonly [from: number, to: number];
}

type More = Partial<Omit<Standing, 'id' | 'key' | 'name' | 'legs' | 'prices'>>;
const ALWAYS = [Infinity, -Infinity] as const;
export function standing(
  key: string,
  name: string,
  day: number,
  cents: number | Standing['prices'],
  legs: Standing['legs'],
  more: More = {},
): Standing {
  return {
    id: -1,
    key,
    name,
    series: 'bill',
    counterparty: name,
    site: null,
    mcc: null,
    channel: 'other',
    everyMonths: 1,
    day,
    businessDays: false,
    sum: 'fixed',
    runs: ALWAYS,
    legs,
    prices: typeof cents === 'number' ? [[Infinity, cents]] : cents,
    ...more,
  };
}

export function subscription(
  key: string,
  name: string,
  day: number,
  text: string,
  slug: string,
  prices: number | Standing['prices'],
  more: More = {},
): Standing {
  return standing(key, name, day, prices, [{ account: CARD, text, slug }], {
    series: 'subscription',
    channel: 'online',
    ...more,
  });
}
