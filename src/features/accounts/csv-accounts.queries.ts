import { sql } from 'kysely';

import type { AccountsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function insertAccount(tx: BareWriteTx, row: AccountsTable): Promise<void> {
  await tx.q.insertInto('accounts').values(row).execute();
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
