import type { LoginsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { disownKeysOf, revokeKeysOf } from '../api-keys/index.ts';
import { logins } from '../users/index.ts';
import { adminsWithout, findLoginOf } from './logins.queries.ts';

/**
 * For a login that will no longer be an admin.
 * @throws LAST_ADMIN if no admin would remain, or none who can sign in although this one can (contract 20.10)
 */
export async function refuseLastAdmin(tx: ReadTx, login: LoginsTable): Promise<void> {
  if (login.role !== 'admin') return;
  const others = await adminsWithout(tx, login.id);
  if (!others.any) {
    throw new AppError('LAST_ADMIN', 'This is the last admin login. Make another member an admin first.');
  }
  if (login.password_hash !== null && !others.active) {
    throw new AppError(
      'LAST_ADMIN',
      'No other admin has set a password yet. Wait until one of them has set a password with their setup link.',
    );
  }
}

/** A member who leaves keeps no access. @throws LAST_ADMIN, LAST_FULL_ACCESS_KEY */
export async function removeLogin(tx: WriteTx, login: LoginsTable): Promise<void> {
  await refuseLastAdmin(tx, login);
  await logins.remove(tx, login);
  await revokeKeysOf(tx, login.user_id);
}

/** Before a member is deleted: nothing is left that gives them access. @throws LAST_ADMIN, LAST_FULL_ACCESS_KEY */
export async function removeAccess(tx: WriteTx, memberId: string): Promise<void> {
  const login = await findLoginOf(tx, memberId);
  if (login) await removeLogin(tx, login);
  else await revokeKeysOf(tx, memberId);
  await disownKeysOf(tx, memberId);
}
