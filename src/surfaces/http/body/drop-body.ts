import type { IncomingMessage } from 'node:http';

import { LIMITS } from '../../../kernel/limits.ts';

/**
 * Reads a little of the body of a request that is refused before its body matters, so that its sender sees the answer and
 * the connection can be used again. Of a long one the rest is not read: the connection ends.
 */
export function dropBody(request: IncomingMessage): void {
  if (request.readableFlowing !== null || request.complete) return;
  let left: number = LIMITS.refusedBodyBytes;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
}
