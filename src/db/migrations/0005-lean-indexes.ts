import type { Migration } from '../migrate.ts';

/** What most writes change is in no index that they would touch at random places. */
export const leanIndexes: Migration = {
  version: 5,
  name: 'lean indexes',
  statements: [
    // Without the category: rules and people change that of many rows, whose texts lie all over this index.
    `drop index transactions_by_name_text`,
    `create index transactions_by_name_text on transactions (name_text_id, merchant_text_id, counterparty_id,
      iso_currency_code, pending, account_id, attributed_user_id, date, id, amount_cents) where deleted_at is null`,
  ],
};
