import { sql } from 'kysely';
import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays, dayNumber, type DateOnly } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import type { SeriesDetail } from './series.contract.ts';
import { toSeries } from './series.entity.ts';

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

/** How many of the newest intervals count. */
const INTERVALS = 24;

/** The outlooks of many series at once, by UUID: as many statements as for one. */
export async function seriesOutlooks(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Outlook>> {
  const figures = await selectFigures(tx, ids);
  const dates = Map.groupBy(await selectNewestDates(tx, ids), ({ series_id: id }) => id);
  return new Map(
    figures.map((row) => {
      const days = typicalInterval((dates.get(row.series_id) ?? []).map(({ date }) => date));
      const outlook = {
        transaction_count: row.transaction_count,
        last_date: row.last_date,
        last_amount: amountOf(row.last_cents),
        last_iso_currency_code: row.last_iso_currency_code,
        previous_amount: amountOf(row.previous_cents),
        typical_interval_days: days,
        next_date: row.last_date !== null && days !== null ? addDays(row.last_date, days) : null,
      };
      return [row.series_id, outlook];
    }),
  );
}

/** The single record: a series with what its transactions show. */
export async function seriesDetail(tx: ReadTx, row: SeriesTable): Promise<z.output<typeof SeriesDetail>> {
  const outlooks = await seriesOutlooks(tx, [row.id]);
  const { previous_amount: _previous, next_date: _next, ...shown } = outlooks.get(row.id) as Outlook;
  return { ...toSeries(row), ...shown };
}

/**
 * Median of the days between consecutive distinct dates, over the newest 24 intervals; the lower one of two medians.
 * Null for fewer than two intervals.
 */
export function typicalInterval(newestFirst: readonly DateOnly[]): number | null {
  const days = newestFirst.slice(0, INTERVALS + 1).map(dayNumber);
  const intervals = days.slice(1).map((day, index) => (days[index] as number) - day);
  if (intervals.length < 2) return null;
  intervals.sort((a, b) => a - b);
  return intervals[Math.floor((intervals.length - 1) / 2)] as number;
}

function amountOf(cents: number | null): string | null {
  return cents === null ? null : formatCents(cents);
}

interface Figures {
  series_id: string;
  transaction_count: number;
  last_date: DateOnly | null;
  last_cents: number | null;
  last_iso_currency_code: string | null;
  previous_cents: number | null;
}

/** Each series beside its newest posted transaction, all found along the index by series and date. */
async function selectFigures(tx: ReadTx, ids: readonly string[]): Promise<Figures[]> {
  const live = sql`t.series_id = s.id and t.deleted_at is null`;
  const newest = sql`order by t.date desc, t.id desc limit 1`;
  const { rows } = await sql<Figures>`select s.id as series_id,
      (select count(*) from transactions t where ${live}) as transaction_count,
      (select max(t.date) from transactions t where ${live}) as last_date,
      latest.amount_cents as last_cents, latest.iso_currency_code as last_iso_currency_code,
      (select t.amount_cents from transactions t where ${live} and t.pending = 0
        and t.iso_currency_code is not distinct from latest.iso_currency_code
        and (t.date, t.id) < (latest.date, latest.id) ${newest}) as previous_cents
    from series s
    left join transactions latest on latest.id = (select t.id from transactions t where ${live} and t.pending = 0 ${newest})
    where ${tx.portable.inList(sql.ref('s.id'), ids)}`.execute(tx.q);
  return rows;
}

/**
 * The newest distinct dates of posted transactions, newest first: as many as intervals count, and one more. Steps from
 * date to date along the index, so that neither a long series nor a day with many transactions is scanned.
 */
async function selectNewestDates(tx: ReadTx, ids: readonly string[]): Promise<{ series_id: string; date: DateOnly }[]> {
  const posted = sql`t.deleted_at is null and t.pending = 0`;
  const { rows } = await sql<{ series_id: string; date: DateOnly }>`
    with recursive stepped (series_id, date, place) as (
      select s.id, (select max(t.date) from transactions t where t.series_id = s.id and ${posted}), 1
      from series s where ${tx.portable.inList(sql.ref('s.id'), ids)}
      union all
      select stepped.series_id, (select max(t.date) from transactions t
        where t.series_id = stepped.series_id and ${posted} and t.date < stepped.date), place + 1
      from stepped where stepped.date is not null and place <= ${sql.lit(INTERVALS)})
    select series_id, date from stepped where date is not null order by date desc`.execute(tx.q);
  return rows;
}
