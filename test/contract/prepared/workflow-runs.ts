import { setUpModel, start } from '../../harness/workflows/started-runs.ts';
import type { TestApp } from '../../harness/test-app.ts';
import { addRuns, addWorkflow } from '../../harness/workflows/workflow-rows.ts';
import type { Prepared } from '../live-calls.ts';

/** So long ago that no figure of a workflow depends on whose clock is read. */
const OLD = { started_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:01.000Z' };

const onOwn = async (app: TestApp) => {
  const [id] = await addRuns(app, await addWorkflow(app, { name: 'Has run' }), [OLD]);
  return { params: { id: id as string } };
};

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  runWorkflow: async (app) => {
    await setUpModel(app, { max_concurrent: 50 });
    return { params: { slug: (await addWorkflow(app, { name: 'To run' })).slug } };
  },
  listWorkflowRuns: async (app) => ({ params: { slug: (await addWorkflow(app, { name: 'To list' })).slug } }),
  getRun: onOwn,
  updateRun: onOwn,
  cancelRun: async (app) => {
    await setUpModel(app, { max_concurrent: 50 });
    const { json } = await start(app, await addWorkflow(app, { name: 'To cancel' }));
    return { params: { id: json.short_id as string } };
  },
  getTranscript: async (app) => {
    const call = await onOwn(app);
    await app.write('test.lines', async (tx) => {
      const line = { run_id: call.params.id, seq: 1, type: 'assistant_message', ts: tx.now, data: '{"text":"Done."}' };
      await tx.q.insertInto('workflow_run_lines').values(line).execute();
      await tx.q.updateTable('workflow_runs').set({ transcript_lines: 1 }).where('id', '=', line.run_id).execute();
    });
    return call;
  },
};
