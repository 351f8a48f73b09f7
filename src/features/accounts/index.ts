export { findAccount } from './accounts.queries.ts';
export { effectiveOwner } from './effective-owner.ts';
export { undo } from './undo-account.ts';
