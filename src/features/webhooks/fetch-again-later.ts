import type { ConnectionsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { TEN_MINUTES_MS } from '../../providers/webhook-body.ts';
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
  const turn = await tx.q
    .selectFrom('sync_turns')
    .select(['requested_at', 'holder', 'not_before'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  if (turn && turn.requested_at !== null) return;
  tx.journal.allowUnjournaled('connection');
  const isRunning = turn?.holder != null;
  const pause = turn?.not_before ?? '';
  const at = isRunning || pause < endOfWindow ? endOfWindow : pause;
  let pull = tx.q
    .updateTable('connections')
    .set({ next_sync_at: at })
    .where('id', '=', connectionId)
    .where('status', '<>', 'disconnected')
    // Without a next sync, the connection is paused or needs a new sign-in.
    .where('next_sync_at', 'is not', null);
  // A sync that is running will replace any time, but not with one after this: `pulledTo`.
  if (!isRunning) pull = pull.where('next_sync_at', '>', at);
  await pull.execute();
}

/**
 * The time to which a duplicate has pulled the next sync of a connection; null: none has. It may have passed during the
 * sync that began at `since`, which says nothing of the update that came meanwhile.
 */
export async function pulledTo(
  tx: WriteTx,
  { id, next_sync_at: at }: Pick<ConnectionsTable, 'id' | 'next_sync_at'>,
  since: string,
): Promise<string | null> {
  if (at === null || at <= since) return null;
  const pulling = await tx.q
    .selectFrom('webhook_events')
    .select('id')
    .where('connection_id', '=', id)
    .where('event_type', '=', 'sync_available')
    .where('created_at', '=', instantAfter(at, -TEN_MINUTES_MS))
    .where('delivery_count', '>', 1)
    .limit(1)
    .executeTakeFirst();
  return pulling ? at : null;
}
