import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { eventually } from '../../../test/harness/eventually.ts';
import { chat, CLAUDE, RESPONSE } from '../../../test/harness/workflows/model-answers.ts';
import {
  scriptedServer,
  type Recorded,
  type Scripted,
  type ScriptedServer,
} from '../../../test/harness/servers/scripted-server.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const SETTINGS = '/api/v1/workflows/settings';
const KEY = 'sk-abcdefghijkl';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

/** Answers as a small model on a machine of one's own would: it sees the last `context` tokens of a request. */
function localModel(context = Infinity, callsTools = true) {
  return ({ json, body }: Recorded): Scripted => {
    if (json['tools'] !== undefined) {
      const calls = [{ id: 'c', type: 'function', function: { name: 'get_overview', arguments: {} } }];
      return callsTools ? chat({ content: null, tool_calls: calls }) : chat({ content: 'I note: ledger.' });
    }
    const seen = body.slice(-4 * context);
    return chat({ content: `It is ${/The code word is ([\w-]+)\./.exec(seen)?.[1] ?? 'Ready'}` });
  };
}

async function settle(app: TestApp, body: object = {}): Promise<void> {
  const local = { provider: 'openai_compatible', model: 'local', base_url: `${server.url}/v1` };
  expect((await app.request('PUT', SETTINGS, { body: { ...local, ...body } })).status).toBe(200);
}

async function tried(app: TestApp, body?: object): Promise<Answer> {
  return app.request('POST', '/api/v1/workflows/test', body ? { body } : {});
}

forEachDatabase((database) => {
  describe('the test of a model', () => {
    test('says what it answers, that it calls tools, and that it reads long prompts to their start', async () => {
      const app = await database.open();
      await settle(app, { prices: [{ model: 'local', input_per_mtok: 10, output_per_mtok: 100 }] });
      const before = await allRows(app.app.instance.database);
      server.script(localModel());
      const answer = await tried(app);
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          provider: 'openai_compatible',
          model: 'local',
          duration_ms: expect.any(Number),
          // Three answers of 100 tokens in, 60 of them cached at the same price, and 20 out.
          total_cost_usd: 0.009,
          input_tokens: 300,
          output_tokens: 60,
          response: 'It is Ready',
          supports_tools: true,
          context_ok: true,
          problems: [],
        },
      ]);
      expect(server.requests.map(({ json }) => json['max_tokens'])).toEqual([64, undefined, undefined]);
      expect(server.requests[2]?.body.length).toBeGreaterThan(15_000);
      expect(await allRows(app.app.instance.database)).toEqual(before);
    });

    test('finds a context that is too small, and a model that calls no tools', async () => {
      const app = await database.open();
      await settle(app);
      server.script(localModel(4_096, false));
      const small = (await tried(app)).json;
      expect(small).toMatchObject({ supports_tools: false, context_ok: false, total_cost_usd: null });
      expect(small.problems).toMatchObject([
        {
          check: 'tools',
          message: expect.stringMatching(/^Neither .* The model was to call get_overview, and did not/),
        },
        { check: 'context', message: expect.stringContaining('its context is too small') },
      ]);
      server.script(({ json, body }) => {
        const refusal = json['tools'] !== undefined ? 'local does not support tools' : 'context length exceeded';
        const isRefused = json['tools'] !== undefined || body.length > 4_000;
        return isRefused ? { status: 400, json: { error: { message: refusal } } } : chat({ content: 'Ready.' });
      });
      const refusing = (await tried(app)).json;
      expect(refusing).toMatchObject({ supports_tools: false, context_ok: false, response: 'Ready.' });
      expect(refusing.problems).toMatchObject([
        { check: 'tools', message: expect.stringContaining('local does not support tools') },
        { check: 'context', message: expect.stringContaining('context length exceeded') },
      ]);
    });

    test('says that calls came as text, or that only a simple tool works', async () => {
      const app = await database.open();
      await settle(app);
      const problemsWith = async (reply: (name: string) => Scripted): Promise<unknown> => {
        server.script(({ json, body }) => {
          const named = (json['tools'] as { function: { name: string } }[] | undefined)?.map(
            (one) => one.function.name,
          );
          if (named) return reply(named.includes('note_word') ? 'note_word' : 'get_overview');
          return chat({ content: `It is ${/The code word is ([\w-]+)\./.exec(body)?.[1] ?? 'Ready'}` });
        });
        return (await tried(app)).json.problems;
      };
      const asText = (name: string) => chat({ content: `<tool_call>{"name":"${name}","arguments":{}}</tool_call>` });
      expect(await problemsWith(asText)).toMatchObject([
        { check: 'tools', message: expect.stringContaining('as text') },
      ]);
      const onlySimple = (name: string): Scripted =>
        name === 'note_word'
          ? chat({ content: null, tool_calls: [{ function: { name, arguments: { word: 'ledger' } } }] })
          : { status: 500, json: { error: { message: 'Unable to generate parser for this template.' } } };
      expect(await problemsWith(onlySimple)).toMatchObject([
        { check: 'tools', message: expect.stringMatching(/^A simple tool works, .*Unable to generate parser/) },
      ]);
    });

    test('does not try the context of providers that have enough', async () => {
      const app = await database.open({ env: { OPENAI_BASE_URL: undefined } });
      await settle(app, { provider: 'anthropic', model: null, api_key: KEY });
      const wanted = {
        ...CLAUDE,
        content: [{ type: 'tool_use', id: 't', name: 'get_overview', input: {} }],
      };
      server.script({ json: CLAUDE }, { json: wanted });
      const answer = await tried(app, { model_tier: 'deep' });
      expect(answer.json).toMatchObject({ model: 'claude-opus-5', supports_tools: true, context_ok: null });
      expect(answer.json.input_tokens).toBe(2 * 9_512);
      expect(server.requests).toHaveLength(2);
    });

    test('needs settings that a run would need', async () => {
      const app = await database.open();
      const code = async (body: object): Promise<unknown[]> => {
        expect((await app.request('PUT', SETTINGS, { body })).status).toBe(200);
        const { status, json } = await tried(app);
        return [status, json.error.code];
      };
      server.script({ json: RESPONSE });
      expect(await code({})).toEqual([422, 'MODEL_NOT_CONFIGURED']);
      expect(await code({ provider: 'anthropic' })).toEqual([422, 'AUTH_NOT_CONFIGURED']);
      expect(await code({ provider: 'openai_compatible', model: 'local' })).toEqual([422, 'MODEL_NOT_CONFIGURED']);
      expect(await code({ base_url: 'https://models.example/v1', global_max_budget_usd: 5 })).toEqual([
        422,
        'MODEL_NOT_CONFIGURED',
      ]);
      expect(await code({ enabled: false })).toEqual([503, 'AGENTS_DISABLED']);
      expect((await tried(app, { model_tier: 'huge' })).status).toBe(400);
      expect((await app.request('POST', '/api/v1/workflows/test', { key: app.readOnlyKey })).status).toBe(403);
      expect(server.requests).toHaveLength(0);
    });

    test('says in our words why it failed, and never shows the key', async () => {
      const app = await database.open();
      await settle(app, { api_key: KEY });
      const echo =
        (status: number) =>
        (request: Recorded): Scripted => ({
          status,
          json: { error: { message: `No: ${JSON.stringify(request.headers)}` } },
        });
      for (const [status, word] of [
        [401, 'key'],
        [404, 'model name'],
        [500, 'busy'],
      ] as const) {
        server.script(echo(status));
        const { json, text, status: answered } = await tried(app);
        expect([answered, json.error.code, json.error.message]).toEqual([
          502,
          'PROVIDER_ERROR',
          expect.stringContaining(word),
        ]);
        expect(json.error.details[0].message).toContain(String(status));
        expect(text).not.toContain(KEY);
      }
      server.script((request) => chat({ content: `Your key: ${request.headers.authorization}` }));
      const talkative = await tried(app);
      expect([talkative.status, talkative.json.response]).toEqual([200, 'Your key: Bearer ***']);
      await settle(app, { base_url: 'http://127.0.0.1:9/v1', api_key: KEY });
      const away = await tried(app);
      expect([away.status, away.json.error.message]).toEqual([502, expect.stringContaining('cannot be reached')]);
      expect(app.logs.join('\n')).not.toContain(KEY);
    });

    test('ends when the service stops, however long the model thinks', async () => {
      const app = await database.open();
      await settle(app);
      server.script('never');
      const answered = tried(app);
      await eventually(async () => expect(server.requests).toHaveLength(1));
      app.app.drain();
      const { status, json } = await answered;
      expect([status, json.error.code]).toEqual([503, 'UNAVAILABLE']);
    });
  });
});
