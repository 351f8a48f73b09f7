import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { isIdempotencyKey, KEY_FORM } from '../../features/idempotent-answer.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

const SLICE_BYTES = 4 * 1_048_576;

export function readIdempotencyKey(values: readonly string[]): string | null {
  const [key] = values;
  if (key === undefined || key === '') return null;
  if (values.length > 1 || !isIdempotencyKey(key)) {
    const message = `Idempotency-Key ${KEY_FORM}.`;
    throw new AppError('INVALID_PARAMETER', message, { details: [{ path: 'Idempotency-Key', message }] });
  }
  return key;
}

/** Equal for equal requests: method, path with query, and body. A form's boundary differs each time, and is left out. */
export async function requestHash(
  method: string,
  url: string,
  contentType: string,
  body: Buffer | undefined,
): Promise<string> {
  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  const type = boundary === undefined ? contentType : 'multipart/form-data';
  return sha256Hex(`${method}\n${url}\n${type}\n${body ? await hashWithout(body, boundary) : ''}`);
}

async function hashWithout(body: Buffer, boundary: string | undefined): Promise<string> {
  const hash = createHash('sha256');
  const delimiter = `--${boundary}`;
  let start = 0;
  // In a form with more parts, which is refused, the rest is hashed as it was sent.
  for (let parts = 0; boundary !== undefined && parts < LIMITS.formParts; parts++) {
    const end = body.indexOf(delimiter, start, 'latin1');
    if (end < 0) break;
    await add(hash.update(`${end - start}\n`), body.subarray(start, end));
    start = end + delimiter.length;
  }
  await add(hash.update('\n'), body.subarray(start));
  return hash.digest('hex');
}

/** Other requests get their turn between two slices of a large file. */
async function add(hash: Hash, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + SLICE_BYTES));
  }
}
