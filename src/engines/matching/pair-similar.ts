import { dayNumber } from '../../kernel/dates.ts';
import { isSameCurrency } from './identity.ts';
import type { ImportedRow, LedgerCandidate } from './identity.ts';
import { areCompatibleKeys, nameKey } from './name-key.ts';

const NEAR_DAYS = 3;
/** Most rows of one amount and day that are compared pair by pair; no household has more. */
const COMPARED_AT_MOST = 200;
/** Two rows of a currency are as inconclusive as any larger number. */
const COUNTED_AT_MOST = 20;

interface SimilarPair {
  /** Index of the imported row. */
  readonly row: number;
  /** Place of the ledger row in the list. */
  readonly place: number;
  readonly isCertain: boolean;
}

interface Candidate<L> {
  row: number;
  line: number;
  place: number;
  ledger: L;
  days: number;
  hasEqualKey: boolean;
  state: number;
}

/** Whether nothing but date, amount and texts decides if the row of the file is that of the ledger. */
type MayBe<L> = (row: ImportedRow, one: L) => boolean;

/**
 * Passes 3 and 4 of 36.7.2: rows of another source that are the same movement. Closest date first, then equal name
 * keys, then the lower line.
 */
export function pairSimilar<L extends LedgerCandidate>(
  rows: readonly ImportedRow[],
  ledger: readonly L[],
  mayBe: MayBe<L>,
): SimilarPair[] {
  const keys = new Map<string, string>();
  const keyOf = (text: string): string => {
    const known = keys.get(text);
    if (known !== undefined) return known;
    const key = nameKey(text);
    keys.set(text, key);
    return key;
  };
  const index = indexByMoneyAndDay(ledger);
  const takenRows = new Set<number>();
  const takenLedger = new Set<L>();
  const pairs: SimilarPair[] = [];
  const take = (found: readonly Candidate<L>[], { isCertain }: { isCertain: boolean }): void => {
    const ordered = [...found].sort(
      (a, b) =>
        a.state - b.state ||
        a.days - b.days ||
        Number(b.hasEqualKey) - Number(a.hasEqualKey) ||
        a.line - b.line ||
        a.place - b.place,
    );
    for (const one of ordered) {
      if (takenRows.has(one.row) || takenLedger.has(one.ledger)) continue;
      takenRows.add(one.row);
      takenLedger.add(one.ledger);
      pairs.push({ row: one.row, place: one.place, isCertain });
    }
  };

  const certain: Candidate<L>[] = [];
  const near: Candidate<L>[] = [];
  for (const [row, imported] of rows.entries()) {
    for (const { place, one } of around(index, imported)) {
      if (!isSameCurrency(imported.currency, one.currency)) continue;
      if (!mayBe(imported, one)) continue;
      const similarity = compare(imported, one, keyOf);
      if (similarity === null) continue;
      const days = daysApart(imported, one);
      const candidate = {
        row,
        line: imported.line,
        place,
        ledger: one,
        days,
        hasEqualKey: similarity === 'equal',
        state: one.state === 'live' ? 0 : 1,
      };
      if (sharesDate(imported, one)) certain.push(candidate);
      else if (days <= NEAR_DAYS) near.push(candidate);
    }
  }
  take(certain, { isCertain: true });
  take([...near, ...onlyOnes(rows, ledger, mayBe, takenRows, takenLedger)], { isCertain: false });
  return pairs;
}

function moneyKey(one: { readonly amountCents: number }, day: number): string {
  return `${one.amountCents}|${day}`;
}

type DayIndex<L> = ReadonlyMap<string, readonly { place: number; one: L }[]>;

function indexByMoneyAndDay<L extends LedgerCandidate>(ledger: readonly L[]): DayIndex<L> {
  const index = new Map<string, { place: number; one: L }[]>();
  for (const [place, one] of ledger.entries()) {
    const days = new Set([dayNumber(one.date), dayNumber(one.authorizedDate ?? one.date)]);
    for (const day of days) {
      const key = moneyKey(one, day);
      const known = index.get(key);
      if (known) known.push({ place, one });
      else index.set(key, [{ place, one }]);
    }
  }
  return index;
}

function* around<L extends LedgerCandidate>(
  index: DayIndex<L>,
  row: ImportedRow,
): Generator<{ place: number; one: L }, void, undefined> {
  const seen = new Set<number>();
  const day = dayNumber(row.date);
  const days = new Set([dayNumber(row.authorizedDate ?? row.date)]);
  for (let offset = -NEAR_DAYS; offset <= NEAR_DAYS; offset++) days.add(day + offset);
  for (const one of days) {
    for (const found of (index.get(moneyKey(row, one)) ?? []).slice(0, COMPARED_AT_MOST)) {
      if (seen.has(found.place)) continue;
      seen.add(found.place);
      yield found;
    }
  }
}

function sharesDate(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return (
    row.date === ledger.date ||
    row.date === ledger.authorizedDate ||
    (row.authorizedDate !== null &&
      (row.authorizedDate === ledger.date || row.authorizedDate === ledger.authorizedDate))
  );
}

function daysApart(row: ImportedRow, ledger: LedgerCandidate): number {
  return Math.abs(dayNumber(row.date) - dayNumber(ledger.date));
}

/** Whether amount and dates allow the two to be one movement that two sources tell. */
export function mayBeTheSame(row: ImportedRow, ledger: LedgerCandidate): boolean {
  const isNear = sharesDate(row, ledger) || daysApart(row, ledger) <= NEAR_DAYS;
  return isNear && row.amountCents === ledger.amountCents && isSameCurrency(row.currency, ledger.currency);
}

function compare(
  row: ImportedRow,
  ledger: LedgerCandidate,
  keyOf: (text: string) => string,
): 'equal' | 'compatible' | null {
  const byMerchant = row.merchantName !== null && ledger.merchantName !== null;
  const one = keyOf(byMerchant ? row.merchantName : row.name);
  const other = keyOf(byMerchant ? ledger.merchantName : ledger.name);
  if (one === other) return 'equal';
  return areCompatibleKeys(one, other) ? 'compatible' : null;
}

/** An amount that occurs once on its day on both sides is the same movement, whatever the names say. */
function onlyOnes<L extends LedgerCandidate>(
  rows: readonly ImportedRow[],
  ledger: readonly L[],
  mayBe: MayBe<L>,
  takenRows: ReadonlySet<number>,
  takenLedger: ReadonlySet<L>,
): Candidate<L>[] {
  const rowsOf = placesByMoneyAndDay(rows, (row) => takenRows.has(row));
  const ledgerOf = placesByMoneyAndDay(ledger, (place) => takenLedger.has(ledger[place] as L));
  const found: Candidate<L>[] = [];
  for (const [key, places] of rowsOf) {
    const across = ledgerOf.get(key);
    if (across === undefined) continue;
    for (const row of places) {
      const imported = rows[row] as ImportedRow;
      const [place, another] = inCurrencyOf(imported, across, ledger);
      if (place === undefined || another !== undefined) continue;
      const one = ledger[place] as L;
      if (inCurrencyOf(one, places, rows).length > 1 || !mayBe(imported, one)) continue;
      const state = one.state === 'live' ? 0 : 1;
      found.push({ row, line: imported.line, place, ledger: one, days: 0, hasEqualKey: false, state });
    }
  }
  return found;
}

function placesByMoneyAndDay(
  list: readonly { readonly amountCents: number; readonly date: string }[],
  isTaken: (place: number) => boolean,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, one] of list.entries()) {
    if (isTaken(place)) continue;
    const key = moneyKey(one, dayNumber(one.date));
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else if (known.length < COUNTED_AT_MOST) known.push(place);
  }
  return places;
}

function inCurrencyOf(
  one: { readonly currency: string | null },
  places: readonly number[],
  list: readonly { readonly currency: string | null }[],
): number[] {
  return places.filter((place) => isSameCurrency(one.currency, list[place]?.currency ?? null));
}
