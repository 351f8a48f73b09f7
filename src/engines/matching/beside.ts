import { ByAmount, everyPlace } from './by-amount.ts';
import { compareBankIds, isSameCurrency, type LedgerCandidate } from './identity.ts';
import { isImportedPending, isOtherSource, NO_DAY, type Matching } from './matching.ts';
import type { RowMatches } from './row-matches.ts';

const NEAR_DAYS = 3;
const THIRD_ROW_DAYS = 31;
const PENDING_DAYS = 10;
const COMPARED_AT_MOST = 200;

/**
 * Finds for an added row the live row of the account beside it that may be the same movement although nothing matched the
 * two: it is named, never doubled without a word (36.7.2).
 */
export function besideAdded<L extends LedgerCandidate>(
  matching: Matching<L>,
  matches: RowMatches<L>,
  removed: ReadonlySet<L['id']>,
): (index: number) => number | undefined {
  const open = openPlaces(matching, matches, removed);
  const lists: Lists = {
    byDay: new ByAmount({ days: matching.known.days, cents: matching.known.cents.map(() => 0) }, open),
    byAmount: new ByAmount(matching.known, open),
    allRows: new ByAmount(matching.file, everyPlace(matching.file)),
    allLedger: new ByAmount(
      matching.known,
      everyPlace(matching.known).filter((place) => matching.ledgerAt(place).state === 'live'),
    ),
    isMostlyMet: meetsMore(matching, open),
  };
  return (index) => {
    const found = [
      ...inDays(matching, index, lists),
      ...outside(matching, index, lists),
      ...pending(matching, index, lists),
    ];
    const { file, known } = matching;
    const apart = (place: number): number => Math.abs((known.days[place] as number) - (file.days[index] as number));
    return found.sort((a, b) => apart(a) - apart(b) || a - b)[0];
  };
}

interface Lists {
  /** Live rows without a certain match, by day and by amount. */
  readonly byDay: ByAmount;
  readonly byAmount: ByAmount;
  readonly allRows: ByAmount;
  readonly allLedger: ByAmount;
  /** The file meets more of the account's rows of its days than it leaves out where it should list them. */
  readonly isMostlyMet: boolean;
}

function openPlaces<L extends LedgerCandidate>(
  { ledger, passOf, known }: Matching<L>,
  matches: RowMatches<L>,
  removed: ReadonlySet<L['id']>,
): Int32Array {
  const settled = new Uint8Array(ledger.length);
  for (let index = 0; index < matches.length; index++) {
    const place = matches.placeOf(index);
    if (place < 0) continue;
    const pass = passOf(index);
    if (pass !== 'near' && pass !== 'only') settled[place] = 1;
  }
  return everyPlace(known).filter((place) => {
    const one = ledger.at(place) as L;
    return settled[place] === 0 && one.state === 'live' && !removed.has(one.id);
  });
}

function meetsMore<L extends LedgerCandidate>(matching: Matching<L>, open: Int32Array): boolean {
  const { days, known, placeOf, ledgerAt } = matching;
  let met = 0;
  for (const place of placeOf) {
    if (place >= 0 && days.has(known.days[place] as number) && ledgerAt(place).state === 'live') met += 1;
  }
  const isLeftOut = (place: number): boolean => {
    const day = known.days[place] as number;
    return days.isInner(day) && days.isInnerCovered(day);
  };
  return met > open.filter(isLeftOut).length;
}

/** Rows that the file should list, because they lie within its days. */
function inDays<L extends LedgerCandidate>(matching: Matching<L>, index: number, lists: Lists): number[] {
  const { days, file, known, rowAt, ledgerAt, options, similarity } = matching;
  const [cents, day] = [file.cents[index] as number, file.days[index] as number];
  const row = rowAt(index);
  const isAlike = (place: number): boolean => {
    const ledgerDay = known.days[place] as number;
    const one = ledgerAt(place);
    if (!days.has(ledgerDay) || !isSameCurrency(row.currency, one.currency)) return false;
    if (known.cents[place] === cents || compareBankIds(row, one, options.namespace) === 'own') return true;
    return (ledgerDay === day && lists.isMostlyMet) || similarity(row, one) !== null;
  };
  const isFar = (place: number): boolean =>
    days.isInner(known.days[place] as number) &&
    isSameCurrency(row.currency, ledgerAt(place).currency) &&
    similarity(row, ledgerAt(place)) !== null;
  return [
    ...some(lists.byDay.within(0, day - NEAR_DAYS, day + NEAR_DAYS)).filter(isAlike),
    ...some(lists.byAmount.within(cents, days.first, days.last)).filter(isFar),
  ];
}

/** Rows just outside the days of the file. */
function outside<L extends LedgerCandidate>(matching: Matching<L>, index: number, lists: Lists): number[] {
  const { days, file, known, rowAt, ledgerAt, options, similarity } = matching;
  const [cents, day] = [file.cents[index] as number, file.days[index] as number];
  const row = rowAt(index);
  const hasThird = (): boolean => {
    const [first, last] = [day - THIRD_ROW_DAYS, day + THIRD_ROW_DAYS];
    return (
      some(lists.allRows.within(cents, first, last)).length + some(lists.allLedger.within(cents, first, last)).length >
      2
    );
  };
  return some(lists.byAmount.within(cents, day - NEAR_DAYS, day + NEAR_DAYS)).filter((place) => {
    const one = ledgerAt(place);
    if (days.has(known.days[place] as number) || !isSameCurrency(row.currency, one.currency)) return false;
    const isOther = isOtherSource(one, options.sourceKey);
    if (similarity(row, one) !== null) return isOther || days.isInnerCovered(day) || !hasThird();
    return isOther && !hasThird();
  });
}

/** A pending row that stays, and that this one may be once it was posted. */
function pending<L extends LedgerCandidate>(
  { file, rowAt, ledgerAt }: Matching<L>,
  index: number,
  { byAmount }: Lists,
): number[] {
  const [cents, day] = [file.cents[index] as number, file.days[index] as number];
  const row = rowAt(index);
  if (row.pending || day === NO_DAY) return [];
  return some(byAmount.within(cents, day - PENDING_DAYS, day)).filter((place) => {
    const one = ledgerAt(place);
    return isImportedPending(one) && isSameCurrency(row.currency, one.currency);
  });
}

function some(places: Iterable<number>): number[] {
  const found: number[] = [];
  for (const place of places) {
    if (found.length === COMPARED_AT_MOST) break;
    found.push(place);
  }
  return found;
}
