import type { ConnectionsTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import {
  applyEvent,
  type ConnectionEvent,
  type EventContext,
  type EventOutcome,
} from '../../../engines/sync/connection-status.ts';
import { nextSyncAt, type SyncPace } from '../../../engines/sync/next-sync.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { configValue } from '../../config/index.ts';
import { connections } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import { traitsOf } from '../../providers/index.ts';
import { dropRequest, keepManualRequest, requestSync } from '../turns/request-sync.ts';
import { tellOfStatus } from './connection-alerts.ts';

const MINUTE_SECONDS = 60;

/** How often a provider's connections sync automatically. */
export async function syncPace(tx: ReadTx, instance: Instance, provider: string): Promise<SyncPace> {
  return {
    globalIntervalSeconds: Number(await configValue(tx, 'sync_interval_minutes')) * MINUTE_SECONDS,
    minIntervalSeconds: traitsOf(instance, provider)?.minIntervalSeconds ?? null,
  };
}

/** The context of an event. It happened with the write, unless `now` says when. */
export async function eventContext(
  tx: WriteTx,
  instance: Instance,
  { provider, institution_name: institutionName }: Pick<ConnectionsTable, 'provider' | 'institution_name'>,
  now = tx.now,
): Promise<EventContext> {
  const providerName = traitsOf(instance, provider)?.displayName ?? provider;
  return { institutionName, providerName, pace: await syncPace(tx, instance, provider), now };
}

/** When a connection whose interval or pause was changed is synced next; bank files never are. */
export async function nextSyncAfterChange(
  tx: ReadTx & { now: string },
  instance: Instance,
  connection: ConnectionsTable,
): Promise<string | null> {
  if (connection.provider === 'csv') return null;
  const turn = await tx.q
    .selectFrom('sync_turns')
    .select('not_before')
    .where('connection_id', '=', connection.id)
    .executeTakeFirst();
  const cause = { after: 'change', notBefore: turn?.not_before ?? null } as const;
  return nextSyncAt(connection, cause, await syncPace(tx, instance, connection.provider), tx.now);
}

interface EventWrite {
  columns?: Parameters<typeof connections.change>[2];
  fields?: { after: Readonly<Record<string, unknown>> };
  now?: string;
}

/**
 * Applies what happened to a connection, as read in this transaction (contract 30.3): its columns, the sync that it asks
 * for, and what becomes of one that waits. `columns` are written together with them. undefined: nothing changed.
 */
export async function applyConnectionEvent(
  tx: WriteTx,
  instance: Instance,
  connection: ConnectionsTable,
  event: ConnectionEvent,
  { columns = {}, fields, now }: EventWrite = {},
): Promise<ConnectionsTable | undefined> {
  const outcome = applyEvent(connection, event, await eventContext(tx, instance, connection, now));
  if (!outcome) return undefined;
  const options = { revertible: false, ...(fields === undefined ? {} : { fields }) };
  const changed = await connections.change(tx, connection, { ...outcome.changes, ...columns }, options);
  await tellOfStatus(tx, connection, outcome.changes.status, outcome.changes.error_message ?? '');
  await notePause(tx, connection.id, event);
  await settleRequest(tx, instance, connection.id, outcome);
  return changed;
}

/**
 * The same for what a sync or the scheduler learns by itself. These columns are not journaled then: the sync log is
 * their record. Answers whether the event changed anything.
 */
export async function changeByEvent(
  tx: WriteTx,
  instance: Instance,
  connection: ConnectionsTable,
  event: ConnectionEvent,
): Promise<boolean> {
  const outcome = applyEvent(connection, event, await eventContext(tx, instance, connection));
  if (!outcome) return false;
  tx.journal.allowUnjournaled('connection');
  await tx.q
    .updateTable('connections')
    .set({ ...outcome.changes, updated_at: tx.now })
    .where('id', '=', connection.id)
    .execute();
  await tellOfStatus(tx, connection, outcome.changes.status, outcome.changes.error_message ?? '');
  await notePause(tx, connection.id, event);
  await settleRequest(tx, instance, connection.id, outcome);
  return true;
}

/** The pause that a provider asked for outlives the failure that told of it, because intervals may change meanwhile. */
async function notePause(tx: WriteTx, connectionId: string, event: ConnectionEvent): Promise<void> {
  if (event.kind !== 'sync_failed' && event.kind !== 'sync_succeeded') return;
  const notBefore = event.kind === 'sync_failed' ? event.notBefore : null;
  await tx.q
    .updateTable('sync_turns')
    .set({ not_before: notBefore })
    .where('connection_id', '=', connectionId)
    .execute();
}

async function settleRequest(
  tx: WriteTx,
  instance: Instance,
  connectionId: string,
  { request, waiting }: Pick<EventOutcome, 'request' | 'waiting'>,
): Promise<void> {
  if (waiting === 'drop') await dropRequest(tx, connectionId);
  if (waiting === 'drop_unless_manual') await keepManualRequest(tx, connectionId);
  if (request === null) return;
  await requestSync(tx, connectionId, { trigger: request });
  tx.afterCommit(() => instance.wakeSyncs());
}
