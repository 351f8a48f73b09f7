import type { BalanceSnapshotsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';

/** The newest snapshot before a day that an import wrote for an account and currency. */
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

/** Whether an import stored this balance for this day. */
export async function isImportBalance(
  tx: ReadTx,
  accountId: string,
  { date, currency, cents }: { date: string; currency: string | null; cents: number },
): Promise<boolean> {
  const found = await anchors(tx, accountId, currency)
    .where('date', '=', date)
    .where('balance_current_cents', '=', cents)
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

/** Keeps the snapshots that an import is about to replace, except its own. */
export async function keepReplaced(
  tx: BareWriteTx,
  importId: string,
  replacing: readonly BalanceSnapshotsTable[],
): Promise<void> {
  const dates = replacing.map(({ date }) => date).sort();
  const known = await selectSnapshots(
    tx,
    (replacing[0] as BalanceSnapshotsTable).account_id,
    dates[0] as string,
    dates.at(-1) as string,
  );
  const replaced = new Set(replacing.map((row) => `${row.date}|${row.iso_currency_code}`));
  const rows = known.filter(
    (row) => row.import_id !== importId && replaced.has(`${row.date}|${row.iso_currency_code}`),
  );
  await tx.insertMany(
    'replaced_snapshots',
    [
      'import_id',
      'account_id',
      'date',
      'iso_currency_code',
      'balance_current_cents',
      'balance_available_cents',
      'balance_limit_cents',
      'source',
      'source_import_id',
      'recorded_at',
      'pending_cents',
    ],
    rows.map((row) => [
      importId,
      row.account_id,
      row.date,
      row.iso_currency_code,
      row.balance_current_cents,
      row.balance_available_cents,
      row.balance_limit_cents,
      row.source,
      row.import_id,
      row.recorded_at,
      row.pending_cents,
    ]),
    'on conflict do nothing',
  );
}

/** The snapshots of an import that have not been replaced since. */
export async function selectSnapshotsOf(tx: ReadTx, importId: string): Promise<BalanceSnapshotsTable[]> {
  return tx.q.selectFrom('balance_snapshots').selectAll().where('import_id', '=', importId).execute();
}

/** The snapshots that an import replaced, except those of imports that were reverted. */
export async function selectReplaced(tx: ReadTx, importId: string): Promise<BalanceSnapshotsTable[]> {
  const rows = await tx.q
    .selectFrom('replaced_snapshots as r')
    .leftJoin('imports as i', 'i.id', 'r.source_import_id')
    .selectAll('r')
    .select('i.status as import_status')
    .where('r.import_id', '=', importId)
    .execute();
  return rows
    .filter((row) => row.import_status !== 'reverted')
    .map(({ import_status: _status, source_import_id: sourceImportId, ...row }) => ({
      ...row,
      import_id: sourceImportId,
    }));
}

export async function deleteSnapshots(tx: BareWriteTx, rows: readonly BalanceSnapshotsTable[]): Promise<void> {
  for (const row of rows) {
    await tx.q
      .deleteFrom('balance_snapshots')
      .where('account_id', '=', row.account_id)
      .where('date', '=', row.date)
      .where('iso_currency_code', '=', row.iso_currency_code)
      .where('recorded_at', '=', row.recorded_at)
      .execute();
  }
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
