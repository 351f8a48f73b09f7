export { makeKey, revokeKey, toApiKey } from './api-keys.entity.ts';
export { countKeysWithOtherPrefix, findApiKeyByHash, selectApiKeys } from './api-keys.queries.ts';
export { createKeyUses } from './key-uses.ts';
