import { sql } from 'kysely';

import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** All household members by name, ignoring case, then by id. */
export async function selectUsers(tx: ReadTx): Promise<UsersTable[]> {
  return tx.q.selectFrom('users').selectAll().orderBy('name_folded').orderBy('id').execute();
}

/** Both ids of the members with these UUIDs or short_ids. */
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

/** The connections of a member, in any status, and how many of them are to banks. */
export async function countConnectionsOf(tx: ReadTx, userId: string): Promise<{ all: number; banks: number }> {
  const rows = await tx.q.selectFrom('connections').select('provider').where('user_id', '=', userId).execute();
  return { all: rows.length, banks: rows.filter(({ provider }) => provider !== 'csv').length };
}

/** Pages on which the member was to link a bank. */
export async function deleteLinkSessions(tx: BareWriteTx, userId: string): Promise<void> {
  await tx.q.deleteFrom('link_sessions').where('user_id', '=', userId).execute();
}

export async function findLoginByIdentifier(tx: ReadTx, identifier: string): Promise<LoginsTable | undefined> {
  return tx.q.selectFrom('logins').selectAll().where('identifier', '=', identifier).executeTakeFirst();
}

/** The email addresses that people sign in with. */
export async function selectIdentifiers(tx: ReadTx): Promise<string[]> {
  const rows = await tx.q.selectFrom('logins').select('identifier').orderBy('identifier').execute();
  return rows.map(({ identifier }) => identifier);
}

interface Cleared {
  id: string;
  short_id: string;
}

/** Clears the member as the owner of accounts, which then inherit the owner of their connection. */
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

/** Clears the attribution of live and deleted transactions to the member; they fall back to the owner of their account. */
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

/** Keeps the imports made for the member, without an owner. */
export async function clearImportOwner(tx: BareWriteTx, userId: string): Promise<void> {
  await tx.q.updateTable('imports').set({ user_id: null }).where('user_id', '=', userId).execute();
}
