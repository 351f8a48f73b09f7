import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { machineTimeZone } from '../../kernel/dates.ts';
import { configValue } from '../config/index.ts';

/** The time zone in which schedules and quiet hours are read. */
export async function householdZone(tx: ReadTx): Promise<string> {
  return (await configValue(tx, 'instance.timezone')) ?? machineTimeZone();
}

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
