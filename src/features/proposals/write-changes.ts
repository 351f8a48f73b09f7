import type { EntityUndos } from '../../journal/undo.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { creatorsOf, placeOf } from './find-conflicts.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';

/** Writes planned changes without conflicts, as explicit edits of the actor, those of one type together. */
export async function writeChanges(
  tx: WriteTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  actor: Actor,
): Promise<void> {
  const ordered = createdFirst(undos, changes);
  // Nothing refers to comments, and between transactions they would make the runs short.
  const isComment = ({ entityType }: StoredChange): boolean => entityType === 'comment';
  const runs = runsOf([...ordered.filter((change) => !isComment(change)), ...ordered.filter(isComment)]);
  for (const run of runs) {
    await replayOf(undos, (run[0] as StoredChange).entityType).write(tx, run, actor);
    await tx.journal.flushIfLarge();
  }
}

/** In their order, but each after those that create what it refers to: a later call may have changed an earlier row. */
function createdFirst(undos: EntityUndos, changes: readonly StoredChange[]): StoredChange[] {
  const bySequence = new Map(changes.map((change) => [change.sequence, change]));
  const creators = creatorsOf(undos, changes);
  const seen = new Set<StoredChange>();
  const ordered: StoredChange[] = [];
  const visit = (change: StoredChange): void => {
    if (seen.has(change)) return;
    seen.add(change);
    for (const reference of replayOf(undos, change.entityType).referencesOf(change)) {
      const creator = bySequence.get(creators.get(placeOf(reference, reference.value)) ?? -1);
      if (creator) visit(creator);
    }
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

function runsOf(changes: readonly StoredChange[]): StoredChange[][] {
  const runs: StoredChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last && last[0]?.entityType === change.entityType) last.push(change);
    else runs.push([change]);
  }
  return runs;
}
