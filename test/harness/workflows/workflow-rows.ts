import type { SqlValue } from '../../../src/db/engine.ts';
import type { WorkflowRunsTable } from '../../../src/db/schema-workflows.ts';
import type { TestApp } from '../test-app.ts';

export interface MadeWorkflow {
  id: string;
  short_id: string;
  slug: string;
  name: string;
}

/** A workflow with a prompt written by hand, over HTTP. */
export async function addWorkflow(app: TestApp, fields: object = {}): Promise<MadeWorkflow> {
  const body = { name: 'Watcher', prompt: 'Look at what is new.', ...fields };
  const made = await app.request('POST', '/api/v1/workflows', { body });
  if (made.status !== 201) throw new Error(`The workflow was not created: ${made.text}`);
  return made.json as MadeWorkflow;
}

/** A workflow as enabling the preset `routine-reviewer` leaves it. */
export async function addFromPreset(app: TestApp): Promise<MadeWorkflow & { prompt: string }> {
  const made = await app.request('POST', '/api/v1/workflow-presets/routine-reviewer/enable');
  if (made.status !== 201) throw new Error(`The preset was not enabled: ${made.text}`);
  return made.json as MadeWorkflow & { prompt: string };
}

/** Runs as they would be in the table, oldest first; what is not given is that of a run by hand that succeeded. */
export async function addRuns(
  app: TestApp,
  workflow: MadeWorkflow,
  runs: readonly Partial<WorkflowRunsTable>[],
): Promise<string[]> {
  const now = new Date(app.clock.now()).toISOString();
  return app.write('test.runs', async (tx) => {
    const rows = runs.map((run, index) => ({
      id: tx.ids.uuid(),
      short_id: tx.ids.shortId(),
      workflow_id: workflow.id,
      workflow_slug: workflow.slug,
      workflow_name: workflow.name,
      trigger: 'manual',
      status: 'success',
      tool_scope: 'propose',
      started_at: new Date(app.clock.now() + index).toISOString(),
      starter_type: 'system',
      starter_name: 'test',
      created_at: now,
      ...run,
    }));
    for (const row of rows) {
      const names = Object.keys(row) as (keyof WorkflowRunsTable)[];
      await tx.insertMany('workflow_runs', names, [Object.values(row) as SqlValue[]]);
    }
    return rows.map(({ id }) => id);
  });
}
