import type { Migration } from '../migrate.ts';

/** Sessions, invitations, device requests, and keys that belong to members. Tokens are kept as SHA-256 in hex only. */
export const identity: Migration = {
  version: 9,
  name: 'identity',
  statements: [
    `alter table api_keys add column user_id {text} references users(id)`,
    `create index api_keys_by_user on api_keys (user_id) where user_id is not null`,
    // The name of whoever made the token; the invited person reads it.
    `alter table logins add column setup_token_issuer {text}`,
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
      token_hash {text} primary key, created_at {text} not null, expires_at {text} not null) {strict}`,
    // scope to actor_name are what the approver chose; approver_id is the UUID of a login (session) or of an API key.
    `create table device_requests (
      id {text} primary key, short_id {text} not null unique, device_code_hash {text} not null unique,
      user_code {text} not null unique, client_name {text} not null, client_address {text} not null,
      requested_scope {text} not null, status {text} not null, scope {text}, key_name {text},
      user_id {text} references users(id), key_expires_at {text}, actor_type {text}, actor_name {text},
      approver_kind {text}, approver_id {text}, decided_by_type {text}, decided_by_id {text}, decided_by_name {text},
      decided_at {text}, last_polled_at {text}, created_at {text} not null, expires_at {text} not null) {strict}`,
    `create index device_requests_by_expiry on device_requests (expires_at)`,
  ],
};
