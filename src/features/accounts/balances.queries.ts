import type { AccountsTable, BalanceSnapshotsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** The day and currency of a snapshot; the currency is '' where none is stated. */
type SnapshotKey = Pick<BalanceSnapshotsTable, 'account_id' | 'date' | 'iso_currency_code'>;

export async function findSnapshot(tx: ReadTx, key: SnapshotKey): Promise<BalanceSnapshotsTable | undefined> {
  return tx.q
    .selectFrom('balance_snapshots')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('date', '=', key.date)
    .where('iso_currency_code', '=', key.iso_currency_code)
    .executeTakeFirst();
}

export async function selectStatedByHand(tx: ReadTx, accountId: string): Promise<BalanceSnapshotsTable[]> {
  return tx.q
    .selectFrom('balance_snapshots')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('source', '=', 'manual')
    .execute();
}

/** Days and currencies of all snapshots of an account. */
export async function selectSnapshotKeys(
  tx: ReadTx,
  accountId: string,
): Promise<Pick<BalanceSnapshotsTable, 'date' | 'iso_currency_code'>[]> {
  return tx.q
    .selectFrom('balance_snapshots')
    .select(['date', 'iso_currency_code'])
    .where('account_id', '=', accountId)
    .execute();
}

const SNAPSHOT_COLUMNS = [
  'account_id',
  'date',
  'iso_currency_code',
  'balance_current_cents',
  'balance_available_cents',
  'balance_limit_cents',
  'source',
  'import_id',
  'recorded_at',
  'pending_cents',
] as const;

/** Stores balances of days; a later report replaces an earlier one of the same day and currency (10.2.3). */
export async function putSnapshots(tx: BareWriteTx, rows: readonly BalanceSnapshotsTable[]): Promise<void> {
  const said = SNAPSHOT_COLUMNS.slice(3).map((column) => `${column} = excluded.${column}`);
  await insertSnapshots(tx, rows, `on conflict (account_id, date, iso_currency_code) do update set ${said.join(', ')}`);
}

/** Restores snapshots where there is none now. */
export async function restoreSnapshots(tx: BareWriteTx, rows: readonly BalanceSnapshotsTable[]): Promise<void> {
  await insertSnapshots(tx, rows, 'on conflict do nothing');
}

async function insertSnapshots(
  tx: BareWriteTx,
  rows: readonly BalanceSnapshotsTable[],
  onConflict: string,
): Promise<void> {
  const values = rows.map((row) => SNAPSHOT_COLUMNS.map((column) => row[column]));
  await tx.insertMany('balance_snapshots', SNAPSHOT_COLUMNS, values, onConflict);
}

export async function insertSnapshot(tx: BareWriteTx, row: BalanceSnapshotsTable): Promise<void> {
  await tx.q.insertInto('balance_snapshots').values(row).execute();
}

export async function deleteSnapshot(tx: BareWriteTx, key: SnapshotKey): Promise<void> {
  await tx.q
    .deleteFrom('balance_snapshots')
    .where('account_id', '=', key.account_id)
    .where('date', '=', key.date)
    .where('iso_currency_code', '=', key.iso_currency_code)
    .execute();
}

/** The newest snapshot of an account in its own currency; in any while it has none. */
export async function findNewestSnapshot(
  tx: ReadTx,
  { id, iso_currency_code: currency }: Pick<AccountsTable, 'id' | 'iso_currency_code'>,
): Promise<BalanceSnapshotsTable | undefined> {
  const all = tx.q.selectFrom('balance_snapshots').selectAll().where('account_id', '=', id);
  const own = currency === null ? all : all.where('iso_currency_code', '=', currency);
  return own.orderBy('date', 'desc').orderBy('recorded_at', 'desc').limit(1).executeTakeFirst();
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
