import type { EntityUndos } from '../../journal/undo.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { settleLinks } from '../account-links/index.ts';
import { inWritableOrder } from './order-changes.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';

/** Writes planned changes without conflicts, as explicit edits of the actor, those of one type together. */
export async function writeChanges(
  tx: WriteTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  actor: Actor,
): Promise<void> {
  const ordered = inWritableOrder(undos, changes);
  // Nothing refers to comments, and between transactions they would make the runs short. Accounts follow their links.
  const isComment = ({ entityType }: StoredChange): boolean => entityType === 'comment';
  const others = ordered.filter((change) => !isComment(change) && change.entityType !== 'account');
  const runs = runsOf([...others, ...ordered.filter(isComment)]);
  for (const run of runs) {
    await replayOf(undos, (run[0] as StoredChange).entityType).write(tx, run, actor);
    await tx.journal.flushIfLarge();
  }
  await settleLinks(tx, ordered);
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
