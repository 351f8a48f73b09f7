import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleRead, handleWrite } from '../handler.ts';
import * as contract from './api-keys.contract.ts';
import { apiKeys, checkExpiry, makeKey, revokeKey, toApiKey } from './api-keys.entity.ts';
import { findApiKey, selectApiKeys, type ApiKeyRow } from './api-keys.queries.ts';

export const listApiKeys = handleRead(contract.listApiKeys, async ({ tx }) => (await selectApiKeys(tx)).map(toApiKey));

export const getApiKey = handleRead(contract.getApiKey, async ({ tx }, { params }) =>
  toApiKey(await getRow(tx, params.id)),
);

export const getOwnKey = handleRead(contract.getOwnKey, async ({ tx, principal }) => {
  const row = principal === null ? undefined : await findApiKey(tx, principal.id);
  if (!row) throw notFound('The calling key was');
  return { ...toApiKey(row), key_prefix: row.prefix };
});

export const createApiKey = handleWrite(contract.createApiKey, 'api_key.create', ({ instance, tx }, { body }) =>
  makeKey(instance, tx, body),
);

export const updateApiKey = handleWrite(contract.updateApiKey, 'api_key.update', async ({ tx }, { params, body }) => {
  const row = await getRow(tx, params.id);
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= tx.now)) {
    throw new AppError('CONFLICT', 'A revoked or expired key cannot be changed. Create a new one.');
  }
  if (body.expires_at !== undefined && body.expires_at !== row.expires_at) checkExpiry(tx.now, body.expires_at);
  const changed = await apiKeys.change(tx, row, body);
  tx.journal.summarise(`Changed the API key ${changed.name}`);
  return toApiKey({ ...row, ...changed });
});

export const revokeApiKey = handleWrite(contract.revokeApiKey, 'api_key.revoke', async ({ tx }, { params, query }) => {
  await revokeKey(tx, params.id, query.force);
  return null;
});

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, anyId: string): Promise<ApiKeyRow> {
  const row = await findApiKey(tx, anyId);
  if (!row) throw notFound('The API key was');
  return row;
}
