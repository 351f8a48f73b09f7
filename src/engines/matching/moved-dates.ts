import { ByAmount, everyPlace } from './by-amount.ts';
import { bankIdsIn, bankIdKey, isSameCurrency, type LedgerCandidate } from './identity.ts';
import { freeByAmount, type Matching } from './matching.ts';

const NEAR_DAYS = 3;
const APART_DAYS = 6;
const ROWS_NEEDED = 3;
const IDS_NEEDED = 2;
const ROWS_THAT_SUFFICE = 10;

export interface MovedDates {
  /** 0 where the dates are those of the ledger. */
  readonly days: number;
  /** So few rows say it that every match is probable. */
  readonly isWeak: boolean;
}

/**
 * Whether all dates of a file lie some days before or after those of the ledger: a time zone, or the day of booking
 * instead of that of the purchase. Rows whose amount occurs once on both sides tell it (36.7.2).
 */
export function movedDates<L extends LedgerCandidate>(matching: Matching<L>): MovedDates {
  const { days, file, known, left } = matching;
  const all = new ByAmount(file, everyPlace(file));
  const free = freeByAmount(matching);
  const apart: number[] = [];
  const apartWithId: number[] = [];
  for (const index of left) {
    const [cents, day] = [file.cents[index] as number, file.days[index] as number];
    if (isRepeated(all.within(cents, day - APART_DAYS, day + APART_DAYS))) continue;
    const place = onlyOne(matching, index, free.within(cents, day - NEAR_DAYS, day + NEAR_DAYS));
    if (place === undefined) continue;
    const difference = (known.days[place] as number) - day;
    if (difference === 0 && !days.isCovered(day)) continue;
    apart.push(difference);
    if (hasOwnId(matching, index, place)) apartWithId.push(difference);
  }
  const [most, times] = mostOf(apart);
  const withId = apartWithId.filter((one) => one === most).length;
  const idsAgree = apartWithId.length >= IDS_NEEDED && isThreeInFour(withId, apartWithId.length);
  const isTold = times >= ROWS_NEEDED && isThreeInFour(times, apart.length);
  if (most === 0 || !(isTold || (times === apart.length && idsAgree))) return { days: 0, isWeak: false };
  return { days: most, isWeak: apart.length < ROWS_THAT_SUFFICE && !idsAgree };
}

function onlyOne<L extends LedgerCandidate>(
  { rowAt, ledgerAt }: Matching<L>,
  index: number,
  places: Iterable<number>,
): number | undefined {
  let only: number | undefined;
  const { currency } = rowAt(index);
  for (const place of places) {
    if (!isSameCurrency(currency, ledgerAt(place).currency)) continue;
    if (only !== undefined) return undefined;
    only = place;
  }
  return only;
}

function isRepeated(places: Iterable<number>): boolean {
  let count = 0;
  for (const _ of places) if ((count += 1) > 1) return true;
  return false;
}

function hasOwnId<L extends LedgerCandidate>({ rowAt, ledgerAt, options }: Matching<L>, index: number, place: number) {
  const { bankId } = rowAt(index);
  const { namespace } = options;
  if (bankId === null || namespace === null) return false;
  return bankIdsIn(ledgerAt(place), namespace).includes(bankIdKey(namespace, bankId));
}

function mostOf(values: readonly number[]): [value: number, times: number] {
  let best: [number, number] = [0, 0];
  for (let value = -NEAR_DAYS; value <= NEAR_DAYS; value++) {
    const times = values.filter((one) => one === value).length;
    if (times > best[1]) best = [value, times];
  }
  return best;
}

function isThreeInFour(part: number, whole: number): boolean {
  return part * 4 >= whole * 3;
}
