import { addDays } from '../../kernel/dates.ts';
import type { AccountBatch, AccountLedger, AccountPlan, KnownRow, RowDecision } from './account-plan.ts';
import { matchById, matchWithinBatch, superseded } from './match-by-id.ts';
import { matchContinuations, stoppedReporting } from './match-continuations.ts';
import { matchSeenBefore, suggestDuplicates } from './match-seen-before.ts';
import { isOfPresentSource, isRemovedNow, lacking, startMatching, type Matching } from './matching.ts';
import { suggestLateVersions } from './suggest-late-versions.ts';
import { suggestStillPending } from './suggest-still-pending.ts';

/** In an account that a provider feeds, a file's pending row is dropped at this age (30.8.4). */
const FILE_PENDING_DAYS = 15;
/** More removals than these of a complete read are held back: so many, and such a part of the posted ones. */
const REMOVALS_BELIEVED = 5;
const REMOVALS_BELIEVED_PART = 10;

/** Which transaction each row of the batch is, what is removed, and what a person is asked (30.8.3, 30.8.4). */
export function planAccountRows(batch: AccountBatch, ledger: AccountLedger): AccountPlan {
  const matching = startMatching(batch, ledger);
  matchById(matching);
  matchSeenBefore(matching);
  matchWithinBatch(matching);
  suggestDuplicates(matching);
  matchContinuations(matching);
  suggestStillPending(matching);
  const decisions = settled(
    batch.rows.map(
      (_, row) => matching.decisions[row] ?? { row, known: null, sameAs: null, rule: 'R5', isSuperseded: false },
    ),
  );
  for (const { known } of decisions) if (known) matching.taken.add(known.id);
  const heldBack = heldBackOf(matching);
  const left = matching.known.filter(({ id }) => !matching.taken.has(id) && !heldBack.has(id));
  const removed = left.filter((one) => one.deletedCause === null && isRemoved(matching, one));
  suggestLateVersions(matching, removed);
  return {
    decisions: superseded(matching, decisions),
    removed,
    withdrawnIds: left.filter((one) => !one.pending && isRemovedNow(matching, one)).map(({ id }) => id),
    heldBackCount: heldBack.size,
    suggestions: matching.suggestions,
  };
}

/** What a new row is the same as may have turned out to be a known transaction after that. */
function settled(decisions: readonly RowDecision[]): RowDecision[] {
  return decisions.map((decision) => {
    const known = decision.sameAs === null ? null : (decisions[decision.sameAs]?.known ?? null);
    return known === null ? decision : { ...decision, known, sameAs: null };
  });
}

function isRemoved(matching: Matching, one: KnownRow): boolean {
  if (isRemovedNow(matching, one)) return true;
  if (!one.pending) return false;
  if (one.feed !== null) return stoppedReporting(matching, one);
  return one.isFromFile && one.date <= addDays(matching.batch.now.slice(0, 10), -FILE_PENDING_DAYS);
}

/** Posted transactions that a complete read lacks, if they are too many of the bank's own to believe it. */
function heldBackOf({ batch, known, taken }: Matching): ReadonlySet<string> {
  const named = new Set(batch.removedIds);
  const missing = lacking(batch, known).filter(
    ({ id, pending, deletedCause, feed }) =>
      !pending && deletedCause === null && !taken.has(id) && !named.has(feed?.externalId ?? ''),
  );
  const posted = known.filter((one) => !one.pending && one.deletedCause === null && isOfPresentSource(batch, one));
  const isBelieved = missing.length <= REMOVALS_BELIEVED || missing.length * REMOVALS_BELIEVED_PART <= posted.length;
  return new Set(isBelieved ? [] : missing.map(({ id }) => id));
}
