import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { findLoginOf } from '../logins/index.ts';
import { findLoginByIdentifier, findUserByEmail, logins, unknownUser, users } from '../users/index.ts';
import { setPassword } from './set-password.ts';
import { selectMembersWithoutLogin, voidFirstRunTokens } from './setup.queries.ts';

export interface NewAdmin {
  /** The member who becomes an admin, by any id, or the name of one who may not be a member yet. */
  who: { userId: string } | { name: string };
  /** In canonical form. */
  email: string;
  passwordHash: string;
}

/**
 * Step 1 of contract 20.7: finds the member, or creates one, and makes a login with this email address and password an
 * admin's. Setup, the unattended admin and the commands all come here.
 * @throws INVALID_PARAMETER, LOGIN_EXISTS, IDENTIFIER_TAKEN
 */
export async function makeAdmin(
  tx: WriteTx,
  { who, email, passwordHash }: NewAdmin,
): Promise<{ user: UsersTable; login: LoginsTable }> {
  const known = await findLoginByIdentifier(tx, email);
  const found = await findMember(tx, who, email, known);
  const isFree = (await findUserByEmail(tx, email)) === undefined;
  const user = found
    ? await users.change(tx, found, found.email === null && isFree ? { email } : {})
    : await users.create(tx, { name: nameOf(who), kind: 'admin', email });
  const login = known
    ? await setPassword(tx, known, passwordHash, { role: 'admin' })
    : await addLogin(tx, user, email, passwordHash);
  await voidFirstRunTokens(tx);
  return { user, login };
}

/** The member whom these details mean; undefined if it is nobody yet. */
async function findMember(
  tx: ReadTx,
  who: NewAdmin['who'],
  email: string,
  known: LoginsTable | undefined,
): Promise<UsersTable | undefined> {
  if ('userId' in who) {
    const member = await users.find(tx, who.userId);
    if (!member) throw unknownUser('user_id', who.userId);
    if (known && known.user_id !== member.id) {
      throw new AppError(
        'IDENTIFIER_TAKEN',
        'Another household member signs in with this email address. Choose another one.',
      );
    }
    return member;
  }
  if (known) return users.find(tx, known.user_id);
  const byEmail = await findUserByEmail(tx, email);
  if (byEmail) return users.find(tx, byEmail.id);
  const folded = fold(who.name.trim());
  const namesakes = (await selectMembersWithoutLogin(tx)).filter(
    (member) => member.email === null && member.name_folded === folded,
  );
  return namesakes.length === 1 ? namesakes[0] : undefined;
}

function nameOf(who: NewAdmin['who']): string {
  return 'name' in who ? who.name.trim() : '';
}

/** @throws LOGIN_EXISTS */
async function addLogin(tx: WriteTx, user: UsersTable, email: string, passwordHash: string): Promise<LoginsTable> {
  const other = await findLoginOf(tx, user.id);
  if (other) {
    throw new AppError('LOGIN_EXISTS', `${user.name} already signs in with ${other.identifier}. Use that address.`);
  }
  const columns = { kind: 'password', identifier: email, role: 'admin', password_hash: passwordHash };
  return logins.create(tx, { ...columns, user_id: user.id });
}
