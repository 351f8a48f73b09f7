import { sql } from 'kysely';

import type { TransactionsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** A row whose currency nobody stated. */
export type AssumedRow = Pick<TransactionsTable, 'id' | 'short_id' | 'iso_currency_code'>;

/**
 * Rows of an account, deleted ones too, after an id: without a currency, or with one that their import assumed, unless a
 * later file has stated it.
 */
export async function selectAssumedRows(
  tx: ReadTx,
  { accountId, currency, after, limit }: { accountId: string; currency: string; after: string; limit: number },
): Promise<AssumedRow[]> {
  const { rows } = await sql<AssumedRow>`
    select t.id, t.short_id, t.iso_currency_code
    from transactions t left join imports i on i.id = t.import_id
    where t.account_id = ${accountId} and t.id > ${after}
      and (t.iso_currency_code is null or (i.currency_stated = 0 and t.iso_currency_code <> ${currency}
        and not exists (select 1 from changes c join change_sets s on s.id = c.change_set_id
          join imports later on later.id = s.import_id
          where c.transaction_id = t.id and c.entity_type = 'transaction' and later.currency_stated = 1
            and c.reverted_by_change_set_id is null and c.after like '%"iso_currency_code"%')))
    order by t.id limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

/** A snapshot whose currency changed; '' if none was stated. */
export interface MovedSnapshot {
  date: string;
  from: string;
  to: string;
  /** Distinguishes it from a snapshot that has replaced it since. */
  recorded_at: string;
}

/** Snapshots whose currency nobody stated: none, or one that an import merely assumed. */
export async function selectAssumedSnapshots(
  tx: ReadTx,
  accountId: string,
  currency: string,
): Promise<MovedSnapshot[]> {
  const { rows } = await sql<MovedSnapshot>`
    select s.date, s.iso_currency_code as "from", cast(${currency} as text) as "to", s.recorded_at from balance_snapshots s left join imports i on i.id = s.import_id
    where s.account_id = ${accountId} and s.iso_currency_code <> ${currency}
      and (s.iso_currency_code = '' or i.currency_stated = 0)
    order by s.date, s.iso_currency_code`.execute(tx.q);
  return rows;
}

/** Gives snapshots another currency, except where one exists already. Answers those that have it now. */
export async function moveSnapshots(
  tx: BareWriteTx,
  accountId: string,
  moves: readonly MovedSnapshot[],
): Promise<MovedSnapshot[]> {
  const moved: MovedSnapshot[] = [];
  for (const { date, from, to, recorded_at: recordedAt } of moves) {
    const { rows } = await sql`select 1 from balance_snapshots
      where account_id = ${accountId} and date = ${date} and iso_currency_code = ${to}`.execute(tx.q);
    if (rows.length > 0) continue;
    await sql`update balance_snapshots set iso_currency_code = ${to}
      where account_id = ${accountId} and date = ${date} and iso_currency_code = ${from}
        and recorded_at = ${recordedAt}`.execute(tx.q);
    moved.push({ date, from, to, recorded_at: recordedAt });
  }
  return moved;
}
