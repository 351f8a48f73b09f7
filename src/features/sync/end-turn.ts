import type { ConnectionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import {
  CONNECTION_DISCONNECTED,
  INTERRUPTED,
  syncErrorMessage,
  type FailureClass,
} from '../../engines/sync/sync-errors.ts';
import { write, type Origin, type WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import type { ProviderError } from '../../providers/provider-failure.ts';
import type { Instance } from '../handler.ts';
import { traitsOf } from '../providers/index.ts';
import { settleEvents } from '../webhooks/index.ts';
import { changeByEvent } from './connection-events.ts';
import { releaseLease, selectLostLeases } from './leases.ts';
import { requestSync, type SyncTrigger } from './request-sync.ts';
import type { SyncTurn } from './run-sync.ts';

/** Why a sync failed, as its log and its connection show it. */
export interface SyncFailure {
  readonly failureClass: FailureClass;
  readonly code: string;
  /** The provider asked for a pause until then. */
  readonly notBefore: string | null;
  readonly providerError: ProviderError | null;
}

/** Of writes that leave no change set: the sync log is their record. */
export const SYNC_ORIGIN: Origin = {
  actor: { type: 'system', id: null, userId: null, name: 'sync' },
  surface: 'system',
  source: 'sync',
  action: 'sync.end',
  reason: null,
  requestId: null,
};

/**
 * Ends the turn of a sync whose run is over: closes its log, if the run could not, and gives the lease back. Answers
 * whether another sync of the connection waits. `left` is null for a run that was cut off.
 */
export async function endTurn(instance: Instance, turn: SyncTurn, left: SyncFailure | null): Promise<boolean> {
  const { value } = await write(instance.database, SYNC_ORIGIN, async (tx) => {
    if (left) await failSync(tx, instance, turn, left);
    else await closeInterrupted(tx, instance, turn);
    return releaseLease(tx, turn);
  });
  return value;
}

/** Ends the syncs whose process is gone (30.7.1), or all where no other process can run one. Answers how many. */
export async function endLostTurns(instance: Instance, which: { all: boolean }): Promise<number> {
  const { database, clock } = instance;
  const lost = await database.read((tx) => selectLostLeases(tx, instantNow(clock), which));
  for (const { connection_id: connectionId, fencing_token: fencingToken, sync_log_id: syncLogId } of lost) {
    await write(database, SYNC_ORIGIN, async (tx) => {
      // Its holder may have come back, or another process may have ended it.
      const still = await selectLostLeases(tx, tx.now, which);
      if (!still.some((one) => one.fencing_token === fencingToken)) return;
      await closeInterrupted(tx, instance, { connectionId, syncLogId });
      await releaseLease(tx, { connectionId, fencingToken });
    });
  }
  return lost.length;
}

/**
 * The end of a failed sync: its log, its connection by 30.3, and the webhook events that asked for it. Nothing of it was
 * stored. Does nothing if the log has ended already.
 */
export async function failSync(
  tx: WriteTx,
  instance: Instance,
  { connectionId, syncLogId }: Pick<SyncTurn, 'connectionId' | 'syncLogId'>,
  { failureClass, code, notBefore, providerError }: SyncFailure,
): Promise<void> {
  const log = await findRunning(tx, syncLogId);
  const connection = await findConnection(tx, connectionId);
  if (!log || !connection) return;
  const isGone = connection.status === 'disconnected';
  const error = isGone ? { failureClass: null, code: CONNECTION_DISCONNECTED } : { failureClass, code };
  const message = syncErrorMessage(error, namesOf(instance, connection));
  await endLog(tx, log, { code: error.code, message, providerError: isGone ? null : providerError });
  if (!isGone) await changeByEvent(tx, instance, connection, { kind: 'sync_failed', failureClass, code, notBefore });
  await settleEvents(tx, { connectionId, syncLogId, error: message });
}

/** A sync that nobody runs any more. It is done again at once, for whoever asked for it, unless that ended it twice. */
async function closeInterrupted(
  tx: WriteTx,
  instance: Instance,
  { connectionId, syncLogId }: Pick<SyncTurn, 'connectionId' | 'syncLogId'>,
): Promise<void> {
  const log = await findRunning(tx, syncLogId);
  const connection = await findConnection(tx, connectionId);
  if (!log || !connection) return;
  const counts = await wasInterruptedBefore(tx, log);
  const code = connection.status === 'disconnected' ? CONNECTION_DISCONNECTED : INTERRUPTED;
  const message = syncErrorMessage({ failureClass: null, code }, namesOf(instance, connection));
  await endLog(tx, log, { code, message, providerError: null });
  if (connection.status === 'disconnected') return;
  await changeByEvent(tx, instance, connection, { kind: 'sync_interrupted', counts });
  const trigger = log.trigger as SyncTrigger;
  if (counts || (trigger === 'cron' && connection.paused === 1)) return;
  await requestSync(tx, connectionId, { trigger, isFull: log.is_full === 1 });
}

interface RunningLog {
  readonly id: string;
  readonly connection_id: string;
  readonly started_at: string;
  readonly trigger: string;
  readonly is_full: number;
}

async function findRunning(tx: ReadTx, syncLogId: string): Promise<RunningLog | undefined> {
  return tx.q
    .selectFrom('sync_logs')
    .select(['id', 'connection_id', 'started_at', 'trigger', 'is_full'])
    .where('id', '=', syncLogId)
    .where('status', '=', 'in_progress')
    .executeTakeFirst();
}

async function wasInterruptedBefore(tx: ReadTx, log: RunningLog): Promise<boolean> {
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

async function endLog(
  tx: WriteTx,
  log: RunningLog,
  { code, message, providerError }: { code: string; message: string; providerError: ProviderError | null },
): Promise<void> {
  const said = providerError && {
    code: providerError.code,
    type: providerError.type,
    message: providerError.message,
    request_id: providerError.requestId,
    http_status: providerError.httpStatus,
  };
  await tx.q
    .updateTable('sync_logs')
    .set({
      status: 'error',
      finished_at: tx.now,
      duration_ms: Math.max(0, Date.parse(tx.now) - Date.parse(log.started_at)),
      error_code: code,
      error_message: message,
      provider_error: said && JSON.stringify(said),
    })
    .where('id', '=', log.id)
    .execute();
}

async function findConnection(tx: ReadTx, id: string): Promise<ConnectionsTable | undefined> {
  return tx.q.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
}

function namesOf(instance: Instance, { provider, institution_name: institutionName }: ConnectionsTable) {
  return { institutionName, providerName: traitsOf(instance, provider)?.displayName ?? provider };
}
