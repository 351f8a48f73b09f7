import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** Whether a first-run token with this hash is good now. */
export async function isFirstRunToken(tx: ReadTx, tokenHash: string, now: string): Promise<boolean> {
  const row = await tx.q
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of other processes stay good; expired ones go. */
export async function insertFirstRunToken(tx: BareWriteTx, tokenHash: string, expiresAt: string): Promise<void> {
  await tx.q.deleteFrom('setup_tokens').where('expires_at', '<=', tx.now).execute();
  const row = { token_hash: tokenHash, created_at: tx.now, expires_at: expiresAt };
  await tx.q.insertInto('setup_tokens').values(row).execute();
}

export async function voidFirstRunTokens(tx: BareWriteTx): Promise<void> {
  await tx.q.deleteFrom('setup_tokens').execute();
}

/** Members who cannot sign in, by name. */
export async function selectMembersWithoutLogin(tx: ReadTx): Promise<UsersTable[]> {
  return tx.q
    .selectFrom('users')
    .leftJoin('logins', 'logins.user_id', 'users.id')
    .selectAll('users')
    .where('logins.id', 'is', null)
    .orderBy('users.name_folded')
    .orderBy('users.id')
    .execute();
}

/** The login that a setup token opens now, and its member. */
export async function findInvited(
  tx: ReadTx,
  tokenHash: string,
  now: string,
): Promise<{ login: LoginsTable; member: UsersTable } | undefined> {
  const login = await tx.q
    .selectFrom('logins')
    .selectAll()
    .where('setup_token_hash', '=', tokenHash)
    .where('setup_token_expires_at', '>', now)
    .executeTakeFirst();
  if (!login) return undefined;
  const member = await tx.q.selectFrom('users').selectAll().where('id', '=', login.user_id).executeTakeFirstOrThrow();
  return { login, member };
}
