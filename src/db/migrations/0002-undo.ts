import type { Migration } from '../migrate.ts';

/** What reading and taking back change sets needs, and indexes that cover every total. */
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
    // Totals by category, period, account and member: only rows that can count, so that none has to be tested.
    `drop index transactions_for_totals`,
    `create index transactions_for_totals on transactions (category_id, iso_currency_code, month, account_id,
      attributed_user_id, date, amount_cents) where deleted_at is null and pending = 0`,
    // Finds the rows of a text, and covers totals by merchant and counterparty: few rows differ in all four at once.
    `drop index transactions_by_name_text`,
    `create index transactions_by_name_text on transactions (name_text_id, merchant_text_id, counterparty_id,
      iso_currency_code, pending, account_id, attributed_user_id, category_id, date, id, amount_cents)
      where deleted_at is null`,
    // Both find a range of which few rows are wanted; without the ids they fit in memory, which imports feel.
    `drop index transactions_by_amount`,
    `create index transactions_by_amount on transactions (amount_cents) where deleted_at is null`,
    `drop index transactions_by_update`,
    `create index transactions_by_update on transactions (updated_at)`,
    // The rows of an import are those of its change set.
    `drop index transactions_by_import`,
  ],
};
