import type { WriteTx } from '../../journal/write.ts';
import type { EventRow } from './webhooks.queries.ts';

/**
 * Two real updates of an item can be byte for byte the same, so a duplicate may be a second one. If it comes after the
 * sync of the first has begun, the next sync is pulled to the end of the window, so that nothing waits longer than that.
 */
export async function fetchAgainLater(
  tx: WriteTx,
  { event_type: type, connection_id: connectionId }: EventRow,
  endOfWindow: string,
): Promise<void> {
  if (type !== 'sync_available' || connectionId === null) return;
  const waiting = await tx.q
    .selectFrom('sync_turns')
    .select('requested_at')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  if (waiting && waiting.requested_at !== null) return;
  tx.journal.allowUnjournaled('connection');
  await tx.q
    .updateTable('connections')
    .set({ next_sync_at: endOfWindow })
    .where('id', '=', connectionId)
    .where('status', '<>', 'disconnected')
    // Without a next sync, the connection is paused or needs a new sign-in.
    .where('next_sync_at', '>', endOfWindow)
    .execute();
}
