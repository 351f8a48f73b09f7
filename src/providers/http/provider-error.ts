import { LIMITS } from '../../kernel/limits.ts';
import type { ProviderError } from '../provider-failure.ts';
import { readText } from '../read-values.ts';

const WORD = /^[A-Za-z0-9_.-]+$/;

/** A provider's code, type or request id: one short word. Anything else is data and never becomes a code of ours. */
export function readWord(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LIMITS.providerCodeChars && WORD.test(value) ? value : null;
}

/** Tokens as providers write them, which they like to repeat in their messages. */
const TOKENS = /\b(access|public|link)-(sandbox|development|production)-[\w-]+|\b(test_)?token_\w+/g;

/** What the provider said, for the record of a sync. `secrets` is what was sent with the request. */
export function describeError(
  said: { code: unknown; type: unknown; message: unknown; requestId: unknown },
  httpStatus: number | null,
  secrets: readonly string[],
): ProviderError {
  let message = readText(said.message, LIMITS.providerMessageChars * 2);
  for (const secret of secrets) if (secret !== '') message = message?.replaceAll(secret, '***') ?? null;
  return {
    code: readWord(said.code),
    type: readWord(said.type),
    message: readText(message?.replace(TOKENS, '***'), LIMITS.providerMessageChars),
    requestId: readWord(said.requestId),
    httpStatus,
  };
}
