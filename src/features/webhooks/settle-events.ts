import type { BareWriteTx } from '../../db/unit-of-work.ts';

interface EndedSync {
  connectionId: string;
  syncLogId: string;
  /** Why the sync failed, as its log says it; null if it succeeded. */
  error: string | null;
}

/**
 * Ends the events that asked for a sync and that this one served: those received before it began (contract 30.13). Ids
 * grow with time, so they tell what came first. To be called in the write that ends the log, or after it; repeating it
 * does no harm. An interrupted sync settles nothing: the next one serves its events.
 */
export async function settleEvents(tx: BareWriteTx, { connectionId, syncLogId, error }: EndedSync): Promise<void> {
  await tx.q
    .updateTable('webhook_events')
    .set({
      status: error === null ? 'processed' : 'error',
      error_message: error,
      sync_log_id: syncLogId,
      processed_at: tx.now,
    })
    .where('connection_id', '=', connectionId)
    .where('status', '=', 'received')
    .where('event_type', '=', 'sync_available')
    .where('id', '<', syncLogId)
    .execute();
}

/** Ends the events whose sync will not run, because the request for it was dropped. A sync that runs serves its own. */
export async function failWaitingEvents(tx: BareWriteTx, connectionId: string, message: string): Promise<void> {
  const turn = await tx.q
    .selectFrom('sync_turns')
    .select('sync_log_id')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  await tx.q
    .updateTable('webhook_events')
    .set({ status: 'error', error_message: message, processed_at: tx.now })
    .where('connection_id', '=', connectionId)
    .where('status', '=', 'received')
    .where('event_type', '=', 'sync_available')
    .where('id', '>', turn?.sync_log_id ?? '')
    .execute();
}
