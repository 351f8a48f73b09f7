import type { z } from 'zod';

import type { Connection } from './connections.contract.ts';
import type { ConnectionRow } from './connections.queries.ts';

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
    last_error_at: null,
    consent_expires_at: row.consent_expires_at,
    new_accounts_available: false,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
