import { notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { deleteAccountBalance as operation } from './accounts-by-hand.contract.ts';
import { findAccount } from './accounts.queries.ts';
import { deleteSnapshot, findSnapshot } from './balance-history.queries.ts';
import { recordBalance } from './record-balance.ts';

export const deleteAccountBalance = handleWrite(operation, 'account.update', async ({ tx }, { params, query }) => {
  const account = await findAccount(tx, params.id);
  if (!account) throw notFound('The account was');
  const currency = query.iso_currency_code ?? account.iso_currency_code ?? '';
  const key = { account_id: account.id, date: params.date, iso_currency_code: currency };
  const standing = params.date.includes('\0') ? undefined : await findSnapshot(tx, key);
  if (standing?.source !== 'manual') throw notFound('A balance set by hand on this day was');
  await deleteSnapshot(tx, key);
  await recordBalance(tx, account, standing, undefined);
  tx.journal.summarise(`Removed the balance of ${account.display_name ?? account.name} on ${params.date}`);
  return null;
});
