import type { Migration } from '../migrate.ts';

/** What reading and taking back change sets needs. */
export const undo: Migration = {
  version: 2,
  name: 'undo',
  statements: [
    // A run in chunks writes its change set over several transactions; it is open until the last one (40.8.4).
    `alter table change_sets add column is_open {int} not null default 0`,
    // Balances that an import replaced, so that taking it back restores them.
    `create table replaced_snapshots (
      import_id {text} not null references imports(id), account_id {text} not null references accounts(id),
      date {text} not null, iso_currency_code {text} not null, balance_current_cents {money},
      balance_available_cents {money}, balance_limit_cents {money}, source {text} not null,
      source_import_id {text}, recorded_at {text} not null,
      primary key (import_id, account_id, date, iso_currency_code)) {strict}`,
    `create index change_sets_by_rule on change_sets (rule_id, created_at, id) where rule_id is not null`,
    `create index changes_by_revert on changes (reverted_by_change_set_id) where reverted_by_change_set_id is not null`,
  ],
};
