import { lazy, Suspense, useEffect } from 'react';

import { listJobs } from '../../../src/features/jobs/jobs.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useStore } from '../../lib/store.ts';
import { followedRun, followIfNew } from './followed-run.ts';

const RunProgress = lazy(() => import('./run-progress.tsx'));

/** The run of rules that is followed, on the page of all rules or on that of the rule that runs. */
export function RunPanel({ ruleId }: { ruleId?: string }) {
  const followed = useStore(followedRun);
  useRunOfOthers(ruleId === undefined && followed === null);
  if (!followed || (ruleId !== undefined && followed.rule?.id !== ruleId)) return null;
  return (
    <Suspense>
      <RunProgress key={followed.jobId} run={followed} />
    </Suspense>
  );
}

/** A run that goes on, such as one from before this page was loaded. */
function useRunOfOthers(isWanted: boolean): void {
  const query = { kind: ['rules_apply_all'], status: ['queued', 'running'] };
  const { data } = useApiQuery(listJobs, { query }, { enabled: isWanted });
  const running = data?.[0];
  useEffect(() => {
    if (isWanted && running) followIfNew(running.id);
  }, [isWanted, running]);
}
