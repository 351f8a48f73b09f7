import { flag, IDS, recorded, referenceByShortId, secret, STAMPS, unjournaled } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { hasAccounts, releaseImports, returnImports } from './connections.queries.ts';

/** How far a sync has come, and what went wrong, is kept beside the journal: it changes with every sync. */
export const connections = defineEntity('connections', {
  type: 'connection',
  columns: {
    ...IDS,
    user_id: referenceByShortId('users'),
    provider: recorded,
    institution_id: recorded,
    institution_name: recorded,
    external_id: recorded,
    status: recorded,
    paused: flag(),
    sync_interval_seconds: recorded,
    last_sync_at: unjournaled,
    next_sync_at: unjournaled,
    error_code: unjournaled,
    error_message: unjournaled,
    consecutive_failures: unjournaled,
    consent_expires_at: unjournaled,
    credentials: secret,
    sync_position: unjournaled,
    ...STAMPS,
  },
  removeBelongings: async (tx, id) => ({ imports: await releaseImports(tx, id) }),
  async restoreBelongings(tx, { entityId, internal }) {
    await returnImports(tx, entityId, (internal['imports'] as readonly string[] | undefined) ?? []);
  },
  undo: { isUsed: hasAccounts },
});
