import { countTransactions } from './count-transactions.ts';
import { getTransaction } from './get-transaction.ts';
import { listTransactions } from './list-transactions.ts';
import { summarizeTransactions } from './summarize-transactions.ts';
import { handlers as bulkHandlers } from './transaction-bulk.ts';
import { handlers as reportHandlers } from './transaction-reports.ts';
import { handlers as writeHandlers } from './transaction-writes.ts';

export const handlers = [
  listTransactions,
  getTransaction,
  countTransactions,
  summarizeTransactions,
  ...reportHandlers,
  ...writeHandlers,
  ...bulkHandlers,
];

export { recentTransactionsJson } from './recent-transactions.ts';
export { totalsOfCounterparty } from './counterparty-totals.queries.ts';
export { transactionsById } from './record.queries.ts';
