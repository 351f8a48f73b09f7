import { cancelJob } from './cancel-job.ts';
import { getJob } from './get-job.ts';
import { listJobs } from './list-jobs.ts';

export const handlers = [listJobs, getJob, cancelJob];

export { acceptJob, failInterruptedJobs, failJob, startJob, takeTurn } from './job-turn.ts';
export { endJob, findJob, updateJob } from './jobs.queries.ts';
export { toJob, type JobRecord } from './jobs.table.ts';
