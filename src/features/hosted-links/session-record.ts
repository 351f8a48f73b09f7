import type { z } from 'zod';

import type { LinkSessionRecord } from './hosted-links.contract.ts';
import { resultsOf, statusAt, type SessionRow } from './hosted-links.queries.ts';

type SessionRecord = z.output<typeof LinkSessionRecord>;

/** The record as clients see it; a session whose time is over counts as ended. */
export function toSession(row: SessionRow, now: string): SessionRecord {
  const status = statusAt(row, now);
  return {
    id: row.id,
    short_id: row.short_id,
    user_id: row.user_short_id,
    provider: row.provider as SessionRecord['provider'],
    action: row.action as SessionRecord['action'],
    connection_id: row.connection_id,
    single_use: row.is_single_use === 1,
    redirect_url: row.redirect_url,
    label: row.label,
    status,
    error_code: row.error_code,
    error_message: row.error_message,
    result_connection_ids: resultsOf(row),
    expires_at: row.expires_at,
    started_at: row.started_at,
    completed_at: status === row.status ? row.completed_at : row.expires_at,
    created_at: row.created_at,
  };
}
