import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { CarriedUndone, CarryingSet, EntityUndo, NetChange, Obstacle, Restated } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { deleteSnapshots, restoreSnapshots, selectReplaced, selectSnapshotsOf } from './balances.queries.ts';
import { findImport, updateImport } from './imports.queries.ts';
import { tracesOf } from './imports.table.ts';
import { NO_TRACES, takeBackTraces, type Traces } from './traces.ts';
import { followNewest } from './write-balances.ts';

/** Balances that a revert took out of the history, those that it put in their place, and what it made forgotten. */
interface Left {
  removed: readonly BalanceSnapshotsTable[];
  restored: readonly BalanceSnapshotsTable[];
  traces: Traces;
}

/**
 * Takes back what an import left besides rows (contract 36.11): its balance snapshots go, and those that it had
 * replaced return; the profile and the account numbers that it remembered are as before. The import's own record stays, and tells how it stands.
 */
export const undo: EntityUndo = {
  entityType: 'import',
  async undo(tx, changes) {
    for (const change of changes) await bringBack(tx, change);
    return new Map<string, Obstacle>();
  },
  undoCarried,
  async onRestated(tx: WriteTx, { importId, status, revertedByChangeSetId }: CarryingSet & Restated): Promise<void> {
    if (importId === null) return;
    const isReverted = status !== 'applied';
    await updateImport(tx, importId, {
      status: isReverted ? status : 'completed',
      revert_change_set_id: isReverted ? revertedByChangeSetId : null,
      reverted_at: isReverted ? tx.now : null,
    });
  },
};

async function undoCarried(tx: WriteTx, { importId }: CarryingSet): Promise<CarriedUndone> {
  if (importId === null) return { undoneCount: 0, left: [] };
  const row = await findImport(tx, importId);
  const removed = await selectSnapshotsOf(tx, importId);
  const restored = removed.length > 0 ? await selectReplaced(tx, importId) : [];
  await exchange(tx, { removed, restored });
  const traces = row ? await takeBackTraces(tx, tracesOf(row)) : NO_TRACES;
  await record(tx, importId, { removed, restored, traces });
  return { undoneCount: 0, left: [] };
}

/** The other way round: a revert is taken back, so that what the import left stands again. */
async function bringBack(tx: WriteTx, change: NetChange): Promise<void> {
  const { removed = [], restored = [], traces = NO_TRACES } = change.internal as Partial<Left>;
  await exchange(tx, { removed: restored, restored: removed });
  const again = await takeBackTraces(tx, traces);
  await record(tx, change.entityId, { removed: restored, restored: removed, traces: again });
}

async function exchange(tx: WriteTx, { removed, restored }: Omit<Left, 'traces'>): Promise<void> {
  await deleteSnapshots(tx, removed);
  await restoreSnapshots(tx, restored);
  for (const accountId of new Set([...removed, ...restored].map((row) => row.account_id))) {
    await followNewest(tx, accountId);
  }
}

async function record(tx: WriteTx, importId: string, left: Left): Promise<void> {
  const { removed, restored, traces } = left;
  if ([removed, restored, traces.bindings, traces.profiles].every((list) => list.length === 0)) return;
  const row = await findImport(tx, importId);
  tx.journal.record({
    entityType: 'import',
    entityId: importId,
    entityShortId: row?.short_id ?? null,
    operation: 'update',
    before: {},
    after: {},
    internal: { ...left },
    revertible: true,
  });
}
