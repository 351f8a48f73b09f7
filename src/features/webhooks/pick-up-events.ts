import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { INTERRUPTED } from '../../engines/sync/sync-errors.ts';
import { failWaitingEvents, settleEvents } from './settle-events.ts';

/**
 * Takes up events that a crash left without an end (contract 30.13), at the start and hourly. An event waits rightly
 * while a sync of its connection waits or runs; else either a sync has served it already, or one is asked for again.
 */
export async function pickUpEvents(
  tx: BareWriteTx,
  askForSync: (connectionId: string) => Promise<unknown>,
): Promise<void> {
  for (const { connectionId, firstId, isLive } of await selectStranded(tx)) {
    if (!isLive) {
      await failWaitingEvents(tx, connectionId, 'The connection was disconnected.');
      continue;
    }
    const log = await findEndedLog(tx, connectionId, firstId);
    if (log) await settleEvents(tx, { connectionId, syncLogId: log.id, error: log.error });
    // What came after that log began is still waiting.
    if (!log || (await hasWaiting(tx, connectionId))) await askForSync(connectionId);
  }
}

interface Stranded {
  connectionId: string;
  /** The oldest of its events. */
  firstId: string;
  isLive: boolean;
}

async function selectStranded(tx: BareWriteTx): Promise<Stranded[]> {
  const rows = await tx.q
    .selectFrom('webhook_events')
    .innerJoin('connections', 'connections.id', 'webhook_events.connection_id')
    .leftJoin('sync_turns', 'sync_turns.connection_id', 'webhook_events.connection_id')
    .select(['connections.id as connectionId', 'connections.status'])
    .select((row) => row.fn.min('webhook_events.id').as('firstId'))
    .where('webhook_events.status', '=', 'received')
    .where('sync_turns.requested_at', 'is', null)
    .where('sync_turns.fencing_token', 'is', null)
    .groupBy(['connections.id', 'connections.status'])
    .execute();
  return rows.map(({ connectionId, firstId, status }) => ({
    connectionId,
    firstId,
    isLive: status !== 'disconnected',
  }));
}

/** The newest sync that began after an event and ended, other than by the end of its process. */
async function findEndedLog(
  tx: BareWriteTx,
  connectionId: string,
  eventId: string,
): Promise<{ id: string; error: string | null } | undefined> {
  const log = await tx.q
    .selectFrom('sync_logs')
    .select(['id', 'status', 'error_message'])
    .where('connection_id', '=', connectionId)
    .where('id', '>', eventId)
    .where('status', '<>', 'in_progress')
    .where((where) => where.or([where('error_code', 'is', null), where('error_code', '<>', INTERRUPTED)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return log && { id: log.id, error: log.status === 'success' ? null : (log.error_message ?? 'The sync failed.') };
}

async function hasWaiting(tx: BareWriteTx, connectionId: string): Promise<boolean> {
  const found = await tx.q
    .selectFrom('webhook_events')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('status', '=', 'received')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
