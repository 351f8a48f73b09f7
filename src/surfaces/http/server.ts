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
import type { Dashboard } from './pages/built-dashboard.ts';
import { collectBody } from './body/collect-body.ts';
import { dropBody } from './body/drop-body.ts';
import { createConnectionTurns } from './connection-turns.ts';
import { demoLinkRoute } from './demo-link.ts';
import { docsRoutes } from './pages/docs-page.ts';
import { drainBeforeClose } from './drain.ts';
import { toAppError } from './error-answer.ts';
import { createFairTurns } from './fair-turns.ts';
import { JoinedBodyRequest } from './body/joined-body.ts';
import { answerBadHttp, answerOddRequests, decodableUrl, refuseOddHead } from './odd-requests.ts';
import { linkPageRoutes } from './pages/hosted-link-pages.ts';
import { pageRoutes, sendNotFound, type PageOptions } from './pages/pages.ts';
import { wantsPage } from './pages/plain-pages.ts';
import { requestId } from './request-headers.ts';
import { JSON_TYPE, sendCached, sendError } from './send-answer.ts';
import { mcpRoute } from '../mcp/mcp-route.ts';
import { WEBHOOKS, webhookRoutes } from './webhook-routes.ts';
import {
  bodyLimitOf,
  createRoutes,
  READING,
  routeOf,
  take,
  type Found,
  type Route,
  type Routes,
  type ServedPath,
} from './routes.ts';

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

  drainBeforeClose(server);
  // Before the plugins, whose work for thousands of requests would be one piece.
  const [connectionTurn, fairTurn] = [createConnectionTurns(), createFairTurns()];
  server.addHook('onRequest', async (request, reply) => {
    await connectionTurn(request.raw, reply.raw);
    await fairTurn();
  });
  takeAnyMethodAndBody(server);
  await addPlugins(server, instance.config);
  answerErrors(server, { instance, admission, dashboard });
  answerOddRequests(server.server);
  const routes = createRoutes();
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    noteCaller(request);
    if (isRead(request)) reply.header('cache-control', 'private, no-cache');
    refuseOddHead(request.raw);
    return enter(request, reply, routes, admission).catch((error: unknown) => {
      dropBody(request.raw);
      throw error;
    });
  });
  logAnswers(server, instance);

  const answer = createAnswerOperation(instance, dispatch);
  const mcp = mcpRoute(instance, admission, dispatch);
  const webhooks = webhookRoutes(instance, admission);
  const all: Route[] = [
    ...operations.flatMap((operation) => operationRoutes(operation, admission, answer)),
    ...documentRoutes(openapi, admission),
    ...docsRoutes((request) => admission.chargeAddress(request)),
    ...pageRoutes({ instance, admission, dashboard }),
    ...linkPageRoutes({ instance, admission }),
    mcp.route,
    ...webhooks.routes,
    ...(demoLink ? [demoLinkRoute({ instance, admission, link: demoLink })] : []),
  ];
  for (const route of all) routes.add(route);
  server.addHook('onClose', async () => {
    await mcp.close();
    await webhooks.settled();
  });
  addWays(server);
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
    http: { requireHostHeader: false, IncomingMessage: JoinedBodyRequest },
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

/** What the scripts of other origins may read of an answer besides its body: all that the reference describes. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Change-Set-Id',
  'ETag',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Idempotency-Replayed',
  'Preference-Applied',
  'WWW-Authenticate',
  'Content-Disposition',
];

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
    exposedHeaders: EXPOSED_HEADERS,
  };
  // Only what takes a key: what /auth tells a browser on this machine is for our own pages (20.7, 20.16).
  const delegator: FastifyCorsOptionsDelegateCallback = (request, use) =>
    use(null, /^\/(api\/v1\/|mcp(\?|$))/.test(request.url) ? forApi : { origin: false });
  await server.register(cors, { delegator });
}

function answerErrors(server: FastifyInstance, options: PageOptions): void {
  server.setErrorHandler((error, request, reply) => {
    const known = toAppError(error, bodyLimitOf(request));
    if (!routeOf(request) && known.status === 404 && isForPages(request)) return sendNotFound(options, request, reply);
    if (known.status === 500)
      options.instance.logger.error({ err: error, request_id: request.id }, 'A request failed.');
    sendError(reply, known, request.id);
    return reply;
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
    const path = (routeOf(request)?.url ?? '(unknown)').replace(/:token\b/, '***');
    const ms = Math.round(reply.elapsedTime);
    logger.debug({ method: request.method, path, status: reply.statusCode, ms, request_id: request.id }, 'request');
  });
}

/** The two ways through Fastify, which all routes take. */
function addWays(server: FastifyInstance): void {
  const way = {
    method: ['HEAD', ...METHODS],
    handler: (request: FastifyRequest, reply: FastifyReply) => (routeOf(request) as Route).handler(request, reply),
  };
  server.route({ ...way, url: '*' });
  // The signature of a webhook is over the bytes as they were sent, whatever the headers call them.
  server.route({ ...way, url: `${WEBHOOKS}*`, decompress: false });
  // Only OPTIONS at an unknown path comes here: every other request has been answered, or refused.
  server.setNotFoundHandler((_request, reply) => reply.code(204).send());
}

/** A household's data is for its caller alone, and asked for again each time. What must not be kept says so later. */
function isRead({ method, raw }: FastifyRequest): boolean {
  return (READING as readonly string[]).includes(method) && raw.url?.startsWith(`${API}/`) === true;
}

/** Finds the route of a request and asks it whether the request may come in. @throws METHOD_NOT_ALLOWED, NOT_FOUND, what the route throws */
async function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: Routes,
  admission: Admission,
): Promise<FastifyReply | undefined> {
  const found = routes.find(request.raw.url ?? '');
  if (request.method === 'OPTIONS') {
    return found && reply.header('allow', methodsAt(found.path)).code(204).send();
  }
  const route = found?.path.routes.get(request.method);
  if (!found || !route) return refuseUnrouted(request, reply, found, admission);
  take(route, request);
  request.params = found.params;
  await route.onRequest?.(request, reply);
  return undefined;
}

function methodsAt({ routes }: ServedPath): string {
  return [...routes.keys(), 'OPTIONS'].join(', ');
}

/** @throws METHOD_NOT_ALLOWED, NOT_FOUND; below `/api/v1`, only after authentication */
async function refuseUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Found | undefined,
  admission: Admission,
): Promise<never> {
  // With an empty id, an address is at no path.
  if (found && !Object.values(found.params).includes('')) {
    if (!found.path.isOpen) await admission.identify(request, reply);
    const allow = methodsAt(found.path);
    const message = `This path accepts only ${allow}.${whereTo(request.method, found.path)}`;
    throw new AppError('METHOD_NOT_ALLOWED', message, { headers: { allow } });
  }
  const path = (request.raw.url ?? '').split('?')[0] as string;
  if (path === API || path.startsWith(`${API}/`)) await admission.identify(request, reply);
  throw new AppError('NOT_FOUND', 'This path does not exist.');
}

/** A transaction is what a bank said: what may be changed of it is changed part by part, or by one request for many. */
function whereTo(method: string, { url }: ServedPath): string {
  const isChange = method === 'PATCH' || method === 'PUT';
  if (!isChange || url !== `${API}/transactions/:id`) return '';
  return (
    ` Change transactions with POST ${API}/transactions/update, or one part with PATCH ${API}/transactions/{id}/category,` +
    ` POST ${API}/transactions/{id}/tags or PATCH ${API}/transactions/{id}/metadata.`
  );
}

function operationRoutes(operation: AnyOperation, admission: Admission, answer: AnswerOperation): Route[] {
  return [operation.path, ...(operation.aliases ?? [])].map((path) => ({
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    methods: operation.method === 'GET' ? READING : [operation.method],
    isOpen: !path.startsWith(API) || operation.scope === 'none',
    ...(operation.upload ? { bodyLimit: LIMITS.importBodyBytes } : {}),
    async onRequest(request, reply) {
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
  }));
}

/** The OpenAPI document, with a key and without. */
function documentRoutes(openapi: () => string, admission: Admission): Route[] {
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendCached(openapi(), JSON_TYPE, request, reply);
  return [
    {
      url: `${API}/openapi.json`,
      methods: READING,
      isOpen: false,
      async onRequest(request, reply) {
        await admission.identify(request, reply);
      },
      handler,
    },
    {
      url: '/openapi.json',
      methods: READING,
      isOpen: true,
      onRequest: (request) => admission.chargeAddress(request),
      handler,
    },
  ];
}
