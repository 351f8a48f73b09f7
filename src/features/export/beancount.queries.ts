import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DateOnly, Instant } from '../../kernel/dates.ts';

/** The currency is '' where none is stated. */
interface OfAccount {
  account_id: string;
  currency: string;
  date: DateOnly;
}

export interface DaySum extends OfAccount {
  cents: string;
}

/** What the live posted rows of each account, currency and day add up to, by day. */
export async function selectDaySums(tx: ReadTx): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select account_id, coalesce(iso_currency_code, '') as currency, date,
      ${tx.portable.exactSum(sql.ref('amount_cents'))} as cents
    from transactions where deleted_at is null and pending = 0
    group by date, account_id, iso_currency_code order by date`.execute(tx.q);
  return rows;
}

export interface StatedRow extends OfAccount {
  cents: number;
  source: string;
  recorded_at: Instant;
  pending_cents: number | null;
}

/** Every balance that was stated, by day. */
export async function selectStatedBalances(tx: ReadTx): Promise<StatedRow[]> {
  const { rows } = await sql<StatedRow>`
    select account_id, iso_currency_code as currency, date, balance_current_cents as cents, source, recorded_at, pending_cents
    from balance_snapshots where balance_current_cents is not null order by date`.execute(tx.q);
  return rows;
}

interface PostedRow extends OfAccount {
  amount_cents: number;
  posted_at: Instant;
}

/** The live posted rows that syncs brought, and when one first brought each as posted. */
export function iteratePostedBySyncs(tx: ReadTx): AsyncIterable<PostedRow> {
  const query = sql<PostedRow>`
    select t.account_id, coalesce(t.iso_currency_code, '') as currency, t.date, t.amount_cents, f.posted_at
    from transaction_feeds f join transactions t on t.id = f.transaction_id
    where f.posted_at is not null and t.deleted_at is null and t.pending = 0`;
  return tx.iterate(query.compile(tx.q));
}
