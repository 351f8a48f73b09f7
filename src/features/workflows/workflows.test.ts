import { beforeAll, describe, expect, test } from 'vitest';

import { journalOf } from '../../../test/harness/journal-rows.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addRuns, addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { WRONG_FIELDS } from '../../../test/harness/workflows/wrong-workflow-fields.ts';
import { DAY_MS } from '../../kernel/dates.ts';

const WORKFLOWS = '/api/v1/workflows';
const BLOCKS = ['strategy-routine-review', 'review-depth-efficient', 'category-system'];

const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathsOf = ({ json }: Answer): string[] => json.error.details.map(({ path }: { path: string }) => path);
const at = (app: TestApp, agoMs: number): string => new Date(app.clock.now() - agoMs).toISOString();

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
    await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'Europe/Berlin' } });
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `${WORKFLOWS}${path}`, body === undefined ? {} : { body });
  const create = (body: object) => call('POST', '', body);
  const change = (slug: string, body: object) => call('PATCH', `/${slug}`, body);
  describe('creating', () => {
    test('POST /agents needs a name and a prompt, and fills in the rest', async () => {
      const made = await app.request('POST', '/api/v1/agents', { body: { name: 'A', prompt: 'p' } });
      expect([made.status, made.headers.location]).toEqual([201, `${WORKFLOWS}/${made.json.id}`]);
      const { id, short_id, created_at, updated_at, ...fields } = made.json;
      expect([id, short_id, created_at === updated_at]).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}$/),
        expect.stringMatching(/^\w{8}$/),
        true,
      ]);
      expect(fields).toEqual({
        name: 'A',
        slug: 'a',
        prompt: 'p',
        prompt_edited: true,
        prompt_blocks: [],
        preset_options: {},
        extra_instructions: null,
        system_prompt: null,
        tool_scope: 'propose',
        allowed_tools: [],
        model_tier: 'balanced',
        model: null,
        max_turns: 0,
        max_budget_usd: 1,
        max_tokens: 2_000_000,
        max_duration_seconds: 1_800,
        enabled: false,
        schedule_cron: null,
        trigger_on_sync_complete: false,
        quiet_hours_start: null,
        quiet_hours_end: null,
        source_template: null,
        next_fire_at: null,
        last_run: null,
        cost_stats_30d: { run_count: 0, total_cost_usd: 0 },
        recent_error_stats: { error_count: 0, run_count: 0 },
        recent_cap_stats: { cap_count: 0, run_count: 0 },
        last_prompt_prefix: null,
      });
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        expect((await app.request(method, '/api/v1/agents/a')).status).toBe(404);
      }
    });

    test('slug, UUID and short_id name the same workflow; a slug wins', async () => {
      const made = await addWorkflow(app, { name: 'Named' });
      const seen = [];
      for (const named of ['named', made.id, made.short_id]) seen.push((await call('GET', `/${named}`)).json);
      expect(seen).toEqual([made, made, made]);
      const shadow = await addWorkflow(app, { name: 'Shadow', slug: made.id });
      expect((await call('GET', `/${made.id}`)).json.id).toBe(shadow.id);
      await call('DELETE', `/${shadow.slug}`);
      expect(errorOf(await call('GET', '/nothing-here'))).toEqual([404, 'NOT_FOUND']);
      expect(errorOf(await change('nothing-here', { name: 'X' }))).toEqual([404, 'NOT_FOUND']);
    });

    test('a slug is made from the name and is free; a given one is not changed', async () => {
      const slugs = [];
      for (const name of ['Twice', 'Twice', '  tWICE! ', '日本', '!!!', 'Runs', 'Crème – Brûlée', 'x'.repeat(200)]) {
        slugs.push((await create({ name, prompt: 'p' })).json.slug);
      }
      slugs.push((await create({ name: 'x'.repeat(65), prompt: 'p' })).json.slug);
      slugs.push((await create({ name: `${'y'.repeat(63)}-z`, prompt: 'p' })).json.slug);
      expect(slugs).toEqual([
        'twice',
        'twice-2',
        'twice-3',
        'workflow',
        'workflow-2',
        'runs-2',
        'creme-brulee',
        'x'.repeat(64),
        `${'x'.repeat(62)}-2`,
        'y'.repeat(63),
      ]);
      const taken = await create({ name: 'Other', prompt: 'p', slug: 'twice' });
      expect([...errorOf(taken), ...pathsOf(taken)]).toEqual([409, 'CONFLICT', 'slug']);
      expect(errorOf(await change('twice-2', { slug: 'twice' }))).toEqual([409, 'CONFLICT']);
      expect((await change('twice-2', { slug: 'second' })).json.slug).toBe('second');
      expect((await change('second', { slug: 'second', name: 'Twice' })).json.slug).toBe('second');
    });

    test('two simultaneous creates with one name both succeed', async () => {
      const both = await Promise.all([1, 2].map(() => create({ name: 'At once', prompt: 'p' })));
      expect(both.map(({ json }) => json.slug as string).toSorted((a, b) => a.localeCompare(b))).toEqual([
        'at-once',
        'at-once-2',
      ]);
    });

    test('the words that the paths use are no slugs, and their paths lead elsewhere', async () => {
      const words = ['runs', 'settings', 'status', 'test', 'cleanup', 'prompt-blocks', 'compose', 'cron-preview'];
      for (const slug of words) {
        const refused = await create({ name: 'N', prompt: 'p', slug });
        expect([slug, ...errorOf(refused), ...pathsOf(refused)]).toEqual([slug, 400, 'VALIDATION_ERROR', 'slug']);
      }
      expect(errorOf(await call('GET', '/cron-preview'))).toEqual([400, 'INVALID_PARAMETER']);
      expect(errorOf(await call('POST', '/compose', {}))).toEqual([400, 'VALIDATION_ERROR']);
    });

    test('every wrong field is refused by name, and nothing is written', async () => {
      await addWorkflow(app, { name: 'Judged' });
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const [body, path] of WRONG_FIELDS) {
        for (const refused of [await create({ name: 'N', prompt: 'p', ...body }), await change('judged', body)]) {
          expect([body, ...errorOf(refused), pathsOf(refused)[0]]).toEqual([body, 400, 'VALIDATION_ERROR', path]);
        }
      }
      for (const [body, path] of [
        [{}, 'name'],
        [{ name: 'N' }, ''],
        [{ name: 'N', prompt: 'p', prompt_blocks: [] }, ''],
        [{ name: 'N', prompt: 'p', preset_options: {} }, 'preset_options'],
        [{ name: 'N', prompt: 'p', source_template: 'routine-reviewer' }, 'source_template'],
        [{ name: 'N', prompt: 'p', extra_instructions: 'x' }, 'extra_instructions'],
      ] as const) {
        const refused = await create(body);
        expect([body, ...errorOf(refused), pathsOf(refused)[0] ?? '']).toEqual([body, 400, 'VALIDATION_ERROR', path]);
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('an unknown tool is named, with the one that was meant', async () => {
      const refused = await create({ name: 'N', prompt: 'p', allowed_tools: ['get_overview', 'query_transaction'] });
      expect([...errorOf(refused), ...pathsOf(refused)]).toEqual([400, 'VALIDATION_ERROR', 'allowed_tools']);
      expect(refused.json.error.message).toBe(
        'allowed_tools: "query_transaction" is not a tool. Did you mean query_transactions?',
      );
      const made = await addWorkflow(app, { allowed_tools: ['list_tags', 'get_overview', 'list_tags'] });
      expect(made).toMatchObject({ allowed_tools: ['list_tags', 'get_overview'] });
    });

    test('dollars have six decimals at most, and none is lost', async () => {
      await addWorkflow(app, { name: 'Costs' });
      for (const dollars of [0, 0.000001, 0.1, 1e-6, 999.999999, 1000, 0.300001]) {
        expect((await change('costs', { max_budget_usd: dollars })).json.max_budget_usd).toBe(dollars);
      }
    });

    test('a schedule that never comes is refused; one that does says when', async () => {
      for (const cron of ['61 * * * *', '* * * *', '0 0 30 2 *', '@daily', '0 7 * * FUN', '5/15 * * * *']) {
        const refused = await create({ name: 'N', prompt: 'p', schedule_cron: cron });
        expect([cron, ...errorOf(refused), ...pathsOf(refused)]).toEqual([
          cron,
          400,
          'VALIDATION_ERROR',
          'schedule_cron',
        ]);
      }
      const night = { quiet_hours_start: '22:00', quiet_hours_end: '06:30' };
      const quiet = await create({ name: 'N', prompt: 'p', schedule_cron: '0 3 * * *', ...night });
      expect([...pathsOf(quiet), quiet.json.error.message]).toEqual([
        'schedule_cron',
        expect.stringContaining('only in quiet hours'),
      ]);
      const both = { schedule_cron: '0 7 * * MON', trigger_on_sync_complete: true };
      expect(pathsOf(await create({ name: 'N', prompt: 'p', ...both }))).toEqual(['trigger_on_sync_complete']);

      const made = await create({ name: 'Mondays', prompt: 'p', schedule_cron: '0 7 * * MON', ...night });
      expect([made.status, made.json.next_fire_at]).toEqual([201, null]);
      expect((await call('POST', '/mondays/enable')).json.next_fire_at).toBe('2026-04-27T05:00:00.000Z');
      expect((await change('mondays', { schedule_cron: '0 3,9 * * *' })).json.next_fire_at).toBe(
        '2026-04-26T07:00:00.000Z',
      );
      expect((await change('mondays', { schedule_cron: '' })).json).toMatchObject({
        schedule_cron: null,
        next_fire_at: null,
      });
    });
  });

  describe('changing', () => {
    test('a PATCH is judged as a whole with what is stored', async () => {
      await addWorkflow(app, { name: 'Merged', quiet_hours_start: '22:00', quiet_hours_end: '06:00' });
      const before = (await call('GET', '/merged')).json;
      for (const [body, path] of [
        [{ quiet_hours_end: null }, 'quiet_hours_end'],
        [{ quiet_hours_start: '' }, 'quiet_hours_start'],
        [{ quiet_hours_start: '06:00' }, 'quiet_hours_end'],
        [{ schedule_cron: '30 23 * * *' }, 'schedule_cron'],
        [{ name: 'Other', max_turns: 501 }, 'max_turns'],
        [{ extra_instructions: 'x', prompt: 'y' }, 'extra_instructions'],
        [{ preset_options: {} }, 'preset_options'],
        [{ recompose: true }, 'recompose'],
        [{ prompt: 'x', prompt_blocks: BLOCKS }, 'prompt_blocks'],
      ] as const) {
        const refused = await change('merged', body);
        expect([body, ...errorOf(refused), ...pathsOf(refused)]).toEqual([body, 400, 'VALIDATION_ERROR', path]);
      }
      expect((await call('GET', '/merged')).json).toEqual(before);

      expect((await change('merged', { schedule_cron: '0 7 * * *' })).status).toBe(200);
      expect(pathsOf(await change('merged', { trigger_on_sync_complete: true }))).toEqual(['trigger_on_sync_complete']);
      expect(pathsOf(await change('merged', { quiet_hours_start: '06:30', quiet_hours_end: '07:30' }))).toEqual([
        'schedule_cron',
      ]);
      const switched = await change('merged', { schedule_cron: null, trigger_on_sync_complete: true });
      expect(switched.json).toMatchObject({ schedule_cron: null, trigger_on_sync_complete: true });
      const cleared = { system_prompt: '', model: null, quiet_hours_start: null, quiet_hours_end: '' };
      expect((await change('merged', cleared)).json).toMatchObject({ quiet_hours_start: null, quiet_hours_end: null });
    });

    test('a change without effect leaves no trace', async () => {
      const made = await addWorkflow(app, { name: 'Still' });
      app.clock.advance(1_000);
      for (const body of [{}, { name: 'Still', max_budget_usd: 1, model: '' }]) {
        const done = await change('still', body);
        expect([done.status, done.headers['x-change-set-id'], done.json]).toEqual([200, undefined, made]);
      }
      const renamed = await change('still', { name: 'Moved' });
      expect(renamed.json).toEqual({ ...made, name: 'Moved', updated_at: at(app, 0) });
      const [change_] = await journalOf(app, renamed);
      expect(change_).toMatchObject({
        entity_type: 'workflow',
        operation: 'update',
        before: { name: 'Still' },
        after: { name: 'Moved' },
      });
    });

    test('enabling and disabling is idempotent, and needs no body', async () => {
      await addWorkflow(app, { name: 'Switch' });
      const states = [];
      for (const verb of ['enable', 'enable', 'disable', 'disable']) {
        const { status, json, headers } = await call('POST', `/switch/${verb}`);
        states.push([status, json.enabled, headers['x-change-set-id'] !== undefined]);
      }
      expect(states).toEqual([
        [200, true, true],
        [200, true, false],
        [200, false, true],
        [200, false, false],
      ]);
      expect((await call('POST', '/switch/enable', {})).status).toBe(200);
      expect(errorOf(await call('POST', '/nothing-here/enable'))).toEqual([404, 'NOT_FOUND']);
    });

    test('a key that may only read gets 403 before its body is looked at', async () => {
      await addWorkflow(app, { name: 'Guarded' });
      for (const [method, path] of [
        ['POST', WORKFLOWS],
        ['POST', '/api/v1/agents'],
        ['PATCH', `${WORKFLOWS}/guarded`],
        ['DELETE', `${WORKFLOWS}/guarded`],
        ['POST', `${WORKFLOWS}/guarded/enable`],
        ['POST', `${WORKFLOWS}/guarded/disable`],
        ['POST', `${WORKFLOWS}/compose`],
      ] as const) {
        const headers = { 'content-type': 'application/json' };
        const refused = await app.request(method, path, { key: app.readOnlyKey, body: '{', headers });
        expect([method, path, ...errorOf(refused)]).toEqual([method, path, 403, 'FORBIDDEN']);
      }
      for (const path of ['', '/guarded', '/cron-preview?expression=0%207%20*%20*%20*']) {
        expect((await app.request('GET', `${WORKFLOWS}${path}`, { key: app.readOnlyKey })).status).toBe(200);
      }
    });
  });

  describe('figures of runs', () => {
    test('count what ran, leave out what was skipped, and look at the last five that finished', async () => {
      const workflow = await addWorkflow(app, { name: 'Busy' });
      const other = await addWorkflow(app, { name: 'Idle' });
      const old = { started_at: at(app, 31 * DAY_MS), total_cost_micros: 9_000_000, status: 'error' };
      const ids = await addRuns(app, workflow, [
        { ...old },
        { started_at: at(app, 30 * DAY_MS), total_cost_micros: 100_000, hit_cap: 'max_turns', prompt_prefix: 'Older' },
        { started_at: at(app, 5_000), status: 'error', total_cost_micros: 200_001, prompt_prefix: 'Newer' },
        { started_at: at(app, 4_000), status: 'timeout', total_cost_micros: null, hit_cap: 'max_duration' },
        { started_at: at(app, 3_000), status: 'cancelled', total_cost_micros: 1, trigger: 'cron' },
        { started_at: at(app, 2_000), status: 'in_progress', total_cost_micros: 5 },
        { started_at: at(app, 1_000), status: 'skipped', skip_reason: 'concurrency', trigger: 'cron' },
      ]);
      const shown = (await call('GET', '/busy')).json;
      expect(shown).toMatchObject({
        cost_stats_30d: { run_count: 5, total_cost_usd: 0.300007 },
        recent_error_stats: { error_count: 3, run_count: 5 },
        recent_cap_stats: { cap_count: 2, run_count: 5 },
        last_prompt_prefix: 'Newer',
      });
      expect(shown.last_run).toEqual({
        id: ids[5],
        short_id: expect.any(String),
        status: 'in_progress',
        trigger: 'manual',
        started_at: at(app, 2_000),
        completed_at: null,
        duration_ms: null,
        total_cost_usd: 0.000005,
        hit_cap: null,
      });
      const { json: list } = await call('GET', '');
      expect(list.find(({ id }: { id: string }) => id === workflow.id)).toEqual(shown);
      expect(list.find(({ id }: { id: string }) => id === other.id)).toEqual(other);
      const order = list.map(({ created_at, id }: { created_at: string; id: string }) => [created_at, id]);
      expect(order).toEqual(
        order.toSorted(([a, x]: string[], [b, y]: string[]) => (a === b ? (x! < y! ? -1 : 1) : a! > b! ? -1 : 1)),
      );
    });
  });

  describe('composing and previewing', () => {
    test('a schedule is previewed in the time zone of the household', async () => {
      const preview = (query: Record<string, string>) => app.request('GET', `${WORKFLOWS}/cron-preview`, { query });
      const { json } = await preview({ expression: '30 8 25 * *' });
      expect(json).toEqual({
        expression: '30 8 25 * *',
        timezone: 'Europe/Berlin',
        next: ['05', '06', '07', '08', '09'].map((month) => `2026-${month}-25T06:30:00.000Z`),
      });
      expect((await preview({ expression: '0 7 * * MON', count: '1' })).json.next).toEqual([
        '2026-04-27T05:00:00.000Z',
      ]);
      for (const query of [
        { expression: '@daily' },
        { expression: '0 0 30 2 *' },
        { expression: '' },
        { expression: '0 7 * * *', count: '0' },
        { expression: '0 7 * * *', count: '21' },
      ]) {
        expect(errorOf(await preview(query))).toEqual([400, 'INVALID_PARAMETER']);
      }
    });
  });
});
