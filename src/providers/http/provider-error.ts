import { LIMITS } from '../../kernel/limits.ts';
import type { ProviderError } from '../provider-failure.ts';
import { readText } from '../read-values.ts';

const WORD = /^[A-Za-z0-9_.-]+$/;

/** A provider's code, type or request id: one short word. Anything else is data and never becomes a code of ours. */
export function readWord(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LIMITS.providerCodeChars || !WORD.test(value)) return null;
  return value.replace(TOKENS, '') === value ? value : null;
}

/** Tokens as providers write them, which they like to repeat in their messages. */
const TOKENS = /\b(access|public|link)-(sandbox|development|production)-[\w-]+|\b(test_)?token_\w+/g;

/** What nobody sees, or what changes how the rest is shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What the provider said, for the record of a sync. `secrets` is what was sent with the request. */
export function describeError(
  said: { code: unknown; type: unknown; message: unknown; requestId: unknown },
  httpStatus: number | null,
  secrets: readonly string[],
): ProviderError {
  const word = (value: unknown): string | null => (secrets.includes(String(value)) ? null : readWord(value));
  let message = readText(said.message, LIMITS.providerMessageChars * 2);
  for (const secret of secrets) if (secret !== '') message = message?.replaceAll(secret, '***') ?? null;
  return {
    code: word(said.code),
    type: word(said.type),
    message: readText(message?.replace(TOKENS, '***').replaceAll(UNSEEN, ' ').trim(), LIMITS.providerMessageChars),
    requestId: word(said.requestId),
    httpStatus,
  };
}
