import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';

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

/** The sum of the live pending rows of an account in one currency; null is one of its own. */
export async function sumPending(tx: ReadTx, accountId: string, currency: string | null): Promise<number> {
  const { rows } = await sql<{ sum: string | null }>`
    select ${tx.portable.exactSum(sql.ref('amount_cents'))} as sum from transactions
    where account_id = ${accountId} and pending = 1 and deleted_at is null
      and coalesce(iso_currency_code, '') = ${currency ?? ''}`.execute(tx.q);
  return Number(rows[0]?.sum ?? 0);
}
