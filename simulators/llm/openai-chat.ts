import { z } from 'zod';

import type { SimulatedRequest } from '../providers/simulator-server.ts';
import type { Conversation, EarlierCall, ToolResult, Turn } from './conversation.ts';
import { checkBearer, faultError, openAiError, openAiFailure, openAiModels } from './openai-errors.ts';
import type { MadeAnswer } from './reply.ts';
import {
  firstFault,
  pieces,
  refusedKeyword,
  sse,
  typeOfSchema,
  writtenArguments,
  type ModelWorld,
  type Wire,
} from './wire.ts';

const Content = z.preprocess(
  (value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : (value ?? [])),
  z.array(z.looseObject({ type: z.literal('text'), text: z.string() })),
);
const ToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

// Servers of this kind differ in what else they take, and leave out what they do not know.
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: Content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: Content.optional(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: Content }),
]);
type Message = z.output<typeof Message>;

const Body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({
          name: z
            .string()
            .regex(/^[a-zA-Z0-9_-]{1,64}$/, "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});
type Body = z.output<typeof Body>;

/** Chat completions, as OpenAI made them and servers of one's own speak them. */
export const chatWire: Wire = {
  path: '/v1/chat/completions',
  read,
  answer: completionOf,
  events,
  more: (text) =>
    sse({ ...CHUNK, id: 'chatcmpl-endless', model: '', created: 0, choices: [choice({ content: text })] }),
  fail: (error, about) => openAiFailure(error, about, 'messages'),
  listModels(request, world) {
    checkBearer(request, world, 'optional');
    return openAiModels(world);
  },
  headers: ({ ids }) => ({ 'x-request-id': ids.hex('req_', 32) }),
};

function read(request: SimulatedRequest, world: ModelWorld): Conversation {
  checkBearer(request, world, 'optional');
  if (request.body === undefined) {
    throw openAiError(400, { message: 'We could not parse the JSON body of your request.' });
  }
  const parsed = Body.safeParse(request.body);
  if (!parsed.success) throw faultError(firstFault(parsed.error, request.body));
  const body = parsed.data;
  if (world.models && !world.models.includes(body.model)) {
    const message = `The model \`${body.model}\` does not exist or you do not have access to it.`;
    throw openAiError(404, { message, code: 'model_not_found' });
  }
  const functions = (body.tools ?? []).map((tool) => tool.function);
  for (const [index, { name, parameters }] of functions.entries()) checkSchema(index, name, parameters);
  checkAnswers(body.messages);
  const { messages } = body;
  return {
    wire: 'openai_compatible',
    model: body.model,
    system: messages.flatMap((one) => (isSystem(one) ? [textOf(one)] : [])).join('\n\n'),
    turns: turnsOf(messages),
    tools: functions.map(({ name, description = '', parameters: schema = {} }) => ({ name, description, schema })),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    isStreamed: body.stream === true,
    parts: [body.tools ?? [], ...messages].map((one) => ({ text: JSON.stringify(one), isMarked: true })),
  };
}

function checkSchema(index: number, name: string, schema: Readonly<Record<string, unknown>> | undefined): void {
  if (schema === undefined) return;
  const refused = (why: string) =>
    openAiError(400, {
      message: `Invalid schema for function '${name}': ${why}`,
      param: `tools[${index}].function.parameters`,
      code: 'invalid_function_parameters',
    });
  if (schema['type'] !== 'object') {
    throw refused(`schema must be a JSON Schema of 'type: "object"', got 'type: "${typeOfSchema(schema)}"'.`);
  }
  if (refusedKeyword(schema) !== undefined) {
    throw refused("schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.");
  }
}

/** Every call is answered right after it, and nothing else is. */
function checkAnswers(messages: readonly Message[]): void {
  let open: string[] = [];
  let asked: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!asked.includes(message.tool_call_id)) {
        throw openAiError(400, {
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param: `messages.[${index}].role`,
        });
      }
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    refuseOpen(open, index);
    asked = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
    open = asked;
  }
  refuseOpen(open, messages.length);
}

function refuseOpen(open: readonly string[], index: number): void {
  if (open.length === 0) return;
  throw openAiError(400, {
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    param: `messages.[${index}].role`,
  });
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function textOf({ content = [] }: Message): string {
  return content.map(({ text }) => text).join('\n');
}

function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  const names = new Map<string, string>();
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map(earlierCall);
      for (const { id, name } of calls) names.set(id, name);
      turns.push({ role: 'assistant', text, calls });
    } else if (message.role === 'tool') {
      const id = message.tool_call_id;
      addResult(turns, { callId: id, name: names.get(id) ?? '', text, isError: false });
    } else if (!isSystem(message)) turns.push({ role: 'user', text });
  }
  return turns;
}

/** Results that stand together are one turn. */
export function addResult(turns: Turn[], result: ToolResult): void {
  const last = turns.at(-1);
  if (last?.role === 'tools') turns[turns.length - 1] = { role: 'tools', results: [...last.results, result] };
  else turns.push({ role: 'tools', results: [result] });
}

function earlierCall({ id, function: { name, arguments: written } }: z.output<typeof ToolCall>): EarlierCall {
  return { id, name, arguments: parsedArguments(written) };
}

export function parsedArguments(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

const FINISHES = { stop: 'stop', tool_calls: 'tool_calls', length: 'length', refusal: 'stop' } as const;
const CHUNK = { object: 'chat.completion.chunk', system_fingerprint: 'fp_simulated' } as const;

function messageOf({ text, reasoning, tool_calls: calls, finish }: MadeAnswer, { ids }: ModelWorld) {
  const content = text === '' ? null : text;
  return {
    role: 'assistant',
    content: finish === 'refusal' ? null : content,
    refusal: finish === 'refusal' ? text : null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: given }) => ({
            id: id ?? ids.base58('call_', 24),
            type: 'function',
            function: { name, arguments: writtenArguments(given) },
          })),
        }),
  };
}

function usageOf({ measured }: MadeAnswer): object | null {
  if (!measured) return null;
  const { input, output, cacheRead, cacheWrite, reasoning } = measured;
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function completionOf(made: MadeAnswer, world: ModelWorld): object {
  const usage = usageOf(made);
  return {
    id: world.ids.base58('chatcmpl-', 29),
    object: 'chat.completion',
    created: Math.floor(world.now() / 1000),
    model: made.model,
    choices: [{ index: 0, message: messageOf(made, world), logprobs: null, finish_reason: FINISHES[made.finish] }],
    ...(usage ? { usage } : {}),
    system_fingerprint: CHUNK.system_fingerprint,
  };
}

function choice(delta: object, finish: string | null = null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finish };
}

function events(made: MadeAnswer, world: ModelWorld, request: SimulatedRequest): string[] {
  const { role, content, refusal, reasoning_content: thought, tool_calls: calls = [] } = messageOf(made, world);
  const frame = {
    id: world.ids.base58('chatcmpl-', 29),
    ...CHUNK,
    created: Math.floor(world.now() / 1000),
    model: made.model,
  };
  const say = (delta: object, finish: string | null = null): string =>
    sse({ ...frame, choices: [choice(delta, finish)] });
  const usage = (request.body as Body).stream_options?.include_usage === true ? usageOf(made) : null;
  return [
    say({ role, content: '' }),
    ...pieces(thought ?? '').map((text) => say({ reasoning_content: text })),
    ...pieces(content ?? '').map((text) => say({ content: text })),
    ...pieces(refusal ?? '').map((text) => say({ refusal: text })),
    ...calls.flatMap(({ id, type, function: { name, arguments: written } }, index) => [
      say({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      ...pieces(written).map((text) => say({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    say({}, FINISHES[made.finish]),
    ...(usage ? [sse({ ...frame, choices: [], usage })] : []),
    sse('[DONE]'),
  ];
}
