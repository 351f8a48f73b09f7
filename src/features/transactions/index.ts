export { countFound, findTransactions, type Search } from './find-transactions.ts';
export { merchantSummary } from './list-merchants.ts';
export { recentTransactionsJson } from './page.queries.ts';
export { totalsOfCounterparty } from './totals.queries.ts';
export { readFilters, withRenamedFields } from './resolve-filters.ts';
export { parseFields, transactionsById } from './record.queries.ts';
export { exact, totalsOf, type TotalRecord } from './totals.ts';
export { countUpTo, transactionExists } from './transactions.queries.ts';
