import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

import type { JobsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { deleteSome, type OldRows } from '../old-rows.ts';
import { endWorkLeases, takeWorkLease } from '../work-leases.ts';

export type JobRow = Selectable<JobsTable>;

export async function findJob(tx: ReadTx, anyId: string): Promise<JobRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('jobs').selectAll().where(column, '=', anyId).executeTakeFirst();
}

/** Newest first. */
export async function selectJobs(
  tx: ReadTx,
  filter: { kinds: readonly string[] | undefined; statuses: readonly string[] | undefined },
): Promise<JobRow[]> {
  let query = tx.q.selectFrom('jobs').selectAll();
  if (filter.kinds) query = query.where('kind', 'in', [...filter.kinds]);
  if (filter.statuses) query = query.where('status', 'in', [...filter.statuses]);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(LIMITS.jobsListed).execute();
}

export async function insertJob(tx: BareWriteTx, row: Insertable<JobsTable>, holder: string): Promise<void> {
  await tx.q.insertInto('jobs').values(row).execute();
  await takeWorkLease(tx, { kind: 'job', id: row.id }, holder);
}

export async function updateJob(tx: BareWriteTx, id: string, set: Updateable<JobsTable>): Promise<void> {
  await tx.q.updateTable('jobs').set(set).where('id', '=', id).execute();
}

/** Ends a job and its lease, and deletes jobs that ended long ago. */
export async function endJob(
  tx: BareWriteTx,
  id: string,
  set: Pick<Updateable<JobsTable>, 'status' | 'result' | 'error' | 'done' | 'total' | 'change_set_id'>,
): Promise<void> {
  await updateJob(tx, id, { ...set, finished_at: tx.now });
  await endWorkLeases(tx, 'job', [id]);
  await deleteSome(tx, oldJobs(tx.now));
}

/** Jobs that ended longer ago than they are kept (contract 40.9). */
export function oldJobs(now: string): OldRows {
  const oldest = instantAfter(now, -LIMITS.jobsKeptDays * DAY_MS);
  return { table: 'jobs', key: ['id'], isOld: sql`finished_at < ${oldest}` };
}

/** A queued or running job. */
interface UnfinishedJob {
  id: string;
  status: string;
  change_set_id: string | null;
  is_cancel_requested: 0 | 1;
}

/** In the order in which they were accepted. */
export async function selectUnfinishedJobs(tx: ReadTx): Promise<UnfinishedJob[]> {
  return tx.q
    .selectFrom('jobs')
    .select(['id', 'status', 'change_set_id', 'is_cancel_requested'])
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Marks the run of a failed job as an error in the history of rules. */
export async function failRunOf(tx: BareWriteTx, jobId: string): Promise<void> {
  await tx.q.updateTable('rule_runs').set({ status: 'error' }).where('run_id', '=', jobId).execute();
}

/** Closes the change set of a failed job, so that it can be reverted. */
export async function closeChangeSetOf(tx: BareWriteTx, changeSetId: string): Promise<void> {
  await tx.q.updateTable('change_sets').set({ is_open: 0 }).where('id', '=', changeSetId).execute();
}
