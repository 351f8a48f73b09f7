/** Imported files and how they were read. */
export const imports: readonly string[] = [
  `create table imports (
    id {text} primary key, short_id {text} not null unique, status {text} not null, format {text} not null,
    file_name {text}, file_bytes {int} not null, file_sha256 {text} not null, reading_key {text} not null,
    source_key {text} not null, header_signature {text}, user_id {text} references users(id),
    connection_id {text} references connections(id), account_id {text} references accounts(id), first_date {text},
    last_date {text}, summary {text} not null, detail {text} not null, error {text}, progress {text} not null,
    actor_type {text} not null, actor_id {text}, actor_user_id {text}, actor_name {text} not null,
    change_set_id {text}, revert_change_set_id {text}, created_at {text} not null, started_at {text},
    finished_at {text}, reverted_at {text}, currency_stated {int} not null default 1) {strict}`,
  `create index imports_by_creation on imports (created_at, id)`,
  `create index imports_by_file on imports (file_sha256)`,
  `create index imports_by_signature on imports (header_signature, created_at)`,

  `create table import_accounts (
    import_id {text} not null references imports(id), account_id {text} not null references accounts(id),
    first_date {text}, last_date {text}, proof {text},
    primary key (import_id, account_id)) {strict}`,
  `create index import_accounts_by_account on import_accounts (account_id)`,

  `create table import_profiles (
    id {text} primary key, short_id {text} not null unique, slug {text} not null unique, name {text} not null,
    institution_name {text}, format {text} not null, header_signature {text}, headers {text} not null,
    account_id {text} references accounts(id), settings {text} not null, use_count {int} not null default 0,
    last_used_at {text}, import_id {text}, created_at {text} not null,
    updated_at {text} not null) {strict}`,
  `create unique index import_profiles_by_signature on import_profiles (header_signature, account_id)`,

  `create table import_rows (
    import_id {text} not null references imports(id), line {int} not null, part {int} not null,
    outcome {text} not null, reason {text}, match_kind {text}, transaction_id {text}, record {text} not null,
    primary key (import_id, line, part)) {strict}{without_rowid}`,
  `create index import_rows_by_transaction on import_rows (transaction_id) where transaction_id is not null`,

  // Balances that an import replaced, so that taking it back restores them.
  `create table replaced_snapshots (
    import_id {text} not null references imports(id), account_id {text} not null references accounts(id),
    date {text} not null, iso_currency_code {text} not null, balance_current_cents {money},
    balance_available_cents {money}, balance_limit_cents {money}, source {text} not null, source_import_id {text},
    recorded_at {text} not null, pending_cents {money},
    primary key (import_id, account_id, date, iso_currency_code)) {strict}`,
];
