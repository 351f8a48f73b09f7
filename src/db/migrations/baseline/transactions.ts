/** Transactions, where they came from, and what people said of them. */
export const transactions: readonly string[] = [
  `create table transactions (
    id {text} primary key, short_id {text} not null unique, account_id {text} not null references accounts(id),
    date {text} not null, authorized_date {text}, datetime {text}, amount_cents {money} not null,
    iso_currency_code {text}, name {text} not null, merchant_name {text},
    name_text_id {int} not null references texts(id), merchant_text_id {int} references texts(id),
    counterparty_id {text} references counterparties(id), category_id {text} references categories(id),
    category_source {text}, category_rule_id {text}, provider_category_primary {text},
    provider_category_detailed {text}, payment_channel {text}, pending {int} not null default 0,
    series_id {text} references series(id), attributed_user_id {text} references users(id),
    attributed_by_link_id {text}, metadata {text} not null default '{}', flagged_at {text},
    locks {text} not null default '[]', import_id {text} references imports(id), created_change_set_id {text},
    deleted_at {text}, deleted_cause {text}, merged_into_id {text} references transactions(id),
    created_at {text} not null, updated_at {text} not null,
    month {text} generated always as (substr(date, 1, 7)) {generated},
    creation_effects_id {int} references rule_effects(id)) {strict}`,
  // The default list, and one list per common filter; each ends in id, so that paging by key needs no sort.
  `create index transactions_by_date on transactions (date, id) where deleted_at is null`,
  `create index transactions_by_account on transactions (account_id, date, id)`,
  `create index transactions_by_category on transactions (category_id, date, id) where deleted_at is null`,
  `create index transactions_by_counterparty on transactions (counterparty_id, date, id)
    where counterparty_id is not null`,
  `create index transactions_by_series on transactions (series_id, date, id) where series_id is not null`,
  `create index transactions_by_attribution on transactions (attributed_user_id, date, id)
    where attributed_user_id is not null`,
  `create index transactions_by_merchant_text on transactions (merchant_text_id, date, id)
    where merchant_text_id is not null and deleted_at is null`,
  // The rows of an import are those of its change set.
  `create index transactions_by_change_set on transactions (created_change_set_id, id)
    where created_change_set_id is not null`,
  `create index transactions_deleted on transactions (date, id) where deleted_at is not null`,
  `create index transactions_pending on transactions (date, id) where pending = 1`,
  // Both find a range of which few rows are wanted; without the ids they fit in memory, which imports feel.
  `create index transactions_by_amount on transactions (amount_cents) where deleted_at is null`,
  `create index transactions_by_update on transactions (updated_at)`,
  // What the totals do not know is read from the rows, by date: it covers sums per day and account. With the category,
  // a bulk change would touch a page of it for nearly every row.
  `create index transactions_for_totals on transactions (date, account_id, iso_currency_code, amount_cents)
    where deleted_at is null and pending = 0`,
  // The newest rows with a text are the end of one range.
  `create index transactions_by_name_text on transactions (name_text_id, date, id) where deleted_at is null`,
  `create index transactions_flagged
    on transactions (date, id, deleted_at, flagged_at, account_id, attributed_user_id)
    where flagged_at is not null`,
  `create index transactions_by_person on transactions (date, id)
    where category_source = 'person' and category_id is not null and deleted_at is null`,
  `create index transactions_undecided on transactions (date, id, account_id)
    where category_id is null and category_source is null and deleted_at is null`,

  `create table transaction_tags (
    transaction_id {text} not null references transactions(id), tag_id {text} not null references tags(id),
    primary key (transaction_id, tag_id)) {strict}{without_rowid}`,
  `create index transaction_tags_by_tag on transaction_tags (tag_id, transaction_id)`,

  // Every id a source ever gave a row. Providers' ids are unique; files may re-use one for another movement.
  `create table transaction_aliases (
    transaction_id {text} not null references transactions(id), namespace {text} not null,
    external_id {text} not null, account_id {text} not null references accounts(id), external_account_id {text},
    first_seen_at {text} not null, last_seen_at {text} not null,
    primary key (transaction_id, namespace, external_id)) {strict}{without_rowid}`,
  `create index transaction_aliases_by_external on transaction_aliases (namespace, external_id, account_id)`,
  // An id of a provider belongs to one transaction, whatever the provider is called.
  `create unique index transaction_aliases_of_providers on transaction_aliases (namespace, external_id)
    where external_account_id is not null`,

  // What a file delivered: the key by which the same row is known again, and the raw record.
  `create table transaction_origins (
    transaction_id {text} primary key references transactions(id), import_id {text} references imports(id),
    line {int} not null, part {int} not null, source_key {text} not null, content_key {text} not null,
    raw {text} not null, balance_cents {money}) {strict}`,

  `create table transaction_keys (
    transaction_id {text} not null references transactions(id), import_id {text} not null references imports(id),
    source_key {text} not null, content_key {text} not null, bank_id {text}, former_bank_ids {text},
    balance_cents {money}, primary key (transaction_id, import_id)) {strict}{without_rowid}`,

  // The bank's side of a transaction: what only a provider says, and its present id.
  `create table transaction_feeds (
    transaction_id {text} primary key references transactions(id), namespace {text} not null, external_id {text},
    external_account_id {text} not null, pending_external_id {text}, authorized_datetime {text},
    category_confidence {text}, removed_at {text}, was_pending {int} not null default 0, posted_at {text},
    sync_log_id {text} not null, raw {text} not null) {strict}`,
  `create index transaction_feeds_removed on transaction_feeds (removed_at) where removed_at is not null`,

  // A pair of rows that are one purchase. Whom it attributed the primary row to is in that row.
  `create table transaction_matches (
    id {text} primary key, short_id {text} not null unique,
    account_link_id {text} not null references account_links(id),
    primary_transaction_id {text} not null references transactions(id),
    dependent_transaction_id {text} not null references transactions(id), confidence {text} not null,
    matched_on {text} not null, created_at {text} not null, updated_at {text} not null) {strict}`,
  `create index transaction_matches_by_link on transaction_matches (account_link_id, confidence)`,
  // A row is in at most one live match. No account is on both sides, so one index per side is enough.
  `create unique index transaction_matches_of_primary on transaction_matches (primary_transaction_id)
    where confidence <> 'rejected'`,
  `create unique index transaction_matches_of_dependent on transaction_matches (dependent_transaction_id)
    where confidence <> 'rejected'`,
  // Rejected pairs have indexes of their own, so that storing very many matches touches few of them.
  `create unique index transaction_matches_rejected
    on transaction_matches (primary_transaction_id, dependent_transaction_id)
    where confidence = 'rejected'`,
  `create index transaction_matches_rejected_by_dependent on transaction_matches (dependent_transaction_id)
    where confidence = 'rejected'`,

  `create table comments (
    id {text} primary key, short_id {text} not null unique,
    transaction_id {text} not null references transactions(id), body {text} not null, author_type {text} not null,
    author_id {text}, author_user_id {text}, author_name {text} not null, is_edited {int} not null default 0,
    deleted_at {text}, created_at {text} not null, updated_at {text} not null) {strict}`,
  `create index comments_by_transaction on comments (transaction_id, created_at, id)`,
];
