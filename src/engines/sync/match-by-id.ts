import { isSameCurrency } from '../matching/identity.ts';
import type { BankRow, KnownRow, RowDecision } from './account-plan.ts';
import { decide, isRemovedNow, type Matching, type PlacedRow } from './matching.ts';
import { hasSameSign, type Movement } from './movement.ts';

/** R1: the external id is known. R2: the row names the pending transaction that it continues. */
export function matchById(matching: Matching): void {
  const { batch, ledger, knownById } = matching;
  if (batch.rowIds === 'none') return;
  for (const [place, { externalId }] of batch.rows.entries()) {
    const id = externalId === null ? undefined : ledger.aliases.get(externalId);
    if (id === undefined) continue;
    const known = knownById.get(id);
    if (!known) throw new Error('A transaction that an id of the batch belongs to was not loaded.');
    const isTaken = matching.taken.has(known.id);
    decide(matching, place, known, 'R1');
    // The bank may give a new id to what was posted since: R3 finds it.
    if (!isTaken && isReplacedVersion(batch.rows[place] as BankRow, known)) matching.taken.delete(known.id);
  }
  const here = new Set(matching.known);
  const continued = new Set<string>();
  for (const [place, row] of batch.rows.entries()) {
    if (matching.decisions[place] || row.pendingExternalId === null) continue;
    const known = knownById.get(ledger.aliases.get(row.pendingExternalId) ?? '');
    if (!known?.pending || !here.has(known) || continued.has(known.id)) continue;
    if (isBelievable(matching, row, known)) {
      continued.add(known.id);
      decide(matching, place, known, 'R2');
    } else {
      matching.disbelieved.set(place, known);
    }
  }
}

/**
 * R2 among new rows: the answer may still list the pending row that one of its posted rows continues. Both are one
 * transaction. What R3 found comes first, so that a transaction from a file is not created again.
 */
export function matchWithinBatch(matching: Matching): void {
  const { batch, decisions } = matching;
  if (batch.rowIds === 'none' || !batch.rows.some(({ pendingExternalId }) => pendingExternalId !== null)) return;
  const places = new Map<string, number>();
  for (const [place, { externalId, pending }] of batch.rows.entries()) {
    if (pending && externalId !== null) places.set(externalId, place);
  }
  const continued = new Set<number>();
  for (const [place, row] of batch.rows.entries()) {
    const pendingPlace = row.pendingExternalId === null ? undefined : places.get(row.pendingExternalId);
    if (pendingPlace === undefined || row.pending || continued.has(pendingPlace)) continue;
    const [own, of] = [decisions[place], decisions[pendingPlace]];
    if ((own && of) || own?.rule === 'R1' || own?.rule === 'R2' || of?.rule === 'R1') continue;
    const pending: PlacedRow = { ...(batch.rows[pendingPlace] as BankRow), place: pendingPlace };
    if (!isBelievable(matching, row, pending)) {
      if (!own) matching.disbelieved.set(place, of?.known ?? pending);
      continue;
    }
    continued.add(pendingPlace);
    if (of?.known) decide(matching, place, of.known, 'R2');
    else if (own?.known) decide(matching, pendingPlace, own.known, 'R2');
    else decisions[pendingPlace] = { row: pendingPlace, known: null, sameAs: place, rule: 'R2', isSuperseded: true };
  }
}

function isBelievable({ names }: Matching, row: BankRow, pending: Movement): boolean {
  if (!isSameCurrency(row.currency, pending.currency) || !hasSameSign(row, pending)) return false;
  const larger = Math.max(Math.abs(row.amountCents), Math.abs(pending.amountCents));
  const isNear = 2 * Math.abs(row.amountCents - pending.amountCents) <= larger;
  return isNear || names.areCompatible(row, pending);
}

/** If several rows are one transaction, one of them has the last word; a stale pending row never does. */
export function superseded(matching: Matching, decisions: readonly RowDecision[]): RowDecision[] {
  const best = new Map<string, RowDecision>();
  for (const decision of decisions) {
    if (!decision.known) continue;
    const other = best.get(decision.known.id);
    if (!other || rank(matching, decision) >= rank(matching, other)) best.set(decision.known.id, decision);
  }
  return decisions.map((decision) => {
    if (!decision.known) return decision;
    const isLast = best.get(decision.known.id) === decision && !isStale(matching, decision, decision.known);
    return isLast ? decision : { ...decision, isSuperseded: true };
  });
}

function rank({ batch }: Matching, { row, rule, known }: RowDecision): number {
  const { externalId, pending } = batch.rows[row] as BankRow;
  if (rule !== 'R1') return pending ? 3 : 4;
  if (externalId === known?.feed?.externalId) return 2;
  return pending ? 0 : 1;
}

/** The pending version of what has since been posted under another id. */
function isReplacedVersion({ externalId, pending }: BankRow, known: KnownRow): boolean {
  return pending && !known.pending && known.feed !== null && externalId !== known.feed.externalId;
}

/** A replaced version says nothing while the id that replaced it is valid. */
function isStale(matching: Matching, { row, rule }: RowDecision, known: KnownRow): boolean {
  if (rule !== 'R1' || !isReplacedVersion(matching.batch.rows[row] as BankRow, known)) return false;
  return known.feed?.removedAt === null && !isRemovedNow(matching, known);
}
