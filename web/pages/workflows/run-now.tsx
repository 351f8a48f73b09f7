import { useFormContext } from 'react-hook-form';

import { runWorkflow } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { listWorkflows } from '../../../src/features/workflows/workflows.contract.ts';
import { getWorkflowStatus } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { TextArea } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { SCOPE_WORDS } from '../runs/run-words.ts';
import { inDollars, type Workflow } from './workflow-words.ts';

/** Starts a run by hand, with a note if there is something to say. */
export function RunNow({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  return (
    <Dialog open title={`Run ${workflow.name} now?`} onClose={onClose}>
      <RunForm workflow={workflow} onClose={onClose} />
    </Dialog>
  );
}

function RunForm({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { slug, name, max_budget_usd: budget, last_prompt_prefix: last } = workflow;
  const run = useApiWrite(runWorkflow, { refreshes: [listWorkflows, getWorkflowStatus] });
  const form = useOperationForm(runWorkflow, {
    defaults: { prompt_prefix: '' },
    send: async ({ prompt_prefix: note = '' }) => {
      await run.mutateAsync({ params: { slug }, body: note.trim() === '' ? {} : { prompt_prefix: note } });
      showToast(`“${name}” is running.`);
      onClose();
    },
  });
  return (
    <Form form={form} submit="Run now" onCancel={onClose}>
      <p className="mb-4 text-muted">
        {SCOPE_WORDS[workflow.tool_scope]}. {budget > 0 && `It stops when it has cost ${inDollars(budget)}.`}
      </p>
      <TextArea
        name="prompt_prefix"
        label="Note"
        optional
        hint="For this run only: what to look at, or to leave alone."
      />
      {last !== null && <LastNote note={last} />}
    </Form>
  );
}

function LastNote({ note }: { note: string }) {
  const { setValue, setFocus } = useFormContext();
  return (
    <Button
      look="quiet"
      onClick={() => {
        setValue('prompt_prefix', note, { shouldDirty: true });
        setFocus('prompt_prefix');
      }}
    >
      Use the last note
    </Button>
  );
}
