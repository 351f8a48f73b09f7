export { acceptJob, failJob, startJob, takeTurn } from './job-turn.ts';
export { endJob, findJob, updateJob } from './jobs.queries.ts';
export { toJob, type JobRecord } from './jobs.table.ts';
