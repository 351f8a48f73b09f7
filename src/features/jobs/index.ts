export { acceptJob, failJob, keepJob, startJob, takeTurn } from './job-turn.ts';
export { endJob, findJob, oldJobs, updateJob } from './jobs.queries.ts';
export { toJob, type JobRecord } from './jobs.table.ts';
