import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AnyOperation } from '../../contract/operation.ts';
import type { KeptAnswer } from '../../features/idempotent-answer.ts';
import { namesTag, recordTag } from '../../features/record-tag.ts';
import type { Outcome } from '../../features/run-operation.ts';
import { errorBody, type AppError } from '../../kernel/errors.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export function sendOutcome(
  operation: AnyOperation,
  outcome: Outcome,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  for (const [name, value] of Object.entries(outcome.headers)) reply.header(name, value);
  reply.code(outcome.status);
  if (operation.noStore === true) reply.header('cache-control', 'no-store');
  if (outcome.body === null) return reply.send();
  reply.type(outcome.contentType);
  if (typeof outcome.body !== 'string') {
    if (request.method !== 'HEAD') return reply.send(Readable.from(outcome.body, { objectMode: false }));
    void outcome.body[Symbol.asyncIterator]().return?.();
    return reply.send();
  }
  if (operation.etag === true) {
    return sendCached(outcome.body, outcome.contentType, request, reply, operation);
  }
  return reply.send(outcome.body);
}

/** The answer that an earlier request got under the same Idempotency-Key. */
export function sendKept(operation: AnyOperation, kept: KeptAnswer, reply: FastifyReply): FastifyReply {
  reply.header('idempotency-replayed', 'true').headers(kept.headers).code(kept.status);
  if (operation.noStore === true) reply.header('cache-control', 'no-store');
  return kept.body === null ? reply.send() : reply.type(JSON_TYPE).send(kept.body);
}

/** Answers 304 when the client already has this. */
export function sendCached(
  body: string | Buffer,
  type: string,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Pick<AnyOperation, 'beside'> = {},
): FastifyReply {
  const etag = recordTag(operation, body);
  reply.header('etag', etag);
  const isKnown = namesTag(request.headers['if-none-match'] ?? '', etag);
  return isKnown ? reply.code(304).send() : reply.type(type).send(body);
}

export function sendError(reply: FastifyReply, error: AppError, requestId: string): void {
  reply.headers(error.extra.headers ?? {});
  void reply
    .code(error.status)
    .type(JSON_TYPE)
    .send(JSON.stringify(errorBody(error, requestId)));
}
