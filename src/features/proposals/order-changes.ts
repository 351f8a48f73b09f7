import type { EntityUndos } from '../../journal/undo.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';
import { creatorsOf, placeOf, placesOf, usersOf } from './places.ts';

/**
 * Changes in their order, as far as that goes: a later call may have changed an earlier row. Each stands after those that
 * create what it refers to, a deletion after those that let go of the row, and a link or match after those that free its
 * accounts or transactions.
 */
export function inWritableOrder(undos: EntityUndos, changes: readonly StoredChange[]): StoredChange[] {
  const needsOf = needsIn(undos, changes);
  const seen = new Set<StoredChange>();
  const ordered: StoredChange[] = [];
  const visit = (change: StoredChange): void => {
    if (seen.has(change)) return;
    seen.add(change);
    for (const needed of needsOf(change)) visit(needed);
    ordered.push(change);
  };
  for (const change of changes.filter(isNewLink)) visit(change);
  for (const change of changes) visit(change);
  return ordered;
}

/** What a link attributes is written after it, as it was found, so that reverting it begins with the attribution. */
function isNewLink({ operation, entityType }: StoredChange): boolean {
  return operation === 'create' && (entityType === 'account_link' || entityType === 'transaction_match');
}

function needsIn(
  undos: EntityUndos,
  changes: readonly StoredChange[],
): (change: StoredChange) => readonly StoredChange[] {
  const bySequence = new Map(changes.map((change) => [change.sequence, change]));
  const creators = creatorsOf(undos, changes);
  const users = usersOf(undos, changes);
  const freeing = Map.groupBy(changes.filter(isFreeing), ({ entityType }) => entityType);
  return (change) => {
    const references = replayOf(undos, change.entityType).referencesOf(change);
    const made = references.map((reference) => bySequence.get(creators.get(placeOf(reference, reference.value)) ?? -1));
    const freed = isFreeing(change) ? [] : (freeing.get(change.entityType) ?? []);
    const left =
      change.operation === 'delete' ? placesOf(undos, change).flatMap((place) => users.get(place) ?? []) : [];
    return [...made.filter((one) => one !== undefined), ...left, ...freed];
  };
}

/** Two accounts have one link, and a transaction is in one match at a time: what ends one comes first. */
function isFreeing({ entityType, operation, after }: StoredChange): boolean {
  if (entityType !== 'account_link' && entityType !== 'transaction_match') return false;
  return operation === 'delete' || after?.['confidence'] === 'rejected';
}
