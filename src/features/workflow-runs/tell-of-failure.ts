import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { raise } from '../notifications/index.ts';
import { findPrevious, type RunRow } from './workflow-runs.queries.ts';

const FAILED: readonly string[] = ['error', 'timeout'];

/** Tells the household that a workflow has begun to fail (contract 50.4.1), in the transaction that ends the run. */
export async function tellOfFailure(tx: BareWriteTx, run: RunRow): Promise<void> {
  if (!FAILED.includes(run.status)) return;
  const before = await findPrevious(tx, run);
  if (before && FAILED.includes(before.status)) return;
  const what = run.status === 'timeout' ? 'ran out of time' : 'failed';
  await raise(tx, {
    event: 'workflow.failed',
    occurrenceId: run.id,
    priority: 'warning',
    title: `The workflow ${run.workflow_name} ${what}`,
    body: run.error_message,
    data: { workflow_id: run.workflow_id, run_id: run.id },
    subjectType: 'run',
    subjectId: run.id,
  });
}
