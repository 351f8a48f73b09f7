export { makeKey, revokeKey, toApiKey } from './api-keys.entity.ts';
export { countKeysWithOtherPrefix, findKeyWithMember, selectApiKeys, stampUse } from './api-keys.queries.ts';
