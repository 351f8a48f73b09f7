import { createApiKey } from './create-api-key.ts';
import { getApiKey } from './get-api-key.ts';
import { getOwnKey } from './get-own-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { updateApiKey } from './update-api-key.ts';

export const handlers = [listApiKeys, getApiKey, createApiKey, updateApiKey, revokeApiKey, getOwnKey];

export { countKeysWithOtherPrefix, findApiKeyByHash, selectApiKeys } from './api-keys.queries.ts';
export { toApiKey } from './api-keys.table.ts';
export { createKeyUses } from './key-uses.ts';
export { makeKey } from './make-key.ts';
export { revokeKey } from './revoke-api-key.ts';
