import type { Origin } from '../../../journal/write.ts';
import type { Instance } from '../../handler.ts';
import { traitsOf } from '../../providers/index.ts';
import type { SyncTurn } from './run-sync.ts';

/** The origin of a sync's writes (contract 30.7.2, step 6): the system, for this connection. */
export function syncOrigin(instance: Instance, { connectionId, syncLogId }: SyncTurn, provider: string): Origin {
  const name = `${traitsOf(instance, provider)?.displayName ?? provider} sync`;
  return {
    actor: { type: 'system', id: connectionId, userId: null, name },
    surface: 'system',
    source: 'sync',
    action: 'connection.sync',
    reason: null,
    requestId: null,
    syncLogId,
  };
}
