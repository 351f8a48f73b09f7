import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { getUser } from './get-user.ts';
import { listUsers } from './list-users.ts';
import { updateUser } from './update-user.ts';

export const handlers = [listUsers, getUser, createUser, updateUser, deleteUser];

export { resolveUserIds, unknownUser } from './resolve-user-ids.ts';
export { findUser } from './users.queries.ts';
