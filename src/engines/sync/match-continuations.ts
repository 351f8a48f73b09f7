import { DAY_MS, dayNumber, instantAfter } from '../../kernel/dates.ts';
import type { AccountBatch, KnownRow } from './account-plan.ts';
import { decide, isMeantToBeGone, isOfPresentSource, isRemovedNow, undecidedRows } from './matching.ts';
import type { Matching, PlacedRow } from './matching.ts';
import { indexByDay, onlyPartner, partnersAmong } from './only-partners.ts';
import { pairIndistinguishable } from './pair-indistinguishable.ts';
import { DAYS_AFTER_PENDING, DAYS_BEFORE_PENDING, RECENT_DAYS } from './reach.ts';
import { isEqualContinuation, isTipContinuation, mayContinue, suggest } from './suggest.ts';

/** R4: posted rows that continue a pending transaction which the provider stopped reporting. */
export function matchContinuations(matching: Matching): void {
  const { names, disbelieved } = matching;
  const rows = undecidedRows(matching).filter(({ pending }) => !pending);
  const gone = rows.length === 0 ? [] : goneOf(matching);
  const believed = rows.filter(({ place }) => !disbelieved.has(place));
  if (gone.length > 0) {
    pairIndistinguishable(matching, believed, gone);
    pairOnly(matching, believed, gone, (row, pending) => isEqualContinuation(names, row, pending), 1);
    pairOnly(matching, believed, gone, (row, pending) => isTipContinuation(names, row, pending), 1.25);
  }
  suggestContinued(matching, rows, gone);
}

/** Pending transactions that the provider stopped reporting. */
function goneOf(matching: Matching): KnownRow[] {
  const { known, taken } = matching;
  return known.filter((one) => one.pending && !taken.has(one.id) && isGone(matching, one));
}

function isGone(matching: Matching, one: KnownRow): boolean {
  const { batch } = matching;
  if (isMeantToBeGone(one)) return false;
  if (one.deletedCause === 'provider') {
    return one.deletedAt !== null && one.deletedAt >= instantAfter(batch.now, -RECENT_DAYS * DAY_MS);
  }
  return stoppedReporting(matching, one) || (one.feed === null && one.isFromFile && isWithinRead(batch, one));
}

/** The account's source no longer reports a pending transaction that it, or the source before it, reported. */
export function stoppedReporting(matching: Matching, one: KnownRow): boolean {
  const { batch } = matching;
  if (one.feed === null) return false;
  if (!isOfPresentSource(batch, one)) return batch.relinkedAt !== null && batch.rows.length > 0;
  if (batch.delivery === 'changes') return isRemovedNow(matching, one);
  return isWithinRead(batch, one) && !batch.unreadableIds.has(one.feed.externalId ?? '');
}

/** A provider that delivers changes has read everything that changed, whatever its date. */
function isWithinRead({ delivery, read }: AccountBatch, { date }: KnownRow): boolean {
  if (delivery === 'changes') return true;
  return read !== null && read.from <= date && date <= read.to;
}

/** R4, 2 and 3: each is the other's only partner. `factor`: how much more may have been posted. */
function pairOnly(
  matching: Matching,
  rows: readonly PlacedRow[],
  gone: readonly KnownRow[],
  isPair: (row: PlacedRow, pending: KnownRow) => boolean,
  factor: number,
): void {
  const left = rows.filter(({ place }) => !matching.decisions[place]);
  const leftGone = gone.filter(({ id }) => !matching.taken.has(id));
  if (left.length === 0 || leftGone.length === 0) return;
  const [rowsByDay, goneByDay] = [indexByDay(left, dayOf), indexByDay(leftGone, dayOf)];
  // For negative amounts the bounds are reversed; a tip is never negative.
  const near = (row: PlacedRow): Iterable<KnownRow> => {
    const lowest = Math.min(row.amountCents, Math.floor(row.amountCents / factor));
    return goneByDay.within(...before(row), lowest, row.amountCents);
  };
  const nearPending = (pending: KnownRow): Iterable<PlacedRow> => {
    const highest = Math.max(pending.amountCents, Math.ceil(pending.amountCents * factor));
    return rowsByDay.within(...after(pending), pending.amountCents, highest);
  };
  const pairs: [PlacedRow, KnownRow][] = [];
  for (const row of left) {
    const pending = onlyPartner(near(row), (one) => isPair(row, one));
    if (pending === null || pending === 'many') continue;
    if (onlyPartner(nearPending(pending), (one) => isPair(one, pending)) === row) pairs.push([row, pending]);
  }
  for (const [row, pending] of pairs) decide(matching, row.place, pending, 'R4');
}

/** R4, 4, and links that are not trusted: remaining rows are new, and a person is asked. */
function suggestContinued(matching: Matching, rows: readonly PlacedRow[], gone: readonly KnownRow[]): void {
  const { names, taken, disbelieved, decisions } = matching;
  const open = gone.filter(({ id }) => !taken.has(id));
  const leftGone = indexByDay(open, dayOf);
  const left = rows.filter(({ place }) => !decisions[place] && (open.length > 0 || disbelieved.has(place)));
  for (const row of left) {
    const found: (KnownRow | PlacedRow)[] = partnersAmong(
      leftGone.within(...before(row), -Infinity, Infinity),
      (one) => isTipContinuation(names, row, one) || mayContinue(names, row, one),
    );
    const linked = disbelieved.get(row.place);
    if (linked && !isMeantToBeGone(linked) && !found.includes(linked)) found.push(linked);
    suggest(matching, 'pending_posted', row, found);
  }
}

function dayOf({ date }: { readonly date: string }): number[] {
  return [dayNumber(date)];
}

/** The days on which a pending version of the row may lie. */
function before({ date }: PlacedRow): [number, number] {
  return [dayNumber(date) - DAYS_AFTER_PENDING, dayNumber(date) + DAYS_BEFORE_PENDING];
}

/** The days on which a posted version may lie. */
function after({ date }: KnownRow): [number, number] {
  return [dayNumber(date) - DAYS_BEFORE_PENDING, dayNumber(date) + DAYS_AFTER_PENDING];
}
