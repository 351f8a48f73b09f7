export { findAccount, updateAccountRow } from './accounts.queries.ts';
export { effectiveOwner } from './effective-owner.ts';
export { followNewest } from './follow-newest.ts';
export { adoptAccountCurrency } from './give-currency.ts';
export { makeCsvAccount, makeCsvConnection } from './make-csv-account.ts';
export { undo } from './undo-account.ts';
