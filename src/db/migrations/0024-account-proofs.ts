import type { Migration } from '../migrate.ts';

/** What the balance proof of an import says of each of its accounts, which lists of accounts show. */
export const accountProofs: Migration = {
  version: 24,
  name: 'account proofs',
  statements: [`alter table import_accounts add column proof {text}`],
};
