import { sql, type RawBuilder } from 'kysely';

import type { AccountsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { normalisedText } from '../../engines/imports/text/cell-text.ts';
import { notFound } from '../../kernel/errors.ts';

/** An account with what its record shows of connection and owners. */
export type AccountRow = AccountsTable & {
  connection_short_id: string | null;
  connection_status: string | null;
  connection_user_name: string | null;
  user_short_id: string | null;
  owner_short_id: string | null;
  owner_user_name: string | null;
};

interface AccountFilter {
  /** UUIDs of effective owners. */
  ownerIds?: readonly string[];
  /** UUIDs. */
  connectionIds?: readonly string[];
  includeDisconnected: boolean;
}

/** Accounts in no particular order. */
export async function selectAccounts(tx: ReadTx, filter: AccountFilter): Promise<AccountRow[]> {
  let query = withOwners(tx);
  if (filter.ownerIds) query = query.where(tx.portable.inList(effectiveOwner(), filter.ownerIds));
  if (filter.connectionIds) {
    query = query.where(tx.portable.inList(sql.ref('accounts.connection_id'), filter.connectionIds));
  }
  if (!filter.includeDisconnected) query = query.where('connections.status', '!=', 'disconnected');
  return query.execute();
}

/** The account with this UUID or short_id. */
export async function findAccount(tx: ReadTx, anyId: string): Promise<AccountRow | undefined> {
  const column = idColumn(anyId);
  return column && withOwners(tx).where(`accounts.${column}`, '=', anyId).executeTakeFirst();
}

/** @throws NOT_FOUND */
export async function getAccountRow(tx: ReadTx, anyId: string): Promise<AccountRow> {
  const row = await findAccount(tx, anyId);
  if (!row) throw notFound('account');
  return row;
}

/** The account with this UUID, even a deleted one. */
export async function findAccountOrDeleted(tx: ReadTx, id: string): Promise<AccountsTable | undefined> {
  return tx.q.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** UUID and short_id of every connection whose UUID or short_id is among these. */
export async function selectConnectionIds(
  tx: ReadTx,
  anyIds: readonly string[],
): Promise<{ id: string; short_id: string }[]> {
  const among = (column: string) => tx.portable.inList(sql.ref(column), anyIds);
  return tx.q
    .selectFrom('connections')
    .select(['id', 'short_id'])
    .where(sql<boolean>`(${among('id')} or ${among('short_id')})`)
    .execute();
}

/**
 * UUID of an account's effective owner: the override, else the owner of its connection (contract 10.1.3). For a
 * query that joins both tables under these names; attribution of a transaction comes before it.
 */
export function effectiveOwner(): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${sql.ref('accounts.owner_user_id')}, ${sql.ref('connections.user_id')})`;
}

/** The csv account of a member that a file would find under this name (contract 36.4). */
export async function findNamesake(
  tx: ReadTx,
  userId: string,
  name: string,
): Promise<{ id: string; short_id: string } | undefined> {
  const wanted = normalisedText(name);
  const accounts = await selectCsvAccountNames(tx, userId);
  return accounts.find((account) =>
    [account.name, account.display_name].some((one) => one !== null && normalisedText(one) === wanted),
  );
}

async function selectCsvAccountNames(
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

export async function countLiveRows(tx: ReadTx, accountId: string): Promise<number> {
  const row = await tx.q
    .selectFrom('transactions')
    .select((all) => all.fn.countAll<number | string>().as('n'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.n ?? 0);
}

/** Whether an account link names it, on either side. */
export async function isLinked(tx: ReadTx, accountId: string): Promise<boolean> {
  const link = await tx.q
    .selectFrom('account_links')
    .select('id')
    .where((where) => where.or({ primary_account_id: accountId, dependent_account_id: accountId }))
    .executeTakeFirst();
  return link !== undefined;
}

/** The first of an account's live transactions, by date. */
export async function selectLiveRows(tx: ReadTx, accountId: string, limit: number): Promise<string[]> {
  const rows = await tx.q
    .selectFrom('transactions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('date')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function leaveConnection(tx: BareWriteTx, accountId: string): Promise<void> {
  const set = { connection_id: null, updated_at: tx.now };
  await tx.q.updateTable('accounts').set(set).where('id', '=', accountId).execute();
}

/** Import profiles of a deleted account belong to no account. Answers their UUIDs. */
export async function releaseProfiles(tx: BareWriteTx, accountId: string): Promise<string[]> {
  const held = tx.q.selectFrom('import_profiles').select('id').where('account_id', '=', accountId);
  const ids = (await held.execute()).map(({ id }) => id);
  if (ids.length > 0) {
    await tx.q.updateTable('import_profiles').set({ account_id: null }).where('account_id', '=', accountId).execute();
  }
  return ids;
}

/** Gives import profiles back to an account, except those that got another account, or whose header has another profile. */
export async function returnProfiles(tx: BareWriteTx, accountId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await sql`update import_profiles set account_id = ${accountId}
      where id = ${id} and account_id is null and not exists (select 1 from import_profiles other
        where other.account_id = ${accountId} and other.header_signature = import_profiles.header_signature)`.execute(
      tx.q,
    );
  }
}

function withOwners(tx: ReadTx) {
  return tx.q
    .selectFrom('accounts')
    .leftJoin('connections', 'connections.id', 'accounts.connection_id')
    .leftJoin('users as holders', 'holders.id', 'connections.user_id')
    .leftJoin('users as owners', 'owners.id', 'accounts.owner_user_id')
    .where('accounts.deleted_at', 'is', null)
    .selectAll('accounts')
    .select([
      'connections.short_id as connection_short_id',
      'connections.status as connection_status',
      'holders.name as connection_user_name',
      'holders.short_id as user_short_id',
      'owners.short_id as owner_short_id',
      sql<string | null>`coalesce(owners.name, holders.name)`.as('owner_user_name'),
    ]);
}
