export { countFound, findTransactions, type Search } from './pages/find-transactions.ts';
export { merchantSummary } from './list-merchants.ts';
export { recentTransactionsJson } from './pages/page.queries.ts';
export { totalsOfCounterparty } from './totals/totals.queries.ts';
export { readFilters, withRenamedFields } from './filters/resolve-filters.ts';
export { parseFields, transactionsById } from './pages/record.queries.ts';
export { exact, totalsOf, type TotalRecord } from './totals/totals.ts';
export { countUpTo, transactionExists } from './transactions.queries.ts';
