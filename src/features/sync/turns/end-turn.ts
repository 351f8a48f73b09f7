import type { ReadTx } from '../../../db/unit-of-work.ts';
import { CONNECTION_DISCONNECTED, INTERRUPTED, syncErrorMessage } from '../../../engines/sync/sync-errors.ts';
import { systemOrigin, write, type WriteTx } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import type { ProviderFailure } from '../../../providers/provider-failure.ts';
import { findConnectionOf } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import type { SyncLogRow } from '../logs/sync-history.queries.ts';
import { endLog, findLog } from '../logs/sync-logs.queries.ts';
import { finishSyncs } from '../run/after-sync.ts';
import { storeFailure } from '../run/fail-sync.ts';
import type { SyncTurn } from '../run/run-sync.ts';
import { changeByEvent, eventContext } from '../status/connection-events.ts';
import { releaseLease, selectLostLeases, type LostLeases } from './leases.ts';
import { requestSync, type SyncTrigger } from './request-sync.ts';

/** Of writes that leave no change set: logs and turns are their own record. */
export const SYNC_ORIGIN = systemOrigin('sync', 'sync.end', { source: 'sync' });

/**
 * Ends the turn of a sync whose run is over: closes its log, if the run could not, and gives the lease back. Answers
 * whether another sync of the connection waits. `failure` is null for a run that was cut off.
 */
export async function endTurn(instance: Instance, turn: SyncTurn, failure: ProviderFailure | null): Promise<boolean> {
  const { value } = await write(instance.database, SYNC_ORIGIN, async (tx) => {
    if (failure) await storeFailure(tx, instance, turn, failure);
    else await closeInterrupted(tx, instance, turn.syncLogId);
    return releaseLease(tx, turn);
  });
  return value;
}

/** Ends the syncs whose process is gone (30.7.1), or all where no other process can run one. */
export async function endLostTurns(instance: Instance, which: LostLeases): Promise<void> {
  const { database, clock } = instance;
  const lost = await database.read((tx) => selectLostLeases(tx, instantNow(clock), which));
  for (const { connection_id: connectionId, fencing_token: fencingToken, sync_log_id: syncLogId } of lost) {
    await write(database, SYNC_ORIGIN, async (tx) => {
      // Its holder may have come back, or another process may have ended it.
      const still = await selectLostLeases(tx, tx.now, which);
      if (!still.some((one) => one.fencing_token === fencingToken)) return;
      await closeInterrupted(tx, instance, syncLogId);
      await releaseLease(tx, { connectionId, fencingToken });
    });
  }
  // A process may have died after its commit.
  if (lost.length > 0) await finishSyncs(instance);
}

/** A sync that nobody runs any more. It is done again at once, for whoever asked for it, unless that ended it twice. */
async function closeInterrupted(tx: WriteTx, instance: Instance, syncLogId: string): Promise<void> {
  const log = await findLog(tx, syncLogId);
  const connection = log && (await findConnectionOf(tx, log.connection_id));
  if (log?.status !== 'in_progress' || !connection) return;
  const isGone = connection.status === 'disconnected';
  const code = isGone ? CONNECTION_DISCONNECTED : INTERRUPTED;
  const message = syncErrorMessage({ failureClass: null, code }, await eventContext(tx, instance, connection));
  const times = { startedAt: log.started_at, finishedAt: tx.now };
  const counts = await wasInterruptedBefore(tx, log);
  await endLog(tx, { syncLogId }, times, { status: 'error', error_code: code, error_message: message });
  if (isGone) return;
  await changeByEvent(tx, instance, connection, { kind: 'sync_interrupted', counts });
  const trigger = log.trigger as SyncTrigger;
  // The schedule finds its own again, because the connection is due.
  if (!counts && trigger !== 'cron') await requestSync(tx, connection.id, { trigger, isFull: log.is_full === 1 });
}

async function wasInterruptedBefore(tx: ReadTx, log: SyncLogRow): Promise<boolean> {
  const before = await tx.q
    .selectFrom('sync_logs')
    .select('error_code')
    .where('connection_id', '=', log.connection_id)
    .where('id', '!=', log.id)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return before?.error_code === INTERRUPTED;
}
