import { LIMITS } from '../../kernel/limits.ts';
import { ProviderFailure, type ProviderError } from '../provider-failure.ts';
import type { HttpAnswer } from './http-client.ts';

/**
 * The failure of an answer that asks for a pause: 429, or a pause too long to wait for; undefined for any other. Of what is
 * not retried, such as a refused login, a pause says nothing.
 */
export function rateLimitOf(
  { status, retryAfterMs }: HttpAnswer,
  now: number,
  providerError: ProviderError,
): ProviderFailure | undefined {
  const isLong = retryAfterMs !== null && retryAfterMs > LIMITS.providerWaitMs;
  const isRetried = status === 408 || status >= 500;
  if (status !== 429 && !(isLong && isRetried)) return undefined;
  return new ProviderFailure({
    failureClass: 'rate_limited',
    code: 'RATE_LIMITED',
    notBefore: retryAfterMs === null ? null : now + retryAfterMs,
    providerError,
  });
}
