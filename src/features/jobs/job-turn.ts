import { setTimeout } from 'node:timers/promises';

import { shortIdFor } from '../../db/short-ids.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { bookkeep, type Actor } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';
import { createRenewal, findAbandoned, renewWorkLease } from '../work-leases.ts';
import {
  closeChangeSetOf,
  endJob,
  failRunOf,
  findJob,
  insertJob,
  selectUnfinishedJobs,
  updateJob,
} from './jobs.queries.ts';

const LOOK_EVERY_MS = 25;
/** How often it looks before it checks again whether the jobs ahead still run. */
const LOOKS_PER_CHECK = 40;

/** Stores a queued job. Answers its UUID. */
export async function acceptJob(
  { database }: Instance,
  job: { kind: 'rules_apply' | 'rules_apply_all'; options: Readonly<Record<string, unknown>>; actor: Actor },
): Promise<string> {
  const holder = await database.presence();
  return bookkeep(database, async (tx) => {
    const id = tx.ids.uuid();
    const row = {
      id,
      short_id: await shortIdFor(tx, 'jobs'),
      kind: job.kind,
      status: 'queued',
      total: null,
      options: JSON.stringify(job.options),
      result: null,
      error: null,
      actor_type: job.actor.type,
      actor_id: job.actor.id,
      actor_user_id: job.actor.userId,
      actor_name: job.actor.name,
      change_set_id: null,
      created_at: tx.now,
      started_at: null,
      finished_at: null,
    };
    await insertJob(tx, row, holder);
    return id;
  });
}

/**
 * Waits until every job accepted earlier has ended: runs of rules take turns, across threads and servers (40.8.4).
 * Answers false if the job was cancelled or failed while it waited.
 */
export async function takeTurn(instance: Instance, jobId: string): Promise<boolean> {
  const { database } = instance;
  const renew = createRenewal(instance, { kind: 'job', id: jobId });
  for (let look = 0; ; look += 1) {
    const unfinished = await database.read((tx) => selectUnfinishedJobs(tx));
    const own = unfinished.find(({ id }) => id === jobId);
    if (!own) return false;
    if (unfinished[0] === own) return true;
    if (instance.isDraining()) {
      await bookkeep(database, (tx) => failJob(tx, jobId, INTERRUPTED));
      return false;
    }
    if (look % LOOKS_PER_CHECK === 0) {
      await renew();
      await failInterruptedJobs(instance);
    }
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Marks a job as running when its turn has come. Answers false if it was cancelled or failed meanwhile. */
export async function startJob(tx: BareWriteTx, jobId: string): Promise<boolean> {
  const [first] = await selectUnfinishedJobs(tx);
  if (first?.id !== jobId || first.status !== 'queued') return false;
  await updateJob(tx, jobId, { status: 'running', started_at: tx.now });
  return true;
}

/**
 * Keeps a running job for the process that works on it, in a transaction of that work.
 * @throws UNAVAILABLE if the job was given up meanwhile: another run may have begun, and its change set is closed
 */
export async function keepJob(tx: BareWriteTx, jobId: string): Promise<void> {
  const job = await findJob(tx, jobId);
  if (job?.status !== 'running') throw new AppError('UNAVAILABLE', INTERRUPTED.message);
  await renewWorkLease(tx, { kind: 'job', id: jobId });
}

/** Fails the jobs that no process works on any longer. `gone`: a holder known to have ended. */
export async function failInterruptedJobs(instance: Instance, gone?: string): Promise<void> {
  const { database } = instance;
  const unfinished = await database.read((tx) => selectUnfinishedJobs(tx));
  const ids = unfinished.map(({ id }) => id);
  for (const id of await findAbandoned(instance, 'job', ids, gone)) {
    await bookkeep(database, (tx) => failJob(tx, id, INTERRUPTED));
  }
}

const INTERRUPTED = {
  code: 'INTERRUPTED',
  message: 'The job was interrupted. What it has changed so far stays changed. Start it again for the rest.',
};

/** Fails a queued or running job. What it has committed stays, in a change set that is closed. */
export async function failJob(
  tx: BareWriteTx,
  jobId: string,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const job = (await selectUnfinishedJobs(tx)).find(({ id }) => id === jobId);
  if (!job) return;
  await endJob(tx, jobId, { status: 'failed', error: JSON.stringify({ code, message }) });
  await failRunOf(tx, jobId);
  if (job.change_set_id !== null) await closeChangeSetOf(tx, job.change_set_id);
}
