import { ArrowLeft, Copy, Pause, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';

import { runWorkflow } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import {
  disableWorkflow,
  enableWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
} from '../../../src/features/workflows/workflows.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { TextArea } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { LINK, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { WorkflowEditor } from './workflow-editor.tsx';
import { changedBodyOf, type Workflow } from './workflow-values.ts';

const READS = [getWorkflow, listWorkflows];

/** One workflow, to be changed, run and copied. */
export default function WorkflowPage() {
  const { slug = '' } = usePageParams();
  const workflow = useApiQuery(getWorkflow, { params: { slug } });
  return (
    <>
      <PageLink to="/workflows" className={`${LINK} mb-4 inline-flex items-center gap-1`}>
        <ArrowLeft aria-hidden size={16} />
        Workflows
      </PageLink>
      {workflow.data === undefined && <PageHeader title="Workflow" />}
      <Loaded query={workflow} lines={12}>
        {(found) => <OpenWorkflow workflow={found} />}
      </Loaded>
    </>
  );
}

function OpenWorkflow({ workflow }: { workflow: Workflow }) {
  const update = useApiWrite(updateWorkflow, { refreshes: READS, undo: 'Workflow changed' });
  return (
    <>
      <PageHeader
        title={workflow.name}
        lead={<State workflow={workflow} />}
        actions={<Actions workflow={workflow} />}
      />
      <WorkflowEditor
        key={`${workflow.id} ${workflow.updated_at}`}
        start={workflow}
        submit="Save"
        save={(values) => update.mutateAsync({ params: { slug: workflow.id }, body: changedBodyOf(values, workflow) })}
      />
    </>
  );
}

function State({ workflow: { enabled, next_fire_at: next } }: { workflow: Workflow }) {
  if (!enabled) return <>Paused: it starts only by hand.</>;
  if (next === null) return <>Enabled.</>;
  return (
    <>
      Enabled. It starts <Instant at={next} />.
    </>
  );
}

type Asking = 'run' | 'recompose' | null;

function Actions({ workflow }: { workflow: Workflow }) {
  const right = useReasonAgainst('full_access');
  const [asking, ask] = useState<Asking>(null);
  const turn = useApiWrite(workflow.enabled ? disableWorkflow : enableWorkflow, {
    refreshes: READS,
    undo: workflow.enabled ? 'Workflow paused' : 'Workflow enabled',
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
        {workflow.enabled ? 'Pause' : 'Enable'}
      </Button>
      {workflow.prompt_edited && workflow.source_template !== null && (
        <Button icon={RotateCcw} disabledReason={right} onClick={() => ask('recompose')}>
          Compose again
        </Button>
      )}
      <PageLink
        to="/workflows/new"
        search={{ from: workflow.slug }}
        className={`${LINK} target inline-flex items-center gap-1`}
      >
        <Copy aria-hidden size={16} />
        Duplicate
      </PageLink>
      {asking === 'run' && <RunDialog workflow={workflow} onClose={close} />}
      {asking === 'recompose' && <RecomposeDialog workflow={workflow} onClose={close} />}
    </>
  );
}

function RunDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const start = useApiWrite(runWorkflow);
  const form = useOperationForm(runWorkflow, {
    defaults: { prompt_prefix: workflow.last_prompt_prefix ?? '' },
    send: async ({ prompt_prefix: note = '' }) => {
      await start.mutateAsync({ params: { slug: workflow.id }, body: note === '' ? {} : { prompt_prefix: note } });
      showToast(`${workflow.name} is running.`);
      onClose();
    },
  });
  return (
    <Dialog open title={`Run ${workflow.name} now`} onClose={onClose}>
      <Form form={form} submit="Run now" onCancel={onClose}>
        <TextArea name="prompt_prefix" label="Note for this run" optional hint="Put before the prompt, this once." />
      </Form>
    </Dialog>
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
      <p>The prompt that was written by hand gives way to the one of its preset. You can undo this.</p>
    </ConfirmDialog>
  );
}
