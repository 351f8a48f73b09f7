import type { Migration } from '../migrate.ts';

/** What people chose for a kind of transaction is asked for each review. Nothing but their choices is in the index. */
export const choices: Migration = {
  version: 23,
  name: 'choices',
  statements: [
    `create index transactions_by_person on transactions (date, id)
      where category_source = 'person' and category_id is not null and deleted_at is null`,
  ],
};
