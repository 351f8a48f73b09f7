import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** The newest snapshot that an import wrote for an account and currency before a day. */
export async function findAnchorBefore(
  tx: ReadTx,
  accountId: string,
  currency: string | null,
  before: string,
): Promise<BalanceSnapshotsTable | undefined> {
  return anchors(tx, accountId, currency)
    .where('date', '<', before)
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether an import wrote a snapshot between two days, both inclusive. */
export async function hasAnchorWithin(
  tx: ReadTx,
  accountId: string,
  currency: string | null,
  first: string,
  last: string,
): Promise<boolean> {
  const found = await anchors(tx, accountId, currency)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function selectSnapshots(
  tx: ReadTx,
  accountId: string,
  first: string,
  last: string,
): Promise<BalanceSnapshotsTable[]> {
  return tx.q
    .selectFrom('balance_snapshots')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .execute();
}

/** The newest snapshots of an account, one per currency at most. */
export async function selectNewestSnapshots(tx: ReadTx, accountId: string): Promise<BalanceSnapshotsTable[]> {
  return tx.q
    .selectFrom('balance_snapshots')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('date', 'desc')
    .orderBy('recorded_at', 'desc')
    .limit(20)
    .execute();
}

/** Later reports replace earlier ones of the same account, day and currency (10.2.3). */
export async function replaceSnapshots(tx: BareWriteTx, rows: readonly BalanceSnapshotsTable[]): Promise<void> {
  await tx.insertMany(
    'balance_snapshots',
    ['account_id', 'date', 'iso_currency_code', 'balance_current_cents', 'source', 'import_id', 'recorded_at'],
    rows.map((row) => [
      row.account_id,
      row.date,
      row.iso_currency_code,
      row.balance_current_cents,
      row.source,
      row.import_id,
      row.recorded_at,
    ]),
    `on conflict (account_id, date, iso_currency_code) do update set
      balance_current_cents = excluded.balance_current_cents, balance_available_cents = null,
      balance_limit_cents = null, source = excluded.source, import_id = excluded.import_id,
      recorded_at = excluded.recorded_at`,
  );
}

function anchors(tx: ReadTx, accountId: string, currency: string | null) {
  return tx.q
    .selectFrom('balance_snapshots')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('iso_currency_code', '=', currency ?? '')
    .where('source', '=', 'import')
    .where('balance_current_cents', 'is not', null);
}
