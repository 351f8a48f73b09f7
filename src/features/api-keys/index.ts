export { countKeysWithOtherPrefix, findApiKeyByHash, selectApiKeys } from './api-keys.queries.ts';
export { toApiKey } from './api-keys.table.ts';
export { createKeyUses } from './key-uses.ts';
export { makeKey } from './make-key.ts';
export { revokeKey } from './revoke-api-key.ts';
