import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AnyOperation } from '../../contract/operation.ts';
import { checkRights, checkScope } from '../../features/check-rights.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { countedAddress, plainAddress, trustedProxyFor } from '../../kernel/network.ts';
import { authenticateAgent, authenticateKey, authenticateSession, missingKey, sendsKey } from './authenticate.ts';
import { clientOf, type Client } from './client-address.ts';
import { readCookies } from './cookies.ts';
import { checkAgentOrigin, checkOrigin } from './origin.ts';
import { RateLimiter, type Verdict } from '../../kernel/rate-limit.ts';

/** Who sent a request, and from where. */
export interface Caller {
  readonly client: Client;
  /** null until a key or session has been accepted, and on routes that need none. */
  principal: Principal | null;
}

/** The steps between the head of a request and its body: authenticate, rate limit, scope (contract 0.3). */
export interface Admission {
  /** Lets a request through to its operation. @throws what refuses it */
  admit(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The session of a request, or null. Nothing is charged. */
  findSession(request: FastifyRequest): Promise<Principal | null>;
  /** Authenticates and charges the key or session. A refusal costs the address a token, and becomes 429 when it has none left. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal>;
  /** The same for an agent: by its key alone, which may also come as a bearer token (contract 70.1). */
  identifyAgent(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Charges the address of a request that needs no key. @throws RATE_LIMITED */
  chargeAddress(request: FastifyRequest): void;
  /** Charges the address of a webhook. @throws RATE_LIMITED */
  chargeWebhook(request: FastifyRequest): void;
  /** Charges the address of a request whose credential in the body was refused. @throws RATE_LIMITED */
  chargeRefusal(request: FastifyRequest): void;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Records who sent each request, and logs the first one whose forwarding headers come from an untrusted proxy. */
export function createCallerNotes({ config, logger }: Instance): (request: FastifyRequest) => void {
  let isToldOfProxy = false;

  function tellOfProxy(peer: string): void {
    const entry = trustedProxyFor(peer);
    if (isToldOfProxy || entry === undefined) return;
    isToldOfProxy = true;
    logger.warn(
      `Forwarding headers from ${plainAddress(peer)} are ignored, so its clients share one address and links may be ` +
        `wrong. If it is your proxy, set TRUST_PROXY=${entry}, or add ${entry} to it.`,
    );
  }

  return (request) => {
    const peer = request.socket.remoteAddress ?? '127.0.0.1';
    const client = clientOf(peer, request.headers, config.trustedProxies);
    if (client.isForwardingIgnored) tellOfProxy(peer);
    callers.set(request, { client, principal: null });
  };
}

export function callerOf(request: FastifyRequest): Caller {
  return callers.get(request) as Caller;
}

/** `onUsed` must neither delay nor fail the request. */
export function createAdmission(instance: Instance, onUsed: (principal: Principal) => void): Admission {
  const buckets = createBuckets(instance, onUsed);

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const caller = callerOf(request);
    try {
      const byKey = await authenticateKey(instance, request.raw.rawHeaders);
      const principal = byKey ?? (await findSession(instance, request));
      if (!principal) throw missingKey(request.raw.rawHeaders);
      caller.principal = principal;
      if (principal.kind === 'session') await refuseForeignPage(instance, request);
      buckets.charge(principal, reply);
      return principal;
    } catch (error) {
      if (error instanceof AppError && error.status === 401) buckets.chargeRefusal(request);
      throw error;
    }
  }

  /** Browser operations know no keys: whose session it is, or nobody (contract 20.6). */
  async function admitBrowser(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply) {
    reply.header('cache-control', 'no-store');
    const principal = await findSession(instance, request);
    callerOf(request).principal = principal;
    await refuseForeignPage(instance, request);
    if (principal) buckets.charge(principal, reply);
    else buckets.chargeAddress(request);
    if (operation.session === 'required' && !principal) throw new AppError('LOGIN_REQUIRED', 'Sign in first.');
    if (principal) checkRights(principal, operation);
  }

  return {
    identify,
    identifyAgent: (request, reply) => identifyAgent(instance, buckets, request, reply),
    chargeAddress: buckets.chargeAddress,
    chargeWebhook: buckets.chargeWebhook,
    chargeRefusal: buckets.chargeRefusal,
    findSession: (request) => findSession(instance, request),
    async admit(operation, request, reply) {
      if (operation.session !== undefined) {
        await admitBrowser(operation, request, reply);
      } else if (operation.linkToken === true) {
        buckets.chargeAddress(request);
        await refuseForeignCall(instance, request);
      } else if (operation.scope !== 'none') {
        checkRights(await identify(request, reply), operation);
      } else if (operation.openBucket === 'device_start') {
        buckets.chargeDeviceStart(request);
      } else if (operation.openBucket !== 'none') {
        buckets.chargeAddress(request);
        await identifyIfPossible(instance, request);
      }
    },
  };
}

async function identifyIfPossible(instance: Instance, request: FastifyRequest): Promise<void> {
  const caller = callerOf(request);
  try {
    const { rawHeaders } = request.raw;
    caller.principal = sendsKey(rawHeaders)
      ? await authenticateKey(instance, rawHeaders)
      : await findSession(instance, request);
  } catch (error) {
    // A refused key counts as none here. If the database is away, the operation itself says so.
    if (!(error instanceof AppError)) instance.logger.warn({ err: error }, 'An API key could not be checked.');
  }
}

/** A session's bucket is larger than a key's by this factor: one page makes many requests (20.14). */
const SESSION_FACTOR = 5;

function createBuckets(instance: Instance, onUsed: (principal: Principal) => void) {
  const { rateRefillPerMinute: refill, rateBurst: burst } = instance.config;
  const limiter = (factor = 1): RateLimiter => new RateLimiter(instance.clock, factor * refill, factor * burst);
  const [byKey, bySession, refusals, byAddress] = [limiter(), limiter(SESSION_FACTOR), limiter(), limiter()];
  const deviceStarts = new RateLimiter(instance.clock, LIMITS.deviceStartsPerMinute, LIMITS.deviceStartBurst);
  const webhooks = new RateLimiter(instance.clock, LIMITS.webhooksPerMinute, LIMITS.webhookBurst);
  const addressOf = (request: FastifyRequest): string => countedAddress(callerOf(request).client.address);
  return {
    charge(principal: Principal, reply: FastifyReply): void {
      onUsed(principal);
      const verdict = (principal.kind === 'session' ? bySession : byKey).take(principal.id);
      reply.headers(rateHeaders(verdict));
      refuseLimited(verdict);
    },
    chargeRefusal: (request: FastifyRequest): void => refuseLimited(refusals.take(addressOf(request))),
    chargeAddress: (request: FastifyRequest): void => refuseLimited(byAddress.take(addressOf(request))),
    chargeWebhook: (request: FastifyRequest): void => refuseLimited(webhooks.take(addressOf(request))),
    chargeDeviceStart: (request: FastifyRequest): void => refuseLimited(deviceStarts.take(addressOf(request))),
  };
}

async function findSession(instance: Instance, { headers }: FastifyRequest): Promise<Principal | null> {
  return authenticateSession(instance, readCookies(headers.cookie)[instance.config.sessionCookie]);
}

/** @throws ORIGIN_MISMATCH */
async function refuseForeignPage({ config, settings }: Instance, request: FastifyRequest): Promise<void> {
  const hasSession = readCookies(request.headers.cookie)[config.sessionCookie] !== undefined;
  checkOrigin(request, { base: await settings.baseUrl(), own: callerOf(request).client.origin, hasSession });
}

/** Unlike with a session, reading counts too: it marks the link as used. @throws ORIGIN_MISMATCH */
async function refuseForeignCall({ settings }: Instance, request: FastifyRequest): Promise<void> {
  const own = callerOf(request).client.origin;
  checkOrigin(request, { base: await settings.baseUrl(), own, hasSession: false, coversReads: true });
}

async function identifyAgent(
  instance: Instance,
  buckets: ReturnType<typeof createBuckets>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await refuseForeignAgent(instance, request);
  try {
    const principal = await authenticateAgent(instance, request.raw.rawHeaders);
    callerOf(request).principal = principal;
    buckets.charge(principal, reply);
    checkScope(principal, 'read_only');
  } catch (error) {
    if (error instanceof AppError && error.status === 401) buckets.chargeRefusal(request);
    throw error;
  }
}

/** A web page may call as an agent only from our own origin or one in CORS_ORIGINS. @throws ORIGIN_MISMATCH */
async function refuseForeignAgent({ config, settings }: Instance, request: FastifyRequest): Promise<void> {
  const own = callerOf(request).client.origin;
  checkAgentOrigin(request, { base: await settings.baseUrl(), own, others: config.corsOrigins });
}

function rateHeaders({ limit, remaining, reset }: Verdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  };
}

function refuseLimited({ allowed, retryAfter }: Verdict): void {
  if (allowed) return;
  throw new AppError('RATE_LIMITED', `Too many requests. Try again in ${retryAfter} s.`, {
    headers: { 'retry-after': String(retryAfter) },
  });
}
