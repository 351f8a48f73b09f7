import { AppError } from '../../kernel/errors.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { resolveOwner } from '../users/index.ts';
import * as contract from './api-keys.contract.ts';
import { apiKeys, checkExpiry, getApiKeyRow, getGrantor, makeKey, toApiKey } from './api-keys.entity.ts';
import { isActive, selectApiKeys } from './api-keys.queries.ts';
import { revokeKey as revoke } from './revoke-keys.ts';

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
  const changed = await apiKeys.change(tx, row, { ...body, user_id: memberId });
  tx.journal.summarise(`Changed the API key ${changed.name}`);
  return toApiKey(await getApiKeyRow(tx, row.id));
});

export const revokeApiKey = handleWrite(contract.revokeApiKey, 'api_key.revoke', async ({ tx }, { params, query }) => {
  await revoke(tx, params.id, { force: query.force });
  return null;
});
