import type { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getJob } from '../../../src/features/jobs/jobs.contract.ts';
import { ApplyAllResult, ApplyResult } from '../../../src/features/rules/rule-runs.contract.ts';
import { useApiQuery } from '../../api/queries.ts';

export type Job = OutputOf<typeof getJob>;
export type RunResult = Omit<z.output<typeof ApplyResult>, 'rule_id'> &
  Partial<Pick<z.output<typeof ApplyAllResult>, 'rules'>>;

const SOON_MS = 300;
const LIVE_MS = 2_000;
/** Most runs are short: the first looks come sooner. */
const SOON = 4;

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** A job as it is now, looked at every two seconds while the page is visible. */
export function useJob(id: string | undefined) {
  return useApiQuery(
    getJob,
    { params: { id: id ?? '' } },
    {
      enabled: id !== undefined,
      refetchInterval: ({ state: { data, dataUpdateCount: count } }) =>
        data && hasEnded(data) ? false : count < SOON ? SOON_MS : LIVE_MS,
    },
  );
}

/** What a run came to; of one that was cancelled or failed, what it did before. */
export function resultOf({ result }: Job): RunResult | undefined {
  const all = ApplyAllResult.safeParse(result);
  return all.success ? all.data : ApplyResult.safeParse(result).data;
}
