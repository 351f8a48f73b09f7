import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers 304 when the client already has these bytes. */
export function cached(body: string, type: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  reply.header('etag', etag);
  const known = [request.headers['if-none-match']].flat().join(',');
  const matches = known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
  return matches ? reply.code(304).send() : reply.type(type).send(body);
}
