import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AnyOperation } from '../../contract/operation.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import { AppError } from '../../kernel/errors.ts';
import { countedAddress } from '../../kernel/network.ts';
import { authenticate, isAllowed, missingKey } from './authenticate.ts';
import { clientOf, type Client } from './client-address.ts';
import { RateLimiter, type Verdict } from './rate-limit.ts';

/** Who sent a request, and from where. */
export interface Caller {
  readonly client: Client;
  /** null until a key has been accepted, and on routes that need none. */
  principal: Principal | null;
}

/** The steps between the head of a request and its body: authenticate, rate limit, scope (contract 0.3). */
export interface Admission {
  /** Lets a request through to its operation. @throws what refuses it */
  admit(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Authenticates and charges the key. A refusal costs the address a token, and becomes 429 when it has none left. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal>;
  /** Charges the address of a request that needs no key. @throws RATE_LIMITED */
  chargeAddress(request: FastifyRequest): void;
}

const callers = new WeakMap<FastifyRequest, Caller>();

export function noteCaller(request: FastifyRequest, { config }: Instance): void {
  const client = clientOf(request.socket.remoteAddress ?? '127.0.0.1', request.headers, config.trustedProxies);
  callers.set(request, { client, principal: null });
}

export function callerOf(request: FastifyRequest): Caller {
  return callers.get(request) as Caller;
}

/** `onKeyUsed` must neither delay nor fail the request. */
export function createAdmission(instance: Instance, onKeyUsed: (keyId: string) => void): Admission {
  const { rateRefillPerMinute, rateBurst } = instance.config;
  const limiter = (): RateLimiter => new RateLimiter(instance.clock, rateRefillPerMinute, rateBurst);
  const [byKey, refusals, byAddress] = [limiter(), limiter(), limiter()];

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const caller = callerOf(request);
    try {
      const principal = await authenticate(instance, request.raw.rawHeaders);
      if (!principal) throw missingKey(request.raw.rawHeaders);
      caller.principal = principal;
      onKeyUsed(principal.id);
      const verdict = byKey.take(principal.id);
      reply.headers(rateHeaders(verdict));
      refuseLimited(verdict);
      return principal;
    } catch (error) {
      if (error instanceof AppError && error.status === 401) {
        refuseLimited(refusals.take(countedAddress(caller.client.address)));
      }
      throw error;
    }
  }

  async function identifyIfPossible(request: FastifyRequest): Promise<void> {
    try {
      callerOf(request).principal = await authenticate(instance, request.raw.rawHeaders);
    } catch (error) {
      // A refused key counts as none here. If the database is away, the operation itself says so.
      if (!(error instanceof AppError)) instance.logger.warn({ err: error }, 'An API key could not be checked.');
    }
  }

  function chargeAddress(request: FastifyRequest): void {
    refuseLimited(byAddress.take(countedAddress(callerOf(request).client.address)));
  }

  return {
    identify,
    chargeAddress,
    async admit({ scope, openBucket }, request, reply) {
      if (scope === 'none') {
        if (openBucket === 'none') return;
        chargeAddress(request);
        await identifyIfPossible(request);
        return;
      }
      const principal = await identify(request, reply);
      if (isAllowed(principal.scope, scope)) return;
      throw new AppError(
        'FORBIDDEN',
        `This request needs an API key with the scope ${scope}; this one has ${principal.scope}.`,
      );
    },
  };
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
