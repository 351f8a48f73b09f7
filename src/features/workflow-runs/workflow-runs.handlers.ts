import type { InputOf } from '../../contract/operation.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { cutPage, fingerprintOf, positionAfter } from '../../kernel/cursor.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleRead, handleWrite, JsonStream, Reply } from '../handler.ts';
import { findWorkflow } from '../workflows/index.ts';
import { deleteOldRuns } from './delete-old-runs.ts';
import { getRunRow, resolveRunFilter, resolveWorkflow } from './resolve-runs.ts';
import { showRun, showRuns, toFailedRun, type RunRecord } from './show-run.ts';
import { transcriptOf } from './transcript-lines.ts';
import * as contract from './workflow-runs.contract.ts';
import { findRun, selectRuns } from './workflow-runs.queries.ts';

export const listRuns = handleRead(contract.listRuns, async ({ tx }, { query }) => {
  const { workflow, ...filters } = query;
  return pageOf(tx, filters, workflow === undefined ? undefined : await resolveWorkflow(tx, 'workflow', workflow));
});

export const listWorkflowRuns = handleRead(contract.listWorkflowRuns, async ({ tx }, { params, query }) => {
  const workflow = await findWorkflow(tx, params.slug);
  if (!workflow) throw notFound('workflow');
  return pageOf(tx, query, [workflow.id]);
});

interface RunPage {
  runs: RunRecord[];
  next_cursor: string;
  has_more: boolean;
  limit: number;
}

type Query = InputOf<typeof contract.listWorkflowRuns>['query'];

async function pageOf(tx: ReadTx, query: Query, workflowIds: readonly string[] | undefined): Promise<RunPage> {
  const { limit, cursor, ...filters } = query;
  const fingerprint = fingerprintOf({ ...filters, workflowIds });
  const position = await positionAfter(cursor, fingerprint, (id) => findRun(tx, id));
  const rows = await selectRuns(tx, { ...(await resolveRunFilter(tx, query)), workflowIds }, position, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({ key: last.started_at, id: last.id }));
  return {
    runs: await showRuns(tx, shown),
    ...end,
  };
}

export const listFailedRuns = handleRead(contract.listFailedRuns, async ({ tx, instance }, { query }) => {
  const from = instantAfter(instantNow(instance.clock), -query.hours * HOUR_MS);
  const rows = await selectRuns(tx, { statuses: ['error', 'timeout'], from }, null, query.limit);
  return rows.map(toFailedRun);
});

export const getRun = handleRead(contract.getRun, async ({ tx }, { params }) =>
  showRun(tx, await getRunRow(tx, params.id)),
);

export const updateRun = handleWrite(contract.updateRun, 'run.note', async ({ tx }, { params, body }) => {
  const row = await getRunRow(tx, params.id);
  const fields = { operator_note: body.note };
  await tx.q.updateTable('workflow_runs').set(fields).where('id', '=', row.id).execute();
  return showRun(tx, { ...row, ...fields });
});

export const cancelRun = handleWrite(contract.cancelRun, 'run.cancel', async ({ tx, instance }, { params }) => {
  const row = await getRunRow(tx, params.id);
  if (row.status !== 'in_progress') throw new AppError('INVALID_STATE', 'The run has already ended.');
  await tx.q
    .updateTable('workflow_runs')
    .set({ cancel_requested_at: row.cancel_requested_at ?? tx.now })
    .where('id', '=', row.id)
    .execute();
  tx.afterCommit(() => instance.wakeRuns());
  return { status: 'cancelling' as const, run_id: row.id };
});

export const getTranscript = handleRead(contract.getTranscript, async ({ tx }, { params, query }) => {
  const row = await getRunRow(tx, params.id);
  if (row.transcript_lines === 0) throw notFound('transcript of the run');
  return new Reply(new JsonStream(transcriptOf(tx, row, query.after), 'application/x-ndjson'));
});

export const cleanUpRuns = handleWrite(contract.cleanUpRuns, 'run.delete', async ({ tx, instance }) =>
  deleteOldRuns(tx, instance),
);
