/** Proposals of agents, their calls, reports and notifications. */
export const agents: readonly string[] = [
  // A change set that has not happened. principal_id is that of the key that may add to it.
  `create table proposals (
    id {text} primary key, short_id {text} not null unique, status {text} not null, title {text} not null,
    source {text} not null, workflow_id {text}, run_id {text}, principal_id {text}, proposer_type {text} not null,
    proposer_id {text}, proposer_name {text} not null, calls {text} not null, change_count {int} not null,
    counts {text} not null, totals {text} not null, fingerprint {text} not null, created_at {text} not null,
    proposed_at {text}, expires_at {text}, decided_at {text}, decider_type {text}, decider_id {text},
    decider_name {text}, decision_note {text}, applied_count {int} not null default 0,
    skipped_count {int} not null default 0, change_set_id {text}) {strict}`,
  `create index proposals_by_status on proposals (status, created_at, id)`,
  `create index proposals_by_creation on proposals (created_at, id)`,
  `create unique index proposals_draft_of_run on proposals (run_id) where status = 'draft'`,
  `create index proposals_by_run on proposals (run_id) where run_id is not null`,

  // amount_cents to was_pending are of the transaction as it was when the change was planned.
  `create table proposal_changes (
    proposal_id {text} not null references proposals(id) on delete cascade, sequence {int} not null,
    call {int} not null, entity_type {text} not null, entity_id {text} not null, entity_short_id {text},
    operation {text} not null, before {text}, after {text}, internal {text}, transaction_id {text},
    source {text} not null, rule_id {text}, applied_by {text}, label {text} not null, amount_cents {money},
    iso_currency_code {text}, date {text}, name {text}, account_id {text}, was_pending {int}, outcome {text},
    primary key (proposal_id, sequence)) {strict}{without_rowid}`,
  `create index proposal_changes_by_entity on proposal_changes (entity_id)`,
  `create index proposal_changes_by_transaction on proposal_changes (transaction_id)
    where transaction_id is not null`,

  `create table mcp_calls (
    id {text} primary key, short_id {text} not null unique, tool {text} not null, effect {text} not null,
    surface {text} not null, transport {text}, principal_type {text} not null, principal_id {text},
    principal_name {text} not null, api_key_id {text}, run_id {text}, change_set_id {text}, proposal_id {text},
    client_name {text}, client_version {text}, reason {text}, arguments {text} not null, outcome {text} not null,
    error_code {text}, result_bytes {int} not null, duration_ms {int} not null,
    created_at {text} not null) {strict}`,
  `create index mcp_calls_by_creation on mcp_calls (created_at, id)`,
  `create index mcp_calls_by_run on mcp_calls (run_id, created_at) where run_id is not null`,

  `create table reports (
    id {text} primary key, short_id {text} not null unique, title {text} not null, body {text} not null,
    kind {text} not null, priority {text} not null, tags {text} not null, author_type {text} not null,
    author_id {text}, author_name {text} not null, workflow_run_id {text}, read_at {text},
    created_at {text} not null, updated_at {text} not null) {strict}`,
  `create index reports_by_creation on reports (created_at, id)`,
  `create index reports_unread on reports (created_at) where read_at is null`,
  `create index reports_by_run on reports (workflow_run_id) where workflow_run_id is not null`,

  // url, secret and token are encrypted records.
  `create table notification_channels (
    id {text} primary key, short_id {text} not null unique, name {text} not null, format {text} not null,
    url {blob}, url_masked {text} not null, secret {blob}, token {blob}, events {text} not null,
    min_priority {text} not null, is_body_included {int} not null, quiet_hours_start {text}, quiet_hours_end {text},
    is_enabled {int} not null, created_at {text} not null, updated_at {text} not null) {strict}`,

  // The outbox. occurrence_id is the same for all deliveries of one event. Subjects are UUIDs of many tables, and a
  // channel may be deleted. claimed_by is the presence of the process that is sending it.
  `create table notification_deliveries (
    id {text} primary key, short_id {text} not null unique, channel_id {text} not null, event {text} not null,
    occurrence_id {text} not null, subject_type {text}, subject_id {text}, priority {text} not null,
    title {text} not null, body {text}, data {text} not null, status {text} not null,
    attempts {int} not null default 0, next_attempt_at {text}, attempted_at {text}, claimed_by {text},
    status_code {int}, detail {text}, created_at {text} not null, finished_at {text}) {strict}`,
  `create unique index notification_deliveries_once on notification_deliveries (channel_id, occurrence_id)`,
  `create index notification_deliveries_due on notification_deliveries (next_attempt_at) where status = 'pending'`,
  `create index notification_deliveries_by_creation on notification_deliveries (created_at, id)`,
  `create index notification_deliveries_of_subject on notification_deliveries (subject_id)
    where subject_id is not null`,
];
