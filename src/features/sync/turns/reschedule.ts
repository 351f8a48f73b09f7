import { nextSyncAt } from '../../../engines/sync/next-sync.ts';
import type { WriteTx } from '../../../journal/write.ts';
import type { Instance } from '../../handler.ts';
import { syncPace } from '../status/connection-events.ts';

/** Reschedules every connection without its own interval, because the global interval has changed. */
export async function rescheduleAll(tx: WriteTx, instance: Instance): Promise<void> {
  tx.journal.allowUnjournaled('connection');
  const rows = await tx.q
    .selectFrom('connections')
    .leftJoin('sync_turns', 'sync_turns.connection_id', 'connections.id')
    .selectAll('connections')
    .select('sync_turns.not_before')
    .where('connections.sync_interval_seconds', 'is', null)
    .where('connections.next_sync_at', 'is not', null)
    .execute();
  for (const { not_before: notBefore, ...connection } of rows) {
    const pace = await syncPace(tx, instance, connection.provider);
    const next = nextSyncAt(connection, { after: 'change', notBefore }, pace, tx.now);
    await tx.q.updateTable('connections').set({ next_sync_at: next }).where('id', '=', connection.id).execute();
  }
}
