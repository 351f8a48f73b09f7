export { readEmail, readIdentifier } from './addresses.ts';
export { resolveMember, resolveOwner, resolveUserIds, unknownUser } from './resolve-users.ts';
export { logins, toLogin, toUser, users } from './users.entity.ts';
export { findLoginByIdentifier, findUserByEmail, selectIdentifiers, selectUsers } from './users.queries.ts';
