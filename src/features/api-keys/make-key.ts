import type { z } from 'zod';

import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { validationError } from '../../kernel/errors.ts';
import { base62Of32Bytes } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import type { NewApiKey } from './api-keys.contract.ts';
import { insertApiKey } from './api-keys.queries.ts';
import { toApiKey, type ApiKeyRecord } from './api-keys.table.ts';

const PREFIX_SHOWN = 11;

/**
 * Makes a key (contract 20.4) and journals it. The plaintext exists only in the result.
 * @throws VALIDATION_ERROR for an expiry that is past or too far ahead.
 */
export async function makeKey(
  instance: Instance,
  tx: WriteTx,
  wanted: z.output<typeof NewApiKey>,
): Promise<ApiKeyRecord & { key: string }> {
  checkExpiry(tx.now, wanted.expires_at);
  const key = `${instance.config.keyPrefix}_${base62Of32Bytes(instance.random.bytes(32))}`;
  const row = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'api_keys'),
    name: wanted.name,
    prefix: key.slice(0, PREFIX_SHOWN),
    key_hash: sha256Hex(key),
    scope: wanted.scope,
    actor_type: wanted.actor_type,
    actor_name: wanted.actor_name,
    expires_at: wanted.expires_at,
    revoked_at: null,
    created_at: tx.now,
  };
  await insertApiKey(tx, row);
  const record = toApiKey({ ...row, last_used_at: null });
  const { last_used_at: _unrecorded, ...after } = record;
  tx.journal.record({
    entityType: 'api_key',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after,
    revertible: false,
  });
  tx.journal.summarise(`Created the API key ${row.name}`);
  return { ...record, key };
}

/** @throws VALIDATION_ERROR */
export function checkExpiry(now: string, expiresAt: string | null): void {
  if (expiresAt === null) return;
  const latest = `${Number(now.slice(0, 4)) + LIMITS.apiKeyYearsAhead}${now.slice(4)}`;
  if (expiresAt <= now || expiresAt > latest) {
    throw validationError('expires_at', `must be in the future, at most ${LIMITS.apiKeyYearsAhead} years ahead`);
  }
}
