import type { BalanceSnapshotsTable } from '../../../db/schema.ts';
import type {
  CreatedRowsUndone,
  CreatingSet,
  EntityUndo,
  NetChange,
  Obstacle,
  RevertStatus,
} from '../../../journal/undo.ts';
import { journalOf } from '../../../journal/journal-of.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { followNewest, restoreSnapshots } from '../../accounts/index.ts';
import { bringBackListed, handValues, listsLiveRows, undo as facets } from '../../facets/index.ts';
import { deleteSnapshots, selectReplaced, selectSnapshotsOf } from '../plan/balances.queries.ts';
import { findImport, updateImport } from '../records/imports.queries.ts';
import { learnedSettingsOf, withLearnedSettings } from '../records/imports.table.ts';
import { revertLearnedSettings } from './learned-settings.ts';

/** Balance snapshots that a revert removed, and those that it restored. */
interface Balances {
  removed: readonly BalanceSnapshotsTable[];
  restored: readonly BalanceSnapshotsTable[];
}

/**
 * Reverts what an import left besides transactions (contract 36.11): removes its balance snapshots, restores those it
 * had replaced, and undoes what it learned, which is not a change of its own. The import's record stays and shows its
 * status.
 */
export const undo: EntityUndo = {
  entityType: 'import',
  async undo(tx, changes) {
    for (const change of changes) {
      await restoreBalances(tx, change);
      const isOutAgain = change.internal['is_back'] === true;
      if (!isOutAgain) await bringBackListed(tx, change.entityId);
      await onTakenOut(tx, change.entityId, isOutAgain);
    }
    return new Map<string, Obstacle>();
  },
  undoCreatedRows,
  async onStatusChanged(
    tx: WriteTx,
    { importId, status, revertedByChangeSetId }: CreatingSet & RevertStatus,
  ): Promise<void> {
    if (importId === null) return;
    const isReverted = status !== 'applied';
    const row = await findImport(tx, importId);
    const isOtherStatus = row !== undefined && isReverted === (row.status === 'completed');
    await updateImport(tx, importId, {
      ...(isOtherStatus ? withLearnedSettings(row, await revertLearnedSettings(tx, learnedSettingsOf(row))) : {}),
      status: isReverted ? status : 'completed',
      revert_change_set_id: isReverted ? revertedByChangeSetId : null,
      reverted_at: isReverted ? tx.now : null,
    });
    await handValues(tx, importId, isReverted ? 'away' : 'back');
  },
};

/** Takes out what came over to an import that has no change set of its own (36.11). */
export async function takeOut(tx: WriteTx, importId: string, isForced: boolean): Promise<CreatedRowsUndone> {
  const done = await facets.undoCreatedRows?.(tx, { id: '', importId }, isForced);
  if (!done || done.undoneCount === 0) return done ?? NOTHING;
  await record(tx, importId, { removed: [], restored: [] }, false);
  await onTakenOut(tx, importId, true);
  return done;
}

const NOTHING: CreatedRowsUndone = { undoneCount: 0, keptCount: 0, met: [] };

async function undoCreatedRows(tx: WriteTx, { importId }: CreatingSet): Promise<CreatedRowsUndone> {
  if (importId === null) return NOTHING;
  const removed = await selectSnapshotsOf(tx, importId);
  const restored = removed.length > 0 ? await selectReplaced(tx, importId) : [];
  await exchange(tx, { removed, restored });
  // Also where every row stays: the import is out of force, and the revert of the revert brings back what it lists.
  if (removed.length > 0 || !tx.journal.isEmpty() || (await listsLiveRows(tx, importId)))
    await record(tx, importId, { removed, restored }, false);
  return NOTHING;
}

/** The state of an import that changed nothing follows from what came over to it: taken out, or back. */
async function onTakenOut(tx: WriteTx, importId: string, isOut: boolean): Promise<void> {
  const row = await findImport(tx, importId);
  if (row?.change_set_id !== null) return;
  await updateImport(tx, importId, {
    status: isOut ? 'reverted' : 'completed',
    revert_change_set_id: isOut ? tx.journal.changeSetId : null,
    reverted_at: isOut ? tx.now : null,
  });
  await handValues(tx, importId, isOut ? 'away' : 'back');
}

/** Reverts a revert: the balances of the import return. */
async function restoreBalances(tx: WriteTx, change: NetChange): Promise<void> {
  const { removed = [], restored = [] } = change.internal as Partial<Balances>;
  await exchange(tx, { removed: restored, restored: removed });
  await record(tx, change.entityId, { removed: restored, restored: removed }, change.internal['is_back'] !== true);
}

async function exchange(tx: WriteTx, { removed, restored }: Balances): Promise<void> {
  await deleteSnapshots(tx, removed);
  await restoreSnapshots(tx, restored);
  for (const accountId of new Set([...removed, ...restored].map((row) => row.account_id))) {
    await followNewest(tx, accountId);
  }
}

/** `isBack`: the import is in force again. */
async function record(tx: WriteTx, importId: string, balances: Balances, isBack: boolean): Promise<void> {
  const row = await findImport(tx, importId);
  const identity = { id: importId, short_id: row?.short_id ?? null };
  journalOf('import').changed(tx, identity, { before: {}, after: {} }, { internal: { ...balances, is_back: isBack } });
}
