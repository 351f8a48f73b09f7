import type { OutputOf } from '../../../src/contract/operation.ts';
import { getJob, type Job } from '../../../src/features/jobs/jobs.contract.ts';
import { ApplyResult, type applyRule } from '../../../src/features/rules/rule-runs.contract.ts';
import { api } from '../../api/client.ts';
import type { z } from 'zod';

const LOOK_MS = 1_000;

type Run = OutputOf<typeof applyRule>;
export type Progress = z.output<typeof Job>['progress'];

/** What a run over the ledger came to. One over many rows goes on after its request was answered. */
export async function endOfRun(
  run: Run,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<{ count: number; changeSetId: string | null }> {
  let job: Run = run;
  while ('status' in job && (job.status === 'queued' || job.status === 'running')) {
    onProgress(job.progress);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    job = await api.call(getJob, { params: { id: job.id } });
  }
  if ('status' in job && job.error) throw new Error(job.error.message);
  const result = 'status' in job ? ApplyResult.safeParse(job.result).data : job;
  if (!result) throw new Error('The run of a rule has ended without a result.');
  return { count: result.affected_count, changeSetId: result.change_set_id };
}
