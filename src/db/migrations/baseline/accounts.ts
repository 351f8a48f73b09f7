/** Bank connections, accounts and their balances. */
export const accounts: readonly string[] = [
  `create table connections (
    id {text} primary key, short_id {text} not null unique, user_id {text} not null references users(id),
    provider {text} not null, institution_id {text}, institution_name {text}, external_id {text},
    status {text} not null, paused {int} not null default 0, sync_interval_seconds {int}, last_sync_at {text},
    next_sync_at {text}, error_code {text}, error_message {text}, consecutive_failures {int} not null default 0,
    consent_expires_at {text}, credentials {blob}, sync_position {text}, created_at {text} not null,
    updated_at {text} not null, last_error_at {text}, new_accounts_at {text}, consent_guessed_at {text},
    linked_at {text}, history_completed_at {text}, consent_announced_at {text}) {strict}`,
  `create unique index connections_by_external on connections (provider, external_id) where external_id is not null`,
  `create index connections_by_user on connections (user_id)`,
  `create index connections_by_due on connections (next_sync_at) where next_sync_at is not null`,

  // What was told of a connection: that its syncs fail, and of which end of consent.
  `create table connection_alerts (
    connection_id {text} primary key references connections(id) on delete cascade, failing_since {text},
    consent_expires_at {text}) {strict}`,

  `create table accounts (
    id {text} primary key, short_id {text} not null unique, connection_id {text} references connections(id),
    provider {text} not null, institution_name {text}, external_id {text}, persistent_external_id {text},
    name {text} not null, display_name {text}, official_name {text}, type {text} not null, subtype {text},
    mask {text}, iso_currency_code {text}, balance_current_cents {money}, balance_available_cents {money},
    balance_limit_cents {money}, balance_date {text}, balance_updated_at {text},
    is_excluded {int} not null default 0, is_dependent_linked {int} not null default 0,
    is_dependent_by_hand {int} not null default 0, owner_user_id {text} references users(id), relinked_at {text},
    created_at {text} not null, updated_at {text} not null, deleted_at {text}) {strict}`,
  `create index accounts_by_connection on accounts (connection_id)`,
  `create index accounts_by_owner on accounts (owner_user_id) where owner_user_id is not null`,

  // Every name a source ever gave an account: provider ids, and an HMAC of account numbers found in files.
  `create table account_aliases (
    namespace {text} not null, external_id {text} not null, account_id {text} not null references accounts(id),
    first_seen_at {text} not null, last_seen_at {text} not null,
    primary key (namespace, external_id)) {strict}`,
  `create index account_aliases_by_account on account_aliases (account_id)`,

  // The bank's side of an account. external_account_id is its present source.
  `create table account_feeds (
    account_id {text} primary key references accounts(id), connection_id {text} not null references connections(id),
    external_account_id {text} not null, position {text}, wide_read_at {text}, first_synced_at {text} not null,
    is_own {int} not null default 1, compared_at {text}, last_open_at {text}, state {text} not null,
    former_connection_id {text}, anchor {text}, differs_since {text}, differs_count {int} not null default 0,
    balance_check {text}) {strict}`,
  `create index account_feeds_by_connection on account_feeds (connection_id)`,

  // iso_currency_code is '' where the source states none, so that the key has no null.
  `create table balance_snapshots (
    account_id {text} not null references accounts(id), date {text} not null, iso_currency_code {text} not null,
    balance_current_cents {money}, balance_available_cents {money}, balance_limit_cents {money},
    source {text} not null, import_id {text}, recorded_at {text} not null, pending_cents {money},
    primary key (account_id, date, iso_currency_code)) {strict}`,
  `create index balance_snapshots_by_import on balance_snapshots (import_id) where import_id is not null`,

  // Two accounts that show the same movements: the dependent one stays out of totals.
  `create table account_links (
    id {text} primary key, short_id {text} not null unique,
    primary_account_id {text} not null references accounts(id),
    dependent_account_id {text} not null references accounts(id), match_tolerance_days {int} not null,
    is_attributing {int} not null, is_enabled {int} not null, created_at {text} not null,
    updated_at {text} not null) {strict}`,
  `create unique index account_links_by_pair on account_links (dependent_account_id, primary_account_id)`,
  `create index account_links_by_primary on account_links (primary_account_id)`,
];
