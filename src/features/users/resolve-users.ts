import type { UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, invalidParameter, unknownId } from '../../kernel/errors.ts';
import { users } from './users.entity.ts';
import { selectUserIds, selectUsers } from './users.queries.ts';

/** Who something new may belong to. */
export interface Whose {
  /** The `user_id` sent. */
  given: string | undefined;
  /** UUID of the member that the key or session belongs to. */
  callerId: string | null;
}

/**
 * The member sent, otherwise the caller, otherwise the only one (contract 36.4).
 * @throws INVALID_PARAMETER listing the members
 */
export async function resolveMember(tx: ReadTx, { given, callerId }: Whose): Promise<UsersTable> {
  if (given !== undefined) {
    const member = await users.find(tx, given);
    if (!member) throw unknownUser('user_id', given);
    return member;
  }
  const caller = callerId === null ? undefined : await users.find(tx, callerId);
  if (caller) return caller;
  const members = await selectUsers(tx);
  const [only, another] = members;
  if (!only) throw invalidParameter('user_id', 'user_id: the household has no members yet. Add one first.');
  if (!another) return only;
  const details = members.map(({ short_id: id, name }) => ({ path: 'user_id', message: `${id} is ${name}.` }));
  const message = 'user_id: send the household member who owns it. The details list the members.';
  throw new AppError('INVALID_PARAMETER', message, { details });
}

/**
 * UUID of the member that something will belong to: the one sent, the caller if nothing was sent, nobody for null or "".
 * @throws INVALID_PARAMETER
 */
export async function resolveOwner(
  tx: ReadTx,
  given: string | null | undefined,
  callerId: string | null,
): Promise<string | null> {
  if (given === undefined) return callerId;
  if (given === null || given === '') return null;
  const member = await users.find(tx, given);
  if (!member) throw unknownUser('user_id', given);
  return member.id;
}

/** UUIDs of members given by UUID or short_id, without duplicates. @throws INVALID_PARAMETER on `path` */
export async function resolveUserIds(tx: ReadTx, anyIds: readonly string[], path: string): Promise<string[]> {
  if (anyIds.length === 0) return [];
  const known = new Map<string, string>();
  for (const { id, short_id } of await selectUserIds(tx, anyIds)) known.set(id, id).set(short_id, id);
  const resolved = anyIds.map((anyId) => {
    const id = known.get(anyId);
    if (id === undefined) throw unknownUser(path, anyId);
    return id;
  });
  return [...new Set(resolved)];
}

/** The INVALID_PARAMETER error for an id that no household member has. */
export function unknownUser(path: string, anyId: string): AppError {
  return unknownId(path, 'household member', anyId);
}
