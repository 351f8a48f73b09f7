import { getAccountBalances } from './get-account-balances.ts';
import { getAccountDetail } from './get-account-detail.ts';
import { getAccount } from './get-account.ts';
import { listAccounts } from './list-accounts.ts';
import { updateAccount } from './update-account.ts';

export const handlers = [listAccounts, getAccount, getAccountDetail, getAccountBalances, updateAccount];

export { findAccount } from './accounts.queries.ts';
export { effectiveOwner } from './effective-owner.ts';
export { undo } from './undo-account.ts';
