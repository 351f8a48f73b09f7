import type { z } from 'zod';

import type { ApiKey } from './api-keys.contract.ts';
import type { ApiKeyRow } from './api-keys.queries.ts';

export type ApiKeyRecord = z.output<typeof ApiKey>;

export function toApiKey(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope as ApiKeyRecord['scope'],
    actor_type: row.actor_type as ApiKeyRecord['actor_type'],
    actor_name: row.actor_name,
    last_used_at: row.last_used_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    created_at: row.created_at,
  };
}
