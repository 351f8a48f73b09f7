import { dayNumber } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { isSameCurrency } from '../matching/identity.ts';
import type { KnownRow, PlannedSuggestion, Subject, SuggestionReason } from './account-plan.ts';
import { pairKey } from './account-plan.ts';
import type { Matching, PlacedRow } from './matching.ts';
import { daysApart, hasSameSign, mayBeHold, maySeeTip, type Movement, type Names } from './movement.ts';
import { DAYS_AFTER_PENDING, DAYS_BEFORE_PENDING, NEAR_DAYS } from './reach.ts';

/** Adds a suggestion of the newer transaction, unless nothing is left that a person has not separated from it. */
export function suggest(
  matching: Matching,
  kind: PlannedSuggestion['kind'],
  newer: PlacedRow | KnownRow,
  older: readonly (KnownRow | PlacedRow)[],
): void {
  const open = older.filter((one) => !isSeparated(matching, newer, one));
  if (open.length === 0) return;
  const ordered = open
    .map((one) => ({ one, quality: qualityOf(matching, newer, one), days: daysApart(newer, one) }))
    .sort((a, b) => a.quality - b.quality || a.days - b.days);
  matching.suggestions.push({
    kind,
    of: subjectOf(newer),
    candidates: ordered.slice(0, LIMITS.syncSuggestedCandidates).map(({ one }) => ({
      of: subjectOf(one),
      reasons: reasonsOf(matching, newer, one),
    })),
  });
}

/** Class E of R4: the pending amount was posted. */
export function isEqualContinuation(names: Names, posted: Movement, pending: Movement): boolean {
  return (
    posted.amountCents === pending.amountCents && isConsidered(posted, pending) && names.areCompatible(posted, pending)
  );
}

/** Class T of R4: a tip was added to the pending amount. */
export function isTipContinuation(names: Names, posted: Movement, pending: Movement): boolean {
  const isTip =
    pending.amountCents > 0 &&
    pending.amountCents <= posted.amountCents &&
    100 * posted.amountCents <= 125 * pending.amountCents;
  return isTip && isConsidered(posted, pending) && isTipped(posted, pending) && names.areCompatible(posted, pending);
}

/** R4, 4: what is worth a question although it is not certain enough. */
export function mayContinue(names: Names, posted: Movement, pending: Movement): boolean {
  if (!isConsidered(posted, pending)) return false;
  if (posted.amountCents === pending.amountCents) return true;
  return (isTipAtMost(posted, pending) || isHeld(posted, pending)) && names.areCompatible(posted, pending);
}

/** Currency, sign and dates allow one to be the posted version of the other. */
function isConsidered(posted: Movement, pending: Movement): boolean {
  const days = dayNumber(posted.date) - dayNumber(pending.date);
  return (
    hasSameSign(posted, pending) &&
    isSameCurrency(posted.currency, pending.currency) &&
    days >= -DAYS_BEFORE_PENDING &&
    days <= DAYS_AFTER_PENDING
  );
}

function isTipped(posted: Movement, pending: Movement): boolean {
  return maySeeTip(posted) || maySeeTip(pending);
}

function isTipAtMost(posted: Movement, pending: Movement): boolean {
  return isTipped(posted, pending) && Math.abs(posted.amountCents) <= 2 * Math.abs(pending.amountCents);
}

function isHeld(posted: Movement, pending: Movement): boolean {
  return mayBeHold(posted) || mayBeHold(pending);
}

function subjectOf(one: KnownRow | PlacedRow): Subject {
  return 'place' in one ? { row: one.place } : { transactionId: one.id };
}

function isSeparated({ ledger }: Matching, newer: PlacedRow | KnownRow, one: KnownRow | PlacedRow): boolean {
  return 'id' in newer && 'id' in one && ledger.separated.has(pairKey(newer.id, one.id));
}

/** Lower is better. */
function qualityOf(matching: Matching, newer: PlacedRow | KnownRow, older: KnownRow | PlacedRow): number {
  const { names } = matching;
  if (isLinked(matching, newer, older)) return 0;
  if (!names.areCompatible(newer, older)) return 4;
  if (newer.amountCents === older.amountCents) return 1;
  return isTipContinuation(names, newer, older) ? 2 : 3;
}

function reasonsOf(matching: Matching, newer: PlacedRow | KnownRow, older: KnownRow | PlacedRow): SuggestionReason[] {
  const { names } = matching;
  const isSame = newer.amountCents === older.amountCents;
  const isCompatible = names.areCompatible(newer, older);
  const reasons: [SuggestionReason, boolean][] = [
    ['provider_link', isLinked(matching, newer, older)],
    ['same_amount', isSame],
    ['tip_amount', !isSame && isCompatible && hasSameSign(newer, older) && isTipAtMost(newer, older)],
    ['hold', !isSame && isCompatible && isHeld(newer, older)],
    ['compatible_name', isCompatible],
    ['close_date', daysApart(newer, older) <= NEAR_DAYS],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
}

function isLinked({ disbelieved }: Matching, newer: PlacedRow | KnownRow, older: KnownRow | PlacedRow): boolean {
  const linked = 'place' in newer ? disbelieved.get(newer.place) : undefined;
  if (!linked) return false;
  return 'id' in linked ? 'id' in older && linked.id === older.id : 'place' in older && linked.place === older.place;
}
