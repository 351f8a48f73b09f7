import type { AccountFeedsTable, AccountsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { HistoryRow } from '../../engines/matching/proof-by-rows.ts';
import { dayNumber } from '../../kernel/dates.ts';

export interface ComparedAccount extends AccountsTable {
  connection_provider: string | null;
  connection_status: string | null;
  feed_connection_id: string | null;
  feed_state: string | null;
}

/** Accounts that a sync made for this bank after `since`, so that their rows may show that they are others. */
export async function selectNewAccounts(
  tx: ReadTx,
  connectionId: string,
  since: string,
): Promise<(AccountsTable & { feed_external_id: string })[]> {
  return tx.q
    .selectFrom('accounts')
    .innerJoin('account_feeds', 'account_feeds.account_id', 'accounts.id')
    .selectAll('accounts')
    .select('account_feeds.external_account_id as feed_external_id')
    .where('account_feeds.connection_id', '=', connectionId)
    .where('account_feeds.is_own', '=', 1)
    .where('accounts.created_at', '>=', since)
    .where('accounts.deleted_at', 'is', null)
    .orderBy('accounts.id')
    .execute();
}

/**
 * Accounts that a new one may be: kept by files or by hand, of a connection that is gone, of this same connection but no
 * longer reported, or of another bank connection.
 */
export async function selectOthers(tx: ReadTx, connectionId: string): Promise<ComparedAccount[]> {
  const all = await tx.q
    .selectFrom('accounts')
    .leftJoin('connections', 'connections.id', 'accounts.connection_id')
    .leftJoin('account_feeds', 'account_feeds.account_id', 'accounts.id')
    .selectAll('accounts')
    .select([
      'connections.provider as connection_provider',
      'connections.status as connection_status',
      'account_feeds.connection_id as feed_connection_id',
      'account_feeds.state as feed_state',
    ])
    .where('accounts.deleted_at', 'is', null)
    .orderBy('accounts.id')
    .execute();
  return all.filter((one) => one.connection_id !== connectionId || one.feed_state === 'missing');
}

/** Whether a bank goes on delivering rows of the account, other than this connection. */
export function isOfLiveBank({ connection_provider: provider, connection_status: status }: ComparedAccount): boolean {
  return provider !== null && provider !== 'csv' && status !== 'disconnected';
}

/** Rows that a provider withdrew, or that a revert took out, are no history of the account. */
const COUNTED = ['person', 'agent', 'connection'];

/** The posted rows of an account, without those that a provider has these ids for. */
export async function selectPosted(tx: ReadTx, accountId: string, without: ReadonlySet<string>): Promise<HistoryRow[]> {
  const query = tx.q
    .selectFrom('transactions')
    .leftJoin('transaction_feeds', 'transaction_feeds.transaction_id', 'transactions.id')
    .select(['date', 'amount_cents', 'iso_currency_code', 'transaction_feeds.external_id'])
    .where('account_id', '=', accountId)
    .where('pending', '=', 0)
    .where((row) => row.or([row('deleted_at', 'is', null), row('deleted_cause', 'in', COUNTED)]));
  const found: HistoryRow[] = [];
  for await (const row of tx.iterate(query.compile())) {
    if (row.external_id !== null && without.has(row.external_id)) continue;
    found.push({
      day: dayNumber(row.date),
      amountCents: row.amount_cents,
      currency: row.iso_currency_code,
    });
  }
  return found;
}

export async function findFeed(tx: ReadTx, accountId: string): Promise<AccountFeed | undefined> {
  return tx.q.selectFrom('account_feeds').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export type AccountFeed = Omit<AccountFeedsTable, 'is_own' | 'differs_count'> & {
  is_own: 0 | 1;
  differs_count: number;
};
