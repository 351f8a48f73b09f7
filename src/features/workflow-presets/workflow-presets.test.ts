import { beforeAll, describe, expect, test } from 'vitest';

import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';

const PRESETS = '/api/v1/workflow-presets';

const errorOf = ({ status, json }: Answer): unknown[] => [status, json.error?.code];

forEachDatabase((database) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await database.open();
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `${PRESETS}${path}`, body === undefined ? {} : { body });
  const enable = (slug: string, body?: unknown) => call('POST', `/${slug}/enable`, body);
  const slugs = async (): Promise<string[]> =>
    (await app.request('GET', '/api/v1/workflows')).json.map(({ slug }: { slug: string }) => slug);

  test('the gallery has twelve presets, in its order, and says which are enabled', async () => {
    const { status, json } = await app.request('GET', PRESETS, { key: app.readOnlyKey });
    expect(status).toBe(200);
    expect(json.map((preset: Record<string, unknown>) => [preset['slug'], preset['enabled']])).toEqual(
      GALLERY.map((slug) => [slug, false]),
    );
    for (const preset of json) {
      expect(Object.keys(preset).sort()).toEqual(KEYS);
      expect([preset.workflow_id, preset.workflow_slug, preset.workflow_enabled]).toEqual([null, null, null]);
      expect((await call('GET', `/${preset.slug}`)).json).toEqual(preset);
    }
    expect(errorOf(await call('GET', '/nothing'))).toEqual([404, 'NOT_FOUND']);
  });

  test('blocks come by group and id, each with a text', async () => {
    const { json } = await app.request('GET', '/api/v1/workflows/prompt-blocks', { key: app.readOnlyKey });
    const groups = ['strategy', 'depth', 'knowledge'];
    const keyOf = ({ group, id }: { group: string; id: string }): string => `${groups.indexOf(group)} ${id}`;
    expect(json.map(keyOf)).toEqual(json.map(keyOf).toSorted());
    expect(json).toHaveLength(15);
    for (const block of json) {
      expect(Object.keys(block).sort()).toEqual(['content', 'description', 'group', 'icon', 'id', 'title']);
      expect(block.content).toMatch(/^## .+\n\n.+/);
    }
  });

  test('enabling makes a paused workflow once, until it is deleted', async () => {
    const [preset] = (await call('GET', '')).json.filter(({ slug }: { slug: string }) => slug === 'routine-reviewer');
    const made = await enable('routine-reviewer');
    expect([made.status, made.headers['location']]).toEqual([201, `/api/v1/workflows/${made.json.id}`]);
    expect(made.json).toMatchObject({
      name: 'Routine Reviewer',
      slug: 'routine-reviewer',
      source_template: 'routine-reviewer',
      enabled: false,
      prompt_edited: false,
      preset_options: { apply_mode: 'auto' },
      extra_instructions: null,
      model: null,
      trigger_on_sync_complete: true,
      next_fire_at: null,
    });
    for (const field of ['prompt_blocks', 'allowed_tools', 'tool_scope', 'model_tier', 'max_turns', 'max_tokens']) {
      expect(made.json[field]).toEqual(preset[field]);
    }
    expect(made.json.prompt).toMatch(/^## Routine review\n[^]+\n\n## Depth: efficient\n[^]+\n\n## Categories\n/);
    for (const body of [undefined, {}, { enabled: true }]) {
      expect(errorOf(await enable('routine-reviewer', body))).toEqual([409, 'PRESET_ALREADY_ENABLED']);
    }
    expect(await slugs()).toEqual(['routine-reviewer']);
    expect((await call('GET', '/routine-reviewer')).json).toEqual({
      ...preset,
      enabled: true,
      workflow_id: made.json.id,
      workflow_slug: 'routine-reviewer',
      workflow_enabled: false,
    });
    const set = made.headers['x-change-set-id'] as string;
    expect((await app.request('GET', `/api/v1/change-sets/${set}`)).json).toMatchObject({ action: 'workflow.create' });
    expect((await app.request('DELETE', '/api/v1/workflows/routine-reviewer')).status).toBe(204);
    const again = await enable('routine-reviewer');
    expect(again.status).toBe(201);
    const revert = `/api/v1/change-sets/${again.headers['x-change-set-id'] as string}/revert`;
    expect((await app.request('POST', revert)).status).toBe(200);
    expect((await call('GET', '/routine-reviewer')).json).toEqual(preset);
  });

  test('the body is judged first, then the preset, then whether there is a workflow', async () => {
    expect((await enable('bulk-catchup')).status).toBe(201);
    const headers = { 'content-type': 'application/json' };
    for (const slug of ['bulk-catchup', 'nothing', 'monthly-close']) {
      const broken = await app.request('POST', `${PRESETS}/${slug}/enable`, { body: '{', headers });
      expect(errorOf(broken)).toEqual([400, 'INVALID_BODY']);
      for (const body of [{ enabled: 'yes' }, { enabled: null }, { options: [] }, { extra: 1 }]) {
        expect(errorOf(await enable(slug, body))).toEqual([400, 'VALIDATION_ERROR']);
      }
      const long = { extra_instructions: 'x'.repeat(4_001) };
      expect(errorOf(await enable(slug, long))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(errorOf(await enable('nothing', {}))).toEqual([404, 'NOT_FOUND']);
    for (const [options, path] of [
      [{ apply_mode: 'never' }, 'options.apply_mode'],
      [{ rule_mode: 'create_only' }, 'options'],
    ] as const) {
      const refused = await enable('bulk-catchup', { options });
      expect([...errorOf(refused), refused.json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    }
    expect(errorOf(await enable('bulk-catchup', { options: { apply_mode: 'auto' } }))).toEqual([
      409,
      'PRESET_ALREADY_ENABLED',
    ]);
    const denied = await app.request('POST', `${PRESETS}/nothing/enable`, { key: app.readOnlyKey, body: '{', headers });
    expect(errorOf(denied)).toEqual([403, 'FORBIDDEN']);
  });

  test('a body that comes in chunks counts, and an empty one is none', async () => {
    const url = `${await app.app.listen()}${PRESETS}/series-foundation/enable`;
    const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
    const body = new Blob(['{"enabled":', 'true,"options":{"rule_mode":"create_only"}}']).stream();
    const made = await fetch(url, { method: 'POST', headers, body, duplex: 'half' });
    expect([made.status, await made.json()]).toMatchObject([
      201,
      { enabled: true, preset_options: { rule_mode: 'create_only' } },
    ]);
    const empty = await app.request('POST', `${PRESETS}/rule-foundation/enable`, { body: '', headers });
    expect([empty.status, empty.json.enabled]).toEqual([201, false]);
  });

  test('options and extra instructions become part of the prompt', async () => {
    const options = { lookback_window: '30', report_verbosity: 'detailed' };
    const { json } = await enable('large-charge-sentinel', { options, extra_instructions: ' Rent is normal. ' });
    expect(json).toMatchObject({ preset_options: options });
    expect(json.prompt).toMatch(
      /\n\n## Days to look back\n\n[^#]+\n\n## Length of the report\n\n[^#]+\n\n## Additional instructions\n\nRent is normal\.$/,
    );
  });

  test('a workflow made by hand does not block a preset of its slug', async () => {
    await addWorkflow(app, { name: 'Backlog Closer' });
    expect((await enable('backlog-closer')).json).toMatchObject({
      slug: 'backlog-closer-2',
      source_template: 'backlog-closer',
    });
  });

  test('of two who enable at once, one makes the workflow', async () => {
    const both = await Promise.all([enable('monthly-close'), enable('monthly-close')]);
    expect(new Set(both.map(errorOf).map(String))).toEqual(new Set(['201,', '409,PRESET_ALREADY_ENABLED']));
  });

  describe('an enabled schedule', () => {
    test('begins now: what has passed is not made up for', async () => {
      const { json } = await enable('weekly-money-digest', { enabled: true });
      const { json: preview } = await app.request('GET', '/api/v1/workflows/cron-preview', {
        query: { expression: '0 7 * * 1', count: '1' },
      });
      expect(json).toMatchObject({ enabled: true, schedule_cron: '0 7 * * 1', next_fire_at: preview.next[0] });
    });
  });
});

const GALLERY = [
  'rule-foundation',
  'bulk-catchup',
  'series-foundation',
  'counterparty-foundation',
  'routine-reviewer',
  'transaction-reviewer',
  'backlog-closer',
  'series-curator',
  'counterparty-curator',
  'weekly-money-digest',
  'monthly-close',
  'large-charge-sentinel',
];

const KEYS = [
  'allowed_tools',
  'category',
  'description',
  'enabled',
  'est_cost_per_run_usd',
  'icon',
  'max_budget_usd',
  'max_duration_seconds',
  'max_tokens',
  'max_turns',
  'model_tier',
  'name',
  'one_off',
  'options',
  'prompt_blocks',
  'schedule_cron',
  'slug',
  'tool_scope',
  'trigger_on_sync_complete',
  'workflow_enabled',
  'workflow_id',
  'workflow_slug',
];
