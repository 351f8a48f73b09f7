import { z } from 'zod';

import type { SimulatedRequest } from '../providers/simulator-server.ts';
import type { Conversation, EarlierCall, PromptPart, Turn } from './conversation.ts';
import type { MadeAnswer, ModelErrorName, Usage } from './reply.ts';
import {
  firstFault,
  pieces,
  refusedKeyword,
  Refused,
  signatureOf,
  sse,
  writtenArguments,
  type ErrorDetails,
  type ModelWorld,
  type Wire,
} from './wire.ts';

const CacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() });
const cached = { cache_control: CacheControl.nullish() };
const TextBlock = z.strictObject({ type: z.literal('text'), text: z.string(), ...cached });
const orText = (blocks: z.ZodType): z.ZodType =>
  z.preprocess((value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value), blocks);

const Block = z.discriminatedUnion('type', [
  TextBlock,
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().regex(/^[\w-]+$/),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    ...cached,
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: orText(z.array(TextBlock)).optional(),
    is_error: z.boolean().optional(),
    ...cached,
  }),
]);
type Block = z.output<typeof Block>;

const Body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: orText(z.array(Block)) }))
    .min(1, 'at least one message is required'),
  system: orText(z.array(TextBlock)).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('custom').optional(),
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        eager_input_streaming: z.boolean().optional(),
        strict: z.boolean().optional(),
        ...cached,
      }),
    )
    .optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']) }).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.unknown().optional(),
  thinking: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  cache_control: CacheControl.nullish(),
});
type Body = Omit<z.output<typeof Body>, 'messages' | 'system'> & {
  messages: { role: 'user' | 'assistant'; content: Block[] }[];
  system?: z.output<typeof TextBlock>[];
};

const MARKS_MAX = 4;

/** The Messages API of Anthropic. */
export const anthropicWire: Wire = {
  path: '/v1/messages',
  read,
  answer: (made, world) => messageOf(made, world),
  events,
  more: (text) =>
    sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta'),
  fail,
  listModels(request, world) {
    checkHeaders(request, world);
    const data = (world.models ?? []).map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2026-01-01T00:00:00Z',
    }));
    return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  },
  headers: ({ ids }) => ({
    'request-id': ids.base58('req_011C', 20),
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '49',
  }),
};

function refuse(status: number, type: string, message: string, headers: Record<string, string> = {}): Refused {
  return new Refused(status, { type: 'error', error: { type, message } }, headers);
}

function invalid(message: string): Refused {
  return refuse(400, 'invalid_request_error', message);
}

function fail(error: ModelErrorName, { message, retryAfter, promptTokens, contextTokens }: ErrorDetails): Refused {
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const says: Record<ModelErrorName, [status: number, type: string, message: string]> = {
    unauthorized: [401, 'authentication_error', 'invalid x-api-key'],
    forbidden: [403, 'permission_error', 'Your API key does not have permission to use the specified resource.'],
    rate_limited: [429, 'rate_limit_error', 'This request would exceed the rate limit for your organization.'],
    quota: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
    bad_request: [400, 'invalid_request_error', 'messages: Input should be a valid list'],
    too_large: [413, 'request_too_large', 'Request exceeds the maximum size'],
    context_too_long: [
      400,
      'invalid_request_error',
      `prompt is too long: ${promptTokens} tokens > ${contextTokens} maximum`,
    ],
    server_error: [500, 'api_error', 'Internal server error'],
    overloaded: [529, 'overloaded_error', 'Overloaded'],
  };
  const [status, type, own] = says[error];
  return refuse(status, type, message ?? own, wait);
}

function checkHeaders({ headers }: SimulatedRequest, { key }: ModelWorld): void {
  const bearer = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  const given = headers['x-api-key'] || bearer;
  if (!given) throw refuse(401, 'authentication_error', 'x-api-key header is required');
  if (key !== null && given !== key) throw refuse(401, 'authentication_error', 'invalid x-api-key');
  if (!headers['anthropic-version']) throw invalid('anthropic-version: header is required');
}

function read(request: SimulatedRequest, world: ModelWorld): Conversation {
  checkHeaders(request, world);
  if (request.body === undefined) throw invalid('The request body is not valid JSON.');
  const parsed = Body.safeParse(request.body);
  if (!parsed.success) {
    const { path, kind, message } = firstFault(parsed.error, request.body);
    const says = { missing: 'Field required', unknown: 'Extra inputs are not permitted', wrong: message };
    throw invalid(`${path.join('.')}: ${says[kind]}`);
  }
  const body = parsed.data as Body;
  if (world.models && !world.models.includes(body.model)) {
    throw refuse(404, 'not_found_error', `model: ${body.model}`);
  }
  checkTools(body);
  checkMarks(body);
  checkContents(body);
  checkResults(body);
  return {
    wire: 'anthropic',
    model: body.model,
    system: textOf(body.system ?? []),
    turns: turnsOf(body),
    tools: (body.tools ?? []).map(({ name, description = '', input_schema: schema }) => ({
      name,
      description,
      schema,
    })),
    maxTokens: body.max_tokens,
    isStreamed: body.stream === true,
    parts: partsOf(body),
  };
}

function checkTools({ tools = [] }: Body): void {
  for (const [index, { input_schema: schema }] of tools.entries()) {
    const keyword = refusedKeyword(schema);
    if (keyword !== undefined) {
      throw invalid(
        `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
      );
    }
  }
  if (new Set(tools.map(({ name }) => name)).size < tools.length) throw invalid('tools: Tool names must be unique.');
}

function checkMarks(body: Body): void {
  const blocks = [...(body.tools ?? []), ...(body.system ?? []), ...body.messages.flatMap(({ content }) => content)];
  const marks = blocks.filter((block) => 'cache_control' in block && block.cache_control).length;
  if (marks > MARKS_MAX) {
    throw invalid(`A maximum of ${MARKS_MAX} blocks with cache_control may be provided. Found ${marks}.`);
  }
}

function checkContents({ messages, system = [] }: Body): void {
  if (system.some(({ text }) => text === '')) throw invalid('system: text content blocks must be non-empty');
  for (const [index, { role, content }] of messages.entries()) {
    if (content.length === 0 && (role === 'user' || index < messages.length - 1)) {
      throw invalid(
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    for (const [at, block] of content.entries()) {
      const path = `messages.${index}.content.${at}`;
      if (block.type === 'text' && block.text === '') {
        throw invalid('messages: text content blocks must be non-empty');
      }
      if (block.type === 'text' && !/\S/.test(block.text)) {
        throw invalid('messages: text content blocks must contain non-whitespace text');
      }
      if (block.type === 'thinking' && block.signature !== signatureOf(block.thinking)) {
        throw invalid(`${path}: Invalid \`signature\` in \`thinking\` block`);
      }
      if (role === 'user' && (block.type === 'tool_use' || block.type === 'thinking')) {
        throw invalid(`messages.${index}: \`${block.type}\` blocks can only be in \`assistant\` messages`);
      }
      if (role === 'assistant' && block.type === 'tool_result') {
        throw invalid(`messages.${index}: \`tool_result\` blocks can only be in \`user\` messages`);
      }
    }
  }
  const last = messages.at(-1);
  const end = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (end?.type === 'text' && /\s$/.test(end.text)) {
    throw invalid('messages: final assistant content cannot end with trailing whitespace');
  }
}

/** Every call is answered in the next message, before anything else is said there, and nothing else is answered. */
function checkResults({ messages }: Body): void {
  const seen = new Set<string>();
  for (const [index, { content }] of messages.entries()) {
    const before = usesIn(messages[index - 1]?.content);
    for (const [at, block] of content.entries()) {
      if (block.type === 'tool_result' && !before.some(({ id }) => id === block.tool_use_id)) {
        throw invalid(
          `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ` +
            `${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        );
      }
      if (block.type === 'tool_use') {
        if (seen.has(block.id)) throw invalid('messages: `tool_use` ids must be unique');
        seen.add(block.id);
      }
    }
    checkAnswered(index, content, messages[index + 1]?.content);
  }
}

function checkAnswered(index: number, content: readonly Block[], next: readonly Block[] | undefined): void {
  const uses = usesIn(content);
  if (uses.length === 0) return;
  const results = (next ?? []).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  const isFirst = (next ?? []).slice(0, results.length).every(({ type }) => type === 'tool_result');
  const open = uses.filter(({ id }) => !isFirst || !results.includes(id)).map(({ id }) => id);
  if (open.length > 0) {
    throw invalid(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
        `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  if (new Set(results).size < results.length) {
    throw invalid(`messages.${index + 1}: each \`tool_use\` must have a single result.`);
  }
}

function usesIn(content: readonly Block[] = []): EarlierCall[] {
  return content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
  );
}

function textOf(blocks: readonly (Block | z.output<typeof TextBlock>)[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function turnsOf({ messages }: Body): Turn[] {
  const names = new Map(messages.flatMap(({ content }) => usesIn(content)).map(({ id, name }) => [id, name]));
  return messages.flatMap(({ role, content }): Turn[] => {
    const text = textOf(content);
    if (role === 'assistant') return [{ role, text, calls: usesIn(content) }];
    const results = content.flatMap((block) =>
      block.type !== 'tool_result'
        ? []
        : {
            callId: block.tool_use_id,
            name: names.get(block.tool_use_id) ?? '',
            text: textOf((block.content ?? []) as Block[]),
            isError: block.is_error === true,
          },
    );
    return [
      ...(results.length > 0 ? [{ role: 'tools' as const, results }] : []),
      ...(text !== '' ? [{ role: 'user' as const, text }] : []),
    ];
  });
}

function partsOf({ tools = [], system = [], messages }: Body): PromptPart[] {
  const blocks = [
    ...tools,
    ...system,
    ...messages.flatMap(({ role, content }) => content.map((one) => ({ role, ...one }))),
  ];
  return blocks.map((block) => {
    const { cache_control: mark, ...rest } = block as { cache_control?: unknown };
    return { text: JSON.stringify(rest), isMarked: mark !== undefined && mark !== null };
  });
}

function usageOf({ input, output, cacheRead, cacheWrite }: Usage): object {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  };
}

const STOPS = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const;

function blocksOf({ text, reasoning, tool_calls: calls }: MadeAnswer, { ids }: ModelWorld): object[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: signatureOf(reasoning) }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, arguments: given }) => ({
      type: 'tool_use',
      id: id ?? ids.base58('toolu_01', 22),
      name,
      input: objectOf(given),
    })),
  ];
}

/** The service parses what the model writes: no broken JSON leaves it in an answer that is not streamed. */
function objectOf(given: Readonly<Record<string, unknown>> | string): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return {};
  }
}

function messageOf(made: MadeAnswer, world: ModelWorld): Record<string, unknown> {
  return {
    id: world.ids.base58('msg_01', 22),
    type: 'message',
    role: 'assistant',
    model: made.model,
    content: blocksOf(made, world),
    stop_reason: STOPS[made.finish],
    stop_sequence: null,
    usage: made.measured ? usageOf(made.measured) : { input_tokens: 0, output_tokens: 0 },
  };
}

function events(made: MadeAnswer, world: ModelWorld): string[] {
  const { content, stop_reason: stop, usage, ...message } = messageOf(made, world);
  const say = (data: { type: string }): string => sse(data, data.type);
  const start = { ...message, content: [], stop_reason: null, usage: { ...(usage as object), output_tokens: 1 } };
  const written = made.tool_calls.map(({ arguments: given }) => writtenArguments(given));
  const isCall = (block: object): boolean => 'input' in block;
  const blocks = content as Record<string, unknown>[];
  const firstCall = blocks.findIndex(isCall);
  return [
    say({ type: 'message_start', message: start } as { type: string }),
    say({ type: 'ping' }),
    ...blocks.flatMap((block, index) => [
      say({ type: 'content_block_start', index, content_block: emptied(block) } as { type: string }),
      ...deltasOf(block, written[index - firstCall] ?? '').map((delta) =>
        say({ type: 'content_block_delta', index, delta } as { type: string }),
      ),
      say({ type: 'content_block_stop', index } as { type: string }),
    ]),
    say({
      type: 'message_delta',
      delta: { stop_reason: stop, stop_sequence: null },
      usage,
    } as { type: string }),
    say({ type: 'message_stop' }),
  ];
}

function emptied(block: Record<string, unknown>): object {
  if (block['type'] === 'text') return { type: 'text', text: '' };
  if (block['type'] === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { ...block, input: {} };
}

function deltasOf(block: Record<string, unknown>, written: string): object[] {
  if (block['type'] === 'text') return pieces(String(block['text'])).map((text) => ({ type: 'text_delta', text }));
  if (block['type'] === 'thinking') {
    const thoughts = pieces(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return [...thoughts, { type: 'signature_delta', signature: block['signature'] }];
  }
  return pieces(written).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}
