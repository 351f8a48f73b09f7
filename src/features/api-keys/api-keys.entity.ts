import type { z } from 'zod';

import type { WriteTx } from '../../journal/write.ts';
import { IDS, recorded, referenceByShortId, secret } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError, notFound, validationError } from '../../kernel/errors.ts';
import { base62Of32Bytes } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import type { ApiKey, NewApiKey } from './api-keys.contract.ts';
import { findApiKey, someoneElseHasFullAccess, type ApiKeyRow } from './api-keys.queries.ts';

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

/**
 * Creates a key (contract 20.4). Its plaintext exists only in the result.
 * @throws VALIDATION_ERROR for an expiry in the past or too far ahead
 */
export async function makeKey(
  instance: Instance,
  tx: WriteTx,
  wanted: z.output<typeof NewApiKey>,
): Promise<ApiKeyRecord & { key: string }> {
  checkExpiry(tx.now, wanted.expires_at);
  const key = `${instance.config.keyPrefix}_${base62Of32Bytes(instance.random.bytes(32))}`;
  const row = await apiKeys.create(tx, {
    name: wanted.name,
    prefix: key.slice(0, PREFIX_SHOWN),
    key_hash: sha256Hex(key),
    scope: wanted.scope,
    actor_type: wanted.actor_type,
    actor_name: wanted.actor_name,
    expires_at: wanted.expires_at,
  });
  tx.journal.summarise(`Created the API key ${row.name}`);
  return { ...toApiKey({ ...row, last_used_at: null, member_short_id: null }), key };
}

/** @throws VALIDATION_ERROR */
export function checkExpiry(now: string, expiresAt: string | null): void {
  if (expiresAt === null) return;
  const latest = `${Number(now.slice(0, 4)) + LIMITS.apiKeyYearsAhead}${now.slice(4)}`;
  if (expiresAt <= now || expiresAt > latest) {
    throw validationError('expires_at', `must be in the future, at most ${LIMITS.apiKeyYearsAhead} years ahead`);
  }
}

/**
 * Revokes a key.
 * @throws NOT_FOUND, also if the key is already revoked; LAST_FULL_ACCESS_KEY unless forced
 */
export async function revokeKey(tx: WriteTx, id: string, force: boolean): Promise<void> {
  const row = await findApiKey(tx, id);
  if (!row || row.revoked_at !== null) throw notFound('The API key was');
  const isActiveFull = row.scope === 'full_access' && (row.expires_at === null || row.expires_at > tx.now);
  if (isActiveFull && !force && !(await someoneElseHasFullAccess(tx, row.id, tx.now))) {
    throw new AppError(
      'LAST_FULL_ACCESS_KEY',
      'This is the last key with full access. Create another first, or send force=true.',
    );
  }
  await apiKeys.change(tx, row, { revoked_at: tx.now });
  tx.journal.summarise(`Revoked the API key ${row.name}`);
}
