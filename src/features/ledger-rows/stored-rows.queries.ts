import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { DeletedCause, KnownRow } from '../../engines/sync/account-plan.ts';
import { DELIVERED_COLUMNS, type DeliveredRow } from '../facets/index.ts';

/** A transaction of the ledger as the engine of syncs knows it, and what a commit compares. */
export interface StoredRow extends KnownRow {
  readonly shortId: string;
  readonly accountId: string;
  readonly datetime: string | null;
  readonly authorizedDatetime: string | null;
  readonly paymentChannel: string | null;
  readonly categoryId: string | null;
  readonly categorySource: string | null;
  readonly locks: string;
}

interface Columns extends DeliveredRow {
  id: string;
  short_id: string;
  account_id: string;
  category_id: string | null;
  category_source: string | null;
  locks: string;
  deleted_at: string | null;
  deleted_cause: string | null;
  created_at: string;
  is_from_file: 0 | 1;
  namespace: string | null;
  external_id: string | null;
  external_account_id: string | null;
  authorized_datetime: string | null;
  removed_at: string | null;
  was_pending: 0 | 1 | null;
}

/** In the order of creation. `t` is the transaction, `f` its feed. */
export async function selectStoredRows(tx: ReadTx, where: RawBuilder<unknown>): Promise<StoredRow[]> {
  const delivered = sql.join(DELIVERED_COLUMNS.map((column) => sql.ref(`t.${column}`)));
  const query = sql<Columns>`
    select t.id, t.short_id, t.account_id, ${delivered},
      t.category_id, t.category_source, t.locks, t.deleted_at, t.deleted_cause, t.created_at,
      case when t.import_id is not null or o.transaction_id is not null then 1 else 0 end as is_from_file,
      f.namespace, f.external_id, f.external_account_id, f.authorized_datetime, f.removed_at,
      f.was_pending
    from transactions t
      left join transaction_origins o on o.transaction_id = t.id
      left join transaction_feeds f on f.transaction_id = t.id
    where ${where} order by t.id`.compile(tx.q);
  const found: StoredRow[] = [];
  for await (const row of tx.iterate(query)) found.push(toStoredRow(row));
  return found;
}

function toStoredRow(row: Columns): StoredRow {
  const isFromFile = row.is_from_file === 1;
  return {
    id: row.id,
    shortId: row.short_id,
    accountId: row.account_id,
    date: row.date,
    authorizedDate: row.authorized_date,
    datetime: row.datetime,
    amountCents: row.amount_cents,
    currency: row.iso_currency_code,
    name: row.name,
    merchantName: row.merchant_name,
    pending: row.pending === 1,
    paymentChannel: row.payment_channel,
    categoryPrimary: row.provider_category_primary,
    categoryDetailed: row.provider_category_detailed,
    categoryId: row.category_id,
    categorySource: row.category_source,
    locks: row.locks,
    deletedCause: row.deleted_at === null ? null : (row.deleted_cause as DeletedCause),
    deletedAt: row.deleted_at,
    isFromFile,
    isEntered: !isFromFile && row.namespace === null,
    authorizedDatetime: row.authorized_datetime,
    feed:
      row.namespace === null
        ? null
        : {
            namespace: row.namespace,
            externalId: row.external_id,
            externalAccountId: row.external_account_id as string,
            removedAt: row.removed_at,
            wasPending: row.was_pending === 1,
          },
    createdAt: row.created_at,
  };
}
