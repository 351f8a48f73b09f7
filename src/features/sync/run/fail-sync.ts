import { isUnavailable } from '../../../db/unavailable.ts';
import { CONNECTION_DISCONNECTED, INTERNAL_ERROR, syncErrorMessage } from '../../../engines/sync/sync-errors.ts';
import { write, type WriteTx } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { instantAt } from '../../../kernel/dates.ts';
import { AppError } from '../../../kernel/errors.ts';
import { ProviderFailure } from '../../../providers/provider-failure.ts';
import { findConnectionOf } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import { settleEvents } from '../../webhooks/index.ts';
import { endLog, findLog } from '../logs/sync-logs.queries.ts';
import { tellOfFailure } from '../status/connection-alerts.ts';
import { applyConnectionEvent, eventContext } from '../status/connection-events.ts';
import { findHeldLease, holdsTurn, releaseLease } from '../turns/leases.ts';
import type { SyncTurn } from './run-sync.ts';
import { syncOrigin } from './sync-origin.ts';

/** Whose sync it is, and by what it holds its turn. */
type HeldTurn = Pick<SyncTurn, 'connectionId' | 'syncLogId' | 'fencingToken'>;

/**
 * Ends a sync that failed, in a short write of its own: its log, the state of its connection, and the webhook events that
 * waited for it (contract 30.7.2). Does nothing if the sync has lost its turn, or has ended after all.
 */
export async function failSync(instance: Instance, turn: SyncTurn, error: unknown): Promise<void> {
  const failure = failureOf(error);
  const isUnstored = isUnavailable(error);
  await instance.untilDone(async () => {
    const connection = await instance.database.read((tx) => findConnectionOf(tx, turn.connectionId));
    if (!connection) return;
    await write(instance.database, syncOrigin(instance, turn, connection.provider), (tx) =>
      storeFailure(tx, instance, turn, failure, { isUnstored }),
    );
  });
}

/** The same as a part of a write. `isUnstored`: our own database could not store it, which says nothing of the bank. */
export async function storeFailure(
  tx: WriteTx,
  instance: Instance,
  turn: HeldTurn,
  failure: ProviderFailure,
  { isUnstored = false } = {},
): Promise<void> {
  const log = await findLog(tx, turn.syncLogId);
  const connection = await findConnectionOf(tx, turn.connectionId);
  if (log?.status !== 'in_progress' || !connection || !(await holdsTurn(tx, turn))) return;
  const { code, failureClass } =
    connection.status === 'disconnected' ? { code: CONNECTION_DISCONNECTED, failureClass: null } : failure;
  const finishedAt = instantNow(instance.clock);
  const message = syncErrorMessage({ failureClass, code }, await eventContext(tx, instance, connection));
  if (failureClass !== null && isUnstored) {
    await applyConnectionEvent(tx, instance, connection, { kind: 'sync_unstored' }, { now: finishedAt });
  } else if (failureClass !== null) {
    const notBefore = failure.notBefore === null ? null : instantAt(failure.notBefore);
    const event = { kind: 'sync_failed', failureClass, code, notBefore } as const;
    const changed = await applyConnectionEvent(tx, instance, connection, event, { now: finishedAt });
    await tellOfFailure(tx, { syncLogId: turn.syncLogId, connection: changed ?? connection }, message);
  }
  await endFailed(tx, turn, { startedAt: log.started_at, finishedAt }, { code, message, failure });
  await settleEvents(tx, { connectionId: turn.connectionId, syncLogId: turn.syncLogId, error: message });
}

/**
 * Ends the sync of a connection that has just been disconnected, as a part of that write. Its run finds its turn gone and
 * stores nothing, even if somebody links the bank again before it notices.
 */
export async function endRunningSync(tx: WriteTx, instance: Instance, connectionId: string): Promise<void> {
  const held = await findHeldLease(tx, connectionId);
  if (!held) return;
  const turn = { connectionId, fencingToken: held.fencing_token, syncLogId: held.sync_log_id };
  await storeFailure(
    tx,
    instance,
    turn,
    new ProviderFailure({ failureClass: 'transient', code: CONNECTION_DISCONNECTED }),
  );
  await releaseLease(tx, turn);
}

async function endFailed(
  tx: WriteTx,
  turn: HeldTurn,
  times: { startedAt: string; finishedAt: string },
  { code, message, failure }: { code: string; message: string; failure: ProviderFailure },
): Promise<void> {
  const { providerError } = failure;
  const said = providerError && {
    code: providerError.code,
    type: providerError.type,
    message: providerError.message,
    request_id: providerError.requestId,
    http_status: providerError.httpStatus,
  };
  await endLog(tx, turn, times, {
    status: 'error',
    error_code: code,
    error_message: message,
    provider_error: said && JSON.stringify(said),
  });
}

/** Our own failure counts as the connection's too: the sync is retried later. */
function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  return new ProviderFailure({ failureClass: 'transient', code: INTERNAL_ERROR });
}

/** One line in the service's log about why a sync failed; text of the provider is not in it. */
export function logFailure({ logger }: Pick<Instance, 'logger'>, turn: SyncTurn, error: unknown): void {
  const about = { connection_id: turn.connectionId, sync_log_id: turn.syncLogId };
  if (error instanceof ProviderFailure) {
    logger.warn(
      { ...about, code: error.code, class: error.failureClass },
      'A sync failed: the bank could not be read.',
    );
  } else if (error instanceof AppError) {
    logger.warn({ ...about, code: error.code, err: error.cause ?? error }, 'A sync could not be stored.');
  } else {
    logger.error({ ...about, err: error }, 'A sync failed.');
  }
}
