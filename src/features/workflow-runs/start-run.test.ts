import { describe, expect, test } from 'vitest';

import { changeModels, countRuns, endRuns, setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow, type MadeWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { findWorkflow } from '../workflows/index.ts';
import { startRun, type Start } from './index.ts';
import type { RunDefinition } from './run-definition.ts';

const codeOf = ({ status, json }: Answer): [number, string | undefined] => [status, json?.error?.code];

async function opened(database: { open: () => Promise<TestApp> }, settings: object = {}): Promise<TestApp> {
  const app = await database.open();
  await setUpModel(app, settings);
  return app;
}

/** A start as a schedule or a sync makes it. */
async function startAlone(
  app: TestApp,
  { slug }: MadeWorkflow,
  trigger: 'cron' | 'after_sync' = 'cron',
): Promise<Start> {
  return app.write('test.start', async (tx) => {
    const workflow = await findWorkflow(tx, slug);
    if (!workflow) throw new Error('The workflow is gone.');
    return startRun(tx, app.app.instance, { workflow, trigger });
  });
}

async function outcomeOf(started: Promise<Start>): Promise<unknown> {
  const start = await started;
  return start.kind === 'skipped' ? start.run.skip_reason : start.kind;
}

async function definitionOf(app: TestApp, id: string): Promise<RunDefinition> {
  const [row] = await rowsOf<{ definition: string }>(
    app.app.instance.database,
    `select definition from workflow_runs where id = '${id}'`,
  );
  return JSON.parse(row?.definition ?? 'null') as RunDefinition;
}

forEachDatabase((database) => {
  describe('a start by hand', () => {
    test('answers the run at once, by slug, UUID and short_id, with no body, an empty one, {} or a chunked one', async () => {
      const app = await opened(database);
      const workflow = await addWorkflow(app, { name: 'Paused', max_turns: 7 });
      const begun = await start(app, workflow);
      expect(begun.status, begun.text).toBe(201);
      expect(begun.json).toEqual({
        id: begun.json.id,
        short_id: begun.json.short_id,
        workflow_id: workflow.id,
        workflow_slug: 'paused',
        workflow_name: 'Paused',
        trigger: 'manual',
        status: 'in_progress',
        skip_reason: null,
        cancel_requested: false,
        tool_scope: 'propose',
        started_at: '2026-04-26T06:00:00.000Z',
        completed_at: null,
        duration_ms: null,
        model_provider: null,
        model: null,
        total_cost_usd: 0,
        input_tokens: 0,
        output_tokens: 0,
        cache_read_tokens: 0,
        cache_creation_tokens: 0,
        turn_count: 0,
        num_tool_calls: 0,
        max_turns_used: 7,
        hit_cap: null,
        error_code: null,
        error_message: null,
        result_text: null,
        operator_note: null,
        prompt_prefix: null,
        started_by: { type: 'user', id: expect.any(String), name: 'Test' },
        report_ids: [],
        proposal_id: null,
        change_set_count: 0,
        change_set_status: null,
        has_transcript: false,
        created_at: '2026-04-26T06:00:00.000Z',
      });
      expect(begun.headers['x-change-set-id']).toBeUndefined();
      await endRuns(app, [begun.json.id]);
      const chunked = { headers: { 'transfer-encoding': 'chunked' }, body: '{"prompt_prefix":"Hurry."}' };
      for (const [named, request, prefix] of [
        [workflow.id, { body: '' }, null],
        [workflow.short_id, { body: {} }, null],
        [workflow.slug, { body: { prompt_prefix: ' ' } }, null],
        [workflow.slug, chunked, 'Hurry.'],
      ] as const) {
        const again = await app.request('POST', `/api/v1/workflows/${named}/run`, request);
        expect([again.status, again.json.prompt_prefix], again.text).toEqual([201, prefix]);
        await endRuns(app, [again.json.id]);
      }
      expect((await app.request('GET', '/api/v1/workflows/paused')).json).toMatchObject({
        enabled: false,
        last_prompt_prefix: 'Hurry.',
      });
    });

    test('freezes what the run works with', async () => {
      const app = await opened(database);
      const workflow = await addWorkflow(app, {
        name: 'Frozen',
        prompt: 'The task.',
        tool_scope: 'read_only',
        system_prompt: 'Be brief.',
        max_budget_usd: 0.5,
        max_tokens: 9_000,
        max_duration_seconds: 60,
      });
      const noted = await start(app, workflow, { prompt_prefix: 'Only this month.' });
      const definition = await definitionOf(app, noted.json.id);
      expect(definition).toMatchObject({
        systemPrompt: 'Be brief.',
        prompt: '## Note from the operator\n\nOnly this month.\n\nThe task.',
        toolScope: 'read_only',
        provider: 'openai_compatible',
        model: 'scripted',
        caps: { maxTurns: null, budgetMicros: 500_000, maxTokens: 9_000, maxDurationMs: 60_000 },
      });
      expect(definition.tools).toContain('submit_report');
      for (const never of ['run_workflow', 'update_transactions']) expect(definition.tools).not.toContain(never);
      await endRuns(app, [noted.json.id]);
      const replaced = await start(app, workflow, { prompt: 'Another task.', prompt_prefix: 'x'.repeat(3_000) });
      expect([replaced.status, replaced.json.prompt_prefix]).toEqual([201, null]);
      expect((await definitionOf(app, replaced.json.id)).prompt).toBe('Another task.');
      await changeModels(app, { prices: [] });
      const unpriced = await start(app, await addWorkflow(app, { name: 'Unpriced', max_tokens: 0 }));
      expect(unpriced.json.total_cost_usd).toBeNull();
      const { caps } = await definitionOf(app, unpriced.json.id);
      expect(caps).toMatchObject({ budgetMicros: null, maxTokens: LIMITS.workflowUnpricedTokens });
    });

    test('refuses a body that is too long or wrong, and a workflow that does not exist', async () => {
      const app = await opened(database);
      const workflow = await addWorkflow(app);
      for (const [body, expected] of [
        [{ prompt_prefix: 'x'.repeat(2_001) }, [400, 'PROMPT_PREFIX_TOO_LONG']],
        [{ prompt: 'x'.repeat(40_001) }, [400, 'PROMPT_TOO_LONG']],
        [{ prompt: ' ' }, [400, 'VALIDATION_ERROR']],
        [{ prompt: 1 }, [400, 'VALIDATION_ERROR']],
        [{ prompts: 'x' }, [400, 'VALIDATION_ERROR']],
        ['{', [400, 'INVALID_BODY']],
      ] as const) {
        expect(codeOf(await start(app, workflow, body))).toEqual(expected);
      }
      expect(codeOf(await start(app, { slug: 'no-such' }))).toEqual([404, 'NOT_FOUND']);
      const read = await app.request('POST', `/api/v1/workflows/${workflow.slug}/run`, {
        key: app.readOnlyKey,
        body: '{',
      });
      expect(codeOf(read)).toEqual([403, 'FORBIDDEN']);
      expect(await countRuns(app)).toBe(0);
      const longest = { prompt_prefix: '😀'.repeat(2_000) };
      expect((await start(app, workflow, longest)).status).toBe(201);
    });

    test('is made once under an Idempotency-Key', async () => {
      const app = await opened(database);
      const workflow = await addWorkflow(app);
      const request = { headers: { 'idempotency-key': 'once' } };
      const first = await app.request('POST', `/api/v1/workflows/${workflow.slug}/run`, request);
      await endRuns(app, [first.json.id]);
      const second = await app.request('POST', `/api/v1/workflows/${workflow.slug}/run`, request);
      expect([second.status, second.json]).toEqual([201, first.json]);
      expect(await countRuns(app)).toBe(1);
    });
  });

  describe('the gates', () => {
    test('stop a start by hand in their order, and leave no row', async () => {
      const app = await database.open();
      const [one, two, three] = [
        await addWorkflow(app, { name: 'One' }),
        await addWorkflow(app, { name: 'Two' }),
        await addWorkflow(app, { name: 'Three' }),
      ] as const;
      await changeModels(app, { enabled: false });
      expect(codeOf(await start(app, one))).toEqual([503, 'AGENTS_DISABLED']);
      await changeModels(app, { enabled: true });
      expect(codeOf(await start(app, one))).toEqual([422, 'MODEL_NOT_CONFIGURED']);
      await changeModels(app, { provider: 'anthropic', max_concurrent: 2, global_max_budget_usd: 5 });
      expect(codeOf(await start(app, one))).toEqual([422, 'AUTH_NOT_CONFIGURED']);
      expect(await countRuns(app)).toBe(0);
      await setUpModel(app);
      expect((await start(app, one)).status).toBe(201);
      expect(codeOf(await start(app, one))).toEqual([409, 'RUN_IN_PROGRESS']);
      expect((await start(app, two)).status).toBe(201);
      const full = await start(app, three);
      expect(codeOf(full)).toEqual([503, 'CONCURRENCY_LOCKED']);
      // One that is already running is said to be, although no other could start either.
      expect(codeOf(await start(app, two))).toEqual([409, 'RUN_IN_PROGRESS']);
      await changeModels(app, { max_concurrent: 3, global_max_budget_usd: 2 });
      const spent = await start(app, three);
      expect([codeOf(spent), spent.headers['retry-after']]).toEqual([[429, 'BUDGET_CEILING_REACHED'], undefined]);
      expect(await countRuns(app)).toBe(2);
    });

    test('leave a skipped row of an automatic start, or nothing at all', async () => {
      const app = await database.open();
      const enabled = { enabled: true, schedule_cron: '0 7 * * *' };
      const workflow = await addWorkflow(app, { name: 'Early', ...enabled });
      const paused = await addWorkflow(app, { name: 'Paused', schedule_cron: '0 7 * * *' });
      expect(await outcomeOf(startAlone(app, workflow))).toBe('model_not_configured');
      await changeModels(app, { enabled: false });
      expect(await outcomeOf(startAlone(app, workflow))).toBe('nothing');
      await changeModels(app, { enabled: true, provider: 'anthropic' });
      expect(await outcomeOf(startAlone(app, workflow))).toBe('model_not_configured');
      await setUpModel(app, { max_concurrent: 1 });
      expect(await outcomeOf(startAlone(app, paused))).toBe('nothing');
      expect(await outcomeOf(startAlone(app, workflow))).toBe('started');
      expect(await outcomeOf(startAlone(app, workflow))).toBe('already_running');
      const other = await addWorkflow(app, { name: 'Other', ...enabled });
      expect(await outcomeOf(startAlone(app, other))).toBe('concurrency');
      await changeModels(app, { max_concurrent: 3, global_max_budget_usd: 0 });
      expect(await outcomeOf(startAlone(app, other))).toBe('budget_ceiling');
      const { runs } = (await app.request('GET', '/api/v1/workflows/runs', { query: { status: 'skipped' } })).json;
      expect(runs.map(({ skip_reason }: { skip_reason: string }) => skip_reason)).toEqual([
        'budget_ceiling',
        'concurrency',
        'already_running',
        'model_not_configured',
        'model_not_configured',
      ]);
      expect(runs[0]).toMatchObject({
        trigger: 'cron',
        started_at: runs[0].completed_at,
        total_cost_usd: 0,
        has_transcript: false,
        started_by: { type: 'system', id: null },
      });
    });

    test('quiet hours stop what starts by itself, in the time zone of the household and across midnight', async () => {
      const app = await opened(database);
      await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'Europe/Berlin' } });
      // It is eight in the morning there.
      for (const [quiet, outcome] of [
        [['22:00', '08:01'], 'quiet_hours'],
        [['22:00', '08:00'], 'started'],
        [['08:00', '09:00'], 'quiet_hours'],
        [['06:00', '07:00'], 'started'],
      ] as const) {
        const workflow = await addWorkflow(app, {
          name: `Quiet ${quiet.join(' ')}`,
          enabled: true,
          trigger_on_sync_complete: true,
          quiet_hours_start: quiet[0],
          quiet_hours_end: quiet[1],
        });
        expect([quiet, await outcomeOf(startAlone(app, workflow, 'after_sync'))]).toEqual([quiet, outcome]);
        if (outcome === 'quiet_hours') {
          const byHand = await start(app, workflow);
          expect(byHand.status, byHand.text).toBe(201);
          await endRuns(app, [byHand.json.id]);
        }
      }
      const [run] = await rowsOf<{ definition: string; is_after_sync: number }>(
        app.app.instance.database,
        `select definition, is_after_sync from workflow_runs where trigger = 'after_sync' and status = 'in_progress'`,
      );
      expect(run?.is_after_sync).toBe(1);
      expect(JSON.parse(run?.definition ?? '').caps.maxDurationMs).toBe(LIMITS.workflowAfterSyncMaxMs);
      expect(JSON.parse(run?.definition ?? '').tools).not.toContain('trigger_sync');
    });

    test('hold for starts at the same time, also from two processes on one database server', async () => {
      const app = await opened(database, { max_concurrent: 2, global_max_budget_usd: 1.5 });
      const both = [app, database.name === 'SQLite' ? app : await app.again()];
      const one = await addWorkflow(app, { name: 'One' });
      const same = await Promise.all([0, 1, 2, 3].map((at) => start(both[at % 2] as TestApp, one)));
      expect(same.map(codeOf).sort(([a], [b]) => a - b)).toEqual([
        [201, undefined],
        [409, 'RUN_IN_PROGRESS'],
        [409, 'RUN_IN_PROGRESS'],
        [409, 'RUN_IN_PROGRESS'],
      ]);
      const more = await Promise.all(['Two', 'Three', 'Four'].map((name) => addWorkflow(app, { name })));
      const crowd = await Promise.all(more.map((workflow, at) => start(both[at % 2] as TestApp, workflow)));
      expect(crowd.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 503, 503]);
      const running = [...same, ...crowd].filter(({ status }) => status === 201);
      // The second got what the first left of the ceiling.
      const caps = await Promise.all(
        running.map(async ({ json }) => (await definitionOf(app, json.id)).caps.budgetMicros),
      );
      expect(caps).toEqual([1_000_000, 500_000]);
      await endRuns(
        app,
        running.map(({ json }) => json.id),
      );
      await changeModels(app, { global_max_budget_usd: 1, max_concurrent: 9 });
      const poor = await Promise.all(more.map((workflow, at) => start(both[at % 2] as TestApp, workflow)));
      expect(poor.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 429, 429]);
    });
  });

  test('a ceiling needs a price, or a model at home', async () => {
    const app = await opened(database, { prices: [], global_max_budget_usd: 5, base_url: 'https://models.example/v1' });
    const workflow = await addWorkflow(app);
    expect(codeOf(await start(app, workflow))).toEqual([422, 'MODEL_NOT_CONFIGURED']);
    await changeModels(app, { base_url: 'http://127.0.0.1:9/v1' });
    expect((await start(app, workflow)).status).toBe(201);
  });

  test('a ceiling of nothing refuses every run', async () => {
    const app = await opened(database, { global_max_budget_usd: 0 });
    expect(codeOf(await start(app, await addWorkflow(app)))).toEqual([429, 'BUDGET_CEILING_REACHED']);
  });

  test('what was spent counts for thirty days, also of a run that is gone', async () => {
    const app = await opened(database, { global_max_budget_usd: 3, run_retention_days: 1 });
    const workflow = await addWorkflow(app, { max_budget_usd: 2 });
    const first = (await start(app, workflow)).json.id as string;
    await app.write('test.spend', async (tx) => {
      const cost = { run_id: first, started_at: tx.now, cost_micros: 2_500_000 };
      await tx.q.insertInto('workflow_spending').values(cost).execute();
    });
    await endRuns(app, [first], { status: 'error', error_code: 'interrupted' });
    app.clock.advance(2 * DAY_MS);
    expect((await app.request('POST', '/api/v1/workflows/cleanup')).json.runs_deleted).toBe(1);
    const second = await start(app, workflow);
    expect((await definitionOf(app, second.json.id)).caps.budgetMicros).toBe(500_000);
    const [row] = await rowsOf<{ n: number }>(
      app.app.instance.database,
      'select is_budget_of_household as n from workflow_runs',
    );
    expect(row?.n).toBe(1);
    await endRuns(app, [second.json.id]);
    app.clock.advance(28 * DAY_MS + 1);
    const third = await start(app, workflow);
    expect((await definitionOf(app, third.json.id)).caps.budgetMicros).toBe(2_000_000);
  });
});
