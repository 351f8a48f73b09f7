import { sql } from 'kysely';

import type { TransactionsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** A row whose currency nobody stated, with the keys by which its file knows it. */
export type AssumedRow = Pick<
  TransactionsTable,
  'id' | 'short_id' | 'date' | 'amount_cents' | 'name' | 'iso_currency_code'
> & { source_key: string | null; content_key: string | null };

/**
 * Rows of an account, deleted ones too, without a currency or with one that their import assumed, after an id. One
 * that a later file stated the currency of has it stated.
 */
export async function selectAssumedRows(
  tx: ReadTx,
  { accountId, currency, after, limit }: { accountId: string; currency: string; after: string; limit: number },
): Promise<AssumedRow[]> {
  const { rows } = await sql<AssumedRow>`
    select t.id, t.short_id, t.date, t.amount_cents, t.name, t.iso_currency_code, o.source_key, o.content_key
    from transactions t left join imports i on i.id = t.import_id
      left join transaction_origins o on o.transaction_id = t.id
    where t.account_id = ${accountId} and t.id > ${after}
      and (t.iso_currency_code is null or (i.currency_stated = 0 and t.iso_currency_code <> ${currency}
        and not exists (select 1 from changes c join change_sets s on s.id = c.change_set_id
          join imports later on later.id = s.import_id
          where c.transaction_id = t.id and c.entity_type = 'transaction' and later.currency_stated = 1
            and c.reverted_by_change_set_id is null and c.after like '%"iso_currency_code"%')))
    order by t.id limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

export async function updateContentKeys(
  tx: BareWriteTx,
  keys: readonly { id: string; contentKey: string }[],
): Promise<void> {
  for (const { id, contentKey } of keys) {
    await sql`update transaction_origins set content_key = ${contentKey} where transaction_id = ${id}`.execute(tx.q);
  }
}
