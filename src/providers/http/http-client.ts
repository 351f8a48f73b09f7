import { Agent, buildConnector } from 'undici';

import type { KeyPair } from '../../kernel/certificate.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Outside } from '../provider.ts';
import { readRetryAfter } from '../../kernel/dates.ts';
import { breakdownOf, failureOf, type Breakdown } from './transport-failure.ts';

export interface HttpCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Never holds a token. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal | undefined;
  /** It must not arrive twice: retried only if it certainly did not arrive, or was refused with 429. */
  isOnce?: boolean;
  /** Someone is waiting: one attempt, with its own time limit. */
  withinMs?: number;
}

export interface HttpAnswer {
  status: number;
  /** undefined if the body is empty or not JSON. */
  json: unknown;
  /** How long the provider asks not to be called. */
  retryAfterMs: number | null;
}

export interface HttpClient {
  /**
   * Returns whatever status came last. Once the signal is aborted, throws its reason.
   * @throws ProviderFailure if no answer came that can be read
   */
  call(call: HttpCall): Promise<HttpAnswer>;
  /** Ends kept connections, and the calls on them. */
  close(): Promise<void>;
}

export interface HttpOptions {
  /** Shown to the provider over TLS. */
  keyPair?: KeyPair | null;
  /** Trusted in addition to the usual authorities, for tests. */
  ca?: string;
  /** Other than the limits of the service, for tests. */
  requestMs?: number;
  bodyBytes?: number;
}

type Attempt = { answer: HttpAnswer } | { breakdown: Breakdown; isUnsent: boolean };

const FIRST_PAUSE_MS = 1_000;

/**
 * Calls a provider with the time limits and retries of contract 30.7.4. It follows no redirects, ignores proxies of the
 * environment, and keeps its connections until `close`.
 */
export function createHttpClient(outside: Outside, options: HttpOptions = {}): HttpClient {
  const requestMs = options.requestMs ?? LIMITS.providerRequestMs;
  const line = openLine(options, requestMs);

  async function call(wanted: HttpCall): Promise<HttpAnswer> {
    const attempts = wanted.withinMs === undefined ? LIMITS.providerAttempts : 1;
    for (let tried = 1; ; tried++) {
      const attempt = await tryOnce(line, wanted, wanted.withinMs ?? requestMs, outside);
      const isLast = tried >= attempts || line.agent.destroyed;
      const pauseMs = isLast ? null : pauseAfter(attempt, wanted, tried, outside);
      if (pauseMs === null) return settle(attempt);
      await outside.pause(pauseMs, wanted.signal);
    }
  }

  return { call, close: () => line.agent.destroy() };
}

interface Line {
  agent: Agent;
  /** Errors of sockets so far. What reaches the caller may be the closing that followed. */
  socketErrors: readonly unknown[];
}

const ERRORS_REMEMBERED = 10;

/**
 * In TLS 1.3 a certificate is refused only after the handshake, and the agent then reports that the other side closed:
 * so the sockets are listened to as well.
 */
function openLine({ keyPair, ca, bodyBytes = LIMITS.providerBodyBytes }: HttpOptions, requestMs: number): Line {
  const socketErrors: unknown[] = [];
  const connect = buildConnector({
    allowH2: false,
    timeout: LIMITS.providerConnectMs,
    rejectUnauthorized: true,
    ...(keyPair && { cert: keyPair.certificate, key: keyPair.privateKey }),
    ...(ca !== undefined && { ca }),
  });
  const agent = new Agent({
    allowH2: false,
    headersTimeout: requestMs,
    bodyTimeout: requestMs,
    maxResponseSize: bodyBytes,
    connect: (wanted, done) =>
      connect(wanted, (...result) => {
        result[1]?.prependListener('error', (error) => {
          socketErrors.push(error);
          if (socketErrors.length > ERRORS_REMEMBERED) socketErrors.shift();
        });
        done(...result);
      }),
  });
  return { agent, socketErrors };
}

async function tryOnce(
  { agent, socketErrors }: Line,
  { method, url, headers, body, signal }: HttpCall,
  withinMs: number,
  outside: Outside,
): Promise<Attempt> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(withinMs);
  const before = new Set(socketErrors);
  try {
    const { origin, pathname, search } = new URL(url);
    const response = await agent.request({
      method,
      origin,
      path: pathname + search,
      headers: { ...headers, 'user-agent': outside.userAgent },
      body: body ?? null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const json = parse(await response.body.text());
    const status = response.statusCode;
    if (json === undefined && isSuccess(status) && status !== 204) return { breakdown: 'unreadable', isUnsent: false };
    return { answer: { status, json, retryAfterMs: readRetryAfter(response.headers['retry-after'], outside.now()) } };
  } catch (error) {
    signal?.throwIfAborted();
    return breakdownOf(
      error,
      socketErrors.filter((one) => !before.has(one)),
    );
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** How long to wait before the next attempt; null if it should not be retried. */
function pauseAfter(attempt: Attempt, { isOnce = false }: HttpCall, tried: number, outside: Outside): number | null {
  if (!(isOnce ? isRepeatable(attempt) : isWorthRepeating(attempt))) return null;
  const asked = 'answer' in attempt ? (attempt.answer.retryAfterMs ?? 0) : 0;
  if (asked > LIMITS.providerWaitMs) return null;
  return Math.max(asked, FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + outside.random()));
}

function isWorthRepeating(attempt: Attempt): boolean {
  if ('breakdown' in attempt) return attempt.breakdown !== 'certificate' && attempt.breakdown !== 'too_large';
  const { status } = attempt.answer;
  return status === 408 || status === 429 || status >= 500;
}

function isRepeatable(attempt: Attempt): boolean {
  return 'answer' in attempt ? attempt.answer.status === 429 : attempt.isUnsent && isWorthRepeating(attempt);
}

/** @throws ProviderFailure */
function settle(attempt: Attempt): HttpAnswer {
  if ('answer' in attempt) return attempt.answer;
  throw failureOf(attempt.breakdown, attempt.isUnsent);
}
