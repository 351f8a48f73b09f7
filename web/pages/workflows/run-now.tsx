import { useFormContext } from 'react-hook-form';

import { runWorkflow } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { listPresets } from '../../../src/features/workflow-presets/workflow-presets.contract.ts';
import { getWorkflow, listWorkflows } from '../../../src/features/workflows/workflows.contract.ts';
import { getWorkflowStatus } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { TextArea } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inDollars } from '../../lib/dollars.ts';
import { SCOPE_WORDS } from '../runs/run-words.ts';
import type { Workflow } from './workflow-words.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

/** Starts a run by hand, with a note if there is something to say. */
export function RunNow({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  return (
    <Dialog open title={`Run “${workflowTitle(workflow.name).title}” now?`} onClose={onClose}>
      <RunForm workflow={workflow} onClose={onClose} />
    </Dialog>
  );
}

function RunForm({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { slug, max_budget_usd: budget, last_prompt_prefix: last } = workflow;
  const { title: name } = workflowTitle(workflow.name);
  const usual = useUsualCost(workflow);
  const run = useApiWrite(runWorkflow, { refreshes: [getWorkflow, listWorkflows, getWorkflowStatus] });
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
        {SCOPE_WORDS[workflow.tool_scope]}. {usual !== undefined && `A run costs about ${inDollars(usual)}. `}
        {budget > 0 && `It stops when it has cost ${inDollars(budget)}.`}
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

/** What its runs of the last 30 days cost on average; before the first one, what its preset is expected to cost. */
function useUsualCost({ cost_stats_30d: costs, source_template: slug }: Workflow): number | undefined {
  const presets = useApiQuery(listPresets, {}, { enabled: slug !== null && costs.run_count === 0 });
  // Runs that cost nothing used a model without a price.
  if (costs.run_count > 0) return costs.total_cost_usd === 0 ? undefined : costs.total_cost_usd / costs.run_count;
  return presets.data?.find((preset) => preset.slug === slug)?.est_cost_per_run_usd;
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
