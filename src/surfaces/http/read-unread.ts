import type { AnyOperation } from '../../contract/operation.ts';
import type { Call, UnreadBody } from '../../features/run-operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { parseBody } from './parse-input.ts';
import { readBody } from './read-body.ts';

/** Files and large bodies are read and checked where heavy work is done: here they would hold up other requests. */
export function isReadElsewhere(operation: AnyOperation, body: UnreadBody): boolean {
  return operation.upload !== undefined || (body.bytes?.length ?? 0) > LIMITS.bodyReadInPlaceBytes;
}

/**
 * The call with its body read and checked.
 * @throws INVALID_BODY, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function readUnread(operation: AnyOperation, call: Call): Promise<Call> {
  if (call.unread === null) return call;
  const { contentType, bytes, query } = call.unread;
  const whole = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { fields, file } = await readBody(operation, contentType, whole, query);
  const body = parseBody(operation, fields);
  return { ...call, input: { ...call.input, body }, file, unread: null };
}
