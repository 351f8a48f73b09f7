import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import { isDateOnly } from '../../kernel/dates.ts';
import { AppError, invalidParameter, notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { setAccountBalance as operation } from './accounts-by-hand.contract.ts';
import { findAccount } from './accounts.queries.ts';
import { toSnapshot } from './accounts.table.ts';
import { deleteSnapshot, findSnapshot, insertSnapshot } from './balance-history.queries.ts';
import { recordBalance } from './record-balance.ts';

export const setAccountBalance = handleWrite(operation, 'account.update', async ({ tx }, { params, body }) => {
  const account = await findAccount(tx, params.id);
  if (!account) throw notFound('The account was');
  if (!isDateOnly(params.date)) throw invalidParameter('date', 'date: a calendar date as YYYY-MM-DD.');
  if (account.provider !== 'csv') {
    throw new AppError('CONFLICT', 'A bank reports the balances of this account, so they cannot be set by hand.');
  }
  const wanted: BalanceSnapshotsTable = {
    account_id: account.id,
    date: params.date,
    iso_currency_code: body.iso_currency_code ?? account.iso_currency_code ?? '',
    balance_current_cents: body.balance_current,
    balance_available_cents: body.balance_available ?? null,
    balance_limit_cents: body.balance_limit ?? null,
    source: 'manual',
    import_id: null,
    recorded_at: tx.now,
  };
  const standing = await findSnapshot(tx, wanted);
  if (standing && (standing.source !== 'manual' || isSame(standing, wanted))) return toSnapshot(standing);
  if (standing) await deleteSnapshot(tx, standing);
  await insertSnapshot(tx, wanted);
  await recordBalance(tx, account, standing, wanted);
  tx.journal.summarise(`Set the balance of ${account.display_name ?? account.name} on ${wanted.date}`);
  return toSnapshot(wanted);
});

function isSame(one: BalanceSnapshotsTable, other: BalanceSnapshotsTable): boolean {
  return (
    one.balance_current_cents === other.balance_current_cents &&
    one.balance_available_cents === other.balance_available_cents &&
    one.balance_limit_cents === other.balance_limit_cents
  );
}
