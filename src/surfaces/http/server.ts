import { maxHeaderSize, METHODS as HTTP_METHODS } from 'node:http';

import compress from '@fastify/compress';
import cors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
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
import type { DemoLink } from '../../features/demo/index.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import type { Dispatch } from '../../features/run-operation.ts';
import type { Config } from '../../kernel/config.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { createAdmission, createCallerNotes, type Admission } from './admission.ts';
import { createAnswerOperation, type AnswerOperation } from './answer-operation.ts';
import type { Dashboard } from './built-dashboard.ts';
import { collectBody } from './collect-body.ts';
import { addDemoLink } from './demo-link.ts';
import { addDocs } from './docs-page.ts';
import { drainBeforeClose } from './drain.ts';
import { toAppError } from './error-answer.ts';
import { createFairTurns } from './fair-turns.ts';
import { answerBadHttp, answerOddRequests, decodableUrl, refuseOddHead } from './odd-requests.ts';
import { addLinkPages } from './hosted-link-pages.ts';
import { addPages } from './pages.ts';
import { NOT_FOUND_PAGE, sendPlainPage, wantsPage } from './plain-pages.ts';
import { requestId } from './request-headers.ts';
import { JSON_TYPE, sendCached, sendError } from './send-answer.ts';
import { addMcp } from '../mcp/mcp-route.ts';
import { addWebhooks } from './webhook-routes.ts';
import { createServedPaths, type ServedPath, type ServedPaths } from './served-paths.ts';

interface HttpOptions {
  instance: Instance;
  operations: readonly AnyOperation[];
  /** What pages call: below /auth with a session, below /_link with the token of a link. */
  unlistedOperations: readonly AnyOperation[];
  dispatch: Dispatch;
  dashboard: Dashboard;
  /** The link that signs a visitor in; only a demo has one. */
  demoLink: DemoLink | undefined;
  /** The OpenAPI document; called when it is first asked for. */
  openapi: () => string;
  /** Notes that a key or session was used; never delays or fails the request. */
  onUsed: (principal: Principal) => void;
}

const API = '/api/v1';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * The HTTP server with every operation as a route. Each request passes these steps in the contract's order (0.3), and
 * the first that refuses it answers: request id and path (here) → authenticate → rate limit → scope (`admission.ts`)
 * → body limit (`collect-body.ts`) → idempotency → parse → dispatch (`answer-operation.ts`).
 */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { instance, dispatch, dashboard, demoLink, openapi, onUsed } = options;
  const operations = [...options.operations, ...options.unlistedOperations];
  const server = newServer(instance);
  const noteCaller = createCallerNotes(instance);
  const admission = createAdmission(instance, onUsed);
  const paths = createServedPaths();

  drainBeforeClose(server);
  takeAnyMethodAndBody(server);
  await addPlugins(server, instance.config);
  answerErrors(server, instance);
  const fairTurn = createFairTurns();
  server.addHook('onRequest', () => fairTurn());
  answerOddRequests(server.server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    noteCaller(request);
    refuseOddHead(request.raw);
    if (request.is404) await refuseUnrouted(request, reply, paths, admission);
  });
  logAnswers(server, instance);

  const answer = createAnswerOperation(instance, dispatch);
  for (const operation of operations) addOperation(server, operation, admission, answer);
  const pages = [
    ...addPages(server, { instance, admission, dashboard }),
    ...addLinkPages(server, { instance, admission }),
  ];
  const served = [
    ...operationPaths(operations),
    ...addDocuments(server, openapi, admission),
    ...pages.map((url) => ({ url, methods: ['GET', 'HEAD'], isOpen: true })),
    { url: addMcp(server, instance, admission, dispatch), methods: ['POST'], isOpen: true },
    ...addWebhooks(server, instance, admission).map((url) => ({ url, methods: ['POST'], isOpen: true })),
    ...(demoLink
      ? [{ url: addDemoLink(server, { instance, admission, link: demoLink }), methods: ['GET'], isOpen: true }]
      : []),
  ];
  for (const path of served) addPath(server, path, paths);
  refuseOverlaps(server, paths, admission);
  // Only OPTIONS comes this far: every other request at an unknown path has been refused.
  server.setNotFoundHandler((_request, reply) => reply.code(204).send());
  return server;
}

function newServer({ logger, ids }: Instance): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = logger;
  return fastify({
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Contracts validate and serialise everything themselves: otherwise fastify loads two compilers that nobody calls.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.jsonBodyBytes,
    genReqId: (request) => requestId(request.headers['x-request-id'], ids),
    rewriteUrl: (request) => decodableUrl(request.url ?? '/'),
    // The parser limits the whole URL; an id that is too long is not found, like any malformed one.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: answerBadHttp,
    // Node would refuse a request without Host in its own words; `refuseOddHead` does it in ours.
    http: { requireHostHeader: false },
    requestTimeout: LIMITS.requestMs,
    frameworkErrors: (error, request, reply) => sendError(reply as FastifyReply, toAppError(error), request.id),
  });
}

function refuseSchemas(): () => never {
  return () => {
    throw new Error('A route has a Fastify schema.');
  };
}

/** A method that no operation has is refused like any other: 405 on a known path. */
function takeAnyMethodAndBody(server: FastifyInstance): void {
  for (const method of HTTP_METHODS) {
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method)) server.addHttpMethod(method);
  }
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', collectBody);
}

/** Security headers, compression, and CORS for the origins that are allowed. */
async function addPlugins(server: FastifyInstance, { baseUrl, corsOrigins }: Config): Promise<void> {
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'unsafe-inline'"],
        // Pages without a script have an empty icon, so that browsers ask for none.
        imgSrc: ['data:'],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    // Subdomains of the host may not have https.
    frameguard: { action: 'deny' },
    hsts: baseUrl?.startsWith('https:') === true && { includeSubDomains: false },
  });
  await server.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], brotliOptions: { params: { 1: 4 } } });
  if (corsOrigins.length === 0) return;
  const forApi: FastifyCorsOptions = {
    origin: [...corsOrigins],
    methods: [...METHODS],
    // Our own routes answer OPTIONS, with Allow, to scripts and to others.
    preflightContinue: true,
    strictPreflight: false,
    exposedHeaders: ['X-Request-Id', 'X-Change-Set-Id', 'ETag', 'Retry-After', 'Location'],
  };
  // Only what takes a key: what /auth tells a browser on this machine is for our own pages (20.7, 20.16).
  const delegator: FastifyCorsOptionsDelegateCallback = (request, use) =>
    use(null, /^\/(api\/v1\/|mcp(\?|$))/.test(request.url) ? forApi : { origin: false });
  await server.register(cors, { delegator });
}

function answerErrors(server: FastifyInstance, { logger }: Instance): void {
  server.setErrorHandler((error, request, reply) => {
    const known = toAppError(error, request.routeOptions.bodyLimit);
    if (request.is404 && known.status === 404 && isForPages(request)) {
      sendPlainPage(NOT_FOUND_PAGE, 404, reply);
      return;
    }
    if (known.status === 500) logger.error({ err: error, request_id: request.id }, 'A request failed.');
    sendError(reply, known, request.id);
  });
}

/** Programs ask below these paths, so their answer is the envelope whatever they accept. */
const NEVER_PAGES = /^\/(api|mcp|\.well-known)(\/|$)/;

function isForPages(request: FastifyRequest): boolean {
  return wantsPage(request) && !NEVER_PAGES.test((request.raw.url ?? '').split('?')[0] as string);
}

function logAnswers(server: FastifyInstance, { logger }: Instance): void {
  server.addHook('onResponse', async (request, reply) => {
    // Of a link's address, only what is not secret.
    const path = (request.routeOptions.url ?? '(unknown)').replace(/:token\b/, '***');
    const ms = Math.round(reply.elapsedTime);
    logger.debug({ method: request.method, path, status: reply.statusCode, ms, request_id: request.id }, 'request');
  });
}

/** @throws METHOD_NOT_ALLOWED, NOT_FOUND; below `/api/v1`, only after authentication */
async function refuseUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  paths: ServedPaths,
  admission: Admission,
): Promise<void> {
  const url = request.raw.url ?? '';
  const known = paths.find(url);
  if (known) await refuseMethod(known, request, reply, admission);
  if (request.method === 'OPTIONS') return;
  const path = url.split('?')[0] as string;
  if (path === API || path.startsWith(`${API}/`)) await admission.identify(request, reply);
  throw new AppError('NOT_FOUND', 'This path does not exist.');
}

async function refuseMethod(
  { methods, isOpen }: ServedPath,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<never> {
  if (!isOpen) await admission.identify(request, reply);
  const allow = methods.join(', ');
  throw new AppError('METHOD_NOT_ALLOWED', `This path accepts only ${allow}.`, { headers: { allow } });
}

function addOperation(
  server: FastifyInstance,
  operation: AnyOperation,
  admission: Admission,
  answer: AnswerOperation,
): void {
  for (const path of pathsOf(operation)) {
    server.route({
      method: methodsOf(operation),
      url: routeOf(path),
      ...(operation.upload ? { bodyLimit: LIMITS.importBodyBytes } : {}),
      onRequest: async (request, reply) => {
        // Errors have it too.
        if (operation.noStore === true) reply.header('cache-control', 'no-store');
        await admission.admit(operation, request, reply);
      },
      handler: (request, reply) =>
        answer(operation, request, reply).catch((error: unknown) => {
          if (operation.refusal !== undefined && toAppError(error).code === operation.refusal) {
            admission.chargeRefusal(request);
          }
          throw error;
        }),
    });
  }
}

function operationPaths(operations: readonly AnyOperation[]): ServedPath[] {
  const byPath = Map.groupBy(
    operations.flatMap((operation) => pathsOf(operation).map((path) => ({ path, operation }))),
    ({ path }) => path,
  );
  return [...byPath].map(([path, found]) => ({
    url: routeOf(path),
    methods: found.flatMap(({ operation }) => methodsOf(operation)),
    isOpen: !path.startsWith(API) || found.some(({ operation }) => operation.scope === 'none'),
  }));
}

function pathsOf({ path, aliases }: AnyOperation): string[] {
  return [path, ...(aliases ?? [])];
}

function methodsOf({ method }: AnyOperation): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The OpenAPI document, with a key and without, and the reference for people. */
function addDocuments(server: FastifyInstance, openapi: () => string, admission: Admission): ServedPath[] {
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendCached(openapi(), JSON_TYPE, request, reply);
  server.get(`${API}/openapi.json`, {
    onRequest: async (request, reply) => {
      await admission.identify(request, reply);
    },
    handler,
  });
  server.get('/openapi.json', { onRequest: async (request) => admission.chargeAddress(request), handler });
  const methods = ['GET', 'HEAD'];
  return [
    { url: `${API}/openapi.json`, methods, isOpen: false },
    { url: '/openapi.json', methods, isOpen: true },
    ...addDocs(server, (request) => admission.chargeAddress(request)).map((url) => ({ url, methods, isOpen: true })),
  ];
}

function addPath(server: FastifyInstance, path: ServedPath, paths: ServedPaths): void {
  const methods = [...path.methods, 'OPTIONS'];
  server.options(path.url, (_request, reply) => reply.header('allow', methods.join(', ')).code(204).send());
  paths.add({ ...path, methods });
}

/** Without these routes, `DELETE /categories/export` would delete the category of that name. */
function refuseOverlaps(server: FastifyInstance, paths: ServedPaths, admission: Admission): void {
  for (const { path, methods } of paths.overlaps()) {
    server.route({
      method: methods,
      url: path.url,
      // A path may be covered by one that is covered itself: /runs/recent-errors, /runs/:id, /:slug/enable.
      onRequest: (request, reply) => refuseMethod(paths.find(request.raw.url ?? '') ?? path, request, reply, admission),
      handler: (_request, reply) => reply,
    });
  }
}
