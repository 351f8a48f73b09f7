import { countTransactions } from './count-transactions.ts';
import { getTransaction } from './get-transaction.ts';
import { listTransactions } from './list-transactions.ts';
import { summarizeTransactions } from './summarize-transactions.ts';

export const handlers = [listTransactions, getTransaction, countTransactions, summarizeTransactions];

export { recentTransactionsJson } from './recent-transactions.ts';
