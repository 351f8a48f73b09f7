import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** `X-Request-Id` as sent, or a new id if it is missing or unusable. */
export function requestId(given: string | string[] | undefined, ids: Ids): string {
  const text = Array.isArray(given) ? given[0] : given;
  const isUsable = text !== undefined && text.length <= LIMITS.requestIdChars && /^[\w.:-]+$/.test(text);
  return isUsable ? text : ids.uuid();
}

/** `X-Change-Reason`: percent-encoded UTF-8, at most 500 characters (10.1.7). */
export function readReason(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value.join(',') : value;
  if (text === undefined || text === '') return null;
  const reason = decoded(text);
  if (reason === undefined || reason.includes('\0') || [...reason].length > LIMITS.reasonChars) {
    const message = `X-Change-Reason must be percent-encoded UTF-8 of at most ${LIMITS.reasonChars} characters.`;
    throw new AppError('INVALID_PARAMETER', message, { details: [{ path: 'X-Change-Reason', message }] });
  }
  return reason.trim() === '' ? null : reason;
}

/** Raw bytes above ASCII are refused too: HTTP delivers them as Latin-1, which would garble the text. */
function decoded(text: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
