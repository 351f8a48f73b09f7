import { CHECKING } from '../people.ts';

export interface Merchant {
  /** Position among all merchants; given in habits.ts. */
  id: number;
  name: string;
  /** Raw bank text, see bankText. */
  text: string;
  /** How many raw texts exist: 1 one, 0 one per day of the year. Bounded, so names grow slower than rows. */
  variety: number;
  /** Branches: the nearest is seen most. Codes: all alike. Texts are cached, so neither shows a date. */
  varies: 'branch' | 'code';
  slug: string;
  channel: 'online' | 'in_store' | 'other';
  mcc: string | null;
  site: string | null;
  /** False for people, cheques and machines that nobody keeps as a counterparty. */
  known: boolean;
}

export interface Habit {
  slug: string;
  /** Relative frequency on an ordinary day. */
  share: number;
  weekend: number;
  season: readonly number[];
  price: Price;
  /** Chance of the card; the rest is paid from `account`. */
  card: number;
  account: number;
  /** The category the bank reports, when its own tree has no better one. */
  reported: string;
  unknown: number;
  refundable: boolean;
  tag: string | null;
  tagged: number;
  /** Only during these days. */
  when: 'always' | 'berlin' | 'trip';
  /** Which summer, for trips. */
  trip: number;
  leads: 'foreign-fee' | 'atm-fee' | 'twin' | null;
  merchants: readonly Merchant[];
}

export type Price = { median: number; spread: number; ends: 'free' | 'retail' | 'notes' } | { menu: readonly number[] };

type Extra = Partial<Pick<Merchant, 'slug' | 'channel' | 'mcc' | 'site' | 'known'>>;
export type Sketch = [name: string, text: string, variety: number, varies: Merchant['varies'], extra: Extra];

export const fixed = (name: string, text: string, extra: Extra = {}): Sketch => [name, text, 1, 'code', extra];
export const dated = (name: string, text: string, extra: Extra = {}): Sketch => [name, text, 0, 'code', extra];
export const branches = (name: string, text: string, count: number, extra: Extra = {}): Sketch => [
  name,
  text,
  count,
  'branch',
  extra,
];
export const codes = (name: string, text: string, count: number, extra: Extra = {}): Sketch => [
  name,
  text,
  count,
  'code',
  extra,
];

export const free = (median: number, spread: number): Price => ({ median, spread, ends: 'free' });
export const retail = (median: number, spread: number): Price => ({ median, spread, ends: 'retail' });

const EVEN = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
export const WARM = [0.5, 0.5, 0.8, 1.2, 1.4, 1.5, 1.5, 1.4, 1.1, 0.9, 0.6, 0.5];
export const HOLIDAYS = [0.7, 0.7, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1, 1.6, 2.6];
export const SEASONAL_CLOTHES = [1.2, 0.7, 1, 1.2, 1, 0.9, 0.8, 1.3, 1.3, 1, 1.3, 1.6];

export function habit(
  slug: string,
  share: number,
  price: Price,
  sketches: Sketch[],
  more: Partial<Omit<Habit, 'slug' | 'share' | 'price' | 'merchants'>> & Extra = {},
): Habit {
  const merchants = sketches.map(([name, text, variety, varies, extra]): Merchant => {
    const { channel = 'in_store', mcc = null, site = null, known = true } = { ...more, ...extra };
    return { id: -1, name, text, variety, varies, slug: extra.slug ?? slug, channel, mcc, site, known };
  });
  return {
    slug,
    share,
    price,
    merchants,
    weekend: more.weekend ?? 1,
    season: more.season ?? EVEN,
    card: more.card ?? 0.75,
    account: more.account ?? CHECKING,
    reported: more.reported ?? slug,
    unknown: more.unknown ?? 0.07,
    refundable: more.refundable ?? false,
    tag: more.tag ?? null,
    tagged: more.tagged ?? 0,
    when: more.when ?? 'always',
    trip: more.trip ?? 0,
    leads: more.leads ?? null,
  };
}
