import { sql } from 'kysely';

import type { AnyOperation } from '../contract/operation.ts';
import type { BareWriteTx } from '../db/unit-of-work.ts';
import { HOUR_MS, instantAfter } from '../kernel/dates.ts';
import { AppError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { AnswerHeaders } from './handler.ts';
import type { OldRows } from './old-rows.ts';

/** The right of one request to answer first under an Idempotency-Key. Plain data, so that threads can share it. */
export interface Claim {
  /** Differs for each attempt; whoever takes a claim over gives it a new one. */
  id: string;
  principalId: string;
  key: string;
}

/** What an idempotency key must be, to be said after its name. */
export const KEY_FORM = `must be 1 to ${LIMITS.idempotencyKeyChars} printable ASCII characters`;

export function isIdempotencyKey(text: string): boolean {
  return text.length <= LIMITS.idempotencyKeyChars && /^[\x20-\x7e]+$/.test(text);
}

export interface KeptAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/**
 * Stores an answer in the transaction of its write, so that no committed write lacks its answer. The first one stays.
 * @throws CONFLICT, which rolls the write back, when another request has taken the claim over
 */
export async function keepAnswer(tx: BareWriteTx, claim: Claim, answer: KeptAnswer): Promise<void> {
  if (await storeAnswer(tx, claim, answer)) return;
  const kept = await tx.q
    .selectFrom('idempotent_answers')
    .select('claim_id')
    .where('principal_id', '=', claim.principalId)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  if (kept?.claim_id === claim.id) return;
  const message =
    'Another request with this Idempotency-Key has replaced this one. Send this one again to get the response.';
  throw new AppError('CONFLICT', message);
}

/** Returns false if the key already has an answer or has been claimed again since. */
export async function storeAnswer(tx: BareWriteTx, claim: Claim, answer: KeptAnswer): Promise<boolean> {
  const { numUpdatedRows } = await tx.q
    .updateTable('idempotent_answers')
    .set({
      state: 'done',
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: answer.body,
      expires_at: instantAfter(tx.now, LIMITS.idempotencyHours * HOUR_MS),
    })
    .where('principal_id', '=', claim.principalId)
    .where('key', '=', claim.key)
    .where('claim_id', '=', claim.id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Completes the body of an answer that was stored in its write, with what was learned after the commit. */
export async function completeAnswer(tx: BareWriteTx, claim: Claim, body: string): Promise<void> {
  await tx.q
    .updateTable('idempotent_answers')
    .set({ body })
    .where('principal_id', '=', claim.principalId)
    .where('key', '=', claim.key)
    .where('claim_id', '=', claim.id)
    .where('state', '=', 'done')
    .execute();
}

/** All, or the one under a key. */
export function expiredAnswers(now: string, { principalId, key }: Partial<Claim> = {}): OldRows {
  const isNamed = key === undefined ? sql`` : sql`and principal_id = ${principalId} and key = ${key}`;
  return { table: 'idempotent_answers', key: ['principal_id', 'key'], isOld: sql`expires_at <= ${now} ${isNamed}` };
}

/** Cookies are never stored: they belong to one browser. */
export function plainHeaders(headers: AnswerHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The body of an answer as it is stored: fields that are shown only once are null (20.1), a stream is left out. */
export function keptBody({ secretFields = [] }: AnyOperation, body: unknown): string | null {
  if (typeof body !== 'string') return null;
  if (secretFields.length === 0) return body;
  const record = JSON.parse(body) as Record<string, unknown>;
  for (const field of secretFields) if (field in record) record[field] = null;
  return JSON.stringify(record);
}
