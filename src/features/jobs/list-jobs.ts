import { handleRead } from '../handler.ts';
import { listJobs as operation } from './jobs.contract.ts';
import { selectJobs } from './jobs.queries.ts';
import { toJob } from './jobs.table.ts';

export const listJobs = handleRead(operation, async ({ tx }, { query }) =>
  (await selectJobs(tx, { kinds: query.kind, statuses: query.status })).map(toJob),
);
