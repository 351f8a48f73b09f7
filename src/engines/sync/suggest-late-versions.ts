import { DAY_MS, dayNumber, instantAfter } from '../../kernel/dates.ts';
import type { KnownRow } from './account-plan.ts';
import { byCreation, type Matching } from './matching.ts';
import { isSameCurrency } from '../matching/identity.ts';
import { daysOf, sharesDate } from './movement.ts';
import { indexByDay, partnersAmong } from './only-partners.ts';
import { DAYS_AFTER_PENDING, DAYS_BEFORE_PENDING, RECENT_DAYS } from './reach.ts';
import { isEqualContinuation, isTipContinuation, suggest } from './suggest.ts';

/** R4, 6: what is removed now may have been stored as new, under another id, by an earlier sync. */
export function suggestLateVersions(matching: Matching, removed: readonly KnownRow[]): void {
  if (removed.length === 0) return;
  const gone = new Set(removed);
  const recent = matching.known.filter((one) => !gone.has(one) && isStoredAsNew(matching, one));
  if (recent.length === 0) return;
  const { names } = matching;
  const pending = indexByDay(
    removed.filter((one) => one.pending),
    dayOf,
  );
  const posted = indexByDay(
    removed.filter((one) => !one.pending),
    daysOf,
  );
  for (const newer of recent) {
    const [day] = dayOf(newer) as [number];
    const isOlder = (one: KnownRow): boolean => byCreation(one, newer) < 0;
    const continued = partnersAmong(
      pending.within(day - DAYS_AFTER_PENDING, day + DAYS_BEFORE_PENDING, -Infinity, newer.amountCents),
      (one) => isOlder(one) && (isEqualContinuation(names, newer, one) || isTipContinuation(names, newer, one)),
    );
    suggest(matching, 'pending_posted', newer, continued);
    const same = daysOf(newer).flatMap((on) => [...posted.within(on, on, newer.amountCents, newer.amountCents)]);
    suggest(
      matching,
      'possible_duplicate',
      newer,
      partnersAmong(same, (one) => isOlder(one) && isEqual(matching, newer, one)),
    );
  }
}

/** By a sync of the last ten days, and not as the continuation of anything. */
function isStoredAsNew(
  { batch }: Matching,
  { feed, pending, deletedCause, isFromFile, isEntered, createdAt }: KnownRow,
): boolean {
  if (feed === null || feed.wasPending || pending || deletedCause !== null || isFromFile || isEntered) return false;
  return createdAt >= instantAfter(batch.now, -RECENT_DAYS * DAY_MS);
}

function isEqual({ names }: Matching, newer: KnownRow, older: KnownRow): boolean {
  return (
    sharesDate(newer, older) &&
    isSameCurrency(newer.currency, older.currency) &&
    names.keyOf(newer.name) === names.keyOf(older.name)
  );
}

function dayOf({ date }: KnownRow): number[] {
  return [dayNumber(date)];
}
