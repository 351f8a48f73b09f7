import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays, type DateOnly } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import { INTERVALS, typicalInterval } from './series-detail.ts';

/** What the transactions of a series show (contract 10.11), and how it goes on (70.3). */
export interface Outlook {
  transaction_count: number;
  last_date: DateOnly | null;
  last_amount: string | null;
  last_iso_currency_code: string | null;
  /** Amount of the posted transaction before the newest one, in the same currency. */
  previous_amount: string | null;
  typical_interval_days: number | null;
  /** When the next transaction is to be expected. */
  next_date: DateOnly | null;
}

/** The outlooks of many series at once, by UUID: as many statements as for one. */
export async function seriesOutlooks(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Outlook>> {
  const extents = Map.groupBy(await selectExtents(tx, ids), ({ series_id: id }) => id);
  const newest = Map.groupBy(await selectNewest(tx, ids), ({ series_id: id }) => id);
  const dates = Map.groupBy(await selectDates(tx, ids), ({ series_id: id }) => id);
  return new Map(
    ids.map((id) => {
      const [extent] = extents.get(id) ?? [];
      const [last, ...others] = newest.get(id) ?? [];
      const previous = others.find((one) => one.iso_currency_code === last?.iso_currency_code);
      const days = typicalInterval((dates.get(id) ?? []).map(({ date }) => date));
      const outlook = {
        transaction_count: extent?.count ?? 0,
        last_date: extent?.last_date ?? null,
        last_amount: last ? formatCents(last.amount_cents) : null,
        last_iso_currency_code: last?.iso_currency_code ?? null,
        previous_amount: previous ? formatCents(previous.amount_cents) : null,
        typical_interval_days: days,
        next_date: extent && days !== null ? addDays(extent.last_date, days) : null,
      };
      return [id, outlook];
    }),
  );
}

interface Member {
  series_id: string;
  date: DateOnly;
}

async function selectExtents(tx: ReadTx, ids: readonly string[]) {
  const { rows } = await sql<{ series_id: string; count: number; last_date: DateOnly }>`
    select series_id, count(*) as count, max(date) as last_date from transactions
    where ${tx.portable.inList(sql.ref('series_id'), ids)} and deleted_at is null group by series_id`.execute(tx.q);
  return rows;
}

/** The two newest posted members in each currency, newest first. */
async function selectNewest(tx: ReadTx, ids: readonly string[]) {
  const { rows } = await sql<Member & { amount_cents: number; iso_currency_code: string | null }>`
    select series_id, date, amount_cents, iso_currency_code
    from (select series_id, date, id, amount_cents, iso_currency_code,
        row_number() over (partition by series_id, iso_currency_code order by date desc, id desc) as place
      from transactions
      where ${tx.portable.inList(sql.ref('series_id'), ids)} and deleted_at is null and pending = 0) as ranked
    where place <= 2 order by date desc, id desc`.execute(tx.q);
  return rows;
}

/** The newest distinct dates of posted members, newest first: as many as intervals count, and one more. */
async function selectDates(tx: ReadTx, ids: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select series_id, date
    from (select series_id, date, row_number() over (partition by series_id order by date desc) as place
      from (select distinct series_id, date from transactions
        where ${tx.portable.inList(sql.ref('series_id'), ids)} and deleted_at is null and pending = 0) as dated) as ranked
    where place <= ${sql.lit(INTERVALS + 1)} order by date desc`.execute(tx.q);
  return rows;
}
