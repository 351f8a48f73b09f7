import { describe, expect, test } from 'vitest';

import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { modelFor, modelReadiness, readModelSettings } from './index.ts';

const PATH = '/api/v1/workflows/settings';
const KEY = 'sk-abcdefghijkl';

const DEFAULTS = {
  enabled: true,
  provider: null,
  model: null,
  models: { fast: null, balanced: null, deep: null },
  context_tokens: null,
  base_url: null,
  api_key_set: false,
  api_key_hint: null,
  api_key_source: null,
  from_env: [],
  max_concurrent: 3,
  global_max_budget_usd: null,
  run_retention_days: 30,
  proposal_ttl_days: 30,
  prices: [],
};

/** Bodies that are refused, and the field that the answer names. */
const WRONG: readonly [object, string][] = [
  [{ provider: 'mistral' }, 'provider'],
  [{ enabled: null }, 'enabled'],
  [{ model: 'x'.repeat(201) }, 'model'],
  [{ models: { fast: 'a', slow: 'b' } }, 'models'],
  [{ context_tokens: 2_047 }, 'context_tokens'],
  [{ context_tokens: 4_096.5 }, 'context_tokens'],
  [{ base_url: 'ftp://models.example' }, 'base_url'],
  [{ base_url: 'https://u:p@models.example/v1' }, 'base_url'],
  [{ base_url: 'https://models.example/v1?key=1' }, 'base_url'],
  [{ base_url: 'http://169.254.169.254/v1' }, 'base_url'],
  [{ base_url: 'http://[::ffff:169.254.169.254]/v1' }, 'base_url'],
  [{ base_url: `https://models.example/${'x'.repeat(2_048)}` }, 'base_url'],
  [{ api_key: 'two words' }, 'api_key'],
  [{ api_key: 'x'.repeat(501) }, 'api_key'],
  [{ api_key: 12 }, 'api_key'],
  [{ max_concurrent: 0 }, 'max_concurrent'],
  [{ max_concurrent: 51 }, 'max_concurrent'],
  [{ global_max_budget_usd: -1 }, 'global_max_budget_usd'],
  [{ global_max_budget_usd: 0.000_000_1 }, 'global_max_budget_usd'],
  [{ global_max_budget_usd: 1_001 }, 'global_max_budget_usd'],
  [{ run_retention_days: 3_651 }, 'run_retention_days'],
  [{ proposal_ttl_days: 0 }, 'proposal_ttl_days'],
  [{ prices: [{ model: 'm', input_per_mtok: 1 }] }, 'output_per_mtok'],
  [{ prices: [price('m'), price(' m ')] }, 'prices'],
  [{ prices: Array.from({ length: 201 }, (_, at) => price(`m${at}`)) }, 'prices'],
  [{ api_key_set: true }, 'api_key_set'],
];

function price(model: string, dollars = 1): object {
  return { model, input_per_mtok: dollars, output_per_mtok: dollars };
}

async function change(app: TestApp, body: unknown, method: 'PUT' | 'PATCH' = 'PUT'): Promise<Answer> {
  return app.request(method, PATH, { body });
}

forEachDatabase((database) => {
  describe('the settings of workflows', () => {
    test('have defaults, and the prices that come with the program', async () => {
      const app = await database.open();
      const answer = await app.request('GET', PATH);
      const { effective_prices: prices, ...rest } = answer.json;
      expect([answer.status, rest]).toEqual([200, DEFAULTS]);
      expect(prices.map((row: { model: string; source: string }) => [row.model, row.source])).toEqual([
        ['claude-haiku-4-5', 'shipped'],
        ['claude-sonnet-5', 'shipped'],
        ['claude-opus-5', 'shipped'],
      ]);
    });

    test('are for admins, and for keys that may write', async () => {
      const app = await database.open();
      expect((await app.request('GET', PATH, { key: app.readOnlyKey })).status).toBe(403);
      expect((await app.request('PUT', PATH, { key: app.readOnlyKey, body: {} })).status).toBe(403);
      for (const [role, status] of [
        ['editor', 403],
        ['admin', 200],
      ] as const) {
        const { headers } = await signIn(app, { role, name: role });
        expect((await app.request('GET', PATH, { key: null, headers })).status).toBe(status);
      }
    });

    test('change together or not at all', async () => {
      const app = await database.open();
      for (const [body, field] of WRONG) {
        const answer = await change(app, { run_retention_days: 7, ...body });
        expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(answer.text).toContain(field);
      }
      expect((await app.request('GET', PATH)).json.run_retention_days).toBe(30);
      const wanted = {
        enabled: false,
        provider: 'openai_compatible',
        model: ' local-model ',
        models: { deep: 'large-model' },
        context_tokens: 32_768,
        base_url: 'http://127.0.0.1:11434/v1/',
        max_concurrent: 1,
        global_max_budget_usd: 12.000_001,
        run_retention_days: 0,
        proposal_ttl_days: 365,
        prices: [price('local-model', 0.25), price('claude-opus-5', 4)],
      };
      expect((await change(app, wanted)).status).toBe(200);
      const patched = await change(app, { models: { fast: 'small-model' }, context_tokens: null }, 'PATCH');
      expect(patched.json).toMatchObject({
        ...wanted,
        model: 'local-model',
        models: { fast: 'small-model', balanced: null, deep: 'large-model' },
        context_tokens: null,
        base_url: 'http://127.0.0.1:11434/v1',
        prices: [
          { model: 'local-model', input_per_mtok: 0.25, cache_read_per_mtok: null },
          { model: 'claude-opus-5', input_per_mtok: 4 },
        ],
      });
      const opus = patched.json.effective_prices.filter((row: { model: string }) => row.model === 'claude-opus-5');
      expect(opus).toEqual([expect.objectContaining({ input_per_mtok: 4, source: 'settings', as_of: null })]);
      expect((await change(app, {})).json).toEqual(patched.json);
    });

    test('show of the key only its last four characters, and only of a long one', async () => {
      const app = await database.open();
      const stored = await change(app, { provider: 'anthropic', api_key: KEY });
      expect(stored.json).toMatchObject({ api_key_set: true, api_key_hint: 'ijkl', api_key_source: 'settings' });
      const short = await change(app, { api_key: 'short' });
      expect(short.json).toMatchObject({ api_key_set: true, api_key_hint: null });
      await change(app, { api_key: KEY });
      expect((await change(app, { api_key: '' })).json).toMatchObject({ api_key_set: false, api_key_source: null });
      await change(app, { api_key: KEY });
      const texts = [
        stored.text,
        (await app.request('GET', PATH)).text,
        (await app.request('GET', '/api/v1/change-sets')).text,
        JSON.stringify(await allRows(app.app.instance.database)),
        app.logs.join('\n'),
      ];
      expect(texts.filter((text) => text.includes('abcdefgh'))).toEqual([]);
    });

    test('drop the key when provider or address change, unless the request brings one', async () => {
      const app = await database.open();
      await change(app, { provider: 'openai', api_key: KEY });
      expect((await change(app, { base_url: 'https://models.example/v1' })).json.api_key_set).toBe(false);
      expect((await change(app, { base_url: null })).json.api_key_set).toBe(false);
      const both = await change(app, { base_url: 'https://models.example/v1', api_key: KEY });
      expect(both.json.api_key_set).toBe(true);
      expect((await change(app, { base_url: 'https://models.example/v1/' })).json.api_key_set).toBe(true);
      expect((await change(app, { provider: 'openai_compatible' })).json.api_key_set).toBe(false);
    });

    test('are overridden by the environment, and can then not be changed', async () => {
      const app = await database.open({
        env: { WORKFLOW_MODEL_PROVIDER: 'openai', WORKFLOW_MODEL: 'gpt-x', OPENAI_API_KEY: `${KEY}-env` },
      });
      const { json } = await app.request('GET', PATH);
      expect(json).toMatchObject({
        provider: 'openai',
        model: 'gpt-x',
        api_key_set: true,
        api_key_hint: '-env',
        api_key_source: 'env',
        from_env: ['provider', 'model', 'api_key'],
      });
      for (const body of [{ provider: 'openai' }, { model: null }, { api_key: 'x' }, { provider: 'anthropic' }]) {
        const answer = await change(app, { run_retention_days: 1, ...body });
        expect([answer.status, answer.json.error.code]).toEqual([409, 'SETTING_FROM_ENV']);
        expect(answer.json.error.message).toContain(Object.keys(body)[0]);
      }
      expect((await app.request('GET', PATH)).json.run_retention_days).toBe(30);
      expect(app.logs.join('\n')).not.toContain('abcdefgh');
    });

    test('send a key of the environment only to its maker, or where the environment says', async () => {
      const keys = { OPENAI_API_KEY: `${KEY}-o`, ANTHROPIC_API_KEY: `${KEY}-a` };
      const app = await database.open({ env: keys });
      const source = async (body: object): Promise<unknown> => (await change(app, body)).json.api_key_source;
      expect((await app.request('GET', PATH)).json.api_key_source).toBeNull();
      expect(await source({ provider: 'anthropic' })).toBe('env');
      expect(await source({ base_url: 'https://models.example/v1' })).toBeNull();
      expect(await source({ base_url: 'https://api.anthropic.com/v1' })).toBe('env');
      expect(await source({ provider: 'openai' })).toBeNull();
      expect(await source({ base_url: null })).toBe('env');
      expect(await source({ provider: 'openai_compatible', base_url: 'http://127.0.0.1:1/v1' })).toBeNull();
      const elsewhere = await app.again({ env: { ...keys, OPENAI_BASE_URL: 'http://127.0.0.1:2/v1/' } });
      expect((await elsewhere.request('GET', PATH)).json).toMatchObject({
        base_url: 'http://127.0.0.1:2/v1',
        api_key_source: 'env',
        from_env: ['base_url', 'api_key'],
      });
      expect((await change(elsewhere, { base_url: null })).json.error.code).toBe('SETTING_FROM_ENV');
      const anthropic = await change(elsewhere, { provider: 'anthropic', base_url: null });
      expect(anthropic.json).toMatchObject({ from_env: ['api_key'], api_key_hint: 'kl-a' });
    });

    test('a stored key is not sent where the environment leads to since', async () => {
      const app = await database.open();
      await change(app, { provider: 'openai', api_key: KEY });
      const redirected = await app.again({ env: { OPENAI_BASE_URL: 'https://models.example/v1' } });
      expect((await redirected.request('GET', PATH)).json.api_key_set).toBe(false);
      const other = await app.again({ env: { WORKFLOW_MODEL_PROVIDER: 'anthropic' } });
      expect((await other.request('GET', PATH)).json.api_key_set).toBe(false);
      expect((await app.request('GET', PATH)).json.api_key_set).toBe(true);
    });
  });

  describe('the status of workflows', () => {
    const status = async (app: TestApp): Promise<Answer> =>
      app.request('GET', '/api/v1/workflows/status', { key: app.readOnlyKey });

    test('tells any key whether they can start and what is left to spend, but no address and no secret', async () => {
      const app = await database.open();
      expect((await status(app)).json).toEqual({
        enabled: true,
        provider: null,
        models: { fast: null, balanced: null, deep: null },
        auth_configured: false,
        ready: false,
        in_progress_count: 0,
        max_concurrent: 3,
        spent_30d_usd: 0,
        reserved_usd: 0,
        global_max_budget_usd: null,
        available_usd: null,
      });
      await change(app, { provider: 'anthropic', models: { deep: 'own' }, base_url: 'https://models.example/v1' });
      expect((await status(app)).json).toMatchObject({ auth_configured: false, ready: false });
      await change(app, { api_key: KEY, max_concurrent: 2 });
      await bookkeep(app.app.instance.database, async (tx) => {
        const spent = { run_id: tx.now, started_at: tx.now, cost_micros: 1_250_001 };
        await tx.q.insertInto('workflow_spending').values(spent).execute();
      });
      const open = await status(app);
      expect(open.json).toMatchObject({
        provider: 'anthropic',
        models: { fast: 'claude-haiku-4-5', balanced: 'claude-sonnet-5', deep: 'own' },
        auth_configured: true,
        ready: true,
        max_concurrent: 2,
        spent_30d_usd: 1.250_001,
        available_usd: null,
      });
      expect(open.text).not.toMatch(/models\.example|ijkl/);
      await change(app, { global_max_budget_usd: 5 });
      expect((await status(app)).json).toMatchObject({
        ready: false,
        global_max_budget_usd: 5,
        available_usd: 3.749_999,
      });
      await change(app, { prices: [price('own')], enabled: false });
      expect((await status(app)).json).toMatchObject({ enabled: false, ready: false });
      await change(app, { enabled: true });
      expect((await status(app)).json.ready).toBe(true);
    });
  });

  describe('which model a workflow uses', () => {
    const read = async (app: TestApp): ReturnType<typeof readModelSettings> =>
      app.app.instance.database.read((tx) => readModelSettings(tx, app.app.instance));

    test('is its own, that of its tier, the default, or the shipped one', async () => {
      const app = await database.open();
      const fast = { tier: 'fast', model: null } as const;
      expect(modelFor(await read(app), fast)).toBeNull();
      await change(app, { provider: 'anthropic' });
      expect(modelFor(await read(app), fast)).toEqual({ provider: 'anthropic', name: 'claude-haiku-4-5' });
      await change(app, { model: 'default' });
      expect(modelFor(await read(app), fast)?.name).toBe('default');
      await change(app, { models: { fast: 'quick' } });
      expect(modelFor(await read(app), fast)?.name).toBe('quick');
      expect(modelFor(await read(app), { tier: 'fast', model: 'own' })?.name).toBe('own');
      await change(app, { provider: 'openai', model: null });
      expect(modelFor(await read(app), { tier: 'deep', model: null })).toBeNull();
    });

    test('can be used once it has an address, a key where one is needed, and a price under a ceiling', async () => {
      const app = await database.open();
      const ready = async (body: object): Promise<string> => {
        expect((await change(app, body)).status).toBe(200);
        const settings = await read(app);
        return modelReadiness(settings, modelFor(settings, { tier: 'deep', model: null }));
      };
      expect(await ready({})).toBe('MODEL_NOT_CONFIGURED');
      expect(await ready({ provider: 'anthropic' })).toBe('AUTH_NOT_CONFIGURED');
      expect(await ready({ api_key: KEY })).toBe('ready');
      expect(await ready({ global_max_budget_usd: 5 })).toBe('ready');
      expect(await ready({ provider: 'openai_compatible', model: 'local' })).toBe('MODEL_NOT_CONFIGURED');
      expect(await ready({ base_url: 'https://models.example/v1' })).toBe('MODEL_NOT_CONFIGURED');
      expect(await ready({ base_url: 'http://203.0.113.9/v1' })).toBe('MODEL_NOT_CONFIGURED');
      for (const home of [
        'http://127.0.0.1:1/v1',
        'http://[::1]:1/v1',
        'http://192.168.1.2/v1',
        'http://ollama:1/v1',
      ]) {
        expect(await ready({ base_url: home })).toBe('ready');
      }
      expect(await ready({ base_url: 'https://models.example/v1', prices: [price('local')] })).toBe('ready');
      expect(await ready({ prices: [], global_max_budget_usd: null })).toBe('ready');
    });
  });
});
