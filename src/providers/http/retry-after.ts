import { LIMITS } from '../../kernel/limits.ts';
import { ProviderFailure, type ProviderError } from '../provider-failure.ts';
import type { HttpAnswer } from './http-client.ts';

/** No pause is longer, so that its end is an instant that can be stored. */
const LONGEST_MS = 1e12;

/** What `Retry-After` asks for, a number of seconds or a date, in milliseconds; null if it asks for nothing. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, LONGEST_MS);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), LONGEST_MS);
}

/** The failure of an answer that asks for a pause: 429, or a pause too long to wait for; undefined for any other. */
export function rateLimitOf(
  { status, retryAfterMs }: HttpAnswer,
  now: number,
  providerError: ProviderError,
): ProviderFailure | undefined {
  const isLong = retryAfterMs !== null && retryAfterMs > LIMITS.providerWaitMs;
  if (status !== 429 && !(isLong && status >= 400)) return undefined;
  const notBefore = retryAfterMs === null ? null : now + retryAfterMs;
  return new ProviderFailure({ failureClass: 'rate_limited', code: 'RATE_LIMITED', notBefore, providerError });
}
