import { sql } from 'kysely';

import type { AccountsTable, ConnectionsTable, UsersTable } from '../../db/schema.ts';
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

export interface LastImport {
  account_id: string;
  import_id: string;
  header_signature: string | null;
}

/** The newest finished import of each account; reverted ones count. */
export async function selectLastImports(tx: ReadTx, accountIds: readonly string[]): Promise<LastImport[]> {
  if (accountIds.length === 0) return [];
  const rows = await tx.q
    .selectFrom('import_accounts')
    .innerJoin('imports', 'imports.id', 'import_accounts.import_id')
    .select(['import_accounts.account_id', 'imports.id as import_id', 'imports.header_signature'])
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

/** Binds an account number, as its HMAC, to an account; a binding that exists stays. */
export async function bindNumber(tx: BareWriteTx, numberHash: string, accountId: string): Promise<void> {
  await tx.q
    .insertInto('account_aliases')
    .values({
      namespace: 'number',
      external_id: numberHash,
      account_id: accountId,
      first_seen_at: tx.now,
      last_seen_at: tx.now,
    })
    .onConflict((conflict) => conflict.columns(['namespace', 'external_id']).doUpdateSet({ last_seen_at: tx.now }))
    .execute();
}

function accounts(tx: ReadTx) {
  return tx.q
    .selectFrom('accounts')
    .leftJoin('connections', 'connections.id', 'accounts.connection_id')
    .selectAll('accounts')
    .select([
      'connections.status as connection_status',
      sql<string | null>`coalesce(accounts.owner_user_id, connections.user_id)`.as('owner_id'),
    ]);
}
