import { useNavigate } from '@tanstack/react-router';
import { CircleStop, RotateCw } from 'lucide-react';
import { useState } from 'react';

import {
  cancelRun,
  getRun,
  listRuns,
  runWorkflow,
} from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Run } from './run-words.ts';

/** A run in progress can be cancelled; one that has ended can be made again. */
export function RunActions({ run }: { run: Run }) {
  const right = useReasonAgainst('full_access');
  return run.status === 'in_progress' ? <Cancel run={run} right={right} /> : <RunAgain run={run} right={right} />;
}

interface ActionProps {
  run: Run;
  right: string | undefined;
}

function Cancel({ run, right }: ActionProps) {
  const [isOpen, setOpen] = useState(false);
  const cancel = useApiWrite(cancelRun, { refreshes: [getRun, listRuns] });
  return (
    <>
      <Button icon={CircleStop} disabledReason={right} busy={run.cancel_requested} onClick={() => setOpen(true)}>
        {run.cancel_requested ? 'Cancelling' : 'Cancel the run'}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title="Cancel this run?"
        action="Cancel the run"
        onClose={() => setOpen(false)}
        onConfirm={() => cancel.mutateAsync({ params: { id: run.id } })}
      >
        It ends within ten seconds. What it has done until then is kept, and so is what that has cost.
      </ConfirmDialog>
    </>
  );
}

function RunAgain({ run, right }: ActionProps) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const start = useApiWrite(runWorkflow, { refreshes: [listRuns] });
  const { workflow_id: workflowId, prompt_prefix: prefix } = run;
  const reason = workflowId === null ? 'The workflow has been deleted.' : right;
  return (
    <>
      <Button icon={RotateCw} disabledReason={reason} onClick={() => setOpen(true)}>
        Run again
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={`Run ${run.workflow_name} again?`}
        action="Run"
        destructive={false}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          const body = prefix === null ? {} : { prompt_prefix: prefix };
          const made = await start.mutateAsync({ params: { slug: workflowId ?? '' }, body });
          await navigate({ to: '/runs/$id', params: { id: made.short_id } } as never);
        }}
      >
        The workflow starts as it is now{prefix === null ? '' : ', with the same note'}. A run costs what its model
        charges.
      </ConfirmDialog>
    </>
  );
}
