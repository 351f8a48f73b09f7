import { addDays, type DateOnly } from '../../kernel/dates.ts';
import type { AccountBatch, AccountLedger, BankRow, KnownRow } from './account-plan.ts';

/** How far the dates of one movement may lie apart in two deliveries (30.8.3, R3). */
export const NEAR_DAYS = 3;
/** How long a removed id may come back under a new one. */
export const RESTATED_DAYS = 30;
/** How long a transaction that was removed or stored as new may find its other version (R4). */
export const RECENT_DAYS = 10;
/** A posted row may be dated that long before its pending one, or after it. */
export const DAYS_BEFORE_PENDING = 1;
export const DAYS_AFTER_PENDING = 10;

/** A pending transaction may stand that long beside its posted version, and so near is what makes both a habit. */
export const TWIN_DAYS = 14;

export interface Days {
  readonly from: DateOnly;
  readonly to: DateOnly;
}

/** The external ids to look up among the aliases of the provider, each once. */
export function idsReached(batch: AccountBatch): string[] {
  if (batch.rowIds === 'none') return [];
  const ids = new Set<string>(batch.removedIds);
  for (const { externalId, pendingExternalId } of batch.rows) {
    if (externalId !== null) ids.add(externalId);
    if (pendingExternalId !== null) ids.add(pendingExternalId);
  }
  return [...ids];
}

/**
 * The dates that still matter when the transactions behind `idsReached` and every live pending one of the account are
 * loaded: all transactions of the account, deleted ones included, of which date or authorized date lies within.
 */
export function datesReached(
  batch: AccountBatch,
  ledger: Pick<AccountLedger, 'rows' | 'aliases'>,
): Days | 'all' | null {
  if (batch.isCompleteRead && batch.delivery === 'changes') return 'all';
  const unknown = batch.rows.filter(
    ({ externalId }) => batch.rowIds === 'none' || externalId === null || !ledger.aliases.has(externalId),
  );
  const removed = new Set(batch.removedIds);
  // The other version of what becomes gone may have been stored as new.
  const gone = ledger.rows.filter(({ pending, feed }) => {
    const isNamed = feed?.externalId != null && removed.has(feed.externalId);
    const isReported = batch.delivery === 'changes' && feed?.externalAccountId === batch.externalAccountId;
    return isNamed || (pending && !isReported);
  });
  // A row may have been delivered nearby, or continue what was pending before it.
  const hulls = [
    widened(datesOf(unknown), DAYS_AFTER_PENDING, NEAR_DAYS),
    widened(datesOf(besidePending(unknown, ledger.rows)), 2 * TWIN_DAYS, TWIN_DAYS),
    widened(datesOf(gone), DAYS_BEFORE_PENDING, DAYS_AFTER_PENDING),
  ].filter((days) => days !== null);
  return hullOf(hulls.flatMap(({ from, to }) => [from, to]));
}

/** Posted rows with the amount of something that is pending. */
function besidePending(unknown: readonly BankRow[], known: readonly KnownRow[]): BankRow[] {
  const pending = [...known.filter(({ deletedCause }) => deletedCause === null), ...unknown];
  const amounts = new Set(pending.flatMap((one) => (one.pending ? one.amountCents : [])));
  return unknown.filter((row) => !row.pending && amounts.has(row.amountCents));
}

function* datesOf(rows: Iterable<{ date: DateOnly; authorizedDate: DateOnly | null }>): Iterable<DateOnly> {
  for (const { date, authorizedDate } of rows) {
    yield date;
    if (authorizedDate !== null) yield authorizedDate;
  }
}

function hullOf(dates: Iterable<DateOnly>): Days | null {
  let hull: { from: DateOnly; to: DateOnly } | null = null;
  for (const date of dates) {
    hull ??= { from: date, to: date };
    if (date < hull.from) hull.from = date;
    if (date > hull.to) hull.to = date;
  }
  return hull;
}

function widened(dates: Iterable<DateOnly>, before: number, after: number): Days | null {
  const hull = hullOf(dates);
  return hull && { from: addDays(hull.from, -before), to: addDays(hull.to, after) };
}
