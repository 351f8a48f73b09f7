import type { Migration } from '../migrate.ts';

/** What is asked of all flagged rows is in their index: an overview read each of them, 15,000 of a million. */
export const flags: Migration = {
  version: 19,
  name: 'flags',
  statements: [
    `drop index transactions_flagged`,
    `create index transactions_flagged on transactions
      (date, id, deleted_at, flagged_at, account_id, attributed_user_id) where flagged_at is not null`,
  ],
};
