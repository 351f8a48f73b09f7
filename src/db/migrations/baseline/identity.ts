/** People, how they sign in, keys, settings, and what the program keeps of itself. */
export const identity: readonly string[] = [
  `create table leases (
    name {text} primary key, holder {text} not null, expires_at {text} not null) {strict}`,

  // One row: what tells the household from others, such as its backups in a directory that they share.
  `create table installations (
    id {text} primary key, created_at {text} not null) {strict}`,

  `create table encryption_keys (
    key_id {text} primary key, is_current {int} not null, created_at {text} not null, retired_at {text},
    check_record {blob} not null) {strict}`,

  `create table config_entries (
    key {text} primary key, value {text} not null, updated_at {text} not null) {strict}`,

  `create table provider_settings (
    id {text} primary key, environment {text}, webhook_url {text}, client_id {blob}, secret {blob},
    application_id {blob}, certificate {blob}, private_key {blob}, webhook_secret {blob},
    updated_at {text} not null) {strict}`,

  `create table instance_secrets (
    id {text} primary key, secret {blob} not null, created_at {text} not null) {strict}`,

  `create table recovery_keys (
    recipient {text} primary key, is_own {int} not null, added_at {text} not null, added_by_type {text} not null,
    added_by_id {text}, added_by_name {text} not null) {strict}`,

  `create table users (
    id {text} primary key, short_id {text} not null unique, name {text} not null, name_folded {text} not null,
    kind {text} not null, email {text} unique, created_at {text} not null,
    updated_at {text} not null) {strict}`,

  `create table logins (
    id {text} primary key, short_id {text} not null unique, user_id {text} not null unique references users(id),
    kind {text} not null, identifier {text} not null unique, role {text} not null, password_hash {text},
    setup_token_hash {text} unique, setup_token_expires_at {text}, last_used_at {text}, created_at {text} not null,
    updated_at {text} not null, setup_token_issuer {text}) {strict}`,

  `create table api_keys (
    id {text} primary key, short_id {text} not null unique, name {text} not null, prefix {text} not null,
    key_hash {text} not null unique, scope {text} not null, actor_type {text} not null, actor_name {text},
    expires_at {text}, revoked_at {text}, created_at {text} not null,
    user_id {text} references users(id)) {strict}`,
  `create index api_keys_by_user on api_keys (user_id) where user_id is not null`,

  `create table api_key_uses (
    api_key_id {text} primary key references api_keys(id), last_used_at {text} not null) {strict}`,

  `create table sessions (
    id {text} primary key, short_id {text} not null unique, token_hash {text} not null unique,
    login_id {text} not null references logins(id) on delete cascade, is_remembered {int} not null,
    client_address {text} not null, user_agent {text}, created_at {text} not null, last_seen_at {text} not null,
    expires_at {text} not null) {strict}`,
  `create index sessions_by_login on sessions (login_id)`,

  `create table known_browsers (
    token_hash {text} primary key, login_id {text} not null references logins(id) on delete cascade,
    created_at {text} not null) {strict}`,
  `create index known_browsers_by_login on known_browsers (login_id, created_at)`,

  `create table setup_tokens (
    token_hash {text} primary key, created_at {text} not null,
    expires_at {text} not null) {strict}`,

  // scope to actor_name are what the approver chose; approver_id is the UUID of a login (session) or of an API key.
  `create table device_requests (
    id {text} primary key, short_id {text} not null unique, device_code_hash {text} not null unique,
    user_code {text} not null unique, client_name {text} not null, client_address {text} not null,
    requested_scope {text} not null, status {text} not null, scope {text}, key_name {text},
    user_id {text} references users(id), key_expires_at {text}, actor_type {text}, actor_name {text},
    approver_kind {text}, approver_id {text}, decided_by_type {text}, decided_by_id {text}, decided_by_name {text},
    decided_at {text}, last_polled_at {text}, created_at {text} not null,
    expires_at {text} not null) {strict}`,
  `create index device_requests_by_expiry on device_requests (expires_at)`,

  `create table idempotent_answers (
    principal_id {text} not null, key {text} not null, request_hash {text} not null, state {text} not null,
    status {int}, headers {text}, body {text}, created_at {text} not null, expires_at {text} not null,
    claim_id {text}, holder {text}, primary key (principal_id, key)) {strict}`,
  `create index idempotent_answers_by_expiry on idempotent_answers (expires_at)`,
];
