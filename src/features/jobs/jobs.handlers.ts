import { bookkeep } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleBackground, handleRead } from '../handler.ts';
import * as contract from './jobs.contract.ts';
import { endJob, findJob, selectJobs, updateJob } from './jobs.queries.ts';
import { toJob } from './jobs.table.ts';

export const listJobs = handleRead(contract.listJobs, async ({ tx }, { query }) =>
  (await selectJobs(tx, { kinds: query.kind, statuses: query.status })).map(toJob),
);

export const getJob = handleRead(contract.getJob, async ({ tx }, { params }) => {
  const job = await findJob(tx, params.id);
  if (!job) throw notFound('job');
  return toJob(job);
});

/** A queued job ends at once, a running one after its current chunk; one that has ended stays as it is. */
export const cancelJob = handleBackground(contract.cancelJob, async ({ instance }, { params }) =>
  bookkeep(instance.database, async (tx) => {
    const job = await findJob(tx, params.id);
    if (!job) throw notFound('job');
    if (job.status === 'queued') await endJob(tx, job.id, { status: 'cancelled' });
    else if (job.status === 'running') await updateJob(tx, job.id, { is_cancel_requested: 1 });
    return toJob((await findJob(tx, job.id)) ?? job);
  }),
);
