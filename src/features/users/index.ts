export { resolveMember } from './resolve-member.ts';
export { resolveUserIds, unknownUser } from './resolve-user-ids.ts';
export { findUser } from './users.queries.ts';
