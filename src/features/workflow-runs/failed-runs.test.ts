import { expect, test } from 'vitest';

import { addChannel, allowPrivateNetworks } from '../../../test/harness/servers/notifications.ts';
import { scriptedModel, silence, workOnRuns, type ScriptedModel } from '../../../test/harness/workflows/runs.ts';
import { setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addRuns, addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { ModelFailure } from '../../models/model.ts';

const RUNS = '/api/v1/workflows/runs';

const refused = async (): Promise<never> => {
  throw new ModelFailure('auth', 'The provider refused the API key.', { status: 401 });
};

forEachDatabase((database) => {
  async function opened(): Promise<{ app: TestApp; model: ScriptedModel }> {
    const model = scriptedModel({ text: 'Done.' });
    const app = await database.open({ standInModel: () => model });
    await setUpModel(app);
    return { app, model };
  }

  test('a workflow that begins to fail is told once, and again after it has worked', async () => {
    const { app, model } = await opened();
    await allowPrivateNetworks(app);
    await addChannel(app, { url: 'http://127.0.0.1:9/hook', events: ['workflow.failed'], include_body: true });
    const workflow = await addWorkflow(app, { name: 'Keeper' });
    const run = async (script: ScriptedModel['script'][number]): Promise<string> => {
      app.clock.advance(1_000);
      model.script = [script];
      const { json } = await start(app, workflow);
      await workOnRuns(app);
      return json.id as string;
    };
    const told = async (): Promise<unknown[]> =>
      rowsOf(
        app.app.instance.database,
        `select event, priority, subject_type, title, subject_id from notification_deliveries order by id`,
      );
    const about = (id: string): object => ({
      event: 'workflow.failed',
      priority: 'warning',
      subject_type: 'run',
      title: 'The workflow Keeper failed',
      subject_id: id,
    });
    await run({ text: 'Done.' });
    expect(await told()).toEqual([]);
    const first = await run(refused);
    await run(refused);
    await addRuns(app, workflow, [{ status: 'cancelled' }, { status: 'skipped', skip_reason: 'concurrency' }]);
    await run(refused);
    expect(await told()).toEqual([about(first)]);
    await run({ text: 'Done.' });
    const again = await run(refused);
    expect(await told()).toEqual([about(first), about(again)]);
  });

  test('the overview names enabled workflows whose last run failed, and counts the failures of a day', async () => {
    const { app } = await opened();
    const on = { enabled: true, schedule_cron: '0 7 * * *' };
    const ids = {
      failing: await addWorkflow(app, { name: 'Failing', ...on }),
      late: await addWorkflow(app, { name: 'Late', ...on }),
      recovered: await addWorkflow(app, { name: 'Recovered', ...on }),
      paused: await addWorkflow(app, { name: 'Paused' }),
    };
    const ended = { completed_at: '2026-04-26T05:00:00.000Z' };
    const old = { started_at: '2026-04-25T05:59:59.999Z' };
    await addRuns(app, ids.failing, [
      { status: 'error', ...old, ...ended },
      { status: 'skipped' },
      { status: 'in_progress' },
    ]);
    await addRuns(app, ids.late, [{}, { status: 'timeout', ...ended }]);
    await addRuns(app, ids.recovered, [{ status: 'error', ...ended }, {}]);
    await addRuns(app, ids.paused, [{ status: 'error', ...ended }]);
    const overview = async () => (await app.request('GET', '/api/v1/overview')).json;
    const { attention, backlog } = await overview();
    expect(backlog.failed_runs_24h).toBe(3);
    const entry = { code: 'workflow_failed', severity: 'warning', count: 1, subject_type: 'workflow' };
    const since = ended.completed_at;
    const failing = {
      ...entry,
      message: 'The last run of this workflow failed. Its transcript says why.',
      subject_id: ids.failing.id,
      since,
    };
    const late = {
      ...entry,
      message: 'The last run of this workflow ran out of time. Its transcript says why.',
      subject_id: ids.late.id,
      since,
    };
    expect(attention).toHaveLength(2);
    expect(attention).toEqual(expect.arrayContaining([failing, late]));
    await app.request('POST', '/api/v1/workflows/failing/disable');
    app.clock.advance(1_000);
    await addRuns(app, ids.late, [{ status: 'cancelled' }]);
    expect((await overview()).attention).toEqual([]);
  });

  test('old runs are deleted a quarter past three in the morning of the household', async () => {
    const { app } = await opened();
    await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'Asia/Tokyo' } });
    const workflow = await addWorkflow(app);
    const beat = async (): Promise<void> => {
      await app.app.instance.syncs().beat();
      await app.app.instance.syncs().settled();
    };
    const count = async (): Promise<number> => (await app.request('GET', RUNS)).json.runs.length;
    // It is three in the afternoon there.
    await beat();
    const longAgo = '2026-02-01T00:00:00.000Z';
    await addRuns(app, workflow, [{ started_at: longAgo, completed_at: longAgo }]);
    app.clock.advance(DAY_MS / 2 + 14 * 60_000);
    await beat();
    expect(await count()).toBe(1);
    app.clock.advance(60_000);
    await beat();
    expect(await count()).toBe(0);
  });

  test('a run that is cancelled while its model is asked counts what the request had cost', async () => {
    const { app, model } = await opened();
    model.script = [silence];
    const { json } = await start(app, await addWorkflow(app));
    const { instance } = app.app;
    await instance.runs().look();
    await expect.poll(() => model.requests.length).toBe(1);
    expect((await app.request('POST', `${RUNS}/${json.id}/cancel`)).status).toBe(202);
    await workOnRuns(app);
    const run = (await app.request('GET', `${RUNS}/${json.id}`)).json;
    expect(run).toMatchObject({ status: 'cancelled', cancel_requested: true });
    expect(run.total_cost_usd).toBeGreaterThan(0);
    expect((await app.request('GET', '/api/v1/workflows/status')).json.spent_30d_usd).toBe(run.total_cost_usd);
  });
});
