import { rowsOf } from '../table-rows.ts';
import type { Answer, TestApp } from '../test-app.ts';

/** Chooses a model on this machine that costs a dollar per million tokens; tests answer for it. */
export async function setUpModel(app: TestApp, settings: object = {}): Promise<void> {
  const model = 'scripted';
  const answer = await app.request('PATCH', '/api/v1/workflows/settings', {
    body: {
      provider: 'openai_compatible',
      base_url: 'http://127.0.0.1:9/v1',
      model,
      prices: [{ model, input_per_mtok: 1, output_per_mtok: 1 }],
      ...settings,
    },
  });
  if (answer.status !== 200) throw new Error(`The model was not set up: ${answer.text}`);
}

export async function changeModels(app: TestApp, settings: object): Promise<void> {
  const answer = await app.request('PATCH', '/api/v1/workflows/settings', { body: settings });
  if (answer.status !== 200) throw new Error(`The settings were not changed: ${answer.text}`);
}

export async function start(app: TestApp, { slug }: { slug: string }, body?: unknown): Promise<Answer> {
  return app.request('POST', `/api/v1/workflows/${slug}/run`, body === undefined ? {} : { body });
}

/** Ends runs as their last step would. */
export async function endRuns(app: TestApp, ids: readonly string[], fields: object = {}): Promise<void> {
  await app.write('test.runs', async (tx) => {
    const ended = { status: 'success', completed_at: tx.now, duration_ms: 0, ...fields };
    for (const id of ids) await tx.q.updateTable('workflow_runs').set(ended).where('id', '=', id).execute();
  });
}

export async function countRuns(app: TestApp): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(app.app.instance.database, 'select count(*) as n from workflow_runs');
  return Number(row?.n);
}
