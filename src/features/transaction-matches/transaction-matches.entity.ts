import type { TransactionMatchesTable } from '../../db/schema.ts';
import { IDS, json, recorded, reference, STAMPS } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';

export type MatchRow = TransactionMatchesTable;
export type Confidence = 'auto' | 'confirmed' | 'rejected';

/** Two rows that show one purchase, or that somebody said are not one (contract 50.2). */
export const transactionMatches = defineEntity('transaction_matches', {
  type: 'transaction_match',
  columns: {
    ...IDS,
    account_link_id: reference('account_links'),
    primary_transaction_id: reference('transactions'),
    dependent_transaction_id: reference('transactions'),
    confidence: recorded,
    matched_on: json,
    ...STAMPS,
  },
  undo: {},
});
