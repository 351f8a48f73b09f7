export { accounts, followNewest, FOLLOWS_LINKS } from './accounts.entity.ts';
export { effectiveOwner, findAccount, type AccountRow } from './accounts.queries.ts';
export { putSnapshots, restoreSnapshots } from './balances.queries.ts';
export { adoptAccountCurrency } from './give-currency.ts';
export { makeCsvAccount, makeCsvConnection } from './make-csv-account.ts';
