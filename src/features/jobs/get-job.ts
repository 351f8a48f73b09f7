import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getJob as operation } from './jobs.contract.ts';
import { findJob } from './jobs.queries.ts';
import { toJob } from './jobs.table.ts';

export const getJob = handleRead(operation, async ({ tx }, { params }) => {
  const job = await findJob(tx, params.id);
  if (!job) throw notFound('The job was');
  return toJob(job);
});
