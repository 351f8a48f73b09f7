import { sql } from 'kysely';

import type { AccountAliasesTable, AccountsTable, ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** An account with what decides whether rows may go into it. */
export type AccountRow = AccountsTable & { connection_status: string | null; owner_id: string | null };

/** Two members at most: whether there is exactly one is all that is asked. */
export async function selectFirstUsers(tx: ReadTx): Promise<UsersTable[]> {
  return tx.q.selectFrom('users').selectAll().orderBy('id').limit(2).execute();
}

export async function findConnection(tx: ReadTx, anyId: string): Promise<ConnectionsTable | undefined> {
  const query = tx.q.selectFrom('connections').selectAll();
  if (isUuid(anyId)) return query.where('id', '=', anyId).executeTakeFirst();
  if (isShortId(anyId)) return query.where('short_id', '=', anyId).executeTakeFirst();
  return undefined;
}

export async function findAccountRow(tx: ReadTx, anyId: string): Promise<AccountRow | undefined> {
  if (isUuid(anyId)) return accounts(tx).where('accounts.id', '=', anyId).executeTakeFirst();
  if (isShortId(anyId)) return accounts(tx).where('accounts.short_id', '=', anyId).executeTakeFirst();
  return undefined;
}

/** Accounts of a connection, oldest first. */
export async function selectAccountsOfConnection(tx: ReadTx, connectionId: string): Promise<AccountRow[]> {
  return accounts(tx).where('accounts.connection_id', '=', connectionId).orderBy('accounts.id').execute();
}

/** Accounts in a member's csv connections that still are connected, oldest first. */
export async function selectCsvAccountsOf(tx: ReadTx, userId: string): Promise<AccountRow[]> {
  return accounts(tx)
    .where('connections.provider', '=', 'csv')
    .where('connections.user_id', '=', userId)
    .where('connections.status', '!=', 'disconnected')
    .orderBy('accounts.id')
    .execute();
}

/** The account that an account number, given as its HMAC, was bound to by an earlier file. */
export async function findAccountByNumber(tx: ReadTx, numberHash: string): Promise<AccountRow | undefined> {
  return accounts(tx)
    .innerJoin('account_aliases', 'account_aliases.account_id', 'accounts.id')
    .where('account_aliases.namespace', '=', 'number')
    .where('account_aliases.external_id', '=', numberHash)
    .executeTakeFirst();
}

/** Those of the accounts that a file has named by a number. */
export async function selectNumbered(tx: ReadTx, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const rows = await tx.q
    .selectFrom('account_aliases')
    .select('account_id')
    .where('namespace', '=', 'number')
    .where(tx.portable.inList(sql.ref('account_id'), accountIds))
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

export interface LastImport {
  account_id: string;
  import_id: string;
  header_signature: string | null;
  format: string;
}

/** The newest finished import of each account; reverted ones count. */
export async function selectLastImports(tx: ReadTx, accountIds: readonly string[]): Promise<LastImport[]> {
  if (accountIds.length === 0) return [];
  const rows = await tx.q
    .selectFrom('import_accounts')
    .innerJoin('imports', 'imports.id', 'import_accounts.import_id')
    .select(['import_accounts.account_id', 'imports.id as import_id', 'imports.header_signature', 'imports.format'])
    .where('imports.status', 'in', ['completed', 'partly_reverted', 'reverted'])
    .where(tx.portable.inList(sql.ref('import_accounts.account_id'), accountIds))
    .orderBy('imports.created_at', 'desc')
    .orderBy('imports.id', 'desc')
    .execute();
  const newest = new Map<string, LastImport>();
  for (const row of rows) if (!newest.has(row.account_id)) newest.set(row.account_id, row);
  return [...newest.values()];
}

export async function insertConnection(tx: BareWriteTx, row: ConnectionsTable): Promise<void> {
  await tx.q.insertInto('connections').values(row).execute();
}

export async function insertAccount(tx: BareWriteTx, row: AccountsTable): Promise<void> {
  await tx.q.insertInto('accounts').values(row).execute();
}

export async function updateAccountRow(tx: BareWriteTx, id: string, set: Partial<AccountsTable>): Promise<void> {
  await tx.q.updateTable('accounts').set(set).where('id', '=', id).execute();
}

/** Connections that a provider keeps are left alone. */
export async function stampCsvConnectionsOf(
  tx: BareWriteTx,
  accountIds: readonly string[],
  syncedAt: string,
): Promise<void> {
  await tx.q
    .updateTable('connections')
    .set({ last_sync_at: syncedAt })
    .where('provider', '=', 'csv')
    .where('id', 'in', (fed) =>
      fed
        .selectFrom('accounts')
        .select((account) => account.ref('connection_id').$castTo<string>().as('id'))
        .where(tx.portable.inList(sql.ref('accounts.id'), accountIds)),
    )
    .execute();
}

/** How an account number, given as its HMAC, is bound. */
export async function findBinding(tx: ReadTx, numberHash: string): Promise<AccountAliasesTable | undefined> {
  return tx.q
    .selectFrom('account_aliases')
    .selectAll()
    .where('namespace', '=', 'number')
    .where('external_id', '=', numberHash)
    .executeTakeFirst();
}

export async function putBinding(tx: BareWriteTx, binding: AccountAliasesTable): Promise<void> {
  const { account_id, first_seen_at, last_seen_at } = binding;
  await tx.q
    .insertInto('account_aliases')
    .values(binding)
    .onConflict((conflict) =>
      conflict.columns(['namespace', 'external_id']).doUpdateSet({ account_id, first_seen_at, last_seen_at }),
    )
    .execute();
}

export async function deleteBinding(tx: BareWriteTx, numberHash: string): Promise<void> {
  await tx.q
    .deleteFrom('account_aliases')
    .where('namespace', '=', 'number')
    .where('external_id', '=', numberHash)
    .execute();
}

function accounts(tx: ReadTx) {
  return tx.q
    .selectFrom('accounts')
    .leftJoin('connections', 'connections.id', 'accounts.connection_id')
    .where('accounts.deleted_at', 'is', null)
    .selectAll('accounts')
    .select([
      'connections.status as connection_status',
      sql<string | null>`coalesce(accounts.owner_user_id, connections.user_id)`.as('owner_id'),
    ]);
}
