import { sql } from 'kysely';

import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { addDays } from '../../../kernel/dates.ts';
import { selectStoredRows, type StoredRow } from '../../ledger-rows/index.ts';

const AT_ONCE = 5_000;

/** Transactions by id, or those that replaced them, deleted ones included. */
export async function selectRowsById(tx: ReadTx, ids: readonly string[]): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE));
    found.push(...(await selectStoredRows(tx, sql`${list}`)));
  }
  return found;
}

/** Live pending transactions of an account, whatever their date. */
export async function selectPendingRows(tx: ReadTx, accountId: string): Promise<StoredRow[]> {
  return selectStoredRows(tx, sql`t.pending = 1 and t.account_id = ${accountId} and t.deleted_at is null`);
}

/** An authorized date is at most this far from the date. */
const AUTHORIZED_DAYS = 31;

/** The transactions of an account with a date or authorized date within these, deleted ones included. */
export async function selectRowsBetween(
  tx: ReadTx,
  accountId: string,
  dates: { readonly from: string; readonly to: string } | 'all',
): Promise<StoredRow[]> {
  if (dates === 'all') return selectStoredRows(tx, sql`t.account_id = ${accountId}`);
  const { from, to } = dates;
  return selectStoredRows(
    tx,
    sql`t.account_id = ${accountId}
      and t.date >= ${addDays(from, -AUTHORIZED_DAYS)} and t.date <= ${addDays(to, AUTHORIZED_DAYS)}
      and ((t.date >= ${from} and t.date <= ${to}) or (t.authorized_date >= ${from} and t.authorized_date <= ${to}))`,
  );
}

/** External id → transaction, for every id among these that a transaction has ever had; of a merged one, its survivor. */
export async function selectAliases(
  tx: ReadTx,
  namespace: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < externalIds.length; start += AT_ONCE) {
    const { rows } = await sql<{ external_id: string; id: string }>`
      select a.external_id, coalesce(t.merged_into_id, t.id) as id
      from transaction_aliases a join transactions t on t.id = a.transaction_id
      where a.namespace = ${namespace} and a.external_account_id is not null
        and ${tx.portable.inList(sql.ref('a.external_id'), externalIds.slice(start, start + AT_ONCE))}`.execute(tx.q);
    for (const { external_id: externalId, id } of rows) found.set(externalId, id);
  }
  return found;
}

/** Those of these ids that are the present one of a live transaction. */
export async function selectLiveIds(
  tx: ReadTx,
  namespace: string,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let start = 0; start < externalIds.length; start += AT_ONCE) {
    const { rows } = await sql<{ external_id: string }>`select f.external_id
      from transaction_aliases a join transaction_feeds f on f.transaction_id = a.transaction_id
        and f.namespace = a.namespace and f.external_id = a.external_id
      join transactions t on t.id = f.transaction_id
      where a.namespace = ${namespace} and t.deleted_at is null
        and ${tx.portable.inList(sql.ref('a.external_id'), externalIds.slice(start, start + AT_ONCE))}`.execute(tx.q);
    for (const { external_id: externalId } of rows) found.add(externalId);
  }
  return found;
}

const FEED_COLUMNS = [
  'transaction_id',
  'namespace',
  'external_id',
  'external_account_id',
  'pending_external_id',
  'authorized_datetime',
  'category_confidence',
  'removed_at',
  'was_pending',
  'posted_at',
  'sync_log_id',
  'raw',
] as const;

export type FeedRow = readonly (string | number | null)[];

/** Stores what the provider said about transactions, without writing what it had already said. */
export async function putFeeds(tx: BareWriteTx, rows: readonly FeedRow[]): Promise<void> {
  const said = FEED_COLUMNS.filter((column) => column !== 'transaction_id' && column !== 'posted_at');
  const differs = said
    .filter((column) => column !== 'sync_log_id')
    .map((column) => `transaction_feeds.${column} is distinct from excluded.${column}`);
  await tx.insertMany(
    'transaction_feeds',
    FEED_COLUMNS,
    rows,
    `on conflict (transaction_id) do update set ${said.map((column) => `${column} = excluded.${column}`).join(', ')},
        posted_at = coalesce(transaction_feeds.posted_at, excluded.posted_at)
      where ${differs.join(' or ')} or (transaction_feeds.posted_at is null and excluded.posted_at is not null)`,
  );
}

/** Stores the ids that the provider gave to transactions, or that it still gives them. */
export async function putAliases(tx: BareWriteTx, rows: readonly (readonly string[])[]): Promise<void> {
  await tx.insertMany(
    'transaction_aliases',
    [
      'transaction_id',
      'namespace',
      'external_id',
      'account_id',
      'external_account_id',
      'first_seen_at',
      'last_seen_at',
    ],
    rows,
    `on conflict (transaction_id, namespace, external_id) do update set account_id = excluded.account_id,
      external_account_id = excluded.external_account_id, last_seen_at = excluded.last_seen_at`,
  );
}

/** Notes that the provider removed the current ids of these transactions. */
export async function stampRemoved(tx: BareWriteTx, transactionIds: readonly string[]): Promise<void> {
  for (let start = 0; start < transactionIds.length; start += AT_ONCE) {
    await sql`update transaction_feeds set removed_at = ${tx.now}
      where ${tx.portable.inList(sql.ref('transaction_id'), transactionIds.slice(start, start + AT_ONCE))}`.execute(
      tx.q,
    );
  }
}
