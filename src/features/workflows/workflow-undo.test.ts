import { beforeAll, expect, test } from 'vitest';

import { changeSetOf, journalOf } from '../../../test/harness/journal-rows.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addRuns, addWorkflow, type MadeWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { HOUR_MS } from '../../kernel/dates.ts';

const WORKFLOWS = '/api/v1/workflows';

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `${WORKFLOWS}${path}`, body === undefined ? {} : { body });
  const revert = (done: Answer) =>
    app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body: {} });
  const now = (): string => new Date(app.clock.now()).toISOString();
  const scheduleOf = async ({ id }: MadeWorkflow) =>
    (
      await rowsOf<{ checked_until: string; kept_start_at: string | null }>(
        app.app.instance.database,
        `select checked_until, kept_start_at from workflow_schedules where workflow_id = '${id}'`,
      )
    )[0];
  const keepStart = ({ id }: MadeWorkflow, at: string) =>
    app.write('test.keep', (tx) =>
      tx.q.updateTable('workflow_schedules').set({ kept_start_at: at }).where('workflow_id', '=', id).execute(),
    );
  const stateOf = async ({ id }: MadeWorkflow) => {
    const { updated_at: _stamp, ...shown } = (await call('GET', `/${id}`)).json;
    return shown as Record<string, unknown>;
  };

  test('each write leaves one change set that says what was done', async () => {
    const made = await call('POST', '', { name: 'Journaled', prompt: 'p', schedule_cron: '0 7 * * *' });
    const done = [
      made,
      await call('PATCH', '/journaled', { max_budget_usd: 0.3, trigger_on_sync_complete: false, model_tier: 'deep' }),
      await call('POST', '/journaled/enable'),
      await call('POST', '/journaled/disable'),
      await call('DELETE', '/journaled'),
    ];
    const sets = [];
    for (const answer of done) sets.push(await changeSetOf(app, answer));
    expect(sets.map((set) => [set?.['action'], set?.['summary']])).toEqual([
      ['workflow.create', 'Created the workflow Journaled'],
      ['workflow.update', 'Changed the workflow Journaled'],
      ['workflow.enable', 'Enabled the workflow Journaled'],
      ['workflow.disable', 'Paused the workflow Journaled'],
      ['workflow.delete', 'Deleted the workflow Journaled'],
    ]);
    expect((await journalOf(app, done[1] as Answer))[0]).toMatchObject({
      entity_type: 'workflow',
      entity_id: made.json.id,
      before: { max_budget_usd: 1, model_tier: 'balanced' },
      after: { max_budget_usd: 0.3, model_tier: 'deep' },
    });
    expect((await journalOf(app, done[2] as Answer))[0]).toMatchObject({
      before: { enabled: false },
      after: { enabled: true },
    });
  });

  test('a deleted workflow is brought back under its ids and slug, with its runs', async () => {
    const workflow = await addWorkflow(app, {
      name: 'Back',
      tool_scope: 'read_write',
      allowed_tools: ['get_overview'],
      max_budget_usd: 0.123456,
      trigger_on_sync_complete: true,
      enabled: true,
    });
    const [running] = await addRuns(app, workflow, [{ status: 'in_progress' }]);
    const before = await stateOf(workflow);
    app.clock.advance(HOUR_MS);
    const done = await call('DELETE', '/back');
    expect([done.status, done.text, (await call('GET', '/back')).status]).toEqual([204, '', 404]);
    const runs = await rowsOf(
      app.app.instance.database,
      `select workflow_id, workflow_slug, status, cancel_requested_at from workflow_runs where id = '${running}'`,
    );
    expect(runs).toEqual([
      { workflow_id: workflow.id, workflow_slug: 'back', status: 'in_progress', cancel_requested_at: now() },
    ]);
    expect((await revert(done)).status).toBe(200);
    expect(await stateOf(workflow)).toEqual(before);
  });

  test('a workflow whose slug has been taken since is not brought back', async () => {
    await addWorkflow(app, { name: 'Taken' });
    const done = await call('DELETE', '/taken');
    const other = await addWorkflow(app, { name: 'Taken' });
    const refused = await revert(done);
    expect([refused.status, refused.json.error.details]).toEqual([
      409,
      [expect.objectContaining({ entity_type: 'workflow', reason: 'exists', fields: ['slug'] })],
    ]);
    await call('DELETE', `/${other.slug}`);
    expect((await revert(done)).status).toBe(200);
  });

  test('undoing its creation cancels its run, too', async () => {
    const made = await call('POST', '', { name: 'Undone', prompt: 'p' });
    const [running] = await addRuns(app, made.json, [{ status: 'in_progress' }, { status: 'success' }]);
    const undone = await revert(made);
    expect([undone.status, (await call('GET', '/undone')).status]).toEqual([200, 404]);
    const cancelled = await rowsOf<{ id: string }>(
      app.app.instance.database,
      `select id from workflow_runs where workflow_id = '${made.json.id}' and cancel_requested_at is not null`,
    );
    expect(cancelled).toEqual([{ id: running }]);
    expect((await revert(undone)).status).toBe(200);
    expect((await call('GET', '/undone')).json.id).toBe(made.json.id);
  });

  test('what a workflow did not do while it was paused, deleted or scheduled otherwise is not made up for', async () => {
    const made = await call('POST', '', { name: 'Punctual', prompt: 'p', schedule_cron: '0 * * * *', enabled: true });
    const workflow = made.json as MadeWorkflow;
    expect(await scheduleOf(workflow)).toEqual({ checked_until: now(), kept_start_at: null });
    const restarts = async (step: () => Promise<Answer>): Promise<Answer> => {
      app.clock.advance(HOUR_MS);
      const answer = await step();
      expect([answer.status < 300, (await scheduleOf(workflow))?.checked_until]).toEqual([true, now()]);
      return answer;
    };
    const changed = await restarts(() => call('PATCH', '/punctual', { schedule_cron: '30 * * * *' }));
    await restarts(() => revert(changed));
    const paused = await restarts(() => call('POST', '/punctual/disable'));
    await restarts(() => revert(paused));
    await restarts(() => call('PATCH', '/punctual', { enabled: false }));
    await restarts(() => call('POST', '/punctual/enable'));
    const deleted = await call('DELETE', '/punctual');
    expect(await scheduleOf(workflow)).toBeUndefined();
    await restarts(() => revert(deleted));

    const then = now();
    app.clock.advance(HOUR_MS);
    await call('PATCH', '/punctual', { name: 'Punctual still', max_turns: 5 });
    expect((await scheduleOf(workflow))?.checked_until).toBe(then);
  });

  test('a start that waits for a sync goes when the workflow is paused or no longer started by syncs', async () => {
    const workflow = await addWorkflow(app, { name: 'Waiting', trigger_on_sync_complete: true, enabled: true });
    const later = new Date(app.clock.now() + HOUR_MS).toISOString();
    for (const [body, kept] of [
      [{ name: 'Still waiting', quiet_hours_start: '22:00', quiet_hours_end: '06:00' }, later],
      [{ enabled: false }, null],
      [{ enabled: true }, null],
      [{ trigger_on_sync_complete: false }, null],
    ] as const) {
      await keepStart(workflow, later);
      await call('PATCH', '/waiting', body);
      if (!('enabled' in body) || !body.enabled) expect((await scheduleOf(workflow))?.kept_start_at).toBe(kept);
    }
  });

  test('an undo that would contradict what was changed since is refused, and says which field', async () => {
    const workflow = await addWorkflow(app, { name: 'Both', schedule_cron: '0 7 * * *' });
    const cleared = await call('PATCH', '/both', { schedule_cron: null });
    await call('PATCH', '/both', { trigger_on_sync_complete: true });
    const shifted = await call('PATCH', '/both', { quiet_hours_start: '22:00', quiet_hours_end: '06:00' });
    const moved = await call('PATCH', '/both', { quiet_hours_start: '23:00' });
    await call('PATCH', '/both', { quiet_hours_end: '22:00' });
    expect(shifted.status).toBe(200);
    const before = await stateOf(workflow);
    for (const [done, field] of [
      [cleared, 'trigger_on_sync_complete'],
      [moved, 'quiet_hours_end'],
    ] as const) {
      const refused = await revert(done);
      expect([refused.status, refused.json.error.details[0]]).toMatchObject([
        409,
        { reason: 'changed_since', fields: [field] },
      ]);
    }
    expect(await stateOf(workflow)).toEqual(before);
  });

  test('an undo that would leave no time for the schedule is refused: the workflow would never start again', async () => {
    await addWorkflow(app, { name: 'Never', schedule_cron: '0 7 * * *' });
    const moved = await call('PATCH', '/never', { schedule_cron: '0 12 * * *' });
    await call('PATCH', '/never', { quiet_hours_start: '06:00', quiet_hours_end: '08:00' });
    const cleared = await call('PATCH', '/never', { quiet_hours_start: null, quiet_hours_end: null });
    const earlier = await call('PATCH', '/never', { schedule_cron: '30 7 * * *' });
    const refused = await revert(cleared);
    expect([refused.status, refused.json.error.details[0]]).toMatchObject([
      409,
      { reason: 'changed_since', fields: ['schedule_cron'], message: expect.stringContaining('only in quiet hours') },
    ]);
    expect((await revert(earlier)).status).toBe(200);
    expect((await revert(cleared)).status).toBe(200);
    expect((await revert(moved)).status).toBe(409);
    expect((await call('GET', '/never')).json).toMatchObject({ schedule_cron: '0 12 * * *', quiet_hours_end: '08:00' });
  });
});
