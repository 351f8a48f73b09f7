import {
  clearRevertMarks,
  findChangeSet,
  findRevertInForce,
  restoreRevertMarks,
  tallyChanges,
  tallyCreatedRows,
  updateChangeSet,
  type ChangeSetRow,
} from './journal.queries.ts';
import type { EntityUndos, RevertStatus } from './undo.ts';
import type { WriteTx } from './write.ts';

/**
 * Updates the status of the change set this write reverts. If that is itself a revert, the set it reverted is in force
 * again; if that is a revert, too, what it reverted is not, and so on.
 */
export async function updateRevertStatus(tx: WriteTx, undos: EntityUndos, set: ChangeSetRow): Promise<void> {
  await updateOne(tx, undos, set, tx.journal.changeSetId);
  let revert = set;
  for (let isInForce = false; revert.reverts_change_set_id !== null; isInForce = !isInForce) {
    const original = await findChangeSet(tx, revert.reverts_change_set_id);
    if (!original) return;
    await (isInForce ? restoreRevertMarks : clearRevertMarks)(tx, original.id, revert.id);
    await updateOne(tx, undos, original, await findRevertInForce(tx, original.id, isInForce ? null : revert.id));
    revert = original;
  }
}

async function updateOne(
  tx: WriteTx,
  undos: EntityUndos,
  set: ChangeSetRow,
  revertedByChangeSetId: string | null,
): Promise<void> {
  const status = await statusOf(tx, set);
  await updateChangeSet(tx, set.id, { status, reverted_by_change_set_id: revertedByChangeSetId });
  const updated = { id: set.id, importId: set.import_id, status, revertedByChangeSetId };
  for (const undo of undos.values()) await undo.onStatusChanged?.(tx, updated);
}

async function statusOf(tx: WriteTx, set: ChangeSetRow): Promise<RevertStatus['status']> {
  const changes = await tallyChanges(tx, set.id);
  // What a sync created is never reverted, so it keeps no set in force.
  const hasCreatedRows = set.import_id !== null && set.created_count > changes.created;
  const rows = hasCreatedRows ? await tallyCreatedRows(tx, set.id) : { live: 0, reverted: 0 };
  const inForce = changes.revertible - changes.reverted + rows.live;
  if (inForce === 0) return 'reverted';
  return changes.reverted + rows.reverted > 0 ? 'partly_reverted' : 'applied';
}
