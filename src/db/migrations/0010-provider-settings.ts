import type { Migration } from '../migrate.ts';

/** Credentials of the bank providers, and secrets of the installation itself. Blobs are encrypted records. */
export const providerSettings: Migration = {
  version: 10,
  name: 'provider settings',
  statements: [
    `create table provider_settings (
      id {text} primary key, environment {text}, webhook_url {text}, client_id {blob}, secret {blob},
      application_id {blob}, certificate {blob}, private_key {blob}, webhook_secret {blob},
      updated_at {text} not null) {strict}`,
    `create table instance_secrets (
      id {text} primary key, secret {blob} not null, created_at {text} not null) {strict}`,
  ],
};
