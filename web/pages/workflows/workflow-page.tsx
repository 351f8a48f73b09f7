import { Copy, Pause, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';

import {
  disableWorkflow,
  enableWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
} from '../../../src/features/workflows/workflows.contract.ts';
import { useApiRecord, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { useLatest, type ReadRecord } from '../../components/stored-record.ts';
import { LINK, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { STATUS_WORDS } from '../runs/run-words.ts';
import { RunNow } from './run-now.tsx';
import { WorkflowEditor } from './workflow-editor.tsx';
import { changedBodyOf, type Workflow } from './workflow-values.ts';
import { isRunning } from './workflow-words.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

const READS = [getWorkflow, listWorkflows];
const LIVE_MS = 2_000;

/** One workflow, to be changed, run and copied. */
export default function WorkflowPage() {
  const { slug = '' } = usePageParams();
  const workflow = useApiRecord(
    getWorkflow,
    { params: { slug } },
    { refetchInterval: ({ state: { data } }) => (data && isRunning(data.value) ? LIVE_MS : false) },
  );
  return (
    <>
      <BackLink to="/workflows">Workflows</BackLink>
      {workflow.data === undefined && <PageHeader title="Workflow" />}
      <Loaded query={workflow} lines={12}>
        {(known) => <OpenWorkflow known={known} reread={workflow.reread} />}
      </Loaded>
    </>
  );
}

function OpenWorkflow(read: ReadRecord<Workflow>) {
  const { latest, ...stored } = useLatest(read);
  const { value: workflow } = stored.known;
  const update = useApiWrite(updateWorkflow, { refreshes: READS, undo: 'Workflow changed' });
  return (
    <>
      <PageHeader
        title={workflowTitle(workflow.name).title}
        lead={<State workflow={workflow} />}
        actions={<Actions workflow={workflow} />}
      />
      <WorkflowEditor
        key={workflow.id}
        start={workflow}
        stored={stored}
        submit="Save"
        save={(values, ifMatch) =>
          update.mutateAsync({ params: { slug: workflow.id }, body: changedBodyOf(values, latest()), ifMatch })
        }
      />
    </>
  );
}

function State({ workflow: { enabled, next_fire_at: next, last_run: last } }: { workflow: Workflow }) {
  return (
    <>
      {enabled ? 'On.' : 'Paused: it starts only by hand.'}
      {next !== null && (
        <>
          {' '}
          It starts <Instant isPlanned at={next} />.
        </>
      )}
      {last !== null && (
        <>
          {' '}
          Last run:{' '}
          <PageLink to="/runs/{id}" params={{ id: last.short_id }} className={LINK}>
            {STATUS_WORDS[last.status].word}
          </PageLink>
        </>
      )}
    </>
  );
}

type Asking = 'run' | 'recompose' | null;

function Actions({ workflow }: { workflow: Workflow }) {
  const right = useReasonAgainst('full_access');
  const [asking, ask] = useState<Asking>(null);
  const turn = useApiWrite(workflow.enabled ? disableWorkflow : enableWorkflow, {
    refreshes: READS,
    undo: workflow.enabled ? 'Workflow paused' : 'Workflow resumed',
  });
  const close = (): void => ask(null);
  return (
    <>
      {turn.error !== null && <ErrorBanner error={turn.error} />}
      <Button icon={Play} disabledReason={right} onClick={() => ask('run')}>
        Run now
      </Button>
      <Button
        icon={workflow.enabled ? Pause : Play}
        busy={turn.isPending}
        disabledReason={right}
        onClick={() => turn.mutate({ params: { slug: workflow.id } })}
      >
        {workflow.enabled ? 'Pause' : 'Resume'}
      </Button>
      {workflow.prompt_edited && workflow.source_template !== null && (
        <Button icon={RotateCcw} disabledReason={right} onClick={() => ask('recompose')}>
          Compose again
        </Button>
      )}
      <ActionLink to="/workflows/new" search={{ from: workflow.slug }} icon={Copy} disabledReason={right}>
        Duplicate
      </ActionLink>
      {asking === 'run' && <RunNow workflow={workflow} onClose={close} />}
      {asking === 'recompose' && <RecomposeDialog workflow={workflow} onClose={close} />}
    </>
  );
}

function RecomposeDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const update = useApiWrite(updateWorkflow, { refreshes: READS, undo: 'Prompt composed again' });
  return (
    <ConfirmDialog
      open
      title={`Discard the text of ${workflow.name}?`}
      action="Compose again"
      onConfirm={() => update.mutateAsync({ params: { slug: workflow.id }, body: { recompose: true } })}
      onClose={onClose}
    >
      <p>The prompt that was written by hand is replaced by the one of its preset. You can undo this.</p>
    </ConfirmDialog>
  );
}
