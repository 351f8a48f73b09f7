import type { LoginsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

export async function findLoginOf(tx: ReadTx, userId: string): Promise<LoginsTable | undefined> {
  return tx.q.selectFrom('logins').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Whether other logins are admins, and whether one of them has a password (contract 20.10). */
export async function adminsWithout(tx: ReadTx, loginId: string): Promise<{ any: boolean; active: boolean }> {
  const others = await tx.q
    .selectFrom('logins')
    .select('password_hash')
    .where('role', '=', 'admin')
    .where('id', '!=', loginId)
    .execute();
  return { any: others.length > 0, active: others.some((login) => login.password_hash !== null) };
}
