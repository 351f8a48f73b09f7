import { dayNumber } from '../../kernel/dates.ts';
import { isSameCurrency } from '../matching/identity.ts';
import type { KnownRow } from './account-plan.ts';
import { isOfPresentSource, type Matching, type PlacedRow } from './matching.ts';
import { stoppedReporting } from './match-continuations.ts';
import { hasSameSign, type Movement } from './movement.ts';
import { TWIN_DAYS } from './reach.ts';
import { suggest } from './suggest.ts';

type Pending = KnownRow | PlacedRow;

/**
 * R4, 5: some banks keep a pending transaction for days beside its posted version, without a link, and both count. A person
 * is asked if nothing else it could be is near.
 */
export function suggestStillPending(matching: Matching): void {
  const rows = leftOver(matching).filter(({ pending, pendingExternalId }) => !pending && pendingExternalId === null);
  if (rows.length === 0) return;
  const open = stillPending(matching);
  if (open.length === 0) return;
  const isPair = (row: PlacedRow, one: Pending): boolean => isEqual(matching, row, one) && isOlder(one, row);
  for (const row of rows) {
    const partners = open.filter((one) => isPair(row, one));
    const [only] = partners;
    if (!only || partners.length > 1 || rows.some((other) => other !== row && isPair(other, only))) continue;
    if (!hasThird(matching, row, only)) suggest(matching, 'pending_posted', row, [only]);
  }
}

/** Rows that become new transactions. */
function leftOver({ batch, decisions }: Matching): PlacedRow[] {
  return batch.rows.flatMap((row, place) => (decisions[place] === undefined ? { ...row, place } : []));
}

/** Live pending transactions that the provider still reports, and pending rows that are new. */
function stillPending(matching: Matching): Pending[] {
  const { batch, known, decisions } = matching;
  const continued = new Set(
    decisions.flatMap((decision, place) => (batch.rows[place]?.pending === false ? (decision?.known?.id ?? []) : [])),
  );
  const reported = known.filter(
    (one) =>
      one.pending &&
      one.deletedCause === null &&
      !continued.has(one.id) &&
      isOfPresentSource(batch, one) &&
      !isNoLongerReported(matching, one),
  );
  return [...reported, ...leftOver(matching).filter(({ pending }) => pending)];
}

function isNoLongerReported(matching: Matching, one: KnownRow): boolean {
  const { batch, taken } = matching;
  // Of a window, whoever is in it again was recognised by its id.
  return !taken.has(one.id) && (batch.delivery === 'window' || stoppedReporting(matching, one));
}

function isEqual({ names }: Matching, one: Movement, other: Movement): boolean {
  return (
    one.amountCents === other.amountCents &&
    hasSameSign(one, other) &&
    isSameCurrency(one.currency, other.currency) &&
    names.areCompatible(one, other)
  );
}

function isOlder(pending: Pending, posted: PlacedRow): boolean {
  const days = dayNumber(posted.date) - dayNumber(pending.date);
  return days >= 1 && days <= TWIN_DAYS;
}

/** Whether something else of that amount and name is near: then it is a habit, such as a daily coffee. */
function hasThird(matching: Matching, row: PlacedRow, pending: Pending): boolean {
  const isNear = (one: Movement): boolean =>
    isEqual(matching, row, one) &&
    [row, pending].some(({ date }) => Math.abs(dayNumber(one.date) - dayNumber(date)) <= TWIN_DAYS);
  const stored = matching.known.some((one) => one !== pending && one.deletedCause === null && isNear(one));
  const isPending = ({ place }: PlacedRow): boolean => 'place' in pending && place === pending.place;
  return stored || leftOver(matching).some((one) => one.place !== row.place && !isPending(one) && isNear(one));
}
