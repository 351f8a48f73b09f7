import { maxHeaderSize, METHODS as HTTP_METHODS } from 'node:http';
import { Readable } from 'node:stream';

import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';

import type { AnyOperation } from '../../contract/operation.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import type { Claim, KeptAnswer } from '../../features/idempotent-answer.ts';
import type { Call, Outcome } from '../../features/run-operation.ts';
import { AppError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { countedAddress } from '../../kernel/network.ts';
import { cached } from './cached-answer.ts';
import { authenticate, headerValues, isAllowed, missingKey } from './authenticate.ts';
import { clientOf, type Client } from './client-address.ts';
import { addDocs } from './docs-page.ts';
import { collectBody } from './collect-body.ts';
import { drainBeforeClose } from './drain.ts';
import { envelope, isOurFault, toAppError } from './error-answer.ts';
import { createFairTurns } from './fair-turns.ts';
import { FASTIFY_OPTIONS } from './fastify-options.ts';
import { createClaims } from './claims.ts';
import { readIdempotencyKey, requestHash } from './idempotency.ts';
import { createKnownPaths } from './known-paths.ts';
import { answerBadHttp, answerOddRequests, decodableUrl, refuseOddHead } from './odd-requests.ts';
import { parseParams, parseQuery, readQuery, type RawQuery } from './parse-input.ts';
import { RateLimiter, type Verdict } from './rate-limit.ts';
import { isReadElsewhere, readUnread } from './read-unread.ts';
import { readReason } from './request-headers.ts';

/** Runs a call here or in a thread, by the operation's weight. */
export type Dispatch = (operation: AnyOperation, call: Call) => Promise<Outcome>;

export interface HttpOptions {
  instance: Instance;
  operations: readonly AnyOperation[];
  dispatch: Dispatch;
  /** The OpenAPI document; made when first asked for. */
  openapi: () => string;
  /** Notes that a key was used; never delays or fails the request. */
  onKeyUsed: (keyId: string) => void;
}

interface RequestState {
  client: Client;
  principal: Principal | null;
  startedAt: number;
}

const API = '/api/v1';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const JSON_TYPE = 'application/json; charset=utf-8';
const states = new WeakMap<FastifyRequest, RequestState>();

/** The HTTP server with every operation as a route. The order of checks is that of the contract (0.3). */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { instance } = options;
  const { config, logger } = instance;
  const loggerInstance: FastifyBaseLogger = logger;
  const server = fastify({
    ...FASTIFY_OPTIONS,
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.jsonBodyBytes,
    genReqId: (request) => requestId(request.headers['x-request-id'], instance),
    rewriteUrl: (request) => decodableUrl(request.url ?? '/'),
    // The parser limits the whole URL; an id that is too long names nothing, like any malformed one.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: answerBadHttp,
    // Node would refuse a request without Host in words of its own; `refuseOddHead` does.
    http: { requireHostHeader: false },
    requestTimeout: LIMITS.requestMs,
    frameworkErrors: (error, request, reply) => sendError(reply as FastifyReply, toAppError(error), request.id),
  });
  const claims = createClaims(instance);
  const knownPaths = createKnownPaths();
  const openapi = once(options.openapi);
  const limits = {
    key: new RateLimiter(instance.clock, config.rateRefillPerMinute, config.rateBurst),
    refused: new RateLimiter(instance.clock, config.rateRefillPerMinute, config.rateBurst),
    open: new RateLimiter(instance.clock, config.rateRefillPerMinute, config.rateBurst),
  };

  drainBeforeClose(server);
  // Methods that no operation has are refused like any other wrong one: 405 on a known path.
  for (const method of HTTP_METHODS) {
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method)) server.addHttpMethod(method);
  }
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', collectBody);
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'unsafe-inline'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    hsts: config.baseUrl?.startsWith('https:') === true,
  });
  await server.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], brotliOptions: { params: { 1: 4 } } });
  if (config.corsOrigins.length > 0) {
    await server.register(cors, {
      origin: [...config.corsOrigins],
      methods: [...METHODS],
      // Our own routes answer OPTIONS, with Allow, to scripts and to others.
      preflightContinue: true,
      strictPreflight: false,
      exposedHeaders: ['X-Request-Id', 'X-Change-Set-Id', 'ETag', 'Retry-After', 'Location'],
    });
  }

  server.setErrorHandler((error, request, reply) => {
    const known = toAppError(error, request.routeOptions.bodyLimit);
    if (isOurFault(known)) logger.error({ err: error, request_id: request.id }, 'A request failed.');
    sendError(reply, known, request.id);
  });

  const fairTurn = createFairTurns();
  server.addHook('onRequest', () => fairTurn());
  answerOddRequests(server.server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const client = clientOf(request.socket.remoteAddress ?? '127.0.0.1', request.headers, config.trustedProxies);
    states.set(request, { client, principal: null, startedAt: performance.now() });
    refuseOddHead(request.raw);
    const url = request.raw.url ?? '';
    // Looked up first: `DELETE /categories/export` would be taken for the category of that name.
    const known = knownPaths.find(url);
    if (known && !known.takes.has(request.method)) {
      if (!known.isOpen) await identify(request, reply);
      const allow = [...known.takes].join(', ');
      throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
    }
    if (!request.is404 || request.method === 'OPTIONS') return;
    if (isApiPath(url)) await identify(request, reply);
    throw new AppError('NOT_FOUND', 'There is nothing at this path.');
  });
  server.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(performance.now() - (states.get(request)?.startedAt ?? 0));
    const path = request.routeOptions.url ?? '(unknown)';
    logger.debug({ method: request.method, path, status: reply.statusCode, ms, request_id: request.id }, 'request');
  });

  /** Steps 1 to 3 of 20.1; a refusal costs the caller's address a token, and turns into 429 without one. */
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const state = states.get(request) as RequestState;
    try {
      const principal = await authenticate(instance, request.raw.rawHeaders);
      if (!principal) throw missingKey(request.raw.rawHeaders);
      state.principal = principal;
      options.onKeyUsed(principal.id);
      const verdict = limits.key.take(principal.id);
      rateHeaders(reply, verdict);
      if (!verdict.allowed) throw limited(verdict);
      return principal;
    } catch (error) {
      if (error instanceof AppError && error.status === 401) {
        const verdict = limits.refused.take(countedAddress(state.client.address));
        if (!verdict.allowed) throw limited(verdict);
      }
      throw error;
    }
  }

  async function identifyIfPossible(request: FastifyRequest): Promise<void> {
    const state = states.get(request) as RequestState;
    try {
      state.principal = await authenticate(instance, request.raw.rawHeaders);
    } catch (error) {
      // A refused key counts as none here; without a database the operation itself tells what is wrong.
      if (!(error instanceof AppError)) logger.warn({ err: error }, 'A key could not be checked.');
    }
  }

  async function admit(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (operation.scope === 'none') {
      if (operation.openBucket === 'none') return;
      chargeOpen(request);
      await identifyIfPossible(request);
      return;
    }
    const principal = await identify(request, reply);
    if (!isAllowed(principal.scope, operation.scope)) {
      throw new AppError(
        'FORBIDDEN',
        `This needs a key with scope ${operation.scope}; this one has ${principal.scope}.`,
      );
    }
  }

  function chargeOpen(request: FastifyRequest): void {
    const { client } = states.get(request) as RequestState;
    const verdict = limits.open.take(countedAddress(client.address));
    if (!verdict.allowed) throw limited(verdict);
  }

  async function answer(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const state = states.get(request) as RequestState;
    const bytes = request.body as Buffer | undefined;
    const isWrite = operation.method !== 'GET';
    const key =
      isWrite && state.principal ? readIdempotencyKey(headerValues(request.raw.rawHeaders, 'idempotency-key')) : null;
    if (key === null || !state.principal) {
      const call = await readCall(operation, request, state, bytes, null);
      return send(operation, await options.dispatch(operation, call), request, reply);
    }
    const hash = await requestHash(request.method, request.raw.url ?? '', request.headers['content-type'] ?? '', bytes);
    const claimed = await claims.take(state.principal.id, key, hash);
    if (claimed.kind === 'replay') return replay(operation, claimed.answer, reply);
    const { claim } = claimed;
    try {
      const call = await readCall(operation, request, state, bytes, claim);
      const outcome = await options.dispatch(operation, call);
      if (operation.effect === 'write') claims.forget(claim);
      else await claims.settle(claim, { ...outcome, body: typeof outcome.body === 'string' ? outcome.body : null });
      return send(operation, outcome, request, reply);
    } catch (error) {
      const known = toAppError(error);
      const { status, extra } = known;
      const body = JSON.stringify(envelope(known, request.id));
      if (status < 500) await claims.settle(claim, { status, headers: extra.headers ?? {}, body });
      // Whether the write was kept all the same may only show when the database is back.
      else void claims.settle(claim, null);
      throw error;
    }
  }

  function replay(operation: AnyOperation, { status, headers, body }: KeptAnswer, reply: FastifyReply): FastifyReply {
    reply.header('idempotency-replayed', 'true').headers(headers).code(status);
    if (operation.noStore === true) reply.header('cache-control', 'no-store');
    return body === null ? reply.send() : reply.type(JSON_TYPE).send(body);
  }

  async function readCall(
    operation: AnyOperation,
    request: FastifyRequest,
    state: RequestState,
    bytes: Buffer | undefined,
    claim: Claim | null,
  ): Promise<Call> {
    const url = request.raw.url ?? '';
    const mark = url.indexOf('?');
    const rawQuery: RawQuery = mark < 0 ? {} : readQuery(url.slice(mark + 1));
    const params = parseParams(operation, request.params as Record<string, string>);
    const isRawUpload =
      operation.upload?.rawTypes.some((type) => request.headers['content-type']?.startsWith(type)) === true;
    const query = parseQuery(operation, isRawUpload ? {} : rawQuery);
    const reason = readReason(request.headers['x-change-reason']);
    const isWrite = operation.method !== 'GET';
    const unread = isWrite ? { contentType: request.headers['content-type'], bytes, query: rawQuery } : null;
    const call: Call = {
      input: { params, query, body: {} },
      principal: state.principal,
      request: {
        id: request.id,
        surface: 'rest',
        reason,
        baseUrl: config.baseUrl ?? state.client.origin,
        prefer: [request.headers['prefer']].flat().join(',') || null,
      },
      file: null,
      unread,
      claim,
    };
    return unread && !isReadElsewhere(operation, unread) ? readUnread(operation, call) : call;
  }

  const byPath = new Map<string, AnyOperation[]>();
  for (const operation of options.operations) {
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      byPath.set(path, [...(byPath.get(path) ?? []), operation]);
    }
  }
  for (const [path, operations] of byPath) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    for (const operation of operations) {
      server.route({
        method: operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method],
        url,
        ...(operation.upload ? { bodyLimit: LIMITS.importBodyBytes } : {}),
        onRequest: (request, reply) => admit(operation, request, reply),
        handler: (request, reply) => answer(operation, request, reply),
      });
    }
    const allowed = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const isOpen = !path.startsWith(API) || operations.some(({ scope }) => scope === 'none');
    refuseOtherMethods(url, allowed, isOpen);
  }

  function refuseOtherMethods(url: string, allowed: readonly string[], isOpen: boolean): void {
    const takes = new Set([...allowed, 'OPTIONS']);
    const allow = [...takes].join(', ');
    server.options(url, (_request, reply) => reply.header('allow', allow).code(204).send());
    knownPaths.add(url, { takes, isOpen });
  }

  server.get(`${API}/openapi.json`, {
    onRequest: async (request, reply) => {
      await identify(request, reply);
    },
    handler: (request, reply) => cached(openapi(), JSON_TYPE, request, reply),
  });
  refuseOtherMethods(`${API}/openapi.json`, ['GET', 'HEAD'], false);
  server.get('/openapi.json', {
    onRequest: async (request) => chargeOpen(request),
    handler: (request, reply) => cached(openapi(), JSON_TYPE, request, reply),
  });
  refuseOtherMethods('/openapi.json', ['GET', 'HEAD'], true);
  for (const url of addDocs(server, chargeOpen)) refuseOtherMethods(url, ['GET', 'HEAD'], true);

  // OPTIONS alone comes this far: the hook above refuses everything else at an unknown path.
  server.setNotFoundHandler((_request, reply) => reply.code(204).send());
  return server;
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

function isApiPath(url: string): boolean {
  const path = url.split('?')[0] as string;
  return path === API || path.startsWith(`${API}/`);
}

function requestId(given: string | string[] | undefined, instance: Instance): string {
  const text = Array.isArray(given) ? given[0] : given;
  const isUsable = text !== undefined && (isUuid(text) || /^[\w.:-]{1,128}$/.test(text));
  return isUsable ? text : instance.ids.uuid();
}

function rateHeaders(reply: FastifyReply, verdict: Verdict): void {
  reply.headers({
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(verdict.reset),
  });
}

function limited(verdict: Verdict): AppError {
  return new AppError('RATE_LIMITED', `Too many requests. Try again in ${verdict.retryAfter} s.`, {
    headers: { 'retry-after': String(verdict.retryAfter) },
  });
}

function sendError(reply: FastifyReply, error: AppError, id: string): void {
  reply.headers(error.extra.headers ?? {});
  void reply
    .code(error.status)
    .type(JSON_TYPE)
    .send(JSON.stringify(envelope(error, id)));
}

function send(operation: AnyOperation, outcome: Outcome, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(outcome.headers).code(outcome.status);
  if (operation.noStore === true) reply.header('cache-control', 'no-store');
  if (outcome.body === null) return reply.send();
  reply.type(outcome.contentType);
  if (typeof outcome.body !== 'string') {
    if (request.method !== 'HEAD') return reply.send(Readable.from(outcome.body, { objectMode: false }));
    void outcome.body[Symbol.asyncIterator]().return?.();
    return reply.send();
  }
  if (operation.etag === true) return cached(outcome.body, outcome.contentType, request, reply);
  return reply.send(outcome.body);
}
