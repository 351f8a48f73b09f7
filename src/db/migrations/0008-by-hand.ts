import type { Migration } from '../migrate.ts';

/** Accounts and rows by hand. */
export const byHand: Migration = {
  version: 8,
  name: 'by hand',
  statements: [
    // A deleted account keeps its row: transactions, imports and profiles name it, and taking it back returns it whole.
    `alter table accounts add column deleted_at {text}`,
    // 0 where neither the file nor the caller named a currency: one that the account is given later replaces it.
    `alter table imports add column currency_stated {int} not null default 1`,
  ],
};
