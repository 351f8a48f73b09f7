import { sql } from 'kysely';

import type { BalanceSnapshotsTable, ImportAccountsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { selectStoredRows, type StoredRow } from '../ledger-rows/index.ts';
import type { AccountFeed } from './proof.queries.ts';

/** Every transaction of an account, deleted ones included, without those that others stand for. */
export async function selectRowsOf(tx: ReadTx, accountId: string): Promise<StoredRow[]> {
  return selectStoredRows(tx, sql`t.account_id = ${accountId} and t.merged_into_id is null`);
}

/** Transactions of an account that a provider delivered under these external account ids, without survivors of a join. */
export async function selectDeliveredUnder(
  tx: ReadTx,
  accountId: string,
  formerAccountId: string,
  externalAccountIds: readonly string[],
): Promise<StoredRow[]> {
  const survivors = sql`select merged_into_id from transactions
    where account_id = ${formerAccountId} and merged_into_id is not null`;
  return selectStoredRows(
    tx,
    sql`t.account_id = ${accountId} and t.id not in (${survivors})
      and ${tx.portable.inList(sql.ref('f.external_account_id'), externalAccountIds)}`,
  );
}

/** Transactions of an account that are merged into one of another account, otherwise than a change set did it. */
export async function selectMergedOtherwise(
  tx: ReadTx,
  fromId: string,
  intoId: string,
  setId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from transactions t join transactions s on s.id = t.merged_into_id
    where t.account_id = ${fromId} and s.account_id = ${intoId} and not exists (select 1 from changes c
      where c.change_set_id = ${setId} and c.entity_type = 'transaction' and c.entity_id = t.id
        and c.internal like '%"merge":{"into":"' || s.id || '"%')
    order by t.id`.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** Moves transactions, with their external ids, to another account. The caller records it. */
export async function moveRows(tx: BareWriteTx, ids: readonly string[], accountId: string): Promise<void> {
  if (ids.length === 0) return;
  await tx.updateMany(
    'transactions',
    ['account_id', 'updated_at'],
    ids.map((id) => [id, accountId, tx.now]),
  );
  await sql`update transaction_aliases set account_id = ${accountId}
    where ${tx.portable.inList(sql.ref('transaction_id'), ids)}`.execute(tx.q);
  // Transactions that were merged into these stay with them.
  await sql`update transactions set account_id = ${accountId}
    where deleted_cause = 'merged' and ${tx.portable.inList(sql.ref('merged_into_id'), ids)}`.execute(tx.q);
}

/** Transactions of an account that a join moved there; `setId` is its change set. */
export async function selectMoved(
  tx: ReadTx,
  setId: string,
  accountId: string,
): Promise<Pick<StoredRow, 'id' | 'shortId' | 'deletedAt'>[]> {
  const { rows } = await sql<{ id: string; shortId: string; deletedAt: string | null }>`
    select t.id, t.short_id as "shortId", t.deleted_at as "deletedAt"
    from changes c join transactions t on t.id = c.entity_id
    where c.change_set_id = ${setId} and c.entity_type = 'transaction' and t.account_id = ${accountId}
      and c.after = ${JSON.stringify({ account_id: accountId })} order by t.id`.execute(tx.q);
  return rows;
}

/** External account ids by which the bank's side of an account goes over to another one. Answers them. */
export async function moveAccountAliases(
  tx: BareWriteTx,
  fromId: string,
  toId: string,
  { provider, among, since }: { provider: string; among?: readonly string[]; since?: string },
): Promise<string[]> {
  const held = await tx.q
    .selectFrom('account_aliases')
    .select(['external_id', 'first_seen_at'])
    .where('account_id', '=', fromId)
    .where('namespace', '=', provider)
    .execute();
  const ids = held
    .filter((one) => among === undefined || among.includes(one.external_id) || one.first_seen_at > (since ?? ''))
    .map((one) => one.external_id);
  await sql`update account_aliases set account_id = ${toId} where namespace = ${provider}
    and account_id = ${fromId} and ${tx.portable.inList(sql.ref('external_id'), ids)}`.execute(tx.q);
  return ids;
}

export async function replaceFeed(tx: BareWriteTx, accountId: string, feed: AccountFeed | null): Promise<void> {
  await tx.q.deleteFrom('account_feeds').where('account_id', '=', accountId).execute();
  if (feed)
    await tx.q
      .insertInto('account_feeds')
      .values({ ...feed, account_id: accountId })
      .execute();
}

export async function selectSnapshots(tx: ReadTx, accountId: string): Promise<BalanceSnapshotsTable[]> {
  return tx.q.selectFrom('balance_snapshots').selectAll().where('account_id', '=', accountId).execute();
}

/** Gives an account these snapshots of another one; the answer is what they replaced. */
export async function moveSnapshots(
  tx: BareWriteTx,
  snapshots: readonly BalanceSnapshotsTable[],
  toId: string,
): Promise<BalanceSnapshotsTable[]> {
  const replaced: BalanceSnapshotsTable[] = [];
  for (const { account_id: fromId, date, iso_currency_code: currency } of snapshots) {
    const of = (accountId: string) =>
      sql`account_id = ${accountId} and date = ${date} and iso_currency_code = ${currency}`;
    const { rows } = await sql<BalanceSnapshotsTable>`select * from balance_snapshots where ${of(toId)}`.execute(tx.q);
    replaced.push(...rows);
    await sql`delete from balance_snapshots where ${of(toId)}`.execute(tx.q);
    await sql`update balance_snapshots set account_id = ${toId} where ${of(fromId)}`.execute(tx.q);
  }
  return replaced;
}

export async function insertSnapshots(tx: BareWriteTx, snapshots: readonly BalanceSnapshotsTable[]): Promise<void> {
  for (const snapshot of snapshots) {
    await tx.q
      .insertInto('balance_snapshots')
      .values(snapshot)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Files that went into one account lead to the other too. Answers the imports for which that is new. */
export async function leadImportsTo(tx: BareWriteTx, fromId: string, toId: string): Promise<string[]> {
  const { rows } = await sql<Omit<ImportAccountsTable, 'account_id'>>`
    select import_id, first_date, last_date, proof from import_accounts where account_id = ${fromId}
    and import_id not in (select import_id from import_accounts where account_id = ${toId})`.execute(tx.q);
  await tx.insertMany(
    'import_accounts',
    ['import_id', 'account_id', 'first_date', 'last_date', 'proof'],
    rows.map((row) => [row.import_id, toId, row.first_date, row.last_date, row.proof]),
  );
  return rows.map(({ import_id: id }) => id);
}

export async function forgetImportsOf(tx: BareWriteTx, accountId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from import_accounts where account_id = ${accountId}
    and ${tx.portable.inList(sql.ref('import_id'), ids)}`.execute(tx.q);
}

/** Suggestions about transactions follow these into their account. */
export async function moveSuggestions(tx: BareWriteTx, fromId: string, toId: string): Promise<void> {
  await sql`update sync_suggestions set account_id = ${toId} where account_id = ${fromId} and transaction_id in
    (select id from transactions where account_id = ${toId})`.execute(tx.q);
}

/** Of these transactions, those that somebody entered by hand, whatever has delivered them since. */
export async function selectEntered(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select distinct entity_id as id from changes
    where entity_type = 'transaction' and operation = 'create' and source = 'edit'
      and ${tx.portable.inList(sql.ref('entity_id'), ids)}`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}

/** The first change by syncs since a change set, of each of these transactions, of each delivered value. */
export async function selectSyncedSince(
  tx: ReadTx,
  setId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const { rows } = await sql<{ id: string; before: string }>`select entity_id as id, before from changes
    where entity_type = 'transaction' and operation = 'update' and source = 'sync' and change_set_id > ${setId}
      and before is not null and ${tx.portable.inList(sql.ref('entity_id'), ids)}
    order by change_set_id desc, sequence desc`.execute(tx.q);
  const found = new Map<string, Record<string, unknown>>();
  for (const { id, before } of rows) {
    found.set(id, { ...found.get(id), ...(JSON.parse(before) as Record<string, unknown>) });
  }
  return found;
}

/** The newest import that found each of these transactions in a file of the account. */
export async function selectFoundInFiles(
  tx: ReadTx,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; import_id: string }>`
    select r.transaction_id as id, max(r.import_id) as import_id from import_rows r
      join imports i on i.id = r.import_id join import_accounts a on a.import_id = r.import_id
    where a.account_id = ${accountId} and i.status in ('completed', 'partly_reverted')
      and ${tx.portable.inList(sql.ref('r.transaction_id'), ids)}
    group by r.transaction_id`.execute(tx.q);
  return new Map(rows.map(({ id, import_id }) => [id, import_id]));
}

/** What the changes of a set keep of the splits that it made, in JSON. */
export async function selectSplits(tx: ReadTx, setId: string): Promise<string[]> {
  const { rows } = await sql<{ internal: string }>`select internal from changes
    where change_set_id = ${setId} and entity_type = 'account' and internal like '%"split":%'`.execute(tx.q);
  return rows.map(({ internal }) => internal);
}

/** The changes of a set that made one account of two, or two of one, and are still in force. */
export async function selectJoinsAndSplits(
  tx: ReadTx,
  setId: string,
): Promise<{ sequence: number; entity_id: string; entity_short_id: string | null; internal: string }[]> {
  const { rows } = await sql<{
    sequence: number;
    entity_id: string;
    entity_short_id: string | null;
    internal: string;
  }>`select sequence, entity_id, entity_short_id, internal from changes
    where change_set_id = ${setId} and entity_type = 'account' and reverted_by_change_set_id is null
      and (internal like '%"join":%' or internal like '%"split":%')
    order by sequence`.execute(tx.q);
  return rows;
}
