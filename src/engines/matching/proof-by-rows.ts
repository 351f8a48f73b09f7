/** A posted row of one of two histories that may be of the same account. */
export interface HistoryRow {
  readonly day: number;
  /** Positive = money out. */
  readonly amountCents: number;
  /** null equals any. */
  readonly currency: string | null;
}

export interface RowsCompared {
  /** Rows one to one: equal amount and currency, dates at most three days apart. */
  readonly pairCount: number;
  /** Ten pairs, and nine in ten rows of the shared days on either side in a pair. */
  readonly isAlike: boolean;
  /** Rows of the shared days, of the history that has fewer of them, and how many of these are in a pair. */
  readonly sharedCount: number;
  readonly sharedPairCount: number;
}

const NEAR_DAYS = 3;
const PAIRS_NEEDED = 10;
const NEEDED_OF_TEN = 9;

/**
 * Compares two histories row by row (30.8.1, proof by rows). At their borders a bank's day and a file's may differ, so
 * the three days there prove nothing.
 */
export function compareByRows(one: readonly HistoryRow[], other: readonly HistoryRow[]): RowsCompared {
  const [spanOfOne, spanOfOther] = [spanOf(one), spanOf(other)];
  if (!spanOfOne || !spanOfOther) return { pairCount: 0, isAlike: false, sharedCount: 0, sharedPairCount: 0 };
  const { pairedOfOne, pairedOfOther, pairCount } = pair(one, other);
  const first = Math.max(spanOfOne.first, spanOfOther.first) + NEAR_DAYS;
  const last = Math.min(spanOfOne.last, spanOfOther.last) - NEAR_DAYS;
  const sides = [countWithin(one, pairedOfOne, first, last), countWithin(other, pairedOfOther, first, last)] as const;
  const isAlike = pairCount >= PAIRS_NEEDED && sides.every(isMostlyPaired);
  const [fewer] = sides.toSorted((a, b) => a.rows - b.rows);
  return { pairCount, isAlike, sharedCount: fewer?.rows ?? 0, sharedPairCount: fewer?.paired ?? 0 };
}

/**
 * The index of the comparison that is proved among several of one history: the only one alike, and no other has half as
 * many pairs. -1 without one.
 */
export function provedAmong(compared: readonly Pick<RowsCompared, 'pairCount' | 'isAlike'>[]): number {
  const place = compared.findIndex(({ isAlike }) => isAlike);
  const best = compared[place];
  if (!best) return -1;
  const isAlone = compared.every((one, at) => at === place || one.pairCount * 2 < best.pairCount);
  return isAlone ? place : -1;
}

function spanOf(rows: readonly HistoryRow[]): { first: number; last: number } | null {
  if (rows.length === 0) return null;
  let first = Infinity;
  let last = -Infinity;
  for (const { day } of rows) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return { first, last };
}

interface Paired {
  pairedOfOne: Uint8Array;
  pairedOfOther: Uint8Array;
  pairCount: number;
}

/** Both sides by day: each row takes the earliest free one within reach, which pairs as many rows as possible. */
function pair(one: readonly HistoryRow[], other: readonly HistoryRow[]): Paired {
  const pairedOfOne = new Uint8Array(one.length);
  const pairedOfOther = new Uint8Array(other.length);
  let pairCount = 0;
  const pass = (lists: readonly Lists[], keyOf: (row: HistoryRow, list: number) => string | null): void => {
    for (const at of inOrder(one)) {
      const row = one[at] as HistoryRow;
      for (let list = 0; list < lists.length && pairedOfOne[at] === 0; list += 1) {
        const key = keyOf(row, list);
        const found = key === null ? -1 : earliest(lists[list]?.get(key), row, other, pairedOfOther);
        if (found < 0) continue;
        pairedOfOne[at] = 1;
        pairedOfOther[found] = 1;
        pairCount += 1;
      }
    }
  };
  // Equal currencies first, so that a row of unknown currency never takes the partner of a row with a known one.
  pass([listsOf(other, pairedOfOther, moneyOf)], moneyOf);
  const ofAny = listsOf(other, pairedOfOther, amountOf);
  const ofUnknown = listsOf(other, pairedOfOther, (row) => (row.currency === null ? amountOf(row) : null));
  pass([ofAny, ofUnknown], (row, list) => ((row.currency === null) === (list === 0) ? amountOf(row) : null));
  return { pairedOfOne, pairedOfOther, pairCount };
}

/** Rows with one key by day; `at` is the first that may still be taken. */
type Lists = Map<string, { places: number[]; at: number }>;

function moneyOf({ amountCents, currency }: HistoryRow): string {
  return `${amountCents}|${currency ?? ''}`;
}

function amountOf({ amountCents }: HistoryRow): string {
  return String(amountCents);
}

function listsOf(rows: readonly HistoryRow[], paired: Uint8Array, keyOf: (row: HistoryRow) => string | null): Lists {
  const lists: Lists = new Map();
  for (const place of inOrder(rows)) {
    const key = paired[place] === 1 ? null : keyOf(rows[place] as HistoryRow);
    if (key === null) continue;
    const known = lists.get(key);
    if (known) known.places.push(place);
    else lists.set(key, { places: [place], at: 0 });
  }
  return lists;
}

/** Rows come by day, so what lies too early for one lies too early for the next: no list is walked twice. */
function earliest(
  list: { places: number[]; at: number } | undefined,
  row: HistoryRow,
  rows: readonly HistoryRow[],
  paired: Uint8Array,
): number {
  if (!list) return -1;
  const isPast = (place: number): boolean =>
    paired[place] === 1 || (rows[place] as HistoryRow).day < row.day - NEAR_DAYS;
  while (list.at < list.places.length && isPast(list.places[list.at] as number)) list.at += 1;
  const place = list.places[list.at];
  return place !== undefined && (rows[place] as HistoryRow).day <= row.day + NEAR_DAYS ? place : -1;
}

function inOrder(rows: readonly HistoryRow[]): number[] {
  return [...rows.keys()].sort((a, b) => (rows[a] as HistoryRow).day - (rows[b] as HistoryRow).day || a - b);
}

interface Within {
  rows: number;
  paired: number;
}

function countWithin(rows: readonly HistoryRow[], paired: Uint8Array, first: number, last: number): Within {
  const within: Within = { rows: 0, paired: 0 };
  for (const [at, { day }] of rows.entries()) {
    if (day < first || day > last) continue;
    within.rows += 1;
    if (paired[at] === 1) within.paired += 1;
  }
  return within;
}

function isMostlyPaired({ rows, paired }: Within): boolean {
  return rows > 0 && paired * 10 >= rows * NEEDED_OF_TEN;
}
