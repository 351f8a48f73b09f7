import type { DeliveredRow } from '../facets/index.ts';
import type { KeptRow } from './delivery.ts';

/** The values of a transaction that a sync overwrites (contract 30.7.3). */
export interface ProviderValues {
  readonly delivered: DeliveredRow;
  /** Kept with the provider's side of the transaction. */
  readonly authorizedDatetime: string | null;
}

/** The values of a delivered row. A currency that the provider leaves out stays as it was. */
export function valuesOf(row: KeptRow, knownCurrency: string | null): ProviderValues {
  return {
    delivered: {
      date: row.date,
      authorized_date: row.authorizedDate,
      datetime: row.datetime,
      amount_cents: row.amountCents,
      iso_currency_code: row.currency ?? knownCurrency,
      name: row.name,
      merchant_name: row.merchantName,
      provider_category_primary: row.categoryPrimary,
      provider_category_detailed: row.categoryDetailed,
      payment_channel: row.paymentChannel ?? 'other',
      pending: row.pending ? 1 : 0,
    },
    authorizedDatetime: row.authorizedDatetime,
  };
}
