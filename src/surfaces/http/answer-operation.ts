import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AnyOperation } from '../../contract/operation.ts';
import { recordOf } from '../../contract/record-of.ts';
import { claimsOf } from '../../features/claims.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import { keptBody, plainHeaders, type Claim } from '../../features/idempotent-answer.ts';
import type { Call, Dispatch, Outcome, Precondition } from '../../features/run-operation.ts';
import type { Surface } from '../../journal/write.ts';
import { AppError, errorBody } from '../../kernel/errors.ts';
import { callerOf } from './admission.ts';
import { clientInfo } from './cookies.ts';
import { headerValues } from './authenticate.ts';
import { toAppError } from './error-answer.ts';
import { readIdempotencyKey, requestHash } from './idempotency.ts';
import { parseParams, parseQuery, readQuery, type RawQuery } from '../../features/parse-input.ts';
import { isReadElsewhere, readUnread } from './body/read-body.ts';
import { readReason } from './request-headers.ts';
import { sendKept, sendOutcome } from './send-answer.ts';

/** The steps of an admitted request whose body has arrived: idempotency, parse, dispatch, answer (contract 0.3). */
export type AnswerOperation = (
  operation: AnyOperation,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

export function createAnswerOperation(instance: Instance, dispatch: Dispatch): AnswerOperation {
  const claims = claimsOf(instance);

  async function parseAndDispatch(operation: AnyOperation, reply: FastifyReply, claim: Claim | null): Promise<Outcome> {
    const call = await parseCall(instance, operation, reply.request, claim);
    const isLongRead = operation.effect === 'read' && operation.weight !== 'light';
    return dispatch(operation, isLongRead ? { ...call, abandoned: abandonmentOf(reply.raw) } : call);
  }

  /** The first answer under an Idempotency-Key is stored for repeats; a failure of ours is not. */
  async function dispatchUnder(claim: Claim, operation: AnyOperation, reply: FastifyReply): Promise<Outcome> {
    try {
      const outcome = await parseAndDispatch(operation, reply, claim);
      if (operation.effect === 'write') claims.forget(claim);
      else
        await claims.settle(claim, {
          ...outcome,
          headers: plainHeaders(outcome.headers),
          body: keptBody(operation, outcome.body),
        });
      return outcome;
    } catch (error) {
      const known = toAppError(error);
      const { status, extra } = known;
      const body = JSON.stringify(errorBody(known, reply.request.id));
      if (status < 500) await claims.settle(claim, { status, headers: extra.headers ?? {}, body });
      // Whether the write was committed nevertheless may only be known when the database is back.
      else void claims.settle(claim, null);
      throw error;
    }
  }

  return async (operation, request, reply) => {
    const { principal } = callerOf(request);
    const { method, raw, headers } = request;
    // On routes without a key and under /auth/*, the header is ignored (20.1).
    const takesKey = operation.method !== 'GET' && operation.scope !== 'none';
    const key = takesKey && principal ? readIdempotencyKey(headerValues(raw.rawHeaders, 'idempotency-key')) : null;
    if (key === null || !principal) {
      return sendOutcome(operation, await parseAndDispatch(operation, reply, null), request, reply);
    }
    const hash = await requestHash(method, raw.url ?? '', headers['content-type'] ?? '', bodyOf(request));
    const claimed = await claims.take(principal.id, key, hash);
    if (claimed.kind === 'replay') return sendKept(operation, claimed.answer, reply);
    return sendOutcome(operation, await dispatchUnder(claimed.claim, operation, reply), request, reply);
  };
}

/**
 * A number that becomes 1 when the client goes away before it has its answer. Threads share it, so that a long read sees
 * it without a turn of its event loop.
 */
export function abandonmentOf(response: ServerResponse): Int32Array<SharedArrayBuffer> {
  const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  response.once('close', () => {
    if (!response.writableFinished) Atomics.store(abandoned, 0, 1);
  });
  return abandoned;
}

/** @throws NOT_FOUND, INVALID_PARAMETER, and what `readUnread` throws */
async function parseCall(
  instance: Instance,
  operation: AnyOperation,
  request: FastifyRequest,
  claim: Claim | null,
): Promise<Call> {
  const { principal, client } = callerOf(request);
  // Probes touch nothing, and need no address (20.2).
  const known = operation.openBucket === 'none' ? null : await instance.settings.baseUrl();
  const baseUrl = known ?? client.origin;
  const contentType = request.headers['content-type'];
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  const rawQuery: RawQuery = mark < 0 ? {} : readQuery(url.slice(mark + 1));
  const params = parseParams(operation, request.params as Record<string, string>);
  const isRawUpload = operation.upload?.rawTypes.some((type) => contentType?.startsWith(type)) === true;
  const query = parseQuery(operation, isRawUpload ? {} : rawQuery);
  const reason = readReason(request.headers['x-change-reason']);
  const unread = operation.method === 'GET' ? null : { contentType, bytes: bodyOf(request), query: rawQuery };
  const call: Call = {
    input: { params, query, body: {} },
    principal,
    request: {
      id: request.id,
      surface: surfaceOf(operation, principal),
      reason,
      baseUrl,
      client: clientInfo(request, client, baseUrl),
      prefer: [request.headers['prefer']].flat().join(',') || null,
    },
    file: null,
    unread,
    claim,
    precondition: preconditionOf(operation, request),
  };
  return unread && !isReadElsewhere(operation, unread) ? readUnread(operation, call) : call;
}

/** @throws INVALID_PARAMETER where the header would promise something that nothing keeps */
function preconditionOf(operation: AnyOperation, { headers }: FastifyRequest): Precondition | undefined {
  const sent = headers['if-match'];
  if (sent === undefined || operation.method === 'GET') return undefined;
  const record = recordOf(operation);
  if (record) return { ifMatch: sent, record: { name: record.name, group: record.group } };
  const message = 'If-Match is for PATCH, PUT and DELETE of one record. Leave it out here.';
  throw new AppError('INVALID_PARAMETER', message, { details: [{ path: 'If-Match', message }] });
}

function surfaceOf({ session, linkToken }: AnyOperation, principal: Principal | null): Surface {
  if (linkToken === true) return 'hosted_link';
  return principal?.kind === 'session' || session !== undefined ? 'dashboard' : 'rest';
}

function bodyOf(request: FastifyRequest): Buffer | undefined {
  return request.body as Buffer | undefined;
}
