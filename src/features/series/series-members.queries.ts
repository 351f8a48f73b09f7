import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Member } from '../../engines/recurring/rhythm.ts';
import type { DateOnly, Instant } from '../../kernel/dates.ts';
import { MERCHANT_KEY, MERCHANTS_BY_NAME } from '../transactions/index.ts';

/** A live row of a series. */
export interface SeriesMember extends Member {
  seriesId: string;
  accountId: string;
  attributedUserId: string | null;
  isPending: boolean;
  /** The same for all rows of one merchant (contract 10.5.5). */
  merchant: string;
}

type MemberRow = readonly [
  seriesId: string,
  id: string,
  date: DateOnly,
  cents: number,
  currency: string | null,
  accountId: string,
  attributedUserId: string | null,
  pending: number,
  merchant: string,
];

/** The live rows of these series; of each oldest first, by date, then id. */
export async function selectMembers(tx: ReadTx, ids: readonly string[]): Promise<SeriesMember[]> {
  const query = sql`select t.series_id, t.id, t.date, t.amount_cents, t.iso_currency_code, t.account_id,
      t.attributed_user_id, t.pending, ${MERCHANT_KEY}
    from transactions t ${MERCHANTS_BY_NAME}
    where ${tx.portable.inList(sql.ref('t.series_id'), ids)} and t.series_id is not null and t.deleted_at is null
    order by t.series_id, t.date, t.id`;
  const rows = (await tx.values(query.compile(tx.q))) as unknown as readonly MemberRow[];
  return rows.map(([seriesId, id, date, cents, currency, accountId, attributedUserId, pending, merchant]) => ({
    seriesId,
    id,
    date,
    cents,
    currency,
    accountId,
    attributedUserId,
    isPending: pending === 1,
    merchant,
  }));
}

export interface AccountDays {
  account_id: string;
  newest_date: DateOnly | null;
  last_sync_at: Instant | null;
}

/** The newest posted row of each account, and when a bank last delivered it. */
export async function selectAccountDays(tx: ReadTx, ids: readonly string[]): Promise<AccountDays[]> {
  const feeds = sql`select f.connection_id from account_feeds f where f.account_id = a.id`;
  const { rows } = await sql<AccountDays>`select a.id as account_id,
      (select t.date from transactions t where t.account_id = a.id and t.deleted_at is null and t.pending = 0
        order by t.date desc, t.id desc limit 1) as newest_date,
      (select max(c.last_sync_at) from connections c
        where (c.id = a.connection_id or c.id in (${feeds})) and c.provider <> 'csv') as last_sync_at
    from accounts a where ${tx.portable.inList(sql.ref('a.id'), ids)}`.execute(tx.q);
  return rows;
}
