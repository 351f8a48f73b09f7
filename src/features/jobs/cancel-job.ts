import { bookkeep } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleBackground } from '../handler.ts';
import { cancelJob as operation } from './jobs.contract.ts';
import { endJob, findJob, updateJob } from './jobs.queries.ts';
import { toJob } from './jobs.table.ts';

/** A job that waits ends now; one that runs ends with its present chunk; one that has ended stays as it is. */
export const cancelJob = handleBackground(operation, async ({ instance }, { params }) =>
  bookkeep(instance.database, async (tx) => {
    const job = await findJob(tx, params.id);
    if (!job) throw notFound('The job was');
    if (job.status === 'queued') await endJob(tx, job.id, { status: 'cancelled' });
    else if (job.status === 'running') await updateJob(tx, job.id, { is_cancel_requested: 1 });
    return toJob((await findJob(tx, job.id)) ?? job);
  }),
);
