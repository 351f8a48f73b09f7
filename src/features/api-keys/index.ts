export { actorTypeOf, checkExpiry, getGrantor, makeKey, toApiKey, type KeyToMake } from './api-keys.entity.ts';
export { disownKeysOf, revokeKey, revokeKeysOf } from './revoke-keys.ts';
export {
  countKeysWithOtherPrefix,
  findApiKey,
  findGrantor,
  findKeyWithMember,
  mayKeyWrite,
  selectApiKeys,
  stampUse,
} from './api-keys.queries.ts';
