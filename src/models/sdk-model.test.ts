import { describe, expect, test } from 'vitest';

import { ASKED, chat, CLAUDE, LOOK, RESPONSE } from '../../test/harness/workflows/model-answers.ts';
import { KEY, useSdkModels } from '../../test/harness/workflows/sdk-models.ts';
import type { Recorded, Scripted } from '../../test/harness/servers/scripted-server.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Model, ModelAnswer } from './model.ts';

const models = useSdkModels();
const { ask, modelOf } = models;

/** What a server would be asked next, once `answer` has been worked on. */
async function nextRequest(model: Model, answer: ModelAnswer, last: Scripted): Promise<Recorded> {
  const results = answer.toolCalls.map(({ id, tool }, at) => ({
    callId: id,
    tool,
    isError: at === 1,
    text: `result ${at}`,
  }));
  const messages = [...ASKED.messages, { role: 'assistant', answer }, { role: 'tools', results }] as const;
  await ask(model, last, { ...ASKED, messages });
  return models.server.requests[0] as Recorded;
}

describe('a model of Anthropic', () => {
  test('is asked over the Messages API, and asked to cache what is repeated', async () => {
    const model = modelOf('anthropic');
    const answer = await ask(model, { json: CLAUDE });
    expect(answer).toMatchObject({
      text: 'Looking.',
      finish: 'tool-calls',
      usage: { input: 12, output: 34, cacheRead: 9_000, cacheCreation: 500 },
      toolCalls: [
        { id: 'toolu_1', tool: 'look', input: { where: 'here' } },
        { id: 'toolu_2', tool: 'unknown_tool', input: {} },
      ],
    });
    const [request] = models.server.requests;
    expect([request?.path, request?.headers['x-api-key'], request?.headers['user-agent']]).toEqual([
      '/v1/messages',
      KEY,
      'homeledger/test',
    ]);
    const cached = { type: 'ephemeral' };
    expect(request?.json).toMatchObject({
      model: 'claude-haiku-4-5',
      max_tokens: LIMITS.modelOutputTokens,
      system: [{ type: 'text', text: 'Be brief.', cache_control: cached }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.', cache_control: cached }] }],
      tools: [{ name: 'look', input_schema: LOOK.inputSchema, cache_control: cached }],
    });
    expect(Object.keys(request?.json ?? {})).not.toContain('temperature');
    expect(request?.json['stream']).not.toBe(true);
  });

  test('gets its thinking back with the results of its tools', async () => {
    const model = modelOf('anthropic');
    const next = await nextRequest(model, await ask(model, { json: CLAUDE }), { json: CLAUDE });
    expect(next.json['messages']).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Let me look.', signature: 'c2lnbmVk' },
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { where: 'here' } },
          { type: 'tool_use', id: 'toolu_2', name: 'unknown_tool', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'result 0' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'result 1', is_error: true },
        ],
      },
    ]);
    const marked = (next.json['messages'] as { content: object[] }[]).map(({ content }) =>
      content.map((part) => 'cache_control' in part),
    );
    expect(marked).toEqual([[true], [false, false, false, false], [false, true]]);
  });
});

describe('a model of OpenAI', () => {
  test('is asked over the Responses API, which stores nothing', async () => {
    const model = modelOf('openai');
    const answer = await ask(model, { json: RESPONSE });
    expect(answer).toMatchObject({
      text: 'Looking.',
      finish: 'tool-calls',
      usage: { input: 2_000, output: 300, cacheRead: 8_000, cacheCreation: 0 },
      toolCalls: [
        { id: 'call_1', tool: 'look', input: { where: 'here' } },
        { id: 'call_2', tool: 'look', input: undefined },
      ],
    });
    const [request] = models.server.requests;
    expect([request?.path, request?.headers.authorization]).toEqual(['/v1/responses', `Bearer ${KEY}`]);
    expect(request?.json).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'look', strict: false, parameters: LOOK.inputSchema }],
    });
  });

  test('gets its reasoning back encrypted, with the results of its tools', async () => {
    const model = modelOf('openai');
    const next = await nextRequest(model, await ask(model, { json: RESPONSE }), { json: RESPONSE });
    const input = next.json['input'] as { type?: string; encrypted_content?: string; output?: string }[];
    expect(input.find(({ type }) => type === 'reasoning')?.encrypted_content).toBe('c2VjcmV0');
    expect(input.filter(({ type }) => type === 'function_call_output').map(({ output }) => output)).toEqual([
      'result 0',
      'result 1',
    ]);
    expect(input.some(({ type }) => type === 'item_reference')).toBe(false);
  });
});

const call = (id: string, name: string, args: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

describe('a model behind chat completions', () => {
  test('is asked without a key where there is none', async () => {
    const model = modelOf('openai_compatible', { key: null });
    const answer = await ask(model, chat({ content: 'Done.' }));
    expect(answer).toMatchObject({
      text: 'Done.',
      finish: 'stop',
      toolCalls: [],
      usage: { input: 40, output: 20, cacheRead: 60, cacheCreation: 0 },
    });
    const [request] = models.server.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.json).toMatchObject({
      model: 'gpt-5',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look.' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: LOOK.inputSchema } }],
    });
    for (const absent of ['temperature', 'max_tokens', 'stream', 'store', 'user']) {
      expect(request?.json).not.toHaveProperty(absent);
    }
  });

  test('is what OpenAI’s own provider speaks at another address', async () => {
    const model = modelOf('openai', { isOwnAddress: false });
    await ask(model, chat({ content: 'Done.' }));
    expect([models.server.requests[0]?.path, models.server.requests[0]?.headers.authorization]).toEqual([
      '/v1/chat/completions',
      `Bearer ${KEY}`,
    ]);
  });

  test('may call several tools at once, unknown ones, with nonsense and with ids that are not distinct', async () => {
    const model = modelOf('openai_compatible');
    const calls = [
      call('c', 'look', '{"where":"here"}'),
      call('c', 'look', '{"where"'),
      call('', 'no_such_tool', '[1]'),
      call('d', 'look', ''),
    ];
    const answer = await ask(model, chat({ content: null, tool_calls: calls, reasoning_content: 'Hm.' }));
    expect(answer.toolCalls.map(({ tool, input }) => [tool, input])).toEqual([
      ['look', { where: 'here' }],
      ['look', undefined],
      ['no_such_tool', [1]],
      ['look', {}],
    ]);
    const ids = answer.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain('');
    const next = await nextRequest(model, answer, chat({ content: 'Done.' }));
    const [, , assistant, ...results] = next.json['messages'] as Record<string, unknown>[];
    const sent = assistant?.['tool_calls'] as { id: string; function: { arguments: string } }[];
    expect(sent.map(({ id, function: { arguments: args } }) => [id, args])).toEqual([
      [ids[0], '{"where":"here"}'],
      [ids[1], '{}'],
      [ids[2], '{}'],
      [ids[3], '{}'],
    ]);
    expect(assistant?.['reasoning_content']).toBe('Hm.');
    expect(results.map((result) => [result['role'], result['tool_call_id']])).toEqual(ids.map((id) => ['tool', id]));
  });

  test('is not free if it counts nothing, and cannot count below zero', async () => {
    const model = modelOf('openai_compatible');
    const silent = await ask(model, chat({ content: 'Done.' }, { usage: undefined }));
    expect(silent.usage.input).toBeGreaterThan(20);
    expect(silent.usage.output).toBeGreaterThan(0);
    const odd = await ask(
      model,
      chat(
        { content: '' },
        { usage: { prompt_tokens: 10, completion_tokens: -5, prompt_tokens_details: { cached_tokens: 40 } } },
      ),
    );
    expect(odd.usage).toEqual({ input: 0, output: 0, cacheRead: 40, cacheCreation: 0 });
  });
});
