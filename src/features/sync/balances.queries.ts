import { sql } from 'kysely';

import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

const COLUMNS = [
  'account_id',
  'date',
  'iso_currency_code',
  'balance_current_cents',
  'balance_available_cents',
  'balance_limit_cents',
  'source',
  'import_id',
  'recorded_at',
] as const;

/** Stores the balance of a day; a later report replaces an earlier one of the same day and currency (10.2.3). */
export async function putSnapshot(tx: BareWriteTx, row: BalanceSnapshotsTable): Promise<void> {
  const said = COLUMNS.slice(3).map((column) => `${column} = excluded.${column}`);
  await tx.insertMany(
    'balance_snapshots',
    COLUMNS,
    [COLUMNS.map((column) => row[column])],
    `on conflict (account_id, date, iso_currency_code) do update set ${said.join(', ')}`,
  );
}

/**
 * Exact sums of the posted and the pending rows that a source has delivered, in hundredths. Those that a person or agent
 * deleted count, because the bank has them.
 */
export async function sumsOfSource(
  tx: ReadTx,
  accountId: string,
  { source, currency }: { source: string; currency: string | null },
): Promise<{ posted: number; pending: number }> {
  const { rows } = await sql<{ pending: 0 | 1; sum: string | null }>`
    select t.pending, ${tx.portable.exactSum(sql.ref('t.amount_cents'))} as sum
    from transactions t join transaction_feeds f on f.transaction_id = t.id
    where t.account_id = ${accountId} and f.external_account_id = ${source}
      and (t.deleted_at is null or t.deleted_cause in ('person', 'agent'))
      and (cast(${currency} as text) is null or t.iso_currency_code = ${currency})
    group by t.pending`.execute(tx.q);
  const sumOf = (pending: 0 | 1): number => Number(rows.find((row) => row.pending === pending)?.sum ?? 0);
  return { posted: sumOf(0), pending: sumOf(1) };
}
