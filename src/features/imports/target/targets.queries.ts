import { sql, type ExpressionBuilder } from 'kysely';

import type { AccountAliasesTable, AccountsTable, ConnectionsTable, Schema, UsersTable } from '../../../db/schema.ts';
import { idColumn } from '../../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { MARK_KINDS, type KnownMark } from './number-marks.ts';

/**
 * An account with what decides whether files may feed it. One that was joined to a bank's account still has its csv
 * connection as home, so that files find it as before (30.8.1).
 */
export type AccountRow = AccountsTable & {
  home_connection_id: string | null;
  connection_provider: string | null;
  connection_status: string | null;
  owner_id: string | null;
};

/** The members of the household, oldest first. */
export async function selectMembers(tx: ReadTx): Promise<UsersTable[]> {
  return tx.q.selectFrom('users').selectAll().orderBy('id').execute();
}

export async function findConnection(tx: ReadTx, anyId: string): Promise<ConnectionsTable | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('connections').selectAll().where(column, '=', anyId).executeTakeFirst();
}

export async function findAccountRow(tx: ReadTx, anyId: string): Promise<AccountRow | undefined> {
  const column = idColumn(anyId);
  return column && accounts(tx).where(`accounts.${column}`, '=', anyId).executeTakeFirst();
}

/** Accounts of a connection, oldest first. */
export async function selectAccountsOfConnection(tx: ReadTx, connectionId: string): Promise<AccountRow[]> {
  return accounts(tx).where('connections.id', '=', connectionId).orderBy('accounts.id').execute();
}

/** Every account of the household, oldest first. */
export async function selectAccounts(tx: ReadTx): Promise<AccountRow[]> {
  return accounts(tx).orderBy('accounts.id').execute();
}

/** The csv connections of a member that are not disconnected. */
export async function selectCsvConnectionsOf(tx: ReadTx, userId: string): Promise<ConnectionsTable[]> {
  return tx.q
    .selectFrom('connections')
    .selectAll()
    .where('provider', '=', 'csv')
    .where('user_id', '=', userId)
    .where('status', '!=', 'disconnected')
    .orderBy('id')
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

/** Marks that tell accounts with one number apart are stored below the number, so that one read finds them all. */
export function namespaceOfMark(kind: KnownMark['kind'], numberHash: string): string {
  return `number:${kind}:${numberHash}`;
}

/** What earlier files said besides an account number, given as its HMAC, each with its account. */
export async function selectMarks(tx: ReadTx, numberHash: string): Promise<KnownMark[]> {
  const rows = await accounts(tx)
    .innerJoin('account_aliases', 'account_aliases.account_id', 'accounts.id')
    .where(
      'account_aliases.namespace',
      'in',
      MARK_KINDS.map((kind) => namespaceOfMark(kind, numberHash)),
    )
    .select(['account_aliases.namespace as below', 'account_aliases.external_id as mark'])
    .orderBy('account_aliases.first_seen_at')
    .orderBy('account_aliases.external_id')
    .execute();
  return rows.map(({ below, mark, ...account }) => ({
    kind: MARK_KINDS.find((kind) => below === namespaceOfMark(kind, numberHash)) ?? 'form',
    id: mark,
    account,
  }));
}

/** Ids of those accounts to which an account number is bound. */
export async function selectNumbered(tx: ReadTx, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const rows = await tx.q
    .selectFrom('account_aliases')
    .select('account_id')
    .where(isNumber)
    .where(tx.portable.inList(sql.ref('account_id'), accountIds))
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

/**
 * Forgets which account numbers belong to which accounts, when the key of their hashes is lost: an account with a number
 * that no file can match would be taken for another one.
 */
export async function forgetAccountNumbers(tx: BareWriteTx): Promise<void> {
  await tx.q.deleteFrom('account_aliases').where(isNumber).execute();
}

/** Aliases that are account numbers or marks of one. */
function isNumber(alias: ExpressionBuilder<Schema, 'account_aliases'>) {
  return alias.or([alias('namespace', '=', 'number'), alias('namespace', 'like', 'number:%')]);
}

/** Sets when the csv connections of these accounts were last synchronised; other connections stay. */
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
        .leftJoin('account_feeds', 'account_feeds.account_id', 'accounts.id')
        .select(fileConnectionOf().as('id'))
        .where(tx.portable.inList(sql.ref('accounts.id'), accountIds)),
    )
    .execute();
}

/** An account number, given as its HMAC, or one of its marks. */
export type BindingKey = Pick<AccountAliasesTable, 'namespace' | 'external_id'>;

export async function findBinding(tx: ReadTx, key: BindingKey): Promise<AccountAliasesTable | undefined> {
  return tx.q
    .selectFrom('account_aliases')
    .selectAll()
    .where('namespace', '=', key.namespace)
    .where('external_id', '=', key.external_id)
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

export async function deleteBinding(tx: BareWriteTx, key: BindingKey): Promise<void> {
  await tx.q
    .deleteFrom('account_aliases')
    .where('namespace', '=', key.namespace)
    .where('external_id', '=', key.external_id)
    .execute();
}

/** The connection through which files reach an account. */
function fileConnectionOf() {
  return sql<string>`coalesce((select former.id from connections former
    where former.id = account_feeds.former_connection_id and former.status <> 'disconnected'), accounts.connection_id)`;
}

function accounts(tx: ReadTx) {
  return tx.q
    .selectFrom('accounts')
    .leftJoin('account_feeds', 'account_feeds.account_id', 'accounts.id')
    .leftJoin('connections', (join) => join.on('connections.id', '=', fileConnectionOf()))
    .where('accounts.deleted_at', 'is', null)
    .selectAll('accounts')
    .select([
      fileConnectionOf().as('home_connection_id'),
      'connections.provider as connection_provider',
      'connections.status as connection_status',
      sql<string | null>`coalesce(accounts.owner_user_id, connections.user_id)`.as('owner_id'),
    ]);
}
