import { sql } from 'kysely';

import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** By name without regard to case, then id. */
export async function selectUsers(tx: ReadTx): Promise<UsersTable[]> {
  return tx.q.selectFrom('users').selectAll().orderBy('name_folded').orderBy('id').execute();
}

/** The household member with this UUID or short_id. */
export async function findUser(tx: ReadTx, anyId: string): Promise<UsersTable | undefined> {
  const query = tx.q.selectFrom('users').selectAll();
  if (isUuid(anyId)) return query.where('id', '=', anyId).executeTakeFirst();
  if (isShortId(anyId)) return query.where('short_id', '=', anyId).executeTakeFirst();
  return undefined;
}

/** UUID and short_id of every member whose UUID or short_id is among these. */
export async function selectUserIds(
  tx: ReadTx,
  anyIds: readonly string[],
): Promise<Pick<UsersTable, 'id' | 'short_id'>[]> {
  const among = (column: string) => tx.portable.inList(sql.ref(column), anyIds);
  return tx.q
    .selectFrom('users')
    .select(['id', 'short_id'])
    .where(sql<boolean>`(${among('id')} or ${among('short_id')})`)
    .execute();
}

export async function findUserByEmail(tx: ReadTx, email: string): Promise<Pick<UsersTable, 'id'> | undefined> {
  return tx.q.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
}

export async function insertUser(tx: BareWriteTx, row: UsersTable): Promise<void> {
  await tx.q.insertInto('users').values(row).execute();
}

export async function updateUserRow(tx: BareWriteTx, id: string, set: Partial<UsersTable>): Promise<void> {
  await tx.q.updateTable('users').set(set).where('id', '=', id).execute();
}

export async function deleteUserRow(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('users').where('id', '=', id).execute();
}

export async function countConnectionsOf(tx: ReadTx, userId: string): Promise<number> {
  const { count } = await tx.q
    .selectFrom('connections')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findLoginOf(tx: ReadTx, userId: string): Promise<LoginsTable | undefined> {
  return tx.q.selectFrom('logins').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Whether admins, and admins with a password, remain without this login (20.10). */
export async function adminsWithout(tx: ReadTx, loginId: string): Promise<{ any: boolean; active: boolean }> {
  const others = await tx.q
    .selectFrom('logins')
    .select('password_hash')
    .where('role', '=', 'admin')
    .where('id', '!=', loginId)
    .execute();
  return { any: others.length > 0, active: others.some((login) => login.password_hash !== null) };
}

export async function deleteLogin(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('logins').where('id', '=', id).execute();
}

export interface Cleared {
  id: string;
  short_id: string;
}

/** Accounts of which the member was the owner by override; they inherit their connection's owner again. */
export async function clearOwnerOverrides(tx: BareWriteTx, userId: string): Promise<Cleared[]> {
  const owned = await tx.q
    .selectFrom('accounts')
    .select(['id', 'short_id'])
    .where('owner_user_id', '=', userId)
    .execute();
  if (owned.length > 0) {
    const set = { owner_user_id: null, updated_at: tx.now };
    await tx.q.updateTable('accounts').set(set).where('owner_user_id', '=', userId).execute();
  }
  return owned;
}

/** Transactions attributed to the member, live and deleted; they go back to their account's owner. */
export async function clearAttributions(tx: BareWriteTx, userId: string): Promise<Cleared[]> {
  const attributed = await tx.q
    .selectFrom('transactions')
    .select(['id', 'short_id'])
    .where('attributed_user_id', '=', userId)
    .orderBy('id')
    .execute();
  if (attributed.length > 0) {
    const set = { attributed_user_id: null, attributed_by_link_id: null, updated_at: tx.now };
    await tx.q.updateTable('transactions').set(set).where('attributed_user_id', '=', userId).execute();
  }
  return attributed;
}

/** Imports made on the member's behalf stay; they belong to nobody in particular then. */
export async function clearImportOwner(tx: BareWriteTx, userId: string): Promise<void> {
  await tx.q.updateTable('imports').set({ user_id: null }).where('user_id', '=', userId).execute();
}
