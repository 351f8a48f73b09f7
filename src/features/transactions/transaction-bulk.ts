import type { Handler } from '../handler.ts';
import { batchCategorizeTransactions } from './batch-categorize-transactions.ts';
import { bulkRecategorizeTransactions } from './bulk-recategorize-transactions.ts';
import { updateTransactions } from './update-transactions.ts';

/** The handlers of transaction-bulk.contract.ts. */
export const handlers: readonly Handler[] = [
  updateTransactions,
  batchCategorizeTransactions,
  bulkRecategorizeTransactions,
];
