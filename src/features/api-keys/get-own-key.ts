import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead, type Principal, type Session } from '../handler.ts';
import { getOwnKey as operation, type OwnKey } from './api-keys.contract.ts';
import { getApiKeyRow, toApiKey } from './api-keys.entity.ts';
import { findSignedIn } from './api-keys.queries.ts';

type OwnKeyRecord = z.output<typeof OwnKey>;

export const getOwnKey = handleRead(operation, async ({ tx, principal }) => {
  if (principal === null) throw notFound('calling key');
  if (principal.session !== null) return sessionAsKey(tx, principal, principal.session);
  const row = await getApiKeyRow(tx, principal.id);
  return { ...toApiKey(row), key_prefix: row.prefix, effective_scope: principal.scope as OwnKeyRecord['scope'] };
});

/** What a session may do, in the form of a key (contract 20.4). */
async function sessionAsKey(tx: ReadTx, { scope, actor }: Principal, session: Session): Promise<OwnKeyRecord> {
  const login = await findSignedIn(tx, session.id);
  if (!login) throw notFound('session');
  return {
    id: login.id,
    short_id: login.short_id,
    name: login.identifier,
    prefix: null,
    key_prefix: null,
    scope: scope as OwnKeyRecord['scope'],
    effective_scope: scope as OwnKeyRecord['scope'],
    user_id: actor.userId,
    actor_type: 'user',
    actor_name: actor.name,
    last_used_at: null,
    expires_at: login.expires_at,
    revoked_at: null,
    created_at: login.created_at,
  };
}
