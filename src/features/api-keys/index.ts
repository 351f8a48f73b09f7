export { checkExpiry, makeKey, toApiKey, type KeyToMake } from './api-keys.entity.ts';
export { disownKeysOf, revokeKey, revokeKeysOf } from './revoke-keys.ts';
export { countKeysWithOtherPrefix, findKeyWithMember, selectApiKeys, stampUse } from './api-keys.queries.ts';
