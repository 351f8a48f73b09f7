import { sql } from 'kysely';

import type { AccountsTable, ConnectionsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function insertConnection(tx: BareWriteTx, row: ConnectionsTable): Promise<void> {
  await tx.q.insertInto('connections').values(row).execute();
}

export async function insertAccount(tx: BareWriteTx, row: AccountsTable): Promise<void> {
  await tx.q.insertInto('accounts').values(row).execute();
}

export async function findConnectionOf(tx: ReadTx, id: string | null): Promise<ConnectionsTable | undefined> {
  if (id === null) return undefined;
  return tx.q.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function deleteConnection(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('connections').where('id', '=', id).execute();
}

/** Whether any account is in the connection. */
export async function hasAccounts(tx: ReadTx, connectionId: string): Promise<boolean> {
  const found = await tx.q
    .selectFrom('accounts')
    .select('id')
    .where('connection_id', '=', connectionId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Names of a member's csv accounts, by which files find them (contract 36.4). */
export async function selectCsvAccountNames(
  tx: ReadTx,
  userId: string,
): Promise<Pick<AccountsTable, 'id' | 'short_id' | 'name' | 'display_name'>[]> {
  return tx.q
    .selectFrom('accounts')
    .innerJoin('connections', 'connections.id', 'accounts.connection_id')
    .select(['accounts.id', 'accounts.short_id', 'accounts.name', 'accounts.display_name'])
    .where('accounts.deleted_at', 'is', null)
    .where('connections.provider', '=', 'csv')
    .where('connections.user_id', '=', userId)
    .where('connections.status', '!=', 'disconnected')
    .orderBy('accounts.id')
    .execute();
}

/** Marks an account as deleted, or live again in this connection; what names it stays. */
export async function setAccountDeleted(
  tx: BareWriteTx,
  id: string,
  set: Pick<AccountsTable, 'deleted_at' | 'connection_id'>,
): Promise<void> {
  await tx.q
    .updateTable('accounts')
    .set({ ...set, updated_at: tx.now })
    .where('id', '=', id)
    .execute();
}

export async function countLiveRows(tx: ReadTx, accountId: string): Promise<number> {
  const row = await tx.q
    .selectFrom('transactions')
    .select((all) => all.fn.countAll<number | string>().as('n'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.n ?? 0);
}

/** Some of an account's live transactions. */
export async function selectLiveRows(tx: ReadTx, accountId: string, limit: number): Promise<string[]> {
  const rows = await tx.q
    .selectFrom('transactions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lets go of an account that goes: profiles of its files are nobody's then. Answers which. */
export async function releaseProfiles(tx: BareWriteTx, accountId: string): Promise<string[]> {
  const held = tx.q.selectFrom('import_profiles').select('id').where('account_id', '=', accountId);
  const ids = (await held.execute()).map(({ id }) => id);
  if (ids.length > 0) {
    await tx.q.updateTable('import_profiles').set({ account_id: null }).where('account_id', '=', accountId).execute();
  }
  return ids;
}

/** Gives profiles back to an account, but for those that are another's by now, or whose place is taken. */
export async function returnProfiles(tx: BareWriteTx, accountId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await sql`update import_profiles set account_id = ${accountId}
      where id = ${id} and account_id is null and not exists (select 1 from import_profiles other
        where other.account_id = ${accountId} and other.header_signature = import_profiles.header_signature)`.execute(
      tx.q,
    );
  }
}

/** Imports stay when their connection goes; they name none then. Answers which. */
export async function releaseImports(tx: BareWriteTx, connectionId: string): Promise<string[]> {
  const held = tx.q.selectFrom('imports').select('id').where('connection_id', '=', connectionId);
  const ids = (await held.execute()).map(({ id }) => id);
  if (ids.length > 0) {
    await tx.q.updateTable('imports').set({ connection_id: null }).where('connection_id', '=', connectionId).execute();
  }
  return ids;
}

export async function returnImports(tx: BareWriteTx, connectionId: string, ids: readonly string[]): Promise<void> {
  await tx.q
    .updateTable('imports')
    .set({ connection_id: connectionId })
    .where('connection_id', 'is', null)
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
}
