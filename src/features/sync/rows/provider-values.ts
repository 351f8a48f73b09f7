import type { DeliveredRow } from '../../facets/index.ts';
import type { StoredRow } from '../../ledger-rows/index.ts';
import type { KeptRow } from '../fetch/delivery.ts';

/** The values of a transaction that a sync overwrites (contract 30.7.3). */
export interface ProviderValues {
  readonly delivered: DeliveredRow;
  /** Kept with the provider's side of the transaction. */
  readonly authorizedDatetime: string | null;
}

/** The values of a delivered row. A currency that the provider leaves out stays as it was. */
export function valuesOf(row: KeptRow, knownCurrency: string | null): ProviderValues {
  return {
    delivered: toDeliveredRow({
      ...row,
      currency: row.currency ?? knownCurrency,
      paymentChannel: row.paymentChannel ?? 'other',
    }),
    authorizedDatetime: row.authorizedDatetime,
  };
}

/** What a bank says about a transaction, delivered now or stored before, as its columns. */
export function toDeliveredRow(row: KeptRow | StoredRow): DeliveredRow {
  return {
    date: row.date,
    authorized_date: row.authorizedDate,
    datetime: row.datetime,
    amount_cents: row.amountCents,
    iso_currency_code: row.currency,
    name: row.name,
    merchant_name: row.merchantName,
    provider_category_primary: row.categoryPrimary,
    provider_category_detailed: row.categoryDetailed,
    payment_channel: row.paymentChannel,
    pending: row.pending ? 1 : 0,
  };
}
