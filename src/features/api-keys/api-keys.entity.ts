import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { IDS, recorded, referenceByShortId, secret } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError, fieldFault, notFound } from '../../kernel/errors.ts';
import { base62Of32Bytes } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance, Principal } from '../handler.ts';
import type { ApiKey, NewApiKey } from './api-keys.contract.ts';
import { findApiKey, findGrantor, type ApiKeyRow } from './api-keys.queries.ts';

const PREFIX_SHOWN = 11;

/** Changes of API keys cannot be reverted: a revoked key stays revoked. */
export const apiKeys = defineEntity('api_keys', {
  type: 'api_key',
  columns: {
    ...IDS,
    name: recorded,
    prefix: recorded,
    key_hash: secret,
    scope: recorded,
    user_id: referenceByShortId('users'),
    actor_type: recorded,
    actor_name: recorded,
    expires_at: recorded,
    revoked_at: recorded,
    created_at: recorded,
  },
});

type ApiKeyRecord = z.output<typeof ApiKey>;

export function toApiKey(row: ApiKeyRow): ApiKeyRecord {
  const { key_hash: _secret, scope, actor_type: actorType, user_id: _uuid, member_short_id: userId, ...fields } = row;
  return {
    ...fields,
    user_id: userId,
    scope: scope as ApiKeyRecord['scope'],
    actor_type: actorType as ApiKeyRecord['actor_type'],
  };
}

type Wanted = z.output<typeof NewApiKey>;
type ActorType = NonNullable<Wanted['actor_type']>;
/** A key to create; it belongs to the household unless `memberId`, a UUID, says whose it is. */
export type KeyToMake = Pick<Wanted, 'name' | 'scope'> &
  Partial<Pick<Wanted, 'actor_type' | 'actor_name' | 'expires_at'>> & { memberId?: string | null };

/**
 * Creates a key (contract 20.4). Its plaintext exists only in the result.
 * @throws VALIDATION_ERROR for an expiry in the past or too far ahead, or an actor that the scope does not allow
 */
export async function makeKey(
  instance: Instance,
  tx: WriteTx,
  wanted: KeyToMake,
): Promise<ApiKeyRecord & { key: string }> {
  const { expires_at: expiresAt = null, memberId = null } = wanted;
  checkExpiry(tx.now, expiresAt);
  const actorType = actorTypeOf(wanted);
  const key = `${instance.config.keyPrefix}_${base62Of32Bytes(instance.random.bytes(32))}`;
  const row = await apiKeys.create(tx, {
    name: wanted.name,
    prefix: key.slice(0, PREFIX_SHOWN),
    key_hash: sha256Hex(key),
    scope: wanted.scope,
    user_id: memberId,
    actor_type: actorType,
    actor_name: wanted.actor_name ?? null,
    expires_at: expiresAt,
  });
  tx.journal.summarise(`Created the API key ${row.name}`);
  return { ...toApiKey(await getApiKeyRow(tx, row.id)), key };
}

/** Only agents propose. @throws VALIDATION_ERROR */
export function actorTypeOf({ scope, actor_type: wanted }: Pick<KeyToMake, 'scope' | 'actor_type'>): ActorType {
  if (scope !== 'propose') return wanted ?? 'user';
  if (wanted === undefined || wanted === 'agent') return 'agent';
  throw fieldFault('actor_type', 'must be agent, because only the keys of agents have the scope propose');
}

/** @throws VALIDATION_ERROR */
export function checkExpiry(now: string, expiresAt: string | null): void {
  if (expiresAt === null) return;
  const latest = `${Number(now.slice(0, 4)) + LIMITS.apiKeyYearsAhead}${now.slice(4)}`;
  if (expiresAt <= now || expiresAt > latest) {
    throw fieldFault('expires_at', `must be in the future, at most ${LIMITS.apiKeyYearsAhead} years ahead`);
  }
}

/**
 * The caller, looked up once more: whoever has lost their access since the request arrived gives none to others.
 * @throws FORBIDDEN
 */
export async function getGrantor(tx: WriteTx, caller: Principal | null): Promise<{ memberId: string | null }> {
  const grantor = caller === null ? undefined : await findGrantor(tx, caller, tx.now);
  if (!grantor) throw new AppError('FORBIDDEN', 'Your access has just been withdrawn. Ask an admin of the household.');
  return grantor;
}

/** @throws NOT_FOUND */
export async function getApiKeyRow(tx: ReadTx, anyId: string): Promise<ApiKeyRow> {
  const row = await findApiKey(tx, anyId);
  if (!row) throw notFound('API key');
  return row;
}
