import type { Migration } from '../migrate.ts';

/**
 * The access of a disconnected connection waits with the links that never became one until it is revoked. `credentials`
 * is null once that was given up (contract 30.2.3). What is left in a connection cannot be moved: it is bound to its row.
 */
export const revocations: Migration = {
  version: 22,
  name: 'revocations',
  statements: [
    `create table access_to_end (
      id {text} primary key, provider {text} not null, user_id {text} not null, item_id {text} not null,
      credentials {blob}, connection_id {text}, created_at {text} not null) {strict}`,
    `insert into access_to_end (id, provider, user_id, item_id, credentials, created_at)
      select id, provider, user_id, item_id, credentials, created_at from pending_links`,
    `drop table pending_links`,
    `alter table access_to_end rename to pending_links`,
    `create index pending_links_by_age on pending_links (created_at)`,
    `update connections set credentials = null where status = 'disconnected'`,
  ],
};
