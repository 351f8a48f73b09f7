import { DAY_MS, addDays, instantAfter } from '../../kernel/dates.ts';
import type { AccountBatch, KnownRow } from './account-plan.ts';
import { decide, hasEqualMoney, isMeantToBeGone, isOfPresentSource, isRemovedNow, undecidedRows } from './matching.ts';
import type { Matching, PlacedRow } from './matching.ts';
import { datesOf, daysApart, daysOf, type Movement } from './movement.ts';
import { indexByDay, onlyPartner, partnersAmong, type DayIndex } from './only-partners.ts';
import { NEAR_DAYS, RESTATED_DAYS } from './reach.ts';
import { suggest } from './suggest.ts';

/** Rows and the transactions that they may be; a hand-entered one is in the pools of both pending flags. */
interface Pool {
  readonly rows: readonly PlacedRow[];
  readonly candidates: readonly KnownRow[];
}

/** From this many rows of one day and amount on, rows are paired by name first. */
const PAIRED_BY_NAME = 20;

/** R3 a to c: the row was delivered before by a file, a hand, another source or under another id. */
export function matchSeenBefore(matching: Matching): void {
  const pools = poolsOf(matching);
  const each = (step: (matching: Matching, pool: Pool) => void): void => {
    for (const pool of pools) step(matching, leftOf(matching, pool));
  };
  each(pairEqualDates);
  each(pairSharedDates);
  each((_, pool) => pairByCount(matching, pool, ({ date }) => [date]));
  each((_, pool) => pairByCount(matching, pool, datesOf));
  each(pairOnlyPartners);
}

/** R3 d: a row that resembles a candidate is new, and a person is asked. */
export function suggestDuplicates(matching: Matching): void {
  for (const pool of poolsOf(matching)) {
    const { rows, candidates } = leftOf(matching, pool);
    const open = candidates.filter((one) => !isMeantToBeGone(one));
    if (rows.length === 0 || open.length === 0) continue;
    const index = indexByDay(open, daysOf);
    for (const row of rows) {
      const found = partnersAmong(near(index, row), (known) => resembles(row, known));
      if (found.length === 0) continue;
      matching.decisions[row.place] = { row: row.place, known: null, sameAs: null, rule: 'R5', isSuperseded: false };
      suggest(matching, 'possible_duplicate', row, found);
    }
  }
}

function poolsOf(matching: Matching): Pool[] {
  const rows = undecidedRows(matching);
  if (rows.length === 0) return [];
  const { batch, known, taken } = matching;
  const free = known.filter((one) => !taken.has(one.id));
  const lasting = new Set(free.filter((one) => isCandidate(matching, one)));
  const until = batch.relinkedAt === null ? '' : addDays(batch.relinkedAt.slice(0, 10), NEAR_DAYS);
  const withRelinked = free.filter((one) => lasting.has(one) || isOfFormerSource(batch, one));
  const pools: Pool[] = [];
  for (const isPending of [false, true]) {
    const own = rows.filter(({ pending }) => pending === isPending);
    const isFit = (one: KnownRow): boolean => one.pending === isPending || isByHand(one);
    pools.push({ rows: own.filter(({ date }) => date <= until), candidates: withRelinked.filter(isFit) });
    pools.push({ rows: own.filter(({ date }) => date > until), candidates: [...lasting].filter(isFit) });
  }
  return pools.filter(({ rows: own, candidates }) => own.length > 0 && candidates.length > 0);
}

function isCandidate(matching: Matching, one: KnownRow): boolean {
  const { batch } = matching;
  const { feed } = one;
  if (feed === null) return true;
  if (batch.rowIds === 'none' && batch.read && batch.read.from <= one.date && one.date <= batch.read.to) return true;
  if (feed.namespace !== batch.namespace) return false;
  // A pending row too may get another id before it is posted.
  if (isRemovedNow(matching, one)) return true;
  const since = instantAfter(batch.now, -RESTATED_DAYS * DAY_MS);
  return !one.pending && feed.removedAt !== null && feed.removedAt >= since;
}

/** Reported before the account was reattached, and not since. */
function isOfFormerSource(batch: AccountBatch, one: KnownRow): boolean {
  const isOlder = batch.relinkedAt !== null && one.createdAt < batch.relinkedAt;
  return isOlder && one.feed !== null && !isOfPresentSource(batch, one);
}

/** Entered by hand, and nothing else has delivered it since. */
function isByHand({ isEntered, isFromFile, feed }: KnownRow): boolean {
  return isEntered && !isFromFile && feed === null;
}

/** What no step before has paired; only amounts that occur on both sides. */
function leftOf({ taken, decisions }: Matching, { rows, candidates }: Pool): Pool {
  const amounts = new Set<number>();
  for (const { id, amountCents } of candidates) if (!taken.has(id)) amounts.add(amountCents);
  const left = rows.filter(({ place, amountCents }) => !decisions[place] && amounts.has(amountCents));
  const ofRows = new Set(left.map(({ amountCents }) => amountCents));
  return {
    rows: left,
    candidates: candidates.filter(({ id, amountCents }) => !taken.has(id) && ofRows.has(amountCents)),
  };
}

/** R3 a for equal dates: the n-th row is the n-th transaction; equal texts and known currencies come first. */
function pairEqualDates(matching: Matching, pool: Pool): void {
  pairByName(matching, pool, ({ date }) => [date]);
}

/** R3 a for rows of which date or authorized date is equal on both sides. */
function pairSharedDates(matching: Matching, pool: Pool): void {
  pairByName(matching, pool, datesOf);
}

function pairByName(matching: Matching, { rows, candidates }: Pool, dates: (one: Movement) => readonly string[]): void {
  if (rows.length === 0) return;
  const { batch, names } = matching;
  const ordered = liveFirst(candidates);
  const inOrder = byDate(rows);
  const byText = ({ name }: Movement): string => name;
  const byKey = ({ name }: Movement): string => names.keyOf(name);
  const pass = (textOf: (one: Movement) => string, isOfRow: CurrencyTest, isOfKnown: CurrencyTest): void => {
    pairByKeys(matching, inOrder.filter(isOfRow), ordered.filter(isOfKnown), (one) =>
      dates(one).map((date) => `${one.amountCents}|${date}|${names.keyOf(one.name)}|${textOf(one)}`),
    );
  };
  if (batch.rowIds === 'none') pairByHint(matching, inOrder, ordered, dates);
  for (const textOf of [byText, byKey]) {
    const currencies = new Set(inOrder.map(({ currency }) => currency));
    for (const currency of currencies)
      pass(
        textOf,
        (row) => row.currency === currency,
        (one) => one.currency === currency,
      );
    pass(textOf, hasCurrency, hasNoCurrency);
    pass(textOf, hasNoCurrency, hasCurrency);
  }
}

type CurrencyTest = (one: Movement) => boolean;

function hasCurrency({ currency }: Movement): boolean {
  return currency !== null;
}

function hasNoCurrency({ currency }: Movement): boolean {
  return currency === null;
}

/** An id that does not last is a hint which of several equal rows this one is. */
function pairByHint(
  matching: Matching,
  rows: readonly PlacedRow[],
  known: readonly KnownRow[],
  dates: (one: Movement) => readonly string[],
): void {
  const keysOf = (one: Movement, hint: string | null): string[] =>
    hint === null
      ? []
      : dates(one).map((date) => [one.amountCents, one.currency, date, matching.names.keyOf(one.name), hint].join('|'));
  const hints = new Map<Movement, string | null>();
  for (const row of rows) hints.set(row, row.externalId);
  for (const one of known) hints.set(one, one.feed?.externalId ?? null);
  pairByKeys(matching, rows, known, (one) => keysOf(one, hints.get(one) ?? null));
}

/** Each row takes the first free transaction under one of its keys. */
function pairByKeys(
  matching: Matching,
  rows: readonly PlacedRow[],
  candidates: readonly KnownRow[],
  keysOf: (one: Movement) => readonly string[],
): void {
  if (rows.length === 0 || candidates.length === 0) return;
  const queues = new Map<string, { readonly list: KnownRow[]; at: number }>();
  for (const one of candidates) {
    if (matching.taken.has(one.id)) continue;
    for (const key of keysOf(one)) {
      const queue = queues.get(key);
      if (queue) queue.list.push(one);
      else queues.set(key, { list: [one], at: 0 });
    }
  }
  for (const row of rows) {
    if (matching.decisions[row.place]) continue;
    for (const key of keysOf(row)) {
      const queue = queues.get(key);
      while (queue?.list[queue.at] && matching.taken.has((queue.list[queue.at] as KnownRow).id)) queue.at += 1;
      const found = queue?.list[queue.at];
      if (!found) continue;
      decide(matching, row.place, found, 'R3a');
      break;
    }
  }
}

/** R3 b: as many rows as transactions of one day and amount are the same ones, whatever their names. */
function pairByCount(matching: Matching, pool: Pool, dates: (one: Movement) => readonly string[]): void {
  const rowsOf = grouped(byDate(pool.rows), dates);
  const knownOf = grouped(pool.candidates, dates);
  for (const key of [...rowsOf.keys()].sort()) {
    const rows = (rowsOf.get(key) ?? []).filter(({ place }) => !matching.decisions[place]);
    const known = (knownOf.get(key) ?? []).filter(({ id }) => !matching.taken.has(id));
    for (const [ofRows, ofKnown] of byCurrency(rows, known)) {
      if (ofRows.length === ofKnown.length) pairInOrder(matching, ofRows, ofKnown);
    }
  }
}

function grouped<T extends Movement>(
  items: readonly T[],
  dates: (one: Movement) => readonly string[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const date of dates(item)) {
      const key = `${date}|${item.amountCents}`;
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

/** One group if there is one currency at most, because an unknown one equals any; else one per currency. */
function byCurrency(rows: readonly PlacedRow[], known: readonly KnownRow[]): [PlacedRow[], KnownRow[]][] {
  const currencies = new Set([...rows, ...known].map(({ currency }) => currency));
  if ([...currencies].filter((one) => one !== null).length <= 1) return [[[...rows], [...known]]];
  return [...currencies]
    .sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map((one) => [rows.filter(({ currency }) => currency === one), known.filter(({ currency }) => currency === one)]);
}

function pairInOrder(matching: Matching, rows: readonly PlacedRow[], known: readonly KnownRow[]): void {
  const left = [...known];
  const rest: PlacedRow[] = [];
  for (const row of rows) {
    const at = rows.length > PAIRED_BY_NAME ? -1 : left.findIndex((one) => matching.names.areCompatible(row, one));
    if (at < 0) rest.push(row);
    else decide(matching, row.place, left.splice(at, 1)[0] as KnownRow, 'R3b');
  }
  for (const [at, row] of rest.entries()) decide(matching, row.place, left[at] as KnownRow, 'R3b');
}

/** R3 c: dates nearby, compatible names, and each is the other's only partner. */
function pairOnlyPartners(matching: Matching, { rows, candidates }: Pool): void {
  if (rows.length === 0) return;
  const [rowsByDay, knownByDay] = [indexByDay(byDate(rows), daysOf), indexByDay(candidates, daysOf)];
  const isPair = (row: PlacedRow, known: KnownRow): boolean =>
    resembles(row, known) && (isByHand(known) || matching.names.areCompatible(row, known));
  const pairs: [PlacedRow, KnownRow][] = [];
  for (const row of rows) {
    const known = onlyPartner(near(knownByDay, row), (one) => isPair(row, one));
    if (known === null || known === 'many') continue;
    if (onlyPartner(near(rowsByDay, known), (one) => isPair(one, known)) === row) pairs.push([row, known]);
  }
  for (const [row, known] of pairs) decide(matching, row.place, known, 'R3c');
}

function resembles(row: PlacedRow, known: KnownRow): boolean {
  return hasEqualMoney(row, known) && daysApart(row, known) <= NEAR_DAYS;
}

/** What an index holds of equal amount near one of the dates. */
function* near<T>(index: DayIndex<T>, one: Movement): Iterable<T> {
  const [day, authorizedDay] = daysOf(one) as [number, number?];
  yield* index.within(day - NEAR_DAYS, day + NEAR_DAYS, one.amountCents, one.amountCents);
  if (authorizedDay === undefined) return;
  yield* index.within(authorizedDay - NEAR_DAYS, authorizedDay + NEAR_DAYS, one.amountCents, one.amountCents);
}

/** Among equal ones a live transaction comes first, then one that was deleted by a person or agent. */
function liveFirst(known: readonly KnownRow[]): KnownRow[] {
  const rank = (one: KnownRow): number => (one.deletedCause === null ? 0 : isMeantToBeGone(one) ? 1 : 2);
  return known.toSorted((one, other) => rank(one) - rank(other));
}

function byDate(rows: readonly PlacedRow[]): PlacedRow[] {
  return rows.toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
}
