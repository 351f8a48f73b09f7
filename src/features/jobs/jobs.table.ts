import type { z } from 'zod';

import type { Job } from './jobs.contract.ts';
import type { JobRow } from './jobs.queries.ts';

export type JobRecord = z.output<typeof Job>;

export function toJob(row: JobRow): JobRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    kind: row.kind as JobRecord['kind'],
    status: row.status as JobRecord['status'],
    progress: { done: row.done, total: row.total },
    // A running job keeps its result so far, in case it is interrupted.
    result:
      row.result === null || row.finished_at === null ? null : (JSON.parse(row.result) as Record<string, unknown>),
    error: row.error === null ? null : (JSON.parse(row.error) as JobRecord['error']),
    created_by: { type: row.actor_type as JobRecord['created_by']['type'], id: row.actor_id, name: row.actor_name },
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  };
}
