import { notFound } from '../../kernel/errors.ts';
import { handleRead, JsonText } from '../handler.ts';
import { recentTransactionsJson } from '../transactions/index.ts';
import { getAccountDetail as operation } from './accounts.contract.ts';
import { findAccount, selectLatestBalances } from './accounts.queries.ts';
import { toAccount, toBalances } from './accounts.table.ts';

const RECENT = 25;

export const getAccountDetail = handleRead(operation, async ({ tx }, { params }) => {
  const account = await findAccount(tx, params.id);
  if (!account) throw notFound('The account was');
  const latest = await selectLatestBalances(tx, account.id);
  const reported = latest.length > 0 ? latest : [account];
  const record = JSON.stringify({
    ...toAccount(account),
    connection_user_name: account.connection_user_name,
    connection_short_id: account.connection_short_id,
    balances: reported.map((one) => ({ iso_currency_code: one.iso_currency_code || null, ...toBalances(one) })),
  });
  // The database writes the rows as JSON; they are put into the record as they are.
  const recent = await recentTransactionsJson(tx, account.id, RECENT);
  return new JsonText(`${record.slice(0, -1)},"recent_transactions":[${recent.join(',')}]}`);
});
