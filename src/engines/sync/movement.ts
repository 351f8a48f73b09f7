import { dayNumber, type DateOnly } from '../../kernel/dates.ts';
import { areCompatibleKeys, nameKey } from '../matching/name-key.ts';

/** What rows and transactions have in common. */
export interface Movement {
  readonly pending: boolean;
  readonly date: DateOnly;
  readonly authorizedDate: DateOnly | null;
  /** Positive = money out. */
  readonly amountCents: number;
  readonly currency: string | null;
  readonly name: string;
  readonly merchantName: string | null;
  readonly categoryPrimary: string | null;
  readonly categoryDetailed: string | null;
}

/** Amounts of these are often raised by a tip when they are posted (30.8.3, class T). */
const TIP_DETAILED = new Set([
  'FOOD_AND_DRINK_RESTAURANT',
  'FOOD_AND_DRINK_FAST_FOOD',
  'FOOD_AND_DRINK_COFFEE',
  'FOOD_AND_DRINK_OTHER_FOOD_AND_DRINK',
  'PERSONAL_CARE_HAIR_AND_BEAUTY',
  'TRANSPORTATION_TAXIS_AND_RIDE_SHARES',
]);
const TIP_PRIMARY = new Set(['dining', 'bar']);
/** The pending amount of these is a hold, which says nothing about the posted one. */
const HOLD_DETAILED = new Set(['TRANSPORTATION_GAS', 'TRAVEL_LODGING', 'TRAVEL_RENTAL_CARS']);
const HOLD_PRIMARY = new Set(['fuel', 'accommodation']);

export function maySeeTip({ categoryPrimary, categoryDetailed }: Movement): boolean {
  if (categoryDetailed === null && categoryPrimary === 'FOOD_AND_DRINK') return true;
  return TIP_DETAILED.has(categoryDetailed ?? '') || TIP_PRIMARY.has(categoryPrimary ?? '');
}

export function mayBeHold({ categoryPrimary, categoryDetailed }: Movement): boolean {
  return HOLD_DETAILED.has(categoryDetailed ?? '') || HOLD_PRIMARY.has(categoryPrimary ?? '');
}

export function hasSameSign(one: Movement, other: Movement): boolean {
  return Math.sign(one.amountCents) === Math.sign(other.amountCents);
}

/** Date and authorized date, each once. */
export function datesOf({ date, authorizedDate }: Movement): DateOnly[] {
  return authorizedDate === null || authorizedDate === date ? [date] : [date, authorizedDate];
}

export function daysOf(one: Movement): number[] {
  return datesOf(one).map(dayNumber);
}

export function sharesDate(one: Movement, other: Movement): boolean {
  const dates = datesOf(other);
  return datesOf(one).some((date) => dates.includes(date));
}

/** Between the nearest of their dates, because a bank and a file may each tell only one of the two. */
export function daysApart(one: Movement, other: Movement): number {
  const days = daysOf(other);
  let nearest = Infinity;
  for (const day of daysOf(one)) for (const otherDay of days) nearest = Math.min(nearest, Math.abs(day - otherDay));
  return nearest;
}

/** Name keys and what was found about them, computed once per text. */
export interface Names {
  keyOf(text: string): string;
  /** Compatible names (30.8.2), by merchant or by the provider's name. */
  areCompatible(one: Movement, other: Movement): boolean;
}

export function startNames(): Names {
  const keys = new Map<string, string>();
  const found = new Map<string, Map<string, boolean>>();
  const keyOf = (text: string): string => {
    const known = keys.get(text);
    if (known !== undefined) return known;
    const key = nameKey(text);
    keys.set(text, key);
    return key;
  };
  const areKeysCompatible = (one: string, other: string): boolean => {
    if (one === other) return true;
    let ofOne = found.get(one);
    if (!ofOne) found.set(one, (ofOne = new Map()));
    const known = ofOne.get(other);
    if (known !== undefined) return known;
    const answer = areCompatibleKeys(one, other);
    ofOne.set(other, answer);
    return answer;
  };
  return {
    keyOf,
    areCompatible: (one, other) =>
      areKeysCompatible(keyOf(one.name), keyOf(other.name)) ||
      (one.merchantName !== null &&
        other.merchantName !== null &&
        areKeysCompatible(keyOf(one.merchantName), keyOf(other.merchantName))),
  };
}
