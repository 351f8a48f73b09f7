import type { FastifyRequest } from 'fastify';

import { AppError } from '../../kernel/errors.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const SHOWN_CHARS = 200;

/** What the origin rule compares with. */
interface OwnOrigins {
  /** The base URL, where there is one. */
  base: string | null;
  /** Scheme and authority of this request. */
  own: string;
  hasSession: boolean;
  /** Whether a request that only reads must come from a page of our own, too. */
  coversReads?: boolean;
}

/**
 * The origin rule of contract 20.1: a write with a session cookie must come from a page of our own. The first of
 * Sec-Fetch-Site, Origin and Referer that is present decides.
 * @throws ORIGIN_MISMATCH
 */
export function checkOrigin({ method, headers }: FastifyRequest, origins: OwnOrigins): void {
  const { base, own, hasSession, coversReads = false } = origins;
  if (SAFE_METHODS.has(method) && !coversReads) return;
  const site = headers['sec-fetch-site'];
  const named = headers.origin ?? headers.referer;
  const expected = base ?? own;
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw mismatch(headers.origin ?? 'another page', expected);
  }
  if (named === undefined) {
    if (!hasSession) return;
    throw mismatch('no origin', expected);
  }
  const sent = URL.canParse(named) ? new URL(named).origin : named;
  if (sent !== 'null' && [base, own].some((one) => one !== null && originOf(one) === sent)) return;
  throw mismatch(sent, expected);
}

/**
 * For agents, which are rarely pages: only a request that names its origin is checked (contract 70.1).
 * @throws ORIGIN_MISMATCH
 */
export function checkAgentOrigin(
  { headers: { origin } }: FastifyRequest,
  { base, own, others }: { base: string | null; own: string; others: readonly string[] },
): void {
  if (origin === undefined) return;
  const sent = originOf(origin);
  if (sent !== 'null' && [base, own, ...others].some((one) => one !== null && originOf(one) === sent)) return;
  throw mismatch(origin, base ?? own);
}

/** In canonical form: without the default port, in lower case. */
function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

function mismatch(sent: string, expected: string): AppError {
  return new AppError(
    'ORIGIN_MISMATCH',
    `The request came from ${sent.slice(0, SHOWN_CHARS)}, but this service is at ${expected}. If that is not the ` +
      'address in your browser, make your proxy pass on the Host header, or set HOMELEDGER_BASE_URL.',
  );
}
