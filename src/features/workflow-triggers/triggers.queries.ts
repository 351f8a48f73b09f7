import { sql, type Selectable } from 'kysely';

import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { instantAfter, type Instant } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';

export type WorkflowRow = Selectable<WorkflowsTable>;

/** A workflow that a schedule starts. */
export interface Scheduled {
  id: string;
  cron: string;
  quiet_hours_start: string | null;
  quiet_hours_end: string | null;
  checked_until: Instant;
}

export async function selectScheduled(tx: ReadTx): Promise<Scheduled[]> {
  return tx.q
    .selectFrom('workflows')
    .innerJoin('workflow_schedules', 'workflow_id', 'id')
    .select(['id', 'quiet_hours_start', 'quiet_hours_end', 'checked_until'])
    .select((eb) => eb.ref('schedule_cron').$notNull().as('cron'))
    .where('is_enabled', '=', 1)
    .where('schedule_cron', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Says that occurrences up to now have been dealt with. undefined if someone else has done so since `scheduled` was read,
 * or the workflow was paused or changed.
 */
export async function claimOccurrences(tx: BareWriteTx, scheduled: Scheduled): Promise<WorkflowRow | undefined> {
  const { id, cron, checked_until: checkedUntil } = scheduled;
  const { numUpdatedRows } = await tx.q
    .updateTable('workflow_schedules')
    .set({ checked_until: tx.now })
    .where('workflow_id', '=', id)
    .where('checked_until', '=', checkedUntil)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  return tx.q
    .selectFrom('workflows')
    .selectAll()
    .where('id', '=', id)
    .where('is_enabled', '=', 1)
    .where('schedule_cron', '=', cron)
    .executeTakeFirst();
}

const IS_LISTENING = sql`w.is_enabled = 1 and w.is_started_by_syncs = 1`;

/** A kept start that is due. While its workflow runs, none is. Dates far ahead were written under a wrong clock. */
const isKeptStartDue = (now: Instant) => sql<boolean>`(
  (kept_start_at <= ${now} or kept_start_at > ${instantAfter(now, LIMITS.workflowKeptMaxMs)})
  and not exists (select 1 from workflow_runs r where r.workflow_id = s.workflow_id and r.status = 'in_progress'))`;

/** Whether a sync or import has not been dealt with, or a kept start is due. */
export async function isAnythingWaiting(tx: ReadTx, now: Instant): Promise<boolean> {
  const { rows } = await sql`select 1 from workflow_causes where handled_at is null
    union all select 1 from workflows w join workflow_schedules s on s.workflow_id = w.id
      where ${IS_LISTENING} and ${isKeptStartDue(now)} limit 1`.execute(tx.q);
  return rows.length > 0;
}

/** Says that all causes have been dealt with. Answers when the newest of them happened; null: there was none. */
export async function takeCauses(tx: BareWriteTx): Promise<Instant | null> {
  const taken = await tx.q
    .updateTable('workflow_causes')
    .set({ handled_at: tx.now })
    .where('handled_at', 'is', null)
    .returning('happened_at')
    .execute();
  return taken.reduce<Instant | null>(
    (newest, { happened_at: at }) => (newest === null || at > newest ? at : newest),
    null,
  );
}

/** Causes that were dealt with long ago, unless the work after their sync will note them again. */
export async function deleteOldCauses(tx: BareWriteTx): Promise<void> {
  await sql`delete from workflow_causes where handled_at < ${instantAfter(tx.now, -LIMITS.workflowCauseKeptMs)}
    and id not in (select sync_log_id from after_sync_notes)`.execute(tx.q);
}

/**
 * Enabled workflows that syncs start: those whose kept start is due, and those without one that a cause has reached since
 * they were enabled. Whichever ran longest ago comes first, so that none waits behind `max_concurrent` forever.
 */
export async function selectToStart(tx: ReadTx, now: Instant, newestCause: Instant | null): Promise<WorkflowRow[]> {
  const isReached = newestCause === null ? sql`1 = 0` : sql`kept_start_at is null and checked_until <= ${newestCause}`;
  const { rows } = await sql<WorkflowRow>`select w.* from workflows w join workflow_schedules s on s.workflow_id = w.id
    where ${IS_LISTENING} and (${isKeptStartDue(now)} or (${isReached}))
    order by coalesce((select max(r.started_at) from workflow_runs r
      where r.workflow_id = w.id and r.status <> 'skipped'), ''), w.created_at, w.id`.execute(tx.q);
  return rows;
}

/** When the last run that was not skipped began, if that is so recent that another one must wait. */
export async function findRecentStart(tx: BareWriteTx, workflowId: string): Promise<Instant | undefined> {
  const found = await tx.q
    .selectFrom('workflow_runs')
    .select('started_at')
    .where('workflow_id', '=', workflowId)
    .where('status', '<>', 'skipped')
    .where('started_at', '>', instantAfter(tx.now, -LIMITS.workflowPauseMs))
    // Later than now began what was started under a wrong clock.
    .where('started_at', '<=', instantAfter(tx.now, LIMITS.workflowPauseMs))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.started_at;
}

export async function keepStart(tx: BareWriteTx, workflowId: string, at: Instant | null): Promise<void> {
  await tx.q
    .updateTable('workflow_schedules')
    .set({ kept_start_at: at })
    .where('workflow_id', '=', workflowId)
    .execute();
}
