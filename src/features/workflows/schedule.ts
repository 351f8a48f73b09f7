import { sql } from 'kysely';

import type { WriteTx } from '../../journal/write.ts';

/**
 * Makes the schedule of a workflow begin now: what it missed until now is not made up for. A start that waits is kept
 * only while the workflow is still to be started by syncs.
 */
export async function restartSchedule(tx: WriteTx, workflowId: string): Promise<void> {
  await sql`insert into workflow_schedules (workflow_id, checked_until, kept_start_at)
    values (${workflowId}, ${tx.now}, null)
    on conflict (workflow_id) do update set
      checked_until = excluded.checked_until,
      kept_start_at = case when exists (select 1 from workflows
        where id = ${workflowId} and is_enabled = 1 and is_started_by_syncs = 1) then workflow_schedules.kept_start_at end`.execute(
    tx.q,
  );
}
