import type { UsersTable } from '../../db/schema.ts';
import { AppError } from '../../kernel/errors.ts';

/** Whose file it may be, before its account is known. */
export interface Membership {
  /** Named by the request: as user_id, or as the owner of the account or connection that it names. */
  readonly stated: UsersTable | null;
  /** Whoever the key or session belongs to, else the only member; an account that is found comes before. */
  readonly implied: UsersTable | null;
  readonly all: readonly UsersTable[];
}

/** The member whose file it is (36.4), given the owner of the account that was found. @throws INVALID_PARAMETER */
export function memberOf({ stated, implied, all }: Membership, ownerId: string | null): UsersTable {
  const member = stated ?? all.find(({ id }) => id === ownerId) ?? implied;
  if (member) return member;
  if (all.length === 0) {
    const message = 'user_id: the household has no members yet. Create one first.';
    throw new AppError('INVALID_PARAMETER', message, { details: [{ path: 'user_id', message }] });
  }
  const details = all.map(({ short_id, name }) => ({ path: 'user_id', message: `${short_id}: ${name}` }));
  throw new AppError(
    'INVALID_PARAMETER',
    'Nothing shows whose file this is. Choose the household member it belongs to.',
    { details },
  );
}
