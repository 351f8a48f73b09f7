import type { UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, invalidParameter } from '../../kernel/errors.ts';
import { unknownUser } from './resolve-user-ids.ts';
import { findUser, selectUsers } from './users.queries.ts';

/** Whose something new is to be: what tells, in the order in which it counts (contract 36.4). */
export interface Whose {
  /** The member that the request names, by any form of the id. */
  given: string | undefined;
  /** UUID of the member that the key or session belongs to. */
  callerId: string | null;
}

/** The member given, else the caller, else the only one. @throws INVALID_PARAMETER listing the members */
export async function resolveMember(tx: ReadTx, { given, callerId }: Whose): Promise<UsersTable> {
  if (given !== undefined) {
    const member = await findUser(tx, given);
    if (!member) throw unknownUser('user_id', given);
    return member;
  }
  const caller = callerId === null ? undefined : await findUser(tx, callerId);
  if (caller) return caller;
  const members = await selectUsers(tx);
  const [only, another] = members;
  if (!only) throw invalidParameter('user_id', 'user_id: the household has no members yet. Add one first.');
  return another ? refuseChoice(members) : only;
}

function refuseChoice(members: readonly UsersTable[]): never {
  const named = members.map(({ short_id: id, name }) => ({ path: 'user_id', message: `${id} is ${name}.` }));
  throw new AppError(
    'INVALID_PARAMETER',
    'user_id: send the household member who owns it. The details list the members.',
    {
      details: named,
    },
  );
}
