import { z } from 'zod';

import type { SimulatedRequest } from '../providers/simulator-server.ts';
import type { Conversation, Turn } from './conversation.ts';
import { addResult, parsedArguments } from './openai-chat.ts';
import { checkBearer, faultError, openAiError, openAiFailure, openAiModels } from './openai-errors.ts';
import type { MadeAnswer, Usage } from './reply.ts';
import {
  firstFault,
  pieces,
  refusedKeyword,
  signatureOf,
  sse,
  typeOfSchema,
  writtenArguments,
  type ModelWorld,
  type Wire,
} from './wire.ts';

const Parts = z.preprocess(
  (value) => (typeof value === 'string' ? [{ type: 'input_text', text: value }] : value),
  z.array(
    z.union([
      z.looseObject({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
      z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
    ]),
  ),
);
const itemFields = { id: z.string().optional(), status: z.string().optional() };

const Item = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && 'role' in value ? { type: 'message', ...value } : value),
  z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('message'),
      role: z.enum(['user', 'system', 'developer', 'assistant']),
      content: Parts,
    }),
    z.strictObject({
      type: z.literal('reasoning'),
      ...itemFields,
      summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
      encrypted_content: z.string().nullish(),
      content: z.unknown().optional(),
    }),
    z.looseObject({
      type: z.literal('function_call'),
      ...itemFields,
      call_id: z.string().min(1),
      name: z.string(),
      arguments: z.string(),
    }),
    z.looseObject({ type: z.literal('function_call_output'), ...itemFields, call_id: z.string(), output: Parts }),
    z.strictObject({ type: z.literal('item_reference'), id: z.string() }),
  ]),
);
type Item = z.output<typeof Item>;

const Body = z.strictObject({
  model: z.string().min(1),
  input: z.preprocess(
    (value) => (typeof value === 'string' ? [{ role: 'user', content: value }] : value),
    z.array(Item).min(1),
  ),
  instructions: z.string().nullish(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z
          .string()
          .regex(/^[a-zA-Z0-9_-]{1,64}$/, "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."),
        description: z.string().nullish(),
        parameters: z.record(z.string(), z.unknown()),
        strict: z.boolean().nullish(),
      }),
    )
    .optional(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  include: z.array(z.string()).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  reasoning: z.unknown().optional(),
  text: z.unknown().optional(),
  metadata: z.unknown().optional(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  service_tier: z.string().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().nullish(),
});
type Body = z.output<typeof Body>;

/** The Responses API of OpenAI. */
export const responsesWire: Wire = {
  path: '/v1/responses',
  read,
  answer: (made, world, request) => keep(responseOf(made, world, request), world),
  events,
  more: (text) =>
    sse(
      { type: 'response.output_text.delta', item_id: 'msg_endless', output_index: 0, content_index: 0, delta: text },
      'response.output_text.delta',
    ),
  fail: (error, about) => openAiFailure(error, about, 'input'),
  listModels(request, world) {
    checkBearer(request, world, 'required');
    return openAiModels(world);
  },
  headers: ({ ids }) => ({
    'x-request-id': ids.hex('req_', 32),
    'openai-version': '2020-10-01',
    'openai-processing-ms': '120',
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
  }),
};

function read(request: SimulatedRequest, world: ModelWorld): Conversation {
  checkBearer(request, world, 'required');
  if (request.body === undefined) {
    throw openAiError(400, { message: 'We could not parse the JSON body of your request.' });
  }
  const parsed = Body.safeParse(request.body);
  if (!parsed.success) throw faultError(firstFault(parsed.error, request.body));
  const body = parsed.data;
  if (world.models && !world.models.includes(body.model)) {
    const message = `The model \`${body.model}\` does not exist or you do not have access to it.`;
    throw openAiError(404, { message, param: 'model', code: 'model_not_found' });
  }
  for (const [index, tool] of (body.tools ?? []).entries()) checkSchema(index, tool);
  const items = body.input.map((item) => resolve(item, world));
  checkOutputs(items);
  const isSystem = (item: Item) => item.type === 'message' && (item.role === 'system' || item.role === 'developer');
  const said = items.filter(isSystem).map((item) => textOf(item));
  return {
    wire: 'openai',
    model: body.model,
    system: [...(body.instructions ? [body.instructions] : []), ...said].join('\n\n'),
    turns: turnsOf(items.filter((item) => !isSystem(item))),
    tools: (body.tools ?? []).map(({ name, description, parameters: schema }) => ({
      name,
      description: description ?? '',
      schema,
    })),
    maxTokens: body.max_output_tokens ?? null,
    isStreamed: body.stream === true,
    parts: [body.tools ?? [], ...items].map((one) => ({ text: JSON.stringify(one), isMarked: true })),
  };
}

function checkSchema(index: number, { name, parameters, strict }: NonNullable<Body['tools']>[number]): void {
  const refused = (why: string) =>
    openAiError(400, {
      message: `Invalid schema for function '${name}': ${why}`,
      param: `tools[${index}].parameters`,
      code: 'invalid_function_parameters',
    });
  if (parameters['type'] !== 'object') {
    const type = typeOfSchema(parameters);
    throw refused(`schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`);
  }
  if (refusedKeyword(parameters) !== undefined) {
    throw refused("schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.");
  }
  if (strict === false) return;
  const context = 'In context=(), ';
  if (parameters['additionalProperties'] !== false) {
    throw refused(`${context}'additionalProperties' is required to be supplied and to be false.`);
  }
  const required = (parameters['required'] ?? []) as string[];
  const missing = Object.keys(parameters['properties'] ?? {}).find((key) => !required.includes(key));
  if (missing === undefined) return;
  throw refused(
    `${context}'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
  );
}

/** What a reference stands for; a thought that was not stored has to come back as it was given out. */
function resolve(item: Item, { stored }: ModelWorld): Item {
  if (item.type === 'item_reference') {
    const found = stored.get(item.id);
    if (!found) throw notFound(item.id);
    return Item.parse(found);
  }
  if (item.type !== 'reasoning') return item;
  const { id = '', encrypted_content: secret } = item;
  if (typeof secret === 'string') {
    if (secret === signatureOf(id)) return item;
    throw openAiError(400, {
      message: `The encrypted content for item ${id} could not be verified.`,
      code: 'invalid_encrypted_content',
    });
  }
  if (!stored.has(id)) throw notFound(id);
  return item;
}

function notFound(id: string) {
  return openAiError(404, {
    message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    param: 'input',
  });
}

function checkOutputs(items: readonly Item[]): void {
  const calls = new Set<string>();
  const answered = new Set<string>();
  const wrong = (message: string) => openAiError(400, { message, param: 'input' });
  for (const item of items) {
    if (item.type === 'function_call') calls.add(item.call_id);
    if (item.type !== 'function_call_output') continue;
    const id = item.call_id;
    if (!calls.has(id)) throw wrong(`No tool call found for function call output with call_id ${id}.`);
    answered.add(id);
  }
  const open = [...calls].find((id) => !answered.has(id));
  if (open !== undefined) throw wrong(`No tool output found for function call ${open}.`);
  for (const [index, item] of items.entries()) {
    if (item.type !== 'reasoning') continue;
    const next = items[index + 1];
    const isFollowed =
      next && next.type !== 'function_call_output' && !(next.type === 'message' && next.role === 'user');
    if (!isFollowed) {
      throw wrong(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`);
    }
  }
}

function textOf(item: Item): string {
  const parts = item.type === 'message' ? item.content : item.type === 'function_call_output' ? item.output : [];
  return parts.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('\n');
}

/** Whatever the model left between two messages or results is one answer. */
function turnsOf(items: readonly Item[]): Turn[] {
  const turns: Turn[] = [];
  const names = new Map<string, string>();
  for (const item of items) {
    const text = textOf(item);
    if (item.type === 'function_call_output') {
      addResult(turns, { callId: item.call_id, name: names.get(item.call_id) ?? '', text, isError: false });
    } else if (item.type === 'message' && item.role === 'user') turns.push({ role: 'user', text });
    else {
      if (turns.at(-1)?.role !== 'assistant') turns.push({ role: 'assistant', text: '', calls: [] });
      const last = turns.at(-1);
      if (last?.role !== 'assistant') continue;
      const calls = [...last.calls];
      if (item.type === 'function_call') {
        names.set(item.call_id, item.name);
        calls.push({ id: item.call_id, name: item.name, arguments: parsedArguments(item.arguments) });
      }
      turns[turns.length - 1] = { role: 'assistant', text: last.text + text, calls };
    }
  }
  return turns;
}

type OutputItem = Record<string, unknown> & { id: string; type: string };

function outputOf(
  { text, reasoning, tool_calls: calls, finish }: MadeAnswer,
  world: ModelWorld,
  body: Body,
): OutputItem[] {
  const { ids } = world;
  const hex = (prefix: string): string => ids.hex(prefix, 48);
  const status = finish === 'length' ? 'incomplete' : 'completed';
  const content =
    finish === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [], logprobs: [] };
  const thought = hex('rs_');
  const isEncrypted = body.include?.includes('reasoning.encrypted_content') === true;
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            id: thought,
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: reasoning }],
            ...(isEncrypted ? { encrypted_content: signatureOf(thought) } : {}),
          },
        ]),
    ...(text === '' ? [] : [{ id: hex('msg_'), type: 'message', role: 'assistant', status, content: [content] }]),
    ...calls.map(({ id, name, arguments: given }) => ({
      id: hex('fc_'),
      type: 'function_call',
      status,
      call_id: id ?? ids.base58('call_', 24),
      name,
      arguments: writtenArguments(given),
    })),
  ];
}

function usageOf({ input, output, cacheRead, cacheWrite, reasoning }: Usage): object {
  const total = input + cacheRead + cacheWrite;
  return {
    input_tokens: total,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total + output,
  };
}

interface Response extends Record<string, unknown> {
  id: string;
  store: boolean;
  output: OutputItem[];
}

function responseOf(made: MadeAnswer, world: ModelWorld, request: SimulatedRequest): Response {
  const body = request.body as Body;
  return {
    id: world.ids.hex('resp_', 48),
    object: 'response',
    created_at: Math.floor(world.now() / 1000),
    status: made.finish === 'length' ? 'incomplete' : 'completed',
    background: false,
    error: null,
    incomplete_details: made.finish === 'length' ? { reason: 'max_output_tokens' } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: made.model,
    output: outputOf(made, world, body),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: body.store !== false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: made.measured ? usageOf(made.measured) : null,
    user: null,
    metadata: {},
  };
}

function keep(response: Response, { stored }: ModelWorld): Response {
  if (response.store) for (const item of response.output) stored.set(item.id, item);
  return response;
}

function events(made: MadeAnswer, world: ModelWorld, request: SimulatedRequest): string[] {
  const whole = keep(responseOf(made, world, request), world);
  const begun = { ...whole, status: 'in_progress', output: [], usage: null };
  let sequence = 0;
  const say = (type: string, data: object): string => sse({ type, sequence_number: sequence++, ...data }, type);
  return [
    say('response.created', { response: begun }),
    say('response.in_progress', { response: begun }),
    ...whole.output.flatMap((item, index) => [
      say('response.output_item.added', { output_index: index, item: emptied(item) }),
      ...partsOf(item).map(([type, data]) => say(type, { item_id: item.id, output_index: index, ...data })),
      say('response.output_item.done', { output_index: index, item }),
    ]),
    say(made.finish === 'length' ? 'response.incomplete' : 'response.completed', { response: whole }),
  ];
}

function emptied(item: OutputItem): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'reasoning') return { ...item, summary: [] };
  return { ...item, status: 'in_progress', arguments: '' };
}

type Part = [type: string, data: object];

/** The events between the first and the last of an item. */
function partsOf(item: OutputItem): Part[] {
  if (item.type === 'function_call') {
    const written = String(item['arguments']);
    return [
      ...pieces(written).map((delta): Part => ['response.function_call_arguments.delta', { delta }]),
      ['response.function_call_arguments.done', { arguments: written }],
    ];
  }
  if (item.type === 'reasoning') {
    const [part] = item['summary'] as { text: string }[];
    const at = { summary_index: 0 };
    return [
      ['response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }],
      ...pieces(part?.text ?? '').map((delta): Part => ['response.reasoning_summary_text.delta', { ...at, delta }]),
      ['response.reasoning_summary_text.done', { ...at, text: part?.text }],
      ['response.reasoning_summary_part.done', { ...at, part }],
    ];
  }
  const [part] = item['content'] as { type: string; text?: string; refusal?: string }[];
  const isRefusal = part?.type === 'refusal';
  const name = isRefusal ? 'response.refusal' : 'response.output_text';
  const text = part?.text ?? part?.refusal ?? '';
  const at = { content_index: 0 };
  const empty = isRefusal ? { type: 'refusal', refusal: '' } : { type: 'output_text', text: '', annotations: [] };
  return [
    ['response.content_part.added', { ...at, part: empty }],
    ...pieces(text).map((delta): Part => [`${name}.delta`, { ...at, delta, ...(isRefusal ? {} : { logprobs: [] }) }]),
    [`${name}.done`, { ...at, ...(isRefusal ? { refusal: text } : { text, logprobs: [] }) }],
    ['response.content_part.done', { ...at, part }],
  ];
}
