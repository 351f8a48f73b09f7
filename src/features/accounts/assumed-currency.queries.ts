import { sql } from 'kysely';

import type { TransactionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** A row whose currency nobody stated. */
export type AssumedRow = Pick<TransactionsTable, 'id' | 'short_id' | 'iso_currency_code'>;

/**
 * Rows of an account, deleted ones too, without a currency or with one that their import assumed, after an id. One
 * that a later file stated the currency of has it stated.
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
