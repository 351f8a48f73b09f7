/** Syncs of banks, and what they ask a person. */
export const sync: readonly string[] = [
  // Who syncs a connection now, and the one sync that waits. Instants are the database's own clock.
  `create table sync_turns (
    connection_id {text} primary key references connections(id) on delete cascade, holder {text},
    fencing_token {text}, expires_at {text}, sync_log_id {text}, requested_trigger {text},
    is_full_requested {int} not null default 0, requested_at {text}, not_before {text},
    checked_at {text}) {strict}`,
  `create index sync_turns_waiting on sync_turns (requested_at) where requested_at is not null`,
  `create index sync_turns_held on sync_turns (expires_at) where expires_at is not null`,

  `create table sync_logs (
    id {text} primary key, short_id {text} not null unique,
    connection_id {text} not null references connections(id), provider {text} not null, institution_name {text},
    status {text} not null, trigger {text} not null, is_full {int} not null default 0, started_at {text} not null,
    finished_at {text}, duration_ms {int}, added_count {int} not null default 0,
    modified_count {int} not null default 0, removed_count {int} not null default 0,
    unchanged_count {int} not null default 0, skipped_count {int} not null default 0,
    rule_hits {text} not null default '[]', total_rule_hits {int} not null default 0,
    accounts_affected {int} not null default 0, error_code {text}, error_message {text},
    warning_count {int} not null default 0, warning_message {text}, accounts {text} not null default '[]',
    warnings {text} not null default '[]', provider_error {text}, change_set_id {text},
    fencing_token {text} not null) {strict}`,
  `create index sync_logs_by_start on sync_logs (started_at, id)`,
  `create index sync_logs_by_connection on sync_logs (connection_id, started_at, id)`,
  `create index sync_logs_running on sync_logs (started_at) where status = 'in_progress'`,

  // Work that a committed sync still has to do.
  `create table after_sync_notes (
    sync_log_id {text} primary key, connection_id {text} not null,
    created_at {text} not null) {strict}`,

  `create table sync_suggestions (
    id {text} primary key, short_id {text} not null unique, kind {text} not null, status {text} not null,
    connection_id {text} not null references connections(id), account_id {text} not null references accounts(id),
    transaction_id {text} references transactions(id), candidates {text} not null, accounts {text} not null,
    accepted_transaction_id {text}, accepted_account_id {text}, change_set_id {text}, created_at {text} not null,
    resolved_at {text}) {strict}`,
  `create index sync_suggestions_by_status on sync_suggestions (status, created_at, id)`,
  `create index sync_suggestions_by_account on sync_suggestions (account_id, status)`,
  `create index sync_suggestions_by_transaction on sync_suggestions (transaction_id)
    where transaction_id is not null`,

  // Pairs of transactions or accounts that are not to be suggested or joined again; one_id sorts first.
  `create table separated_pairs (
    one_id {text} not null, other_id {text} not null, created_at {text} not null,
    primary key (one_id, other_id)) {strict}{without_rowid}`,

  // The id is the SHA-256 of the public token, in hex. The member may be gone before the link is revoked.
  `create table pending_links (
    id {text} primary key, provider {text} not null, user_id {text} not null, item_id {text} not null,
    credentials {blob}, connection_id {text}, created_at {text} not null) {strict}`,
  `create index pending_links_by_age on pending_links (created_at)`,

  `create table link_sessions (
    id {text} primary key, short_id {text} not null unique, token_hash {text} not null unique,
    user_id {text} not null references users(id), provider {text} not null, action {text} not null,
    connection_id {text} references connections(id), is_single_use {int} not null, redirect_url {text},
    label {text}, status {text} not null, error_code {text}, error_message {text},
    result_connection_ids {text} not null, actor_type {text} not null, actor_id {text}, actor_user_id {text},
    actor_name {text} not null, claimed_at {text}, expires_at {text} not null, started_at {text},
    completed_at {text}, created_at {text} not null) {strict}`,
  `create index link_sessions_by_expiry on link_sessions (expires_at)`,
  `create index link_sessions_by_connection on link_sessions (connection_id) where connection_id is not null`,

  `create table webhook_events (
    id {text} primary key, short_id {text} not null unique, provider {text} not null, event_type {text} not null,
    connection_id {text} references connections(id), institution_name {text}, raw_payload_hash {text} not null,
    status {text} not null, error_message {text}, delivery_count {int} not null default 1, sync_log_id {text},
    processed_at {text}, created_at {text} not null) {strict}`,
  `create index webhook_events_by_creation on webhook_events (created_at, id)`,
  `create index webhook_events_by_hash on webhook_events (provider, raw_payload_hash, created_at)`,
  `create index webhook_events_received on webhook_events (connection_id) where status = 'received'`,

  // One row per provider. rejected_by_hour is JSON: the counts of the last 24 hours.
  `create table webhook_counters (
    provider {text} primary key, last_received_at {text}, last_rejected_at {text}, last_rejected_reason {text},
    rejected_by_hour {text} not null) {strict}`,
];
