export { recentTransactionsJson } from './recent-transactions.ts';
export { totalsOfCounterparty } from './counterparty-totals.queries.ts';
export { transactionsById } from './record.queries.ts';
