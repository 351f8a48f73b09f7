import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, isStepCount, jsonSchema, streamText, tool, type LanguageModel } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLlmSimulator, type LlmSimulator } from './llm.ts';
import type { ReplyInput } from './llm/reply.ts';

let llm: LlmSimulator;
beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  llm = await startLlmSimulator();
});
afterAll(() => llm.close());

const PROVIDERS = ['anthropic', 'openai', 'openai_compatible'] as const;
type ProviderName = (typeof PROVIDERS)[number];
const PATHS = { anthropic: 'messages', openai: 'responses', openai_compatible: 'chat/completions' };

function modelOf(provider: ProviderName, apiKey = 'sk-test'): LanguageModel {
  const settings = { baseURL: llm.baseUrl, apiKey };
  if (provider === 'anthropic') return createAnthropic(settings)('claude-haiku-4-5');
  if (provider === 'openai') return createOpenAI(settings).responses('gpt-5');
  return createOpenAICompatible({ name: 'local', includeUsage: true, ...settings }).chatModel('local-model');
}

const look = tool({
  description: 'Looks.',
  inputSchema: jsonSchema<{ where: string }>({
    type: 'object',
    properties: { where: { type: 'string' } },
    required: ['where'],
    additionalProperties: false,
  }),
  execute: async ({ where }) => ({ found: [`${where} 1`, `${where} 2`] }),
});
const TWO_STEPS: ReplyInput[] = [
  {
    text: 'Looking.',
    reasoning: 'Where could it be?',
    tool_calls: [
      { name: 'look', arguments: { where: 'here' } },
      { name: 'look', arguments: { where: 'there' } },
    ],
    usage: { input: 100, output: 20, cache_read: 1_024, cache_write: 0, reasoning: 5 },
  },
  { text: 'Found it.', usage: { input: 50, output: 10, cache_read: 0, cache_write: 0, reasoning: 0 } },
];
const asked = { system: 'Be brief.', prompt: 'Look.', maxRetries: 0 } as const;

describe.each(PROVIDERS)('the real client of %s', (provider) => {
  test('gets text, calls of tools in several steps, thoughts and the numbers of tokens', async () => {
    llm.play(...TWO_STEPS);
    for (const store of [false, true]) {
      const { steps, text, totalUsage } = await generateText({
        ...asked,
        model: modelOf(provider),
        tools: { look },
        stopWhen: isStepCount(5),
        providerOptions: { openai: { store } },
      });
      expect(text).toBe('Found it.');
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
      expect(steps[0]?.toolCalls.map(({ input }) => input)).toEqual([{ where: 'here' }, { where: 'there' }]);
      expect(steps[0]?.reasoningText).toBe('Where could it be?');
      expect(totalUsage).toMatchObject({ inputTokens: 1_174, outputTokens: 30 });
      expect(totalUsage.inputTokenDetails).toMatchObject({ noCacheTokens: 150, cacheReadTokens: 1_024 });
      llm.play(...TWO_STEPS);
    }
  });

  test('gets the same as a stream', async () => {
    llm.play(...TWO_STEPS);
    const result = streamText({
      ...asked,
      model: modelOf(provider),
      tools: { look },
      stopWhen: isStepCount(5),
      onError: ({ error }) => expect.unreachable(String(error)),
    });
    let text = '';
    for await (const piece of result.textStream) text += piece;
    expect(text).toBe('Looking.Found it.');
    const steps = await result.steps;
    expect(steps[0]?.toolCalls.map(({ input }) => input)).toEqual([{ where: 'here' }, { where: 'there' }]);
    expect(steps[0]?.reasoningText).toBe('Where could it be?');
    expect(await result.totalUsage).toMatchObject({ inputTokens: 1_174, outputTokens: 30 });
    const [first, second] = llm.conversations();
    expect(first).toMatchObject({ system: 'Be brief.', isStreamed: true, tools: [{ name: 'look' }] });
    expect(second?.turns).toMatchObject([
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: 'Looking.', calls: [{ name: 'look' }, { name: 'look' }] },
      {
        role: 'tools',
        results: [
          { name: 'look', text: '{"found":["here 1","here 2"]}' },
          { name: 'look', text: '{"found":["there 1","there 2"]}' },
        ],
      },
    ]);
  });

  test('is refused as the provider refuses, with its status and words', async () => {
    const cases = [
      ['unauthorized', 401, /key/],
      ['forbidden', 403, /access|permission/],
      ['rate_limited', 429, /rate limit/i],
      ['context_too_long', 400, /too long|context/],
      ['server_error', 500, /error/],
      ['overloaded', provider === 'anthropic' ? 529 : 503, /overloaded/i],
    ] as const;
    for (const [error, status, words] of cases) {
      llm.play({ error, retry_after: 7 });
      const failure = await failureOf(provider);
      expect([error, failure.statusCode, failure.message]).toEqual([error, status, expect.stringMatching(words)]);
      expect(failure.responseHeaders?.['retry-after']).toBe('7');
    }
    llm.play({});
    llm.be({ key: 'sk-other', models: ['another'] });
    expect((await failureOf(provider)).statusCode).toBe(401);
    llm.be({ models: ['another'] });
    expect((await failureOf(provider)).statusCode).toBe(404);
    llm.be({});
  });

  test('meets what can go wrong on the way, and in what a model says', async () => {
    for (const connection of ['drop', 'cut'] as const) {
      llm.play({ text: 'Half of it.', connection });
      await expect(generateText({ ...asked, model: modelOf(provider) })).rejects.toThrow();
    }
    for (const connection of ['never', 'endless'] as const) {
      llm.play({ text: 'And so on.', connection });
      const abortSignal = AbortSignal.timeout(200);
      await expect(generateText({ ...asked, model: modelOf(provider), abortSignal })).rejects.toThrow(/abort|timeout/i);
    }
    llm.play({ raw: { body: '<html>' } });
    await expect(generateText({ ...asked, model: modelOf(provider) })).rejects.toThrow();
    llm.play({ text: 'I would rather not.', finish: 'refusal' });
    const refused = await generateText({ ...asked, model: modelOf(provider) });
    expect(refused.toolCalls).toEqual([]);
    llm.play({ text: '', text_chars: 300_000 });
    expect((await generateText({ ...asked, model: modelOf(provider) })).text).toHaveLength(
      provider === 'anthropic' ? 256_000 : 300_000,
    );
    const broken = { name: 'look', arguments: '{"where":' };
    llm.play({ tool_calls: [broken] });
    const { toolCalls } = await generateText({ ...asked, model: modelOf(provider), tools: { look } });
    // Anthropic parses what its models write.
    expect(toolCalls).toMatchObject([provider === 'anthropic' ? { input: {} } : { toolName: 'look', invalid: true }]);
  });

  test('pays less for a beginning that the provider knows', async () => {
    llm.play({ text: 'Yes.' });
    const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const read = async () => {
      const { usage } = await generateText({
        model: modelOf(provider),
        maxRetries: 0,
        instructions: { role: 'system', content: 'Be brief. '.repeat(1_000), providerOptions: cached },
        prompt: 'Go on.',
      });
      return usage.inputTokenDetails.cacheReadTokens ?? 0;
    };
    expect(await read()).toBe(0);
    expect(await read()).toBeGreaterThan(2_000);
  });
});

async function failureOf(provider: ProviderName): Promise<APICallError> {
  const error = await generateText({ ...asked, model: modelOf(provider) }).catch((thrown: unknown) => thrown);
  if (!APICallError.isInstance(error)) throw new Error(`no answer of the API: ${String(error)}`);
  return error;
}

/** Sends a body as it is, and tells how it was refused. */
async function refusal(provider: ProviderName, body: object, headers: Record<string, string> = {}): Promise<string> {
  const own =
    provider === 'anthropic' ? { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' } : { authorization: 'Bearer k' };
  const answer = await fetch(`${llm.baseUrl}/${PATHS[provider]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...own, ...headers },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as { error?: { message: string } };
  return `${answer.status} ${json.error?.message ?? 'accepted'}`;
}

const SCHEMA = { type: 'object', properties: {} };

test('a conversation that Anthropic would refuse is refused', async () => {
  llm.play({});
  const user = { role: 'user', content: 'Hi.' };
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] };
  const result = (id = 'toolu_1') => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }],
  });
  const body = (...messages: object[]) => ({ model: 'claude-haiku-4-5', max_tokens: 100, messages });
  const mark = { type: 'ephemeral' };
  const marked = { type: 'text', text: 'x', cache_control: mark };
  const cases: [object, string][] = [
    [body(user), '200 accepted'],
    [body(user, use, result()), '200 accepted'],
    [{ model: 'x', messages: [user] }, '400 max_tokens: Field required'],
    [{ ...body(user), surprise: 1 }, '400 surprise: Extra inputs are not permitted'],
    [body(), '400 messages: at least one message is required'],
    [
      body(user, use),
      '400 messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
    ],
    [body(user, use, user), '400 messages.1: `tool_use` ids were found'],
    [body(user, use, result(), result()), '400 messages.3.content.0: unexpected `tool_use_id`'],
    [body(user, use, result('toolu_2')), '400 messages.1: `tool_use` ids were found'],
    [body({ role: 'user', content: '' }), '400 messages: text content blocks must be non-empty'],
    [body({ role: 'user', content: [marked, marked, marked, marked, marked] }), '400 A maximum of 4 blocks'],
    [{ ...body(user), tools: [{ name: 'a b', input_schema: SCHEMA }] }, '400 tools.0.name'],
    [{ ...body(user), tools: [{ name: 'a' }] }, '400 tools.0.input_schema: Field required'],
    [
      { ...body(user), tools: [{ name: 'a', input_schema: { ...SCHEMA, oneOf: [] } }] },
      '400 tools.0.custom.input_schema',
    ],
    [
      body(user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'forged' }] }, user),
      '400 messages.1.content.0: Invalid `signature`',
    ],
  ];
  for (const [sent, said] of cases) expect(await refusal('anthropic', sent)).toContain(said);
  expect(await refusal('anthropic', body(user), { 'anthropic-version': '' })).toContain('400 anthropic-version');
  expect(await refusal('anthropic', body(user), { 'x-api-key': '' })).toContain('401 x-api-key header is required');
});

test('a conversation that OpenAI would refuse is refused', async () => {
  llm.play({});
  const user = { role: 'user', content: 'Hi.' };
  const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'x' };
  const body = (...input: object[]) => ({ model: 'gpt-5', input, store: false });
  const named = (parameters: object, strict = false) => ({
    ...body(user),
    tools: [{ type: 'function', name: 'look', parameters, strict }],
  });
  const cases: [object, string][] = [
    [body(user), '200 accepted'],
    [body(user, call, output), '200 accepted'],
    [{ model: 'gpt-5' }, "400 Missing required parameter: 'input'."],
    [{ ...body(user), surprise: 1 }, "400 Unknown parameter: 'surprise'."],
    [body(user, call), '400 No tool output found for function call call_1.'],
    [body(user, output), '400 No tool call found for function call output with call_id call_1.'],
    [body(user, { type: 'item_reference', id: 'rs_1' }), "404 Item with id 'rs_1' not found."],
    [body(user, { type: 'reasoning', id: 'rs_1', summary: [] }, user), "404 Item with id 'rs_1' not found."],
    [
      body(user, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'forged' }, user),
      '400 The encrypted content for item rs_1 could not be verified.',
    ],
    [named({}), "400 Invalid schema for function 'look': schema must be a JSON Schema of 'type: \"object\"'"],
    [named({ ...SCHEMA, anyOf: [] }), "400 Invalid schema for function 'look'"],
    [named(SCHEMA, true), "'additionalProperties' is required"],
  ];
  for (const [sent, said] of cases) expect(await refusal('openai', sent)).toContain(said);
  expect(await refusal('openai', body(user), { authorization: '' })).toContain("401 You didn't provide an API key.");
});

test('a conversation that a server of chat completions would refuse is refused', async () => {
  llm.play({});
  const user = { role: 'user', content: 'Hi.' };
  const calls = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  };
  const result = { role: 'tool', tool_call_id: 'call_1', content: 'x' };
  const body = (...messages: object[]) => ({ model: 'local-model', messages });
  const cases: [object, string][] = [
    [body(user), '200 accepted'],
    [body(user, calls, result), '200 accepted'],
    [{ model: 'local-model' }, "400 Missing required parameter: 'messages'."],
    [body(user, calls, user), '400 An assistant message with'],
    [body(user, calls), 'The following tool_call_ids did not have response messages: call_1'],
    [body(user, result), "400 Invalid parameter: messages with role 'tool' must be a response"],
    [
      { ...body(user), tools: [{ type: 'function', function: { name: 'look', parameters: {} } }] },
      "400 Invalid schema for function 'look'",
    ],
  ];
  for (const [sent, said] of cases) expect(await refusal('openai_compatible', sent)).toContain(said);
  expect(await refusal('openai_compatible', body(user), { authorization: '' })).toBe('200 accepted');
  expect(llm.requests().at(-1)).toMatchObject({ path: '/v1/chat/completions', body: body(user), status: 200 });
  const { data } = (await (await fetch(`${llm.baseUrl}/models`)).json()) as { data: unknown };
  expect(data).toEqual([]);
});

test('a prompt that does not fit is refused, or its beginning is cut off silently', async () => {
  llm.play(({ system, turns }) => ({ text: JSON.stringify([system, turns]) }));
  llm.be({ contextTokens: 100 });
  const long = { ...asked, system: 'The word is plum. '.repeat(50) };
  await expect(generateText({ ...long, model: modelOf('openai_compatible') })).rejects.toThrow(
    /maximum context length/,
  );
  llm.be({ contextTokens: 100, whenTooLong: 'cut' });
  const { text, usage } = await generateText({ ...long, model: modelOf('openai_compatible') });
  const [system, turns] = JSON.parse(text);
  expect(system.length).toBeLessThan(400);
  expect(turns).toEqual([{ role: 'user', text: 'Look.' }]);
  expect(usage.inputTokens).toBe(100);
  llm.be({});
});

describe('a scenario', () => {
  test('calls tools with what earlier ones said, fails first where it is told to, and may go on for ever', async () => {
    llm.playScenario({
      scripts: [
        {
          when: 'Never stop',
          steps: [{ tool_calls: [{ name: 'look', arguments: { where: 'again' } }] }],
          afterwards: 'repeat',
        },
        {
          steps: [
            { first: [{ error: 'overloaded' }], tool_calls: [{ name: 'look', arguments: { where: 'here' } }] },
            { tool_calls: [{ name: 'look', arguments: { where: { $from: 'look.found[-1]' } } }] },
            { text: 'At first ${look#1.found[0]}, then ${look.found[*]}.' },
          ],
        },
      ],
    });
    const run = async (system: string) => {
      const run = generateText({
        ...asked,
        system,
        model: modelOf('openai_compatible'),
        tools: { look },
        stopWhen: isStepCount(6),
      });
      return run;
    };
    await expect(run('Be brief.')).rejects.toThrow('overloaded');
    expect((await run('Be brief.')).text).toBe('At first here 1, then ["here 2 1","here 2 2"].');
    expect((await run('Never stop.')).steps).toHaveLength(6);
  });

  test('of the guide is one', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../docs/guides/simulated-models.md'), 'utf8');
    llm.playScenario(JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? '') as never);
    llm.be({});
    const rows = {
      transactions: [
        { id: 'a', name: 'Tea' },
        { id: 'b', name: 'Rent' },
      ],
    };
    const answers = { get_overview: {}, query_transactions: rows, update_transactions: {} };
    const tools = Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [
        name,
        tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => answer }),
      ]),
    );
    const model = modelOf('openai_compatible');
    const wanted = { ...asked, system: '## Routine review', model, tools, stopWhen: isStepCount(9) };
    await expect(generateText(wanted)).rejects.toThrow('overloaded');
    const { steps, text } = await generateText(wanted);
    expect(text).toBe('I flagged ["Tea","Rent"].');
    expect(steps[2]?.toolCalls[0]?.input).toEqual({
      operations: [
        { transaction_id: 'a', flagged: true },
        { transaction_id: 'b', flagged: true },
      ],
    });
  });

  test('that refers to nothing fails with the reason, and one that is not valid is not played', async () => {
    llm.playScenario({ scripts: [{ steps: [{ text: '${look.found[0]}' }] }] });
    const failure = await failureOf('anthropic');
    expect(failure.message).toContain('"look.found[0]": the tool look has not answered.');
    expect(() => llm.playScenario({ scripts: [] })).toThrow('must have at least one script');
    const wrong = { scripts: [{ steps: [{ txt: 'Hi' }] }] } as never;
    expect(() => llm.playScenario(wrong)).toThrow(/txt[\s\S]*scripts\[0\]\.steps\[0\]/);
  });
});
