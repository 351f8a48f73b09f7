export { recentTransactionsJson } from './page.queries.ts';
export { totalsOfCounterparty } from './totals.queries.ts';
export { transactionsById } from './record.queries.ts';
export { withRenamedFields } from './resolve-filters.ts';
