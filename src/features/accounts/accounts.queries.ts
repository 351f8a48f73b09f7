import { sql } from 'kysely';

import type { AccountsTable, BalanceSnapshotsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';
import { effectiveOwner } from './effective-owner.ts';

/** An account with what its record shows of connection and owners. */
export type AccountRow = AccountsTable & {
  connection_short_id: string | null;
  connection_status: string | null;
  connection_user_name: string | null;
  user_short_id: string | null;
  owner_short_id: string | null;
  owner_user_name: string | null;
};

export interface AccountFilter {
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
  if (isUuid(anyId)) return withOwners(tx).where('accounts.id', '=', anyId).executeTakeFirst();
  if (isShortId(anyId)) return withOwners(tx).where('accounts.short_id', '=', anyId).executeTakeFirst();
  return undefined;
}

export async function updateAccountRow(tx: BareWriteTx, id: string, set: Partial<AccountsTable>): Promise<void> {
  await tx.q.updateTable('accounts').set(set).where('id', '=', id).execute();
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

/** Snapshots of an account between two days, both inclusive, by day and currency. */
export async function selectBalances(
  tx: ReadTx,
  accountId: string,
  from: string | undefined,
  to: string | undefined,
): Promise<BalanceSnapshotsTable[]> {
  let query = tx.q.selectFrom('balance_snapshots').selectAll().where('account_id', '=', accountId);
  if (from !== undefined) query = query.where('date', '>=', from);
  if (to !== undefined) query = query.where('date', '<=', to);
  return query.orderBy('date').orderBy('iso_currency_code').execute();
}

/** The newest snapshot of each currency that an account has reported, by currency. */
export async function selectLatestBalances(tx: ReadTx, accountId: string): Promise<BalanceSnapshotsTable[]> {
  return tx.q
    .selectFrom('balance_snapshots')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('date', '=', (latest) =>
      latest
        .selectFrom('balance_snapshots as others')
        .whereRef('others.account_id', '=', 'balance_snapshots.account_id')
        .whereRef('others.iso_currency_code', '=', 'balance_snapshots.iso_currency_code')
        .select(({ fn }) => fn.max('others.date').as('date')),
    )
    .orderBy('iso_currency_code')
    .execute();
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
