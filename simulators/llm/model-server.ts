import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import type { SimulatedRequest } from '../providers/simulator-server.ts';
import { anthropicWire } from './anthropic.ts';
import { cutToFit, tokensOf, tokensOfPrompt, type Conversation } from './conversation.ts';
import { chatWire } from './openai-chat.ts';
import { responsesWire } from './openai-responses.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { MadeAnswer, Reply, Usage } from './reply.ts';
import { Refused, writtenArguments, type ModelWorld, type Wire } from './wire.ts';

const WIRES: readonly Wire[] = [anthropicWire, responsesWire, chatWire];

const CONTEXT_TOKENS = 200_000;
const BODY_CHARS_MAX = 33_554_432;

export interface ModelServer extends ModelWorld {
  cache: PromptCache;
  /** What happens to a prompt that is longer than the context. */
  whenTooLong: 'refuse' | 'cut';
  /** The model itself. */
  reply(conversation: Conversation): Reply | Promise<Reply>;
}

/** Reads a request as its provider would, and has the model answer it. */
export async function answerModelRequest(
  server: ModelServer,
  request: SimulatedRequest,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const wire = WIRES.find(({ path }) => path === request.path) ?? wireOf(request);
  try {
    if (request.method === 'GET' && request.path === '/v1/models') {
      send(outgoing, 200, wire.headers(server), wire.listModels(request, server));
      return;
    }
    const isHere = WIRES.includes(wire) && wire.path === request.path;
    if (!isHere || request.method !== 'POST') throw nowhere(request, wire);
    const conversation = fitted(server, wire, wire.read(request, server), request);
    const reply = await server.reply(conversation);
    if (reply.delay_ms > 0) await pause(reply.delay_ms, undefined, { signal });
    await sendReply({ server, wire, request, outgoing, conversation }, reply);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const headers = wire.headers(server);
    const body =
      wire === anthropicWire
        ? { ...(error.answer.body as object), request_id: headers['request-id'] }
        : error.answer.body;
    send(outgoing, error.answer.status, { ...headers, ...error.answer.headers }, body as object);
  }
}

/** By what only one provider's clients send, for a path that several have. */
function wireOf({ headers }: SimulatedRequest): Wire {
  return headers['anthropic-version'] === undefined ? chatWire : anthropicWire;
}

function nowhere({ method, path }: SimulatedRequest, wire: Wire): Refused {
  const message = `Invalid URL (${method} ${path})`;
  if (wire === anthropicWire)
    return new Refused(404, { type: 'error', error: { type: 'not_found_error', message: 'Not Found' } });
  return new Refused(404, { error: { message, type: 'invalid_request_error', param: null, code: null } });
}

function fitted(server: ModelServer, wire: Wire, conversation: Conversation, { text }: SimulatedRequest): Conversation {
  const contextTokens = server.contextTokens ?? CONTEXT_TOKENS;
  const promptTokens = tokensOfPrompt(conversation);
  const about = { model: conversation.model, promptTokens, contextTokens };
  if (text.length > BODY_CHARS_MAX) throw wire.fail('too_large', about);
  if (server.contextTokens === null || promptTokens <= contextTokens) return conversation;
  if (server.whenTooLong === 'refuse') throw wire.fail('context_too_long', about);
  return cutToFit(conversation, contextTokens);
}

interface Sending {
  server: ModelServer;
  wire: Wire;
  request: SimulatedRequest;
  outgoing: ServerResponse;
  conversation: Conversation;
}

async function sendReply(sending: Sending, reply: Reply): Promise<void> {
  const { server, wire, request, outgoing, conversation } = sending;
  if (reply.connection === 'never') return;
  if (reply.connection === 'drop') {
    outgoing.destroy();
    return;
  }
  if (reply.raw) {
    outgoing.writeHead(reply.raw.status, { 'content-type': 'application/json', ...reply.raw.headers });
    outgoing.end(reply.raw.body);
    return;
  }
  if (reply.error) {
    throw wire.fail(reply.error, {
      message: reply.message,
      retryAfter: reply.retry_after,
      model: conversation.model,
      promptTokens: tokensOfPrompt(conversation),
      contextTokens: server.contextTokens ?? CONTEXT_TOKENS,
    });
  }
  const made = finished(reply, conversation, server);
  if (conversation.isStreamed) await sendEvents(sending, made);
  else await sendWhole(sending, made, wire.answer(made, server, request));
}

function finished(reply: Reply, conversation: Conversation, { cache }: ModelServer): MadeAnswer {
  const text = reply.text_chars === undefined ? reply.text : reply.text.padEnd(reply.text_chars, 'So it goes on. ');
  const whole = { ...reply, text };
  const counted: Usage = {
    ...cache.count(conversation),
    output: outputTokens(whole),
    reasoning: tokensOf(reply.reasoning ?? ''),
  };
  const given = reply.usage ?? {};
  const measured = {
    input: given.input ?? counted.input,
    output: given.output ?? counted.output,
    cacheRead: given.cache_read ?? counted.cacheRead,
    cacheWrite: given.cache_write ?? counted.cacheWrite,
    reasoning: given.reasoning ?? counted.reasoning,
  };
  const { maxTokens } = conversation;
  const isCut = maxTokens !== null && reply.usage === undefined && counted.output > maxTokens;
  const finish = reply.finish ?? (isCut ? 'length' : reply.tool_calls.length > 0 ? 'tool_calls' : 'stop');
  return {
    ...whole,
    ...(isCut ? cutAnswer(whole, maxTokens) : {}),
    model: conversation.model,
    finish,
    measured: reply.usage === null ? null : isCut ? { ...measured, output: maxTokens } : measured,
  };
}

function outputTokens({ text, reasoning = '', tool_calls: calls }: Reply): number {
  const written = calls.map(({ name, arguments: given }) => name + writtenArguments(given));
  return Math.max(
    1,
    [text, reasoning, ...written].reduce((sum, one) => sum + tokensOf(one), 0),
  );
}

/** An answer ends at the limit that the client set, in the middle of a word. */
function cutAnswer({ text, tool_calls: calls }: Reply, maxTokens: number): Partial<Reply> {
  return tokensOf(text) > maxTokens ? { text: text.slice(0, maxTokens * 4), tool_calls: [] } : { tool_calls: calls };
}

const FILLING = 'and so on '.repeat(1_000);

async function sendWhole({ wire, server, outgoing }: Sending, made: MadeAnswer, body: object): Promise<void> {
  const text = JSON.stringify(body);
  if (made.connection === undefined) {
    send(outgoing, 200, wire.headers(server), body);
    return;
  }
  const length = made.connection === 'cut' ? { 'content-length': String(Buffer.byteLength(text)) } : {};
  outgoing.writeHead(200, { 'content-type': 'application/json', ...wire.headers(server), ...length });
  await write(outgoing, text.slice(0, text.length / 2));
  if (made.connection === 'cut') outgoing.destroy();
  else await writeForEver(outgoing, FILLING);
}

async function sendEvents({ wire, server, request, outgoing }: Sending, made: MadeAnswer): Promise<void> {
  const all = wire.events(made, server, request);
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...wire.headers(server),
  });
  const sent = made.connection === undefined ? all : all.slice(0, Math.ceil(all.length / 2));
  for (const event of sent) await write(outgoing, event);
  if (made.connection === 'endless') await writeForEver(outgoing, wire.more(FILLING));
  else if (made.connection === 'cut') outgoing.destroy();
  else outgoing.end();
}

async function writeForEver(outgoing: ServerResponse, text: string): Promise<void> {
  while (!outgoing.destroyed) await write(outgoing, text);
}

/** Waits until the text is on its way, or nobody listens any more. */
function write(outgoing: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve();
      return;
    }
    outgoing.once('close', resolve);
    outgoing.write(text, () => {
      outgoing.off('close', resolve);
      // Others get their turn, whatever the size of the buffers.
      setImmediate(resolve);
    });
  });
}

function send(outgoing: ServerResponse, status: number, headers: Record<string, string>, body: object): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(JSON.stringify(body));
}
