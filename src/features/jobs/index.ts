export { acceptJob, failJob, keepJob, startJob, takeTurn } from './job-turn.ts';
export { deleteOldJobs, endJob, findJob, updateJob } from './jobs.queries.ts';
export { toJob, type JobRecord } from './jobs.table.ts';
