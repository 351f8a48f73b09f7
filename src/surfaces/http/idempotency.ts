import { createHash } from 'node:crypto';

import { bookkeep } from '../../journal/write.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** A first answer that is kept, or the permission to make it. */
export type Claim =
  | { kind: 'first' }
  | { kind: 'replay'; status: number; headers: Record<string, string>; body: string | null };

/** A claim that no answer followed (the process died) is given up after this time. */
const CLAIM_MS = 10 * 60_000;
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

/** @throws IDEMPOTENCY_CONFLICT for another request under the same key, CONFLICT while the first still runs. */
export async function claim(instance: Instance, principal: Principal, key: string, hash: string): Promise<Claim> {
  return bookkeep(instance.database, async (tx) => {
    await tx.q.deleteFrom('idempotent_answers').where('expires_at', '<=', tx.now).execute();
    const known = await tx.q
      .selectFrom('idempotent_answers')
      .selectAll()
      .where('principal_id', '=', principal.id)
      .where('key', '=', key)
      .executeTakeFirst();
    if (!known) {
      await tx.q
        .insertInto('idempotent_answers')
        .values({
          principal_id: principal.id,
          key,
          request_hash: hash,
          state: 'running',
          status: null,
          headers: null,
          body: null,
          created_at: tx.now,
          expires_at: instantAfter(tx.now, CLAIM_MS),
        })
        .execute();
      return { kind: 'first' };
    }
    if (known.request_hash !== hash) {
      throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request. Use a new one.');
    }
    if (known.state === 'running' || known.status === null) {
      throw new AppError('CONFLICT', 'The first request with this Idempotency-Key is still running.');
    }
    const headers = JSON.parse(known.headers ?? '{}') as Record<string, string>;
    return { kind: 'replay', status: known.status, headers, body: known.body };
  });
}

/** Keeps what no write stored with itself as the first answer; after a failure of ours (null) the key is free again. */
export async function settle(
  instance: Instance,
  principal: Principal,
  key: string,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string | null } | null,
): Promise<void> {
  await bookkeep(instance.database, async (tx) => {
    const own = { principal_id: principal.id, key };
    if (answer === null) {
      await tx.q
        .deleteFrom('idempotent_answers')
        .where('principal_id', '=', own.principal_id)
        .where('key', '=', own.key)
        .execute();
      return;
    }
    await tx.q
      .updateTable('idempotent_answers')
      .set({
        state: 'done',
        status: answer.status,
        headers: JSON.stringify(answer.headers),
        body: answer.body,
        expires_at: instantAfter(tx.now, LIMITS.idempotencyHours * 3_600_000),
      })
      .where('principal_id', '=', own.principal_id)
      .where('key', '=', own.key)
      .where('state', '=', 'running')
      .execute();
  });
}
