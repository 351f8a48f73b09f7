import type { Updateable } from 'kysely';

import type { SyncLogsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { SyncTurn } from '../run/run-sync.ts';
import type { SyncLogRow } from './sync-history.queries.ts';
import type { SyncWarning } from './sync-warnings.ts';

export async function findLog(tx: ReadTx, syncLogId: string): Promise<SyncLogRow | undefined> {
  return tx.q.selectFrom('sync_logs').selectAll().where('id', '=', syncLogId).executeTakeFirst();
}

/** Ends the log of a running sync. */
export async function endLog(
  tx: BareWriteTx,
  { syncLogId }: Pick<SyncTurn, 'syncLogId'>,
  { startedAt, finishedAt }: { startedAt: string; finishedAt: string },
  outcome: Updateable<SyncLogsTable>,
): Promise<void> {
  const duration_ms = Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
  await tx.q
    .updateTable('sync_logs')
    .set({ ...outcome, finished_at: finishedAt, duration_ms })
    .where('id', '=', syncLogId)
    .where('status', '=', 'in_progress')
    .execute();
}

/** Logs of running syncs, by UUID. */
export async function selectRunning(tx: ReadTx): Promise<Set<string>> {
  const rows = await tx.q.selectFrom('sync_logs').select('id').where('status', '=', 'in_progress').execute();
  return new Set(rows.map(({ id }) => id));
}

/** Leaves the note of what a committed sync still has to do. */
export async function leaveNote(tx: BareWriteTx, { syncLogId, connectionId }: SyncTurn): Promise<void> {
  await tx.q
    .insertInto('after_sync_notes')
    .values({ sync_log_id: syncLogId, connection_id: connectionId, created_at: tx.now })
    .execute();
}

export async function selectNotes(tx: ReadTx): Promise<{ sync_log_id: string; connection_id: string }[]> {
  const notes = tx.q.selectFrom('after_sync_notes').select(['sync_log_id', 'connection_id']);
  return notes.orderBy('created_at').orderBy('sync_log_id').execute();
}

export async function removeNote(tx: BareWriteTx, syncLogId: string): Promise<void> {
  await tx.q.deleteFrom('after_sync_notes').where('sync_log_id', '=', syncLogId).execute();
}

/** Adds a warning to the log of a sync that has ended. */
export async function addWarning(tx: BareWriteTx, syncLogId: string, warning: SyncWarning): Promise<void> {
  const log = await findLog(tx, syncLogId);
  if (!log) return;
  const warnings = [...(JSON.parse(log.warnings) as SyncWarning[]), warning];
  await tx.q
    .updateTable('sync_logs')
    .set({
      warnings: JSON.stringify(warnings.slice(0, LIMITS.syncWarnings)),
      warning_count: log.warning_count + 1,
      warning_message: log.warning_message ?? warning.message,
    })
    .where('id', '=', syncLogId)
    .execute();
}

/** Accounts of a connection of which a sync may have changed rows; none if it changed no transaction. */
export async function selectChangedAccounts(tx: ReadTx, syncLogId: string, connectionId: string): Promise<string[]> {
  const log = await tx.q
    .selectFrom('sync_logs')
    .select(['added_count', 'modified_count', 'removed_count'])
    .where('id', '=', syncLogId)
    .executeTakeFirst();
  if (!log || log.added_count + log.modified_count + log.removed_count === 0) return [];
  const fed = await tx.q
    .selectFrom('account_feeds')
    .select('account_id')
    .where('connection_id', '=', connectionId)
    .execute();
  return fed.map(({ account_id: id }) => id);
}
