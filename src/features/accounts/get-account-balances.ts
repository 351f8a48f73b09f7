import { invalidParameter, notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getAccountBalances as operation } from './accounts.contract.ts';
import { findAccount, selectBalances } from './accounts.queries.ts';
import { toSnapshot } from './accounts.table.ts';

export const getAccountBalances = handleRead(operation, async ({ tx }, { params, query }) => {
  const { date_from: from, date_to: to } = query;
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidParameter('date_from', 'date_from is after date_to.');
  }
  const account = await findAccount(tx, params.id);
  if (!account) throw notFound('The account was');
  const snapshots = await selectBalances(tx, account.id, from, to);
  return {
    account_id: account.id,
    balances: snapshots.map(toSnapshot),
  };
});
