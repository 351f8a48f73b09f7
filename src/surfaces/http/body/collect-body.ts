import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

import { freeBytes } from '../../../kernel/free-bytes.ts';
import { bodyLimitOf } from '../routes.ts';

const FIRST_BYTES = 16_384;

/**
 * The body of a request, copied into one buffer as it arrives: a list of pieces would take far more memory if each is a
 * byte, and joining them at the end would delay other requests. The buffer is not pooled, so that it can be transferred.
 */
export function collectBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const most = bodyLimitOf(request);
  const stated = Number(request.headers['content-length'] ?? NaN);
  return new Promise((resolve, reject) => {
    if (stated > most) {
      reject(tooLarge());
      return;
    }
    let bytes: Buffer = Buffer.allocUnsafeSlow(Number.isNaN(stated) ? FIRST_BYTES : stated);
    let length = 0;
    const onData = (piece: Buffer): void => {
      const { receivedEncodedLength = 0 } = payload as { receivedEncodedLength?: number };
      if (length + piece.length > most || receivedEncodedLength > most) {
        stop();
        reject(tooLarge());
        return;
      }
      if (length + piece.length > bytes.length) bytes = larger(bytes, length, length + piece.length, most);
      piece.copy(bytes, length);
      length += piece.length;
      // What comes in one piece may be the caller's.
      if (length > piece.length) freeBytes(piece);
    };
    const onEnd = (): void => {
      stop();
      const received = (payload as { receivedEncodedLength?: number }).receivedEncodedLength ?? length;
      if (!Number.isNaN(stated) && received !== stated) {
        reject(Object.assign(new Error('The length differs.'), { code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' }));
      } else resolve(bytes.subarray(0, length));
    };
    const onError = (error: Error): void => {
      stop();
      reject(Object.assign(error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 }));
    };
    // The rest is read and dropped.
    function stop(): void {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      payload.on('error', () => undefined);
    }
    payload.on('data', onData).on('end', onEnd).on('error', onError);
    payload.resume();
  });
}

function larger(bytes: Buffer, used: number, needed: number, most: number): Buffer {
  const next = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, 2 * bytes.length)));
  bytes.copy(next, 0, 0, used);
  return next;
}

function tooLarge(): Error {
  return Object.assign(new Error('The body is too large.'), { statusCode: 413 });
}
