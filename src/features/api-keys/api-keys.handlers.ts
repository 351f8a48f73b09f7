import type { z } from 'zod';

import type { WriteTx } from '../../journal/write.ts';
import { AppError, fieldFault } from '../../kernel/errors.ts';
import { isBelow, type KeyScope } from '../../kernel/scopes.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { resolveOwner } from '../users/index.ts';
import * as contract from './api-keys.contract.ts';
import { actorTypeOf, apiKeys, checkExpiry, getApiKeyRow, getGrantor, makeKey, toApiKey } from './api-keys.entity.ts';
import { givesFullAccess, isActive, selectApiKeys, type ApiKeyRow } from './api-keys.queries.ts';
import { keepFullAccess, revokeKey as revoke } from './revoke-keys.ts';

export const listApiKeys = handleRead(contract.listApiKeys, async ({ tx }) => (await selectApiKeys(tx)).map(toApiKey));

export const getApiKey = handleRead(contract.getApiKey, async ({ tx }, { params }) =>
  toApiKey(await getApiKeyRow(tx, params.id)),
);

export const createApiKey = handleWrite(
  contract.createApiKey,
  'api_key.create',
  async ({ instance, tx, principal }, { body }) => {
    const grantor = await getGrantor(tx, principal);
    const memberId = await resolveOwner(tx, body.user_id, grantor.memberId);
    return makeKey(instance, tx, { ...body, memberId });
  },
);

export const updateApiKey = handleWrite(contract.updateApiKey, 'api_key.update', async ({ tx }, { params, body }) => {
  const row = await getApiKeyRow(tx, params.id);
  if (!isActive(row, tx.now)) {
    throw new AppError('CONFLICT', 'A revoked or expired key cannot be changed. Create a new one.');
  }
  if (body.expires_at !== undefined && body.expires_at !== row.expires_at) checkExpiry(tx.now, body.expires_at);
  const memberId = body.user_id === undefined ? undefined : await resolveOwner(tx, body.user_id, null);
  const access = await loweredAccess(tx, row, body);
  const changed = await apiKeys.change(tx, row, { ...body, ...access, user_id: memberId });
  tx.journal.summarise(`Changed the API key ${changed.name}`);
  return toApiKey(await getApiKeyRow(tx, row.id));
});

type Access = Pick<ApiKeyRow, 'scope' | 'actor_type'>;

/** What a key may do after a change, which can only take away. @throws VALIDATION_ERROR, LAST_FULL_ACCESS_KEY */
async function loweredAccess(
  tx: WriteTx,
  row: ApiKeyRow,
  wanted: Pick<z.output<typeof contract.NewApiKey>, 'actor_type'> & { scope?: KeyScope | undefined },
): Promise<Access> {
  const scope = wanted.scope ?? (row.scope as KeyScope);
  if (scope !== row.scope && !isBelow(scope, row.scope as KeyScope)) {
    throw fieldFault('scope', `can only be lowered from ${row.scope}. For more access, create another key`);
  }
  if (wanted.actor_type !== undefined && wanted.actor_type !== row.actor_type && wanted.actor_type !== 'agent') {
    throw fieldFault('actor_type', 'can only become agent. For other access, create another key');
  }
  const given = wanted.actor_type === undefined ? {} : { actor_type: wanted.actor_type };
  const actorType = scope === 'propose' ? actorTypeOf({ scope, ...given }) : (wanted.actor_type ?? row.actor_type);
  const after = { ...row, scope, actor_type: actorType };
  if (!givesFullAccess(after, tx.now)) await keepFullAccess(tx, [row], 'Create another first.');
  return { scope, actor_type: actorType };
}

export const revokeApiKey = handleWrite(contract.revokeApiKey, 'api_key.revoke', async ({ tx }, { params, query }) => {
  await revoke(tx, params.id, { force: query.force });
  return null;
});
