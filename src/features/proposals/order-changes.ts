import type { EntityUndos } from '../../journal/undo.ts';
import { creatorsOf, placeOf, placesOf } from './find-conflicts.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';

/**
 * Changes in their order, as far as that goes: a later call may have changed an earlier row. Each stands after those that
 * create what it refers to, a deletion after those that let go of the row, and what takes a unique value after those that
 * give it up.
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
  const released = Map.groupBy(
    changes.flatMap((change) => uniquesOf(undos, change, change.before).map((value) => ({ value, change }))),
    ({ value }) => value,
  );
  return (change) => {
    const references = replayOf(undos, change.entityType).referencesOf(change);
    const made = references.map((reference) => bySequence.get(creators.get(placeOf(reference, reference.value)) ?? -1));
    const taken = uniquesOf(undos, change, change.after).flatMap((value) => released.get(value) ?? []);
    const left =
      change.operation === 'delete' ? placesOf(undos, change).flatMap((place) => users.get(place) ?? []) : [];
    return [...made.filter((one) => one !== undefined), ...left, ...taken.map((one) => one.change)];
  };
}

/** What refers to each place before the plan. */
function usersOf(undos: EntityUndos, changes: readonly StoredChange[]): ReadonlyMap<string, StoredChange[]> {
  const users = new Map<string, StoredChange[]>();
  for (const change of changes) {
    if (change.before === null) continue;
    const earlier = { ...change, after: change.before, hidden: {} };
    for (const reference of replayOf(undos, change.entityType).referencesOf(earlier)) {
      const place = placeOf(reference, reference.value);
      users.set(place, [...(users.get(place) ?? []), change]);
    }
  }
  return users;
}

/** A transaction is in one match at a time, which only the database says. */
const MATCHED = ['primary_transaction_id', 'dependent_transaction_id'];

function uniquesOf(undos: EntityUndos, { entityType }: StoredChange, fields: StoredChange['after']): string[] {
  if (fields === null) return [];
  const matched = entityType === 'transaction_match' ? MATCHED.map((name) => `${name} ${String(fields[name])}`) : [];
  return [...replayOf(undos, entityType).uniquesOf(fields), ...matched].map((value) => `${entityType} ${value}`);
}
