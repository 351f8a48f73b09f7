import { deleteWorkflow } from '../../../src/features/workflows/workflows.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { counted } from '../../lib/numbers.ts';
import { isRunning, triggerInWords, type Workflow } from './workflow-words.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

/** Says what goes with it and what stays, and asks. */
export function DeleteWorkflow({
  workflow,
  onClose,
  onDeleted,
}: {
  workflow: Workflow;
  onClose: () => void;
  onDeleted?: () => unknown;
}) {
  const { slug, cost_stats_30d: stats } = workflow;
  const { title: name } = workflowTitle(workflow.name);
  const remove = useApiWrite(deleteWorkflow, { undo: `“${name}” is deleted` });
  const starts = triggerInWords(workflow);
  return (
    <ConfirmDialog
      open
      title={`Delete “${name}”?`}
      action="Delete"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { slug } });
        await onDeleted?.();
      }}
      onClose={onClose}
    >
      {isRunning(workflow) && <p className="mb-2">Its run in progress is cancelled.</p>}
      {workflow.enabled && starts !== 'Only when you run it' && (
        <p className="mb-2">It no longer starts by itself ({starts.charAt(0).toLowerCase() + starts.slice(1)}).</p>
      )}
      <p>
        What it has done stays: {counted(stats.run_count, 'run')} of the last 30 days and all earlier ones, its reports,
        and proposals that wait for you.
      </p>
    </ConfirmDialog>
  );
}
