import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { checkScope } from '../../features/check-rights.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import type { Dispatch } from '../../features/run-operation.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseBoundedJson } from '../../kernel/json.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { callerOf, type Admission } from '../http/admission.ts';
import { authenticateAgent } from '../http/authenticate.ts';
import type { Route } from '../http/routes.ts';
import type { McpHandler } from './http-handler.ts';
import type { Connection } from './local-backend.ts';

const PATH = '/mcp';

export interface McpRoute {
  route: Route;
  close: () => Promise<void>;
}

/** The address that agents call (contract 70.1). The protocol is loaded with the first request. */
export function mcpRoute(instance: Instance, admission: Admission, dispatch: Dispatch): McpRoute {
  let loading: Promise<McpHandler> | undefined;
  const handler = (): Promise<McpHandler> =>
    (loading ??= import('./http-handler.ts').then(({ createHandler }) => createHandler(instance, dispatch)));
  const route: Route = {
    url: PATH,
    methods: ['POST'],
    isOpen: true,
    async onRequest(request, reply) {
      reply.header('cache-control', 'no-store');
      await admission.identifyAgent(request, reply);
    },
    async handler(request, reply) {
      const body = parsed(request.body as Buffer | undefined);
      const { answer } = await handler();
      const response = await answer(webRequest(request), body, await connectionOf(instance, request));
      return send(instance, response, request, reply);
    },
  };
  return { route, close: async () => (await loading)?.close() };
}

/** @throws INVALID_BODY, VALIDATION_ERROR */
function parsed(bytes: Buffer | undefined): unknown {
  let body: unknown;
  try {
    body = parseBoundedJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? Buffer.alloc(0)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('INVALID_BODY', 'The body is not valid JSON.');
  }
  if (Array.isArray(body)) throw new AppError('INVALID_BODY', 'Send one message at a time: batches are not supported.');
  return body;
}

/** What the protocol reads of a request besides its body. It has no signal: a call that has begun is finished. */
function webRequest({ headers, id }: FastifyRequest): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) sent.set(name, [value].flat().join(', '));
  }
  sent.set('x-request-id', id);
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers: sent });
}

async function connectionOf({ settings }: Instance, request: FastifyRequest): Promise<Connection> {
  const { principal, client } = callerOf(request);
  const [, name = null, version = null] = /^([^\s/]+)(?:\/(\S+))?/.exec(request.headers['user-agent'] ?? '') ?? [];
  return {
    principal: async () => principal as Principal,
    transport: 'http',
    most: 'full_access',
    clientName: name,
    clientVersion: version,
    requestId: request.id,
    baseUrl: (await settings.baseUrl()) ?? client.origin,
  };
}

/** JSON whole, so that it can be compressed; events as they come. */
async function send(
  instance: Instance,
  response: Response,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value);
  reply.header('cache-control', 'no-store');
  if (response.body === null) return reply.send();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream) return reply.send(await response.text());
  const stream = Readable.fromWeb(response.body);
  void endOnceRefused(instance, request.raw.rawHeaders, stream);
  return reply.send(stream);
}

/** Ends a streamed answer when its key is no longer accepted (contract 20.1). A write that has begun is finished. */
async function endOnceRefused(instance: Instance, rawHeaders: readonly string[], stream: Readable): Promise<void> {
  const closed = new AbortController();
  stream.once('close', () => closed.abort());
  for (;;) {
    await instance.pause(LIMITS.streamCheckMs, closed.signal);
    if (closed.signal.aborted) return;
    try {
      checkScope(await authenticateAgent(instance, rawHeaders), 'read_only');
    } catch (error) {
      // A database that is away says nothing about the key.
      if (!(error instanceof AppError) || error.status >= 500) continue;
      stream.destroy();
      return;
    }
  }
}
