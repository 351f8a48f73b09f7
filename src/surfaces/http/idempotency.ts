import { createHash } from 'node:crypto';

import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Of a form with more parts, the rest counts as it was sent. */
const PARTS_MAX = 1_000;

export function readIdempotencyKey(values: readonly string[]): string | null {
  const [key] = values;
  if (key === undefined || key === '') return null;
  if (values.length > 1 || key.length > LIMITS.idempotencyKeyChars || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key takes 1 to ${LIMITS.idempotencyKeyChars} printable ASCII characters.`;
    throw new AppError('INVALID_PARAMETER', message, { details: [{ path: 'Idempotency-Key', message }] });
  }
  return key;
}

/** Equal for equal requests: method, path with query, and body; a form's boundary is another each time it is sent. */
export function requestHash(method: string, url: string, contentType: string, body: Buffer | undefined): string {
  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  const type = boundary === undefined ? contentType : 'multipart/form-data';
  return sha256Hex(`${method}\n${url}\n${type}\n${body ? hashWithout(body, boundary) : ''}`);
}

function hashWithout(body: Buffer, boundary: string | undefined): string {
  const hash = createHash('sha256');
  const delimiter = `--${boundary}`;
  let start = 0;
  for (let parts = 0; boundary !== undefined && parts < PARTS_MAX; parts++) {
    const end = body.indexOf(delimiter, start, 'latin1');
    if (end < 0) break;
    hash.update(`${end - start}\n`).update(body.subarray(start, end));
    start = end + delimiter.length;
  }
  return hash.update('\n').update(body.subarray(start)).digest('hex');
}
