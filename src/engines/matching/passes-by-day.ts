import { ByAmount } from './by-amount.ts';
import { bankIdKey, compareBankIds, isSameCurrency, type LedgerCandidate } from './identity.ts';
import { indexBy } from './key-index.ts';
import {
  freeByAmount,
  freePlaces,
  isByHand,
  isOtherSource,
  leftByAmount,
  NO_DAY,
  takeEach,
  type Matching,
} from './matching.ts';
import { aloneIn, contentKeysOf, leastRank, rankOf } from './passes-by-key.ts';

const NEAR_DAYS = 3;
/** Most rows of one amount around a day that are compared one by one; no household has more. */
const COMPARED_AT_MOST = 200;

/** Whether nothing but days, amounts and texts decides if a row of the file is that of the ledger. */
type MayBe = (index: number, place: number) => boolean;

/** Passes 2, 4 and 5 do not take what was live beside a row that was taken out, and that the row would bring back. */
export function notBesideWithdrawn<L extends LedgerCandidate>(
  { ledger, options: { namespace }, rowAt, ledgerAt }: Matching<L>,
  withdrawn: readonly number[],
): MayBe {
  if (withdrawn.length === 0) return () => true;
  const placesOf = indexBy(ledger, withdrawn, (one) => [...contentKeysOf(one), ...one.bankIds]);
  return (index, place) => {
    const { contentKey, bankId } = rowAt(index);
    const keys = namespace === null || bankId === null ? [contentKey] : [contentKey, bankIdKey(namespace, bankId)];
    const { changedAt } = ledgerAt(place);
    return keys.flatMap(placesOf).every((at) => changedAt >= ledgerAt(at).changedAt);
  };
}

/** Pass 2: the same day and amount in other words. */
export function takeByDay<L extends LedgerCandidate>(matching: Matching<L>, mayBe: MayBe): void {
  const { left, options, rowAt, ledgerAt, file, known, days, similarity } = matching;
  if (left.length === 0) return;
  const free = freeByAmount(matching);
  const authorised = freePlaces(matching).filter((place) => known.authorized[place] !== NO_DAY);
  const lists = { free, authorised: new ByAmount({ days: known.authorized, cents: known.cents }, authorised) };
  const isAlone = aloneIn(matching);
  const isCounted = asManyOnDay(matching, leftByAmount(matching), free);
  const counted = new Map<number, boolean>();
  const candidates = (index: number): number[] =>
    sharingDay(matching, index, lists).filter((place) => {
      if (matching.used[place] === 1 || !isSameCurrency(rowAt(index).currency, ledgerAt(place).currency)) return false;
      return mayBe(index, place);
    });
  for (const index of left) counted.set(index, isCounted(index));
  const isCertain = (index: number, place: number): boolean => {
    if (compareBankIds(rowAt(index), ledgerAt(place), options.namespace) === 'own') return true;
    if (options.isProved && days.isInner(file.days[index] as number)) return true;
    return counted.get(index) === true && similarity(rowAt(index), ledgerAt(place)) !== null;
  };
  const take = (find: (index: number, places: number[]) => number | undefined): void =>
    takeEach(matching, 'day', (index) => find(index, candidates(index)), isCertain);
  const { namespace } = options;
  if (namespace !== null)
    take((index, places) => places.find((place) => compareBankIds(rowAt(index), ledgerAt(place), namespace) === 'own'));
  for (const wanted of ['equal', 'compatible'] as const)
    take((index, places) =>
      leastRank(
        matching,
        places.filter((place) => similarity(rowAt(index), ledgerAt(place)) === wanted),
      ),
    );
  take((index, places) =>
    leastRank(
      matching,
      places.filter((place) => !isByHand(ledgerAt(place)) || isAlone(index, place)),
    ),
  );
}

/** Free ledger rows of the amount with the day of the row; another source may mean the day of the purchase. */
function sharingDay<L extends LedgerCandidate>(
  { file, known, ledgerAt, options }: Matching<L>,
  index: number,
  { free, authorised }: { free: ByAmount; authorised: ByAmount },
): number[] {
  const cents = file.cents[index] as number;
  const day = file.days[index] as number;
  const own = [day, file.authorized[index] as number].filter((one) => one !== NO_DAY);
  const found = new Set<number>();
  for (const one of own) {
    for (const place of free.within(cents, one, one)) found.add(place);
    for (const place of authorised.within(cents, one, one)) found.add(place);
  }
  return [...found]
    .filter((place) => known.days[place] === day || isOtherSource(ledgerAt(place), options.sourceKey))
    .slice(0, COMPARED_AT_MOST);
}

/** Whether the rows that are left on the day of a row, of its amount, are as many as those of the ledger. */
function asManyOnDay<L extends LedgerCandidate>(
  { file, rowAt, ledgerAt }: Matching<L>,
  rows: ByAmount,
  ledger: ByAmount,
): (index: number) => boolean {
  const count = (places: Iterable<number>, currencyOf: (at: number) => string | null, own: string | null): number => {
    let sum = 0;
    for (const at of places) if (isSameCurrency(currencyOf(at), own)) sum += 1;
    return sum;
  };
  return (index) => {
    const [cents, day] = [file.cents[index] as number, file.days[index] as number];
    const { currency } = rowAt(index);
    const ofFile = count(rows.within(cents, day, day), (at) => rowAt(at).currency, currency);
    return ofFile === count(ledger.within(cents, day, day), (at) => ledgerAt(at).currency, currency);
  };
}

interface Candidate {
  readonly index: number;
  readonly place: number;
  readonly days: number;
  readonly isEqual: boolean;
}

/** Pass 4: the amount and a similar text some days away. */
export function takeNear<L extends LedgerCandidate>(matching: Matching<L>, mayBe: MayBe): void {
  const { days, options, similarity, rowAt, ledgerAt } = matching;
  const found = nearby(matching, mayBe, (day, ledgerDay, place) => {
    const one = ledgerAt(place);
    if (isByHand(one)) return true;
    if (isOtherSource(one, options.sourceKey)) return days.has(ledgerDay) || days.isCovered(day);
    return days.isInner(ledgerDay) && days.isCovered(day);
  });
  const similar = found.flatMap((one) => {
    const how = similarity(rowAt(one.index), ledgerAt(one.place));
    return how === null ? [] : [{ ...one, isEqual: how === 'equal' }];
  });
  const ordered = similar.sort(
    (a, b) =>
      rankOf(matching, a.place) - rankOf(matching, b.place) ||
      a.days - b.days ||
      Number(b.isEqual) - Number(a.isEqual) ||
      a.index - b.index ||
      a.place - b.place,
  );
  takePairs(matching, 'near', ordered);
}

/** Pass 5: any text, if neither has another partner. */
export function takeOnlyPartners<L extends LedgerCandidate>(matching: Matching<L>, mayBe: MayBe): void {
  const { days, options, ledgerAt } = matching;
  const found = nearby(matching, mayBe, (day, ledgerDay, place) => {
    const [isInner, isCovered] = [days.isInner(ledgerDay), days.isCovered(day)];
    return isOtherSource(ledgerAt(place), options.sourceKey) ? isInner || isCovered : isInner && isCovered;
  });
  const partners = { rows: new Map<number, number>(), places: new Map<number, number>() };
  for (const { index, place } of found) {
    partners.rows.set(index, (partners.rows.get(index) ?? 0) + 1);
    partners.places.set(place, (partners.places.get(place) ?? 0) + 1);
  }
  const only = found.filter(({ index, place }) => partners.rows.get(index) === 1 && partners.places.get(place) === 1);
  takePairs(matching, 'only', only);
}

/** Rows of the file and of the ledger that are left, of one amount and some days apart. */
function nearby<L extends LedgerCandidate>(
  matching: Matching<L>,
  mayBe: MayBe,
  fits: (day: number, ledgerDay: number, place: number) => boolean,
): Candidate[] {
  const { left, file, known, rowAt, ledgerAt } = matching;
  if (left.length === 0) return [];
  const free = freeByAmount(matching);
  const found: Candidate[] = [];
  for (const index of left) {
    const [cents, day] = [file.cents[index] as number, file.days[index] as number];
    let compared = 0;
    for (const place of free.within(cents, day - NEAR_DAYS, day + NEAR_DAYS)) {
      if ((compared += 1) > COMPARED_AT_MOST) break;
      const ledgerDay = known.days[place] as number;
      if (!isSameCurrency(rowAt(index).currency, ledgerAt(place).currency)) continue;
      if (!fits(day, ledgerDay, place) || !mayBe(index, place)) continue;
      found.push({ index, place, days: Math.abs(day - ledgerDay), isEqual: false });
    }
  }
  return found;
}

function takePairs<L extends LedgerCandidate>(
  matching: Matching<L>,
  pass: 'near' | 'only',
  pairs: readonly Candidate[],
): void {
  const taken = new Map<number, number>();
  const used = new Set<number>();
  for (const { index, place } of pairs) {
    if (taken.has(index) || used.has(place)) continue;
    taken.set(index, place);
    used.add(place);
  }
  if (taken.size > 0)
    takeEach(
      matching,
      pass,
      (index) => taken.get(index),
      () => false,
    );
}
