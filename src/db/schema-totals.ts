/** Sums of the posted, live transactions of a group; absent values are ''. Kept by triggers (migrations/baseline/totals-of-*.ts). */
export interface MonthlyTotalsTable {
  month: string;
  account_id: string;
  category_id: string;
  attributed_user_id: string;
  iso_currency_code: string;
  count: number;
  outgoing_count: number;
  total_cents: number;
  incoming_cents: number;
}
/** The same per merchant: its counterparty, or else the text of the merchant or name; 0 with a counterparty. */
export interface MerchantTotalsTable {
  month: string;
  account_id: string;
  category_id: string;
  attributed_user_id: string;
  iso_currency_code: string;
  counterparty_id: string;
  text_id: number;
  count: number;
  outgoing_count: number;
  total_cents: number;
  incoming_cents: number;
}
