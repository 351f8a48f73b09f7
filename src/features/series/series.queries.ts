import { sql } from 'kysely';

import type { SeriesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** By name without regard to case, then id; of these types only, when any are given. */
export async function selectSeries(tx: ReadTx, types?: readonly string[]): Promise<SeriesTable[]> {
  const all = tx.q.selectFrom('series').selectAll().orderBy('name_folded').orderBy('id');
  return (types ? all.where(tx.portable.inList(sql.ref('type'), types)) : all).execute();
}

/** The series with this UUID or short_id. */
export async function findSeries(tx: ReadTx, anyId: string): Promise<SeriesTable | undefined> {
  const query = tx.q.selectFrom('series').selectAll();
  if (isUuid(anyId)) return query.where('id', '=', anyId).executeTakeFirst();
  if (isShortId(anyId)) return query.where('short_id', '=', anyId).executeTakeFirst();
  return undefined;
}

export async function findSeriesByFoldedName(tx: ReadTx, folded: string): Promise<SeriesTable | undefined> {
  return tx.q.selectFrom('series').selectAll().where('name_folded', '=', folded).executeTakeFirst();
}

export async function insertSeries(tx: BareWriteTx, row: SeriesTable): Promise<void> {
  await tx.q.insertInto('series').values(row).execute();
}

export async function updateSeriesRow(tx: BareWriteTx, id: string, set: Partial<SeriesTable>): Promise<void> {
  await tx.q.updateTable('series').set(set).where('id', '=', id).execute();
}

export async function deleteSeriesRow(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('series').where('id', '=', id).execute();
}

export interface NewestMember {
  date: string;
  amount_cents: number;
  iso_currency_code: string | null;
}

/** The newest live member by date, then id; pending ones count only when wanted. */
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
 * The newest distinct dates of live members that are not pending, newest first. Steps from date to date along the
 * index, so that neither a long series nor a crowded day is read through.
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
