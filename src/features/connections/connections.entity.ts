import type { z } from 'zod';

import {
  flag,
  IDS,
  internal,
  recorded,
  referenceByShortId,
  secret,
  STAMPS,
  unjournaled,
} from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { Connection } from './connection-record.contract.ts';
import { hasAccounts, releaseImports, returnImports, type ConnectionRow } from './connections.queries.ts';

/** The progress and errors of syncs are not journaled, because they change with every sync. */
export const connections = defineEntity('connections', {
  type: 'connection',
  columns: {
    ...IDS,
    user_id: referenceByShortId('users'),
    provider: recorded,
    institution_id: recorded,
    institution_name: recorded,
    external_id: internal,
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
    last_error_at: unjournaled,
    new_accounts_at: unjournaled,
    consent_guessed_at: unjournaled,
    consent_announced_at: unjournaled,
    linked_at: unjournaled,
    history_completed_at: unjournaled,
    ...STAMPS,
  },
  removeBelongings: async (tx, id) => ({ imports: await releaseImports(tx, id) }),
  async restoreBelongings(tx, { entityId, internal }) {
    await returnImports(tx, entityId, (internal['imports'] as readonly string[] | undefined) ?? []);
  },
  undo: { isUsed: hasAccounts },
});

type ConnectionRecord = z.output<typeof Connection>;

export function toConnection(row: ConnectionRow): ConnectionRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    user_id: row.user_short_id,
    user_name: row.user_name,
    provider: row.provider as ConnectionRecord['provider'],
    institution_name: row.institution_name,
    institution_id: row.institution_id,
    status: row.status as ConnectionRecord['status'],
    paused: row.paused === 1,
    sync_interval_seconds: row.sync_interval_seconds,
    last_sync_at: row.last_sync_at,
    next_sync_at: row.next_sync_at,
    account_count: Number(row.account_count),
    error_code: row.error_code,
    error_message: row.error_message,
    consecutive_failures: row.consecutive_failures,
    last_error_at: row.last_error_at,
    consent_expires_at: row.consent_expires_at,
    new_accounts_available: row.new_accounts_at !== null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
