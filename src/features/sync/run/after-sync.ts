import { bookkeep } from '../../../journal/write.ts';
import type { Instance } from '../../handler.ts';
import { reconcileNow } from '../../transaction-matches/index.ts';
import { settleEvents } from '../../webhooks/index.ts';
import { noteCause } from '../../workflow-triggers/index.ts';
import { findLog, removeNote, selectChangedAccounts, selectNotes } from '../logs/sync-logs.queries.ts';

interface SyncNote {
  readonly syncLogId: string;
  readonly connectionId: string;
}

/** What a committed sync still has to do. Each step may run twice, because a crash may come before the note is deleted. */
const STEPS: readonly ((instance: Instance, note: SyncNote) => Promise<void>)[] = [
  markEvents,
  reconcileLinks,
  startWorkflows,
];

/** Does the work left after a sync (contract 30.7.2, step 7). A failure never changes the sync's log. */
export async function finishSync(instance: Instance, note: SyncNote): Promise<void> {
  try {
    for (const step of STEPS) await step(instance, note);
    await bookkeep(instance.database, (tx) => removeNote(tx, note.syncLogId));
  } catch (error) {
    instance.logger.error(
      { err: error, sync_log_id: note.syncLogId },
      'The work after a sync failed. It will be retried.',
    );
  }
}

/** Does what a crash or a failure left undone. Called at the start, and now and then. */
export async function finishSyncs(instance: Instance): Promise<void> {
  const notes = await instance.database.read(selectNotes);
  for (const { sync_log_id: syncLogId, connection_id: connectionId } of notes) {
    await finishSync(instance, { syncLogId, connectionId });
  }
}

/** Webhook events that asked for the sync are processed. */
async function markEvents({ database }: Instance, note: SyncNote): Promise<void> {
  await bookkeep(database, (tx) => settleEvents(tx, { ...note, error: null }));
}

/** Links of accounts whose rows the sync changed are reconciled (contract 50.1.3). */
async function reconcileLinks(instance: Instance, { syncLogId, connectionId }: SyncNote): Promise<void> {
  const accountIds = await instance.database.read((tx) => selectChangedAccounts(tx, syncLogId, connectionId));
  if (accountIds.length > 0) await reconcileNow(instance, { accountIds, syncLogId });
}

/** Workflows that syncs start are started if it brought rows (contract 60.4). */
async function startWorkflows(instance: Instance, { syncLogId }: SyncNote): Promise<void> {
  const log = await instance.database.read((tx) => findLog(tx, syncLogId));
  if (log?.status !== 'success' || log.added_count + log.modified_count === 0) return;
  const happenedAt = log.finished_at ?? log.started_at;
  await bookkeep(instance.database, (tx) => noteCause(tx, instance, { id: syncLogId, kind: 'sync', happenedAt }));
}
