import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { cancelJob } from '../../../src/features/jobs/jobs.contract.ts';
import { applyAllRules, applyRule } from '../../../src/features/rules/rule-runs.contract.ts';
import { api } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { ErrorBanner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { followedRun } from './followed-run.ts';
import { RuleName } from './rule-name.tsx';
import { hasEnded, resultOf, useJob, type Job, type RunResult } from './run-result.ts';
import { SampleMatches } from './sample-matches.tsx';

interface ApplyRulesProps {
  /** The rule to run alone; without it, all of them run. */
  rule?: { id: string; name: string };
  onClose: () => void;
}

/** What a run of rules would change, before it does. */
export default function ApplyRules({ rule, onClose }: ApplyRulesProps) {
  return (
    <Dialog wide open title={rule ? `Apply “${rule.name}”` : 'Apply all rules'} onClose={onClose}>
      <Plan {...(rule ? { rule } : {})} onClose={onClose} />
    </Dialog>
  );
}

function Plan({ rule, onClose }: ApplyRulesProps) {
  const [overwrite, setOverwrite] = useState(false);
  const { job, error, retry } = useRehearsal(rule?.id, overwrite);
  const result = job && hasEnded(job) ? resultOf(job) : undefined;
  const start = useStart(rule, onClose);
  const changed = result?.affected_count ?? 0;
  return (
    <>
      {(start.error ?? error) !== null && (
        <ErrorBanner error={start.error ?? error} onRetry={error ? retry : undefined} />
      )}
      <p className="mb-4 text-muted">
        {rule
          ? 'It runs over all transactions, alone: it also replaces what later rules set.'
          : 'All rules that run on “apply all” go over all transactions, in their order.'}
      </p>
      <div aria-live="polite" className="min-h-24">
        {result ? <Outcome result={result} /> : error === null && <Counting job={job} />}
      </div>
      <Overwrite isOn={overwrite} onChange={setOverwrite} />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          busy={start.isPending}
          disabledReason={reasonAgainst(result)}
          onClick={() => start.run(overwrite)}
        >
          {changed === 0 ? 'Apply' : `Change ${counted(changed, 'transaction')}`}
        </Button>
      </div>
    </>
  );
}

function reasonAgainst(result: RunResult | undefined): string | undefined {
  if (!result) return 'What it would change is still being counted.';
  return result.affected_count === 0 ? 'It would change nothing.' : undefined;
}

/** The dry run: a job of its own, which ends with the dialog. */
function useRehearsal(ruleId: string | undefined, overwrite: boolean) {
  const body = { dry_run: true, overwrite_manual: overwrite };
  const started = useQuery({
    queryKey: ['rehearsal', ruleId, overwrite],
    queryFn: async ({ signal }): Promise<Job> => {
      const how = { prefer: 'respond-async', signal } as const;
      const { value } =
        ruleId === undefined
          ? await api.send(applyAllRules, { body }, how)
          : await api.send(applyRule, { params: { id: ruleId }, body }, how);
      return value as Extract<OutputOf<typeof applyRule>, Job>;
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const jobId = started.data?.id;
  const followed = useJob(jobId);
  const isOver = followed.data !== undefined && hasEnded(followed.data);
  const wasOver = useRef(false);
  useEffect(() => {
    wasOver.current = isOver;
  });
  useEffect(() => {
    if (jobId === undefined) return undefined;
    return () => {
      // Nobody waits for it any more.
      if (!wasOver.current) void api.call(cancelJob, { params: { id: jobId } }).catch(ignore);
    };
  }, [jobId]);
  return {
    job: followed.data ?? started.data,
    error: started.error ?? followed.error ?? failureOf(followed.data),
    retry: () => void started.refetch(),
  };
}

function ignore(): void {}

function failureOf(job: Job | undefined): Error | null {
  return job?.error ? new Error(job.error.message) : null;
}

function useStart(rule: ApplyRulesProps['rule'], onClose: () => void) {
  const onSuccess = (job: OutputOf<typeof applyRule> | OutputOf<typeof applyAllRules>): void => {
    if ('status' in job) followedRun.set({ jobId: job.id, rule: rule ?? null });
    onClose();
  };
  const one = useApiWrite(applyRule, { refreshes: [], onSuccess });
  const all = useApiWrite(applyAllRules, { refreshes: [], onSuccess });
  const prefer = 'respond-async';
  const run = (overwrite: boolean): void => {
    const body = { overwrite_manual: overwrite };
    if (rule) one.mutate({ params: { id: rule.id }, body, prefer });
    else all.mutate({ body, prefer });
  };
  return { run, isPending: one.isPending || all.isPending, error: one.error ?? all.error };
}

function Counting({ job }: { job: Job | undefined }) {
  const { done = 0, total = null } = job?.progress ?? {};
  return (
    <>
      <progress
        aria-label="Counting what would change"
        className="progress"
        {...(total === null || total === 0 ? {} : { value: done, max: total })}
      />
      <p className="text-sm text-muted tabular-nums">
        Counting what would change
        {total !== null && `: ${inDigits(done)} of ${counted(total, 'transaction')}`}
      </p>
    </>
  );
}

function Outcome({ result }: { result: RunResult }) {
  const { affected_count: changed, matched_count: matched, skipped_count: kept, total_scanned: scanned } = result;
  return (
    <>
      <p className="text-lg font-semibold">
        {changed === 0 ? 'Nothing would change.' : `${counted(changed, 'transaction')} would change.`}
      </p>
      <p className="text-muted">
        {inDigits(matched)} of {counted(scanned, 'transaction')} match.
        {kept > 0 && ` On ${inDigits(kept)} of them something stays as it is, such as what a person or agent chose.`}
      </p>
      <PerRule rules={result.rules ?? []} />
      {result.sample_matches.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 font-semibold">The newest that match</h3>
          <SampleMatches samples={result.sample_matches} />
        </>
      )}
    </>
  );
}

const SHOWN = 8;

function PerRule({ rules }: { rules: NonNullable<RunResult['rules']> }) {
  const [isWhole, showAll] = useState(false);
  const acting = rules.filter(({ affected_count: count }) => count > 0);
  const shown = isWhole ? acting : acting.slice(0, SHOWN);
  if (acting.length === 0) return null;
  return (
    <>
      <h3 className="mt-4 mb-1 font-semibold">By rule</h3>
      <ul className="divide-y divide-line">
        {shown.map(({ rule_id: id, short_id: shortId, name, affected_count: count }) => (
          <li key={id} className="flex justify-between gap-4 py-1.5">
            <span className="min-w-0 wrap-anywhere">
              <RuleName id={shortId} name={name} />
            </span>
            <span className="shrink-0 tabular-nums">{inDigits(count)}</span>
          </li>
        ))}
      </ul>
      {shown.length < acting.length && (
        <Button look="quiet" onClick={() => showAll(true)}>
          Show all {counted(acting.length, 'rule')}
        </Button>
      )}
    </>
  );
}

function Overwrite({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <div className="mt-4">
      <label className="flex gap-3 py-1 pointer-coarse:py-2.5">
        <input
          type="checkbox"
          className="mt-0.5 size-5 shrink-0 accent-accent"
          checked={isOn}
          data-may-be-lost
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span className="font-medium">Also overwrite what people and agents chose</span>
      </label>
      <p id={id} className="pl-8 text-sm text-muted">
        Otherwise their categories, tags and the like stay as they are.
      </p>
    </div>
  );
}
