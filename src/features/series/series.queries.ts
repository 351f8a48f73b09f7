import { sql } from 'kysely';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** Series by name, ignoring case, then by id. All types unless some are given. */
export async function selectSeries(tx: ReadTx, types?: readonly string[]): Promise<SeriesTable[]> {
  const all = tx.q.selectFrom('series').selectAll().orderBy('name_folded').orderBy('id');
  return (types ? all.where(tx.portable.inList(sql.ref('type'), types)) : all).execute();
}

export async function findSeriesByFoldedName(tx: ReadTx, folded: string): Promise<SeriesTable | undefined> {
  return tx.q.selectFrom('series').selectAll().where('name_folded', '=', folded).executeTakeFirst();
}

interface NewestMember {
  date: string;
  amount_cents: number;
  iso_currency_code: string | null;
}

/** The newest live transaction by date, then id. */
export async function findNewestMember(
  tx: ReadTx,
  seriesId: string,
  { withPending }: { withPending: boolean },
): Promise<NewestMember | undefined> {
  const members = tx.q
    .selectFrom('transactions')
    .select(['date', 'amount_cents', 'iso_currency_code'])
    .where('series_id', '=', seriesId)
    .where('deleted_at', 'is', null);
  return (withPending ? members : members.where('pending', '=', 0))
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The newest distinct dates of live transactions that are not pending, newest first. Steps from date to date along
 * the index, so that neither a long series nor a day with many transactions is scanned.
 */
export async function selectNewestDates(tx: ReadTx, seriesId: string, count: number): Promise<string[]> {
  const counts = sql`t.series_id = ${seriesId} and t.deleted_at is null and t.pending = 0`;
  const { rows } = await sql<{ date: string }>`
    with recursive stepped (date, n) as (
      select max(t.date), 1 from transactions t where ${counts}
      union all
      select (select max(t.date) from transactions t where ${counts} and t.date < stepped.date), n + 1
      from stepped where stepped.date is not null and n < ${sql.lit(count)})
    select date from stepped where date is not null order by date desc`.execute(tx.q);
  return rows.map(({ date }) => date);
}
