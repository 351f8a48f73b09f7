import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { ASKED, chat, CLAUDE, RESPONSE } from '../../test/harness/workflows/model-answers.ts';
import { KEY, useSdkModels } from '../../test/harness/workflows/sdk-models.ts';
import type { Scripted } from '../../test/harness/servers/scripted-server.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Model, ModelFailure, ModelProviderName } from './model.ts';

const models = useSdkModels();
const { ask, modelOf } = models;
afterEach(() => vi.unstubAllEnvs());

async function failureOf(model: Model, answer: Scripted): Promise<ModelFailure> {
  return ask(model, answer).then(
    () => expect.unreachable(),
    (error: unknown) => error as ModelFailure,
  );
}

describe('a failure of a model provider', () => {
  const TOO_LONG: [ModelProviderName, number, unknown][] = [
    [
      'anthropic',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 215000 tokens > 200000 maximum' },
      },
    ],
    [
      'anthropic',
      413,
      { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    ],
    [
      'openai',
      400,
      {
        error: {
          message: 'Your input exceeds the context window of this model.',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
    ],
    [
      'openai_compatible',
      400,
      {
        error: {
          message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
          type: 'BadRequestError',
          code: 400,
        },
      },
    ],
    [
      'openai_compatible',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [
      'openai_compatible',
      400,
      {
        error:
          'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
      },
    ],
    [
      'openai_compatible',
      500,
      { error: { message: 'prompt too long; exceeded max context length by 12 tokens', type: 'api_error' } },
    ],
    [
      'openai_compatible',
      400,
      {
        object: 'error',
        message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
        code: 400,
      },
    ],
  ];

  test('that means a prompt too long is recognised in the words of each server', async () => {
    for (const [provider, status, json] of TOO_LONG) {
      const failure = await failureOf(modelOf(provider), { status, json });
      expect([JSON.stringify(json), failure.kind]).toEqual([JSON.stringify(json), 'context_too_long']);
      expect(models.server.requests).toHaveLength(1);
    }
  });

  test('has a kind by its status, and is not retried here', async () => {
    const error = { error: { message: 'Something went wrong.', type: 'x' }, type: 'error' };
    const kinds = [
      [401, 'auth'],
      [403, 'auth'],
      [429, 'busy'],
      [500, 'busy'],
      [529, 'busy'],
      [408, 'busy'],
      [400, 'refused'],
      [404, 'refused'],
      [302, 'refused'],
    ] as const;
    for (const provider of ['anthropic', 'openai', 'openai_compatible'] as const) {
      const model = modelOf(provider);
      for (const [status, kind] of kinds) {
        const failure = await failureOf(model, {
          status,
          json: error,
          headers: { location: `${models.server.url}/other` },
        });
        expect([provider, status, failure.kind, failure.status]).toEqual([provider, status, kind, status]);
        expect(failure.message).toContain('Something went wrong.');
        expect(models.server.requests).toHaveLength(1);
      }
    }
    const limited = await failureOf(modelOf('openai_compatible'), {
      status: 429,
      json: error,
      headers: { 'retry-after': '7' },
    });
    expect(limited.retryAfterMs).toBe(7_000);
  });

  test('that hides in a success is found', async () => {
    const model = modelOf('openai_compatible');
    const failed = await failureOf(model, { json: { error: { message: 'Provider returned error', code: 502 } } });
    expect([failed.kind, failed.message]).toEqual(['busy', expect.stringContaining('Provider returned error')]);
    for (const answer of [
      { text: '<html>' },
      { json: {} },
      { json: { choices: [] } },
      { text: '' },
      { status: 204 },
      { json: [] },
    ]) {
      expect(await failureOf(model, answer)).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('/v1'),
        isAnswered: true,
      });
    }
  });

  test('never contains the key, whatever the server sends back', async () => {
    for (const provider of ['anthropic', 'openai', 'openai_compatible'] as const) {
      const model = modelOf(provider);
      for (const status of [400, 401, 429, 500]) {
        models.server.script((request) => ({
          status,
          headers: { 'x-echo': JSON.stringify(request.headers) },
          json: {
            type: 'error',
            error: {
              type: 'x',
              message: `Got ${JSON.stringify(request.headers)} ${encodeURIComponent(KEY)} ${Buffer.from(KEY).toString('base64')} sk-abc***xyz`,
            },
          },
        }));
        const failure = await model
          .ask(ASKED, new AbortController().signal)
          .catch((error: unknown) => error as ModelFailure);
        const told = JSON.stringify([
          failure,
          (failure as Error).message,
          (failure as Error).stack,
          (failure as Error).cause,
        ]);
        expect(told).not.toMatch(/abcdefghijklmnop|sk-abc/);
        expect(told).not.toContain(Buffer.from(KEY).toString('base64'));
      }
    }
  });

  test('repeats only one short line of what the server says', async () => {
    const failure = await failureOf(modelOf('openai_compatible'), {
      status: 400,
      json: { error: { message: `one\n\u0007two\u202E ${'x'.repeat(5_000)}` } },
    });
    expect(failure.message).toContain('one two x');
    expect(failure.message.length).toBeLessThan(LIMITS.modelMessageChars + 100);
  });
});

describe('the way to a model', () => {
  test('breaks as a failure of the network', async () => {
    expect(await failureOf(modelOf('openai_compatible'), 'drop')).toMatchObject({ kind: 'network', status: null });
    const nobody = modelOf('openai_compatible', { baseUrl: 'http://127.0.0.1:9/v1' });
    expect(await failureOf(nobody, 'drop')).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('Is it running?'),
    });
    const nameless = modelOf('openai_compatible', { baseUrl: 'http://models.example/v1', resolveHost: async () => [] });
    expect(await failureOf(nameless, 'drop')).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('resolve'),
    });
  });

  test('does not lead to a metadata address, by whatever name', async () => {
    const model = modelOf('openai_compatible', {
      baseUrl: 'http://models.example/v1',
      resolveHost: async () => ['169.254.169.254'],
    });
    expect(await failureOf(model, 'drop')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('metadata'),
    });
  });

  test('ends with the reason of its signal', async () => {
    const control = new AbortController();
    const reason = new Error('cancelled');
    models.server.script(() => {
      control.abort(reason);
      return 'never';
    });
    const model = modelOf('anthropic');
    await expect(model.ask(ASKED, control.signal)).rejects.toBe(reason);
    await expect(model.ask(ASKED, control.signal)).rejects.toBe(reason);
    expect(models.server.requests).toHaveLength(1);
  });

  test('stays open while a slow model thinks for eight minutes', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const slow = createServer((_request, response) => asked.resolve(response)).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    onTestFinished(() => void slow.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port } = slow.address() as AddressInfo;
    const model = modelOf('openai_compatible', { baseUrl: `http://127.0.0.1:${port}/v1` });
    const answer = model.ask(ASKED, new AbortController().signal);
    const response = await asked.promise;
    for (let minute = 0; minute < 8; minute++) await vi.advanceTimersByTimeAsync(60_000);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify((chat({ content: 'At last.' }) as { json: unknown }).json));
    expect((await answer).text).toBe('At last.');
  });

  test('carries no answer beyond the limit', async () => {
    const model = modelOf('openai_compatible', { answerBytes: 1_000 });
    const failure = await failureOf(model, chat({ content: 'x'.repeat(2_000) }));
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining('too large') });
  });

  test('takes nothing from the environment, and goes through no proxy', async () => {
    const names = [
      'HTTP_PROXY',
      'http_proxy',
      'ALL_PROXY',
      'ANTHROPIC_BASE_URL',
      'OPENAI_BASE_URL',
      'AI_GATEWAY_BASE_URL',
    ];
    for (const name of names) vi.stubEnv(name, 'http://127.0.0.1:9/leak');
    const secrets = [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'OPENAI_API_KEY',
      'OPENAI_ORG_ID',
      'OPENAI_ORGANIZATION',
      'OPENAI_PROJECT',
      'OPENAI_PROJECT_ID',
      'AI_GATEWAY_API_KEY',
      'VERCEL_OIDC_TOKEN',
      'ANTHROPIC_CUSTOM_HEADERS',
    ];
    for (const name of secrets) vi.stubEnv(name, 'leak-of-the-environment');
    for (const [provider, answer] of [
      ['anthropic', { json: CLAUDE }],
      ['openai', { json: RESPONSE }],
      ['openai_compatible', chat({ content: 'x' })],
    ] as const) {
      await ask(modelOf(provider), answer);
      expect(JSON.stringify(models.server.requests)).not.toMatch(/leak|node\.js|vercel/i);
      expect(models.server.requests).toHaveLength(1);
    }
  });
});
