import { X } from 'lucide-react';
import { useEffect } from 'react';

import { getChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { cancelJob } from '../../../src/features/jobs/jobs.contract.ts';
import { refresh, useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { Banner, ErrorBanner } from '../banner.tsx';
import { Button, IconButton } from '../button.tsx';
import { ChangeSetEntry } from '../changes/change-set-entry.tsx';
import { Instant } from '../instant.tsx';
import { dismissRun, followedRun, type FollowedRun } from './followed-run.ts';
import { hasEnded, resultOf, useJob, type Job, type RunResult } from './run-result.ts';

/** How far a run of rules is, or what it came to. */
export default function RunProgress({ run }: { run: FollowedRun }) {
  const { data: job, error } = useJob(run.jobId);
  const isOver = job !== undefined && hasEnded(job);
  useEffect(() => {
    if (!isOver || run.isOver === true) return;
    followedRun.set({ ...run, isOver });
    void refresh();
  }, [run, isOver]);
  const result = job && resultOf(job);
  useEffect(() => {
    // Somebody looked what a run would do.
    if (result?.dry_run === true) dismissRun(run.jobId);
  }, [run.jobId, result?.dry_run]);
  if (error) return <ErrorBanner error={error} />;
  if (!job || result?.dry_run === true) return null;
  const close = <IconButton icon={X} label="Dismiss" className="-my-1.5" onClick={() => dismissRun(run.jobId)} />;
  return (
    <section aria-label="Run of rules" className="mb-6 rounded-card border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 font-semibold wrap-anywhere">{headingOf(run, job)}</h2>
        {isOver && close}
      </div>
      {isOver ? <Ended job={job} result={result} /> : <Running job={job} />}
    </section>
  );
}

const HEADINGS: Readonly<Record<Job['status'], readonly [all: string, one: string]>> = {
  queued: ['The rules wait for their turn', 'waits for its turn'],
  running: ['All rules are being applied', 'is being applied'],
  succeeded: ['All rules are applied', 'is applied'],
  cancelled: ['The run of all rules was cancelled', 'was cancelled'],
  failed: ['The run of all rules has failed', 'has failed'],
};

function headingOf({ rule }: FollowedRun, { status }: Job): string {
  const [all, one] = HEADINGS[status];
  return rule ? `“${rule.name}” ${one}` : all;
}

function Running({ job }: { job: Job }) {
  const right = useReasonAgainst('full_access');
  const cancel = useApiWrite(cancelJob, { refreshes: [] });
  const { done, total } = job.progress;
  return (
    <div className="mt-2">
      <progress
        aria-label="How many transactions were looked at"
        className="progress"
        {...(total === null || total === 0 ? {} : { value: done, max: total })}
      />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-muted tabular-nums">
          {total === null
            ? 'Another run comes first.'
            : `${inDigits(done)} of ${counted(total, 'transaction')} looked at.`}{' '}
          You can leave this page; it goes on.
        </p>
        <Button
          busy={cancel.isPending || cancel.isSuccess}
          disabledReason={right}
          onClick={() => cancel.mutate({ params: { id: job.id } })}
        >
          Cancel
        </Button>
      </div>
      {cancel.error && <ErrorBanner error={cancel.error} />}
    </div>
  );
}

function Ended({ job, result }: { job: Job; result: RunResult | undefined }) {
  return (
    <div role="status" className="mt-1">
      {job.error && (
        <Banner tone="danger">
          <p>{job.error.message}</p>
        </Banner>
      )}
      <p>{outcomeInWords(job, result)}</p>
      {result && result.change_set_id !== null && <SetOfRun id={result.change_set_id} />}
    </div>
  );
}

function outcomeInWords({ status }: Job, result: RunResult | undefined): string {
  const changed = result?.affected_count ?? 0;
  if (status !== 'succeeded') {
    return changed === 0
      ? 'Nothing was changed before that.'
      : `${counted(changed, 'transaction was', 'transactions were')} changed before that, and ${changed === 1 ? 'stays' : 'stay'} so. You can undo it, or apply the rules again for the rest.`;
  }
  const of = `of ${counted(result?.total_scanned ?? 0, 'transaction')}`;
  const kept = result?.skipped_count ?? 0;
  return `${changed === 0 ? 'Nothing had to be changed' : `${inDigits(changed)} ${of} changed`}.${kept === 0 ? '' : ` On ${inDigits(kept)}, something stays as it was, such as what a person chose.`}`;
}

/** What the run wrote, with the way back. */
function SetOfRun({ id }: { id: string }) {
  const { data } = useApiQuery(getChangeSet, { params: { id }, query: { limit: '1' } });
  if (!data) return null;
  return (
    <div className="mt-3 border-t border-line pt-3">
      <ChangeSetEntry set={data} when={<Instant at={data.created_at} />} />
    </div>
  );
}
