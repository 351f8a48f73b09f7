import type { Migration } from '../migrate.ts';

/**
 * The core of the ledger. `{text}` and its like become each engine's type (see portable types in migrate.ts);
 * text compares code point by code point on both. Dates and instants are sortable text, money integer hundredths.
 */
export const ledger: Migration = {
  version: 1,
  name: 'ledger',
  statements: [
    `create table leases (name {text} primary key, holder {text} not null, expires_at {text} not null) {strict}`,
    `create table encryption_keys (
      key_id {text} primary key, is_current {int} not null, check_record {blob} not null,
      created_at {text} not null, retired_at {text}) {strict}`,
    `create table config_entries (key {text} primary key, value {text} not null, updated_at {text} not null) {strict}`,

    `create table users (
      id {text} primary key, short_id {text} not null unique, name {text} not null, name_folded {text} not null,
      kind {text} not null, email {text} unique, created_at {text} not null, updated_at {text} not null) {strict}`,
    `create table logins (
      id {text} primary key, short_id {text} not null unique, user_id {text} not null unique references users(id),
      kind {text} not null, identifier {text} not null unique, role {text} not null, password_hash {text},
      setup_token_hash {text} unique, setup_token_expires_at {text}, last_used_at {text},
      created_at {text} not null, updated_at {text} not null) {strict}`,
    `create table api_keys (
      id {text} primary key, short_id {text} not null unique, name {text} not null, prefix {text} not null,
      key_hash {text} not null unique, scope {text} not null, actor_type {text} not null, actor_name {text},
      expires_at {text}, revoked_at {text}, created_at {text} not null) {strict}`,
    `create table api_key_uses (
      api_key_id {text} primary key references api_keys(id), last_used_at {text} not null) {strict}`,
    `create table idempotent_answers (
      principal_id {text} not null, key {text} not null, request_hash {text} not null, state {text} not null,
      status {int}, headers {text}, body {text}, created_at {text} not null, expires_at {text} not null,
      primary key (principal_id, key)) {strict}`,
    `create index idempotent_answers_by_expiry on idempotent_answers (expires_at)`,

    `create table connections (
      id {text} primary key, short_id {text} not null unique, user_id {text} not null references users(id),
      provider {text} not null, institution_id {text}, institution_name {text}, external_id {text},
      status {text} not null, paused {int} not null default 0, sync_interval_seconds {int},
      last_sync_at {text}, next_sync_at {text}, error_code {text}, error_message {text},
      consecutive_failures {int} not null default 0, consent_expires_at {text}, credentials {blob},
      sync_position {text}, created_at {text} not null, updated_at {text} not null) {strict}`,
    `create unique index connections_by_external on connections (provider, external_id) where external_id is not null`,
    `create index connections_by_user on connections (user_id)`,
    `create table accounts (
      id {text} primary key, short_id {text} not null unique, connection_id {text} references connections(id),
      provider {text} not null, institution_name {text}, external_id {text}, persistent_external_id {text},
      name {text} not null, display_name {text}, official_name {text}, type {text} not null, subtype {text},
      mask {text}, iso_currency_code {text}, balance_current_cents {money}, balance_available_cents {money},
      balance_limit_cents {money}, balance_date {text}, balance_updated_at {text},
      is_excluded {int} not null default 0, is_dependent_linked {int} not null default 0,
      is_dependent_by_hand {int} not null default 0, owner_user_id {text} references users(id),
      relinked_at {text}, created_at {text} not null, updated_at {text} not null) {strict}`,
    `create index accounts_by_connection on accounts (connection_id)`,
    `create index accounts_by_owner on accounts (owner_user_id) where owner_user_id is not null`,
    // Every name a source ever gave an account: provider ids, and an HMAC of account numbers found in files.
    `create table account_aliases (
      namespace {text} not null, external_id {text} not null, account_id {text} not null references accounts(id),
      first_seen_at {text} not null, last_seen_at {text} not null, primary key (namespace, external_id)) {strict}`,
    `create index account_aliases_by_account on account_aliases (account_id)`,
    // iso_currency_code is '' where the source states none, so that the key has no null.
    `create table balance_snapshots (
      account_id {text} not null references accounts(id), date {text} not null, iso_currency_code {text} not null,
      balance_current_cents {money}, balance_available_cents {money}, balance_limit_cents {money},
      source {text} not null, import_id {text}, recorded_at {text} not null,
      primary key (account_id, date, iso_currency_code)) {strict}`,
    `create index balance_snapshots_by_import on balance_snapshots (import_id) where import_id is not null`,

    `create table categories (
      id {text} primary key, short_id {text} not null unique, slug {text} not null unique, name {text} not null,
      name_folded {text} not null, parent_id {text} references categories(id), kind {text} not null,
      is_archived {int} not null default 0, icon {text}, color {text}, sort_order {int} not null,
      is_system {int} not null default 0, merged_into_id {text} references categories(id),
      created_at {text} not null, updated_at {text} not null) {strict}`,
    `create index categories_by_parent on categories (parent_id)`,
    `create table tags (
      id {text} primary key, short_id {text} not null unique, slug {text} not null unique, name {text} not null,
      name_folded {text} not null, color {text} not null, description {text} not null, icon {text},
      created_at {text} not null, updated_at {text} not null) {strict}`,
    // Each distinct folded text once: search looks at these, not at every transaction that carries them.
    `create table texts (
      id {int} primary key, folded {text} not null unique, trigram_count {int} not null{trigram_column}) {strict}`,
    `create table counterparties (
      id {text} primary key, short_id {text} not null unique, name {text} not null, name_folded {text} not null unique,
      name_text_id {int} not null references texts(id), website_url {text}, logo_url {text},
      category_id {text} references categories(id), mcc {text},
      canonical_counterparty_id {text} references counterparties(id),
      created_at {text} not null, updated_at {text} not null) {strict}`,
    `create index counterparties_by_text on counterparties (name_text_id)`,
    `create index counterparties_by_canonical on counterparties (canonical_counterparty_id)
      where canonical_counterparty_id is not null`,
    `create table series (
      id {text} primary key, short_id {text} not null unique, name {text} not null, name_folded {text} not null unique,
      type {text} not null, created_at {text} not null, updated_at {text} not null) {strict}`,
    `create table rules (
      id {text} primary key, short_id {text} not null unique, name {text} not null, name_folded {text} not null,
      priority {int} not null, is_enabled {int} not null, is_system {int} not null default 0,
      condition {text} not null, actions {text} not null, triggers {text} not null, is_overwriting_manual {int} not null default 0,
      is_stopping {int} not null default 0, expires_at {text}, creator_type {text} not null, creator_id {text}, creator_name {text},
      created_at {text} not null, updated_at {text} not null) {strict}`,
    // Hit counters change with every sync and are their own record, so they stay out of the journaled table.
    `create table rule_hits (
      rule_id {text} primary key references rules(id), hit_count {int} not null, last_hit_at {text}) {strict}`,

    `create table imports (
      id {text} primary key, short_id {text} not null unique, status {text} not null, format {text} not null,
      file_name {text}, file_bytes {int} not null, file_sha256 {text} not null, reading_key {text} not null,
      source_key {text} not null, header_signature {text}, user_id {text} references users(id),
      connection_id {text} references connections(id), account_id {text} references accounts(id),
      first_date {text}, last_date {text}, summary {text} not null, detail {text} not null, error {text},
      progress {text} not null, actor_type {text} not null, actor_id {text}, actor_user_id {text},
      actor_name {text} not null, change_set_id {text}, revert_change_set_id {text},
      created_at {text} not null, started_at {text}, finished_at {text}, reverted_at {text}) {strict}`,
    `create index imports_by_creation on imports (created_at, id)`,
    `create index imports_by_file on imports (file_sha256)`,
    `create index imports_by_signature on imports (header_signature, created_at)`,
    `create table import_accounts (
      import_id {text} not null references imports(id), account_id {text} not null references accounts(id),
      primary key (import_id, account_id)) {strict}`,
    `create index import_accounts_by_account on import_accounts (account_id)`,
    `create table import_rows (
      import_id {text} not null references imports(id), line {int} not null, part {int} not null,
      outcome {text} not null, reason {text}, match_kind {text}, transaction_id {text}, record {text} not null,
      primary key (import_id, line, part)) {strict}{without_rowid}`,
    `create table import_profiles (
      id {text} primary key, short_id {text} not null unique, slug {text} not null unique, name {text} not null,
      institution_name {text}, format {text} not null, header_signature {text}, headers {text} not null,
      account_id {text} references accounts(id), settings {text} not null, use_count {int} not null default 0,
      last_used_at {text}, import_id {text}, created_at {text} not null, updated_at {text} not null) {strict}`,
    `create unique index import_profiles_by_signature on import_profiles (header_signature, account_id)`,

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
      locks {text} not null default '[]', import_id {text} references imports(id),
      created_change_set_id {text}, deleted_at {text}, deleted_cause {text},
      merged_into_id {text} references transactions(id), created_at {text} not null, updated_at {text} not null,
      month {text} generated always as (substr(date, 1, 7)) {generated}) {strict}`,
    // The default list, and one list per common filter; each ends in id, so that paging by key needs no sort.
    `create index transactions_by_date on transactions (date, id) where deleted_at is null`,
    `create index transactions_by_account on transactions (account_id, date, id)`,
    `create index transactions_by_category on transactions (category_id, date, id) where deleted_at is null`,
    `create index transactions_by_counterparty on transactions (counterparty_id, date, id)
      where counterparty_id is not null`,
    `create index transactions_by_series on transactions (series_id, date, id) where series_id is not null`,
    `create index transactions_by_attribution on transactions (attributed_user_id, date, id)
      where attributed_user_id is not null`,
    `create index transactions_by_amount on transactions (amount_cents, id) where deleted_at is null`,
    `create index transactions_by_name_text on transactions (name_text_id, date, id) where deleted_at is null`,
    `create index transactions_by_merchant_text on transactions (merchant_text_id, date, id)
      where merchant_text_id is not null and deleted_at is null`,
    `create index transactions_by_update on transactions (updated_at, id)`,
    `create index transactions_by_import on transactions (import_id, id) where import_id is not null`,
    `create index transactions_by_change_set on transactions (created_change_set_id, id)
      where created_change_set_id is not null`,
    `create index transactions_deleted on transactions (date, id) where deleted_at is not null`,
    `create index transactions_pending on transactions (date, id) where pending = 1`,
    `create index transactions_flagged on transactions (date, id) where flagged_at is not null`,
    // Covers every summary: grouping in index order needs neither a sort nor the table.
    `create index transactions_for_totals on transactions (category_id, iso_currency_code, month, account_id,
      attributed_user_id, pending, date, amount_cents) where deleted_at is null`,
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
    `create unique index transaction_aliases_of_providers on transaction_aliases (namespace, external_id)
      where namespace in ('plaid', 'teller')`,
    // What a file delivered: the key by which the same row is known again, and the raw record.
    `create table transaction_origins (
      transaction_id {text} primary key references transactions(id), import_id {text} references imports(id),
      line {int} not null, part {int} not null, source_key {text} not null, content_key {text} not null,
      raw {text} not null) {strict}`,
    `create table comments (
      id {text} primary key, short_id {text} not null unique,
      transaction_id {text} not null references transactions(id), body {text} not null, author_type {text} not null,
      author_id {text}, author_user_id {text}, author_name {text} not null, is_edited {int} not null default 0,
      deleted_at {text}, created_at {text} not null, updated_at {text} not null) {strict}`,
    `create index comments_by_transaction on comments (transaction_id, created_at, id)`,

    `create table change_sets (
      id {text} primary key, short_id {text} not null unique, created_at {text} not null, actor_type {text} not null,
      actor_id {text}, actor_user_id {text}, actor_name {text} not null, surface {text} not null,
      source {text} not null, action {text} not null, reason {text}, summary {text} not null,
      created_count {int} not null, updated_count {int} not null, deleted_count {int} not null,
      entity_types {text} not null, status {text} not null, is_revertible {int} not null,
      reverts_change_set_id {text}, reverted_by_change_set_id {text}, sync_log_id {text}, import_id {text},
      workflow_run_id {text}, proposal_id {text}, rule_id {text}, session_id {text}, request_id {text}) {strict}`,
    `create index change_sets_by_creation on change_sets (created_at, id)`,
    `create index change_sets_by_actor on change_sets (actor_id, created_at, id) where actor_id is not null`,
    `create index change_sets_by_import on change_sets (import_id) where import_id is not null`,
    // before and after hold the changed fields as served; internal holds what only a revert needs, such as locks.
    `create table changes (
      change_set_id {text} not null references change_sets(id), sequence {int} not null, entity_type {text} not null,
      entity_id {text}, entity_short_id {text}, operation {text} not null, before {text}, after {text},
      internal {text}, transaction_id {text}, source {text} not null, rule_id {text}, applied_by {text},
      is_revertible {int} not null, reverted_by_change_set_id {text},
      primary key (change_set_id, sequence)) {strict}{without_rowid}`,
    `create index changes_by_transaction on changes (transaction_id, change_set_id) where transaction_id is not null`,
    `create index changes_by_entity on changes (entity_type, entity_id, change_set_id)`,
  ],
  sqlite: [
    // Word-padded trigrams of each text: candidates for substrings, and exact counts for similarity.
    `create virtual table texts_trigrams using fts5 (
      padded, content = '', contentless_delete = 1, detail = none, tokenize = "trigram case_sensitive 1")`,
    `create virtual table texts_trigrams_vocabulary using fts5vocab ('texts_trigrams', 'instance')`,
  ],
  postgres: [`create index texts_trigrams on texts using gin (trigrams)`],
};
