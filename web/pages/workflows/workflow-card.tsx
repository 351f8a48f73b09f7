import { Pause, Pencil, Play, StepForward, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { disableWorkflow, enableWorkflow } from '../../../src/features/workflows/workflows.contract.ts';
import { getRun } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { ActionLink } from '../../components/action-link.tsx';
import { Button } from '../../components/button.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { Facts } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Status } from '../../components/status.tsx';
import { counted } from '../../lib/numbers.ts';
import { FIGURE_ALONE, LINK, LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { inDollars } from '../../lib/dollars.ts';
import { SCOPE_WORDS, STATUS_WORDS } from '../runs/run-words.ts';
import { DeleteWorkflow } from './delete-workflow.tsx';
import { RunNow } from './run-now.tsx';
import { isRunning, triggerInWords, type Workflow } from './workflow-words.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

/** One workflow of the household: whether it is on, how it does, and what can be done with it. */
export function WorkflowCard({ workflow, lack }: { workflow: Workflow; lack: string | undefined }) {
  const { title, name } = workflowTitle(workflow.name);
  return (
    <article
      aria-labelledby={workflow.id}
      className="flex h-full flex-col rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-lg font-semibold wrap-anywhere">
          <PageLink to="/workflows/{slug}" params={{ slug: workflow.slug }} className={LINK_ALONE}>
            <span id={workflow.id}>{title}</span>
          </PageLink>
          {name !== undefined && <span className="block text-sm font-normal text-muted">{name}</span>}
        </h3>
        <State workflow={workflow} />
      </div>
      <Troubles workflow={workflow} />
      <div className="mb-4 flex-1">
        <Figures workflow={workflow} />
      </div>
      <Actions workflow={workflow} lack={lack} />
    </article>
  );
}

function State({ workflow }: { workflow: Workflow }) {
  if (isRunning(workflow)) return <Status tone="info">Running</Status>;
  return workflow.enabled ? <Status tone="success">On</Status> : <Status>Paused</Status>;
}

function Troubles({ workflow }: { workflow: Workflow }) {
  const { error_count: errors, run_count: count } = workflow.recent_error_stats;
  const { cap_count: caps } = workflow.recent_cap_stats;
  const last = `of the last ${counted(count, 'run')}`;
  if (errors === 0 && caps === 0) return null;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-2">
      {errors > 0 && (
        <Status tone="danger">
          {errors} {last} failed
        </Status>
      )}
      {caps > 0 && (
        <Status>
          {caps} {last} reached a cap
        </Status>
      )}
      <PageLink to="/runs" search={{ workflow: workflow.slug }} className={LINK}>
        See its runs
      </PageLink>
    </p>
  );
}

function Figures({ workflow }: { workflow: Workflow }) {
  const { next_fire_at: next, cost_stats_30d: costs } = workflow;
  const { quiet_hours_start: from, quiet_hours_end: to } = workflow;
  const quiet = from === null ? undefined : `Not from ${from} to ${to}`;
  return (
    <Facts
      items={[
        { term: 'Does', value: SCOPE_WORDS[workflow.tool_scope] },
        { term: 'Starts', value: triggerInWords(workflow), ...(quiet === undefined ? {} : { note: quiet }) },
        ...(next === null ? [] : [{ term: 'Next start', value: <Instant isPlanned at={next} /> }]),
        { term: 'Last run', value: <LastRun run={workflow.last_run} /> },
        {
          term: 'Last 30 days',
          value: (
            <>
              <PageLink to="/runs" search={{ workflow: workflow.slug }} className={FIGURE_ALONE}>
                {counted(costs.run_count, 'run')}
              </PageLink>
              , {inDollars(costs.total_cost_usd)}
            </>
          ),
        },
      ]}
    />
  );
}

function LastRun({ run }: { run: Workflow['last_run'] }) {
  if (run === null) return <span className="text-muted">never</span>;
  const cost = run.total_cost_usd === null ? '' : `, ${inDollars(run.total_cost_usd)}`;
  return (
    <>
      <PageLink to="/runs/{id}" params={{ id: run.short_id }} className={LINK_ALONE}>
        {STATUS_WORDS[run.status].word}
      </PageLink>{' '}
      <Instant at={run.started_at} />
      {cost}
      <WhetherUndone id={run.id} />
    </>
  );
}

/** What the run changed may have been undone since; a workflow says nothing of that. */
function WhetherUndone({ id }: { id: string }) {
  const { data } = useApiQuery(getRun, { params: { id } });
  if (data?.change_set_status === undefined || data.change_set_status === null) return null;
  return (
    <span className="mt-1 block empty:hidden">
      <Undone status={data.change_set_status} />
    </span>
  );
}

function Actions({ workflow, lack }: { workflow: Workflow; lack: string | undefined }) {
  const right = useReasonAgainst('full_access');
  const [opened, open] = useState<'run' | 'delete' | null>(null);
  const { slug } = workflow;
  const { title: name } = workflowTitle(workflow.name);
  const running = isRunning(workflow) ? 'It is already running.' : undefined;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Play}
          aria-label={`Run now: ${name}`}
          disabledReason={right ?? running ?? lack}
          onClick={() => open('run')}
        >
          Run now
        </Button>
        <PauseButton workflow={workflow} />
        <ActionLink to="/workflows/{slug}" params={{ slug }} look="quiet" icon={Pencil} disabledReason={right}>
          Edit<span className="sr-only">: {name}</span>
        </ActionLink>
        <Button
          look="quiet"
          icon={Trash2}
          aria-label={`Delete: ${name}`}
          disabledReason={right}
          onClick={() => open('delete')}
        >
          Delete
        </Button>
      </div>
      {opened === 'run' && <RunNow workflow={workflow} onClose={() => open(null)} />}
      {opened === 'delete' && <DeleteWorkflow workflow={workflow} onClose={() => open(null)} />}
    </>
  );
}

function PauseButton({ workflow }: { workflow: Workflow }) {
  const { slug, enabled } = workflow;
  const { title: name } = workflowTitle(workflow.name);
  const right = useReasonAgainst('full_access');
  const pause = useApiWrite(disableWorkflow, { undo: `“${name}” is paused` });
  const resume = useApiWrite(enableWorkflow, { undo: `“${name}” is on` });
  const change = enabled ? pause : resume;
  const word = enabled ? 'Pause' : 'Resume';
  return (
    <>
      {change.error !== null && <ErrorBanner error={change.error} />}
      <Button
        icon={enabled ? Pause : StepForward}
        aria-label={`${word}: ${name}`}
        busy={pause.isPending || resume.isPending}
        disabledReason={right}
        onClick={() => change.mutate({ params: { slug } })}
      >
        {word}
      </Button>
    </>
  );
}
