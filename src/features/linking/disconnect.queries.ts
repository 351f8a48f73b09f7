import { sql, type RawBuilder } from 'kysely';

import type { AccountsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** UUIDs of the accounts that a connection has or fed last. */
export async function selectFedAccounts(tx: ReadTx, connectionId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from accounts a
    where a.deleted_at is null and (a.connection_id = ${connectionId} or exists (
      select 1 from account_feeds f where f.account_id = a.id and f.connection_id = ${connectionId}))
    order by a.id`.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** Live transactions of an account, at most so many; of a bank's, only those that came from the bank alone. */
export async function selectDeletableRows(
  tx: ReadTx,
  accountId: string,
  { isBank, limit }: { isBank: boolean; limit: number },
): Promise<string[]> {
  const onlyBank = isBank
    ? sql`and t.import_id is null
      and exists (select 1 from transaction_feeds f where f.transaction_id = t.id)
      and not exists (select 1 from transaction_origins o where o.transaction_id = t.id)
      and t.id not in (${deliveredByFiles(accountId)})
      and exists (select 1 from change_sets s where s.id = t.created_change_set_id and s.source = 'sync')`
    : sql``;
  const { rows } = await sql<{ id: string }>`select t.id from transactions t
    where t.account_id = ${accountId} and t.deleted_at is null ${onlyBank} limit ${limit}`.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** Rows that a file delivered after the bank had: the import knew them already, so they have no origin in it. */
function deliveredByFiles(accountId: string): RawBuilder<unknown> {
  return sql`select r.transaction_id from import_accounts a
    join imports i on i.id = a.import_id and i.status in ('completed', 'partly_reverted')
    join import_rows r on r.import_id = a.import_id
    where a.account_id = ${accountId} and r.transaction_id is not null`;
}

/** Accounts that were joined from csv connections, which still exist, with their UUIDs. */
export async function selectJoinedAccounts(
  tx: ReadTx,
  connectionId: string,
): Promise<(AccountsTable & { former_connection_id: string })[]> {
  return tx.q
    .selectFrom('accounts')
    .innerJoin('account_feeds', 'account_feeds.account_id', 'accounts.id')
    .innerJoin('connections as former', 'former.id', 'account_feeds.former_connection_id')
    .selectAll('accounts')
    .select('former.id as former_connection_id')
    .where('accounts.connection_id', '=', connectionId)
    .where('accounts.deleted_at', 'is', null)
    .orderBy('accounts.id')
    .execute();
}

/** Forgets how far the accounts of a connection were read. */
export async function forgetPositions(tx: BareWriteTx, connectionId: string): Promise<void> {
  await tx.q
    .updateTable('account_feeds')
    .set({ position: null, wide_read_at: null })
    .where('connection_id', '=', connectionId)
    .execute();
}
