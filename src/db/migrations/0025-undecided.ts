import type { Migration } from '../migrate.ts';

/** Rows whose category nobody has chosen, which reviews list and count: few of many that have none, or have had one. */
export const undecided: Migration = {
  version: 25,
  name: 'undecided',
  statements: [
    `create index transactions_undecided on transactions (date, id, account_id)
      where category_id is null and category_source is null and deleted_at is null`,
  ],
};
