import type { AccountsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { linkAccounts } from '../account-links/index.ts';
import { accounts } from '../accounts/index.ts';
import { findConnectionOf } from '../connections/index.ts';
import { joinAccounts } from './join-accounts.ts';

/**
 * Makes one account of two, or links two if a live bank connection feeds the older one: each login goes on delivering its own
 * rows, and totals count each purchase once (contract 30.9).
 * @throws CONFLICT if the account link is refused (50.1.2)
 */
export async function acceptSameAccount(tx: WriteTx, newerId: string, olderId: string): Promise<void> {
  const [newer, older] = [await accounts.find(tx, newerId), await accounts.find(tx, olderId)];
  if (!newer || !older) throw new AppError('CONFLICT', 'One of the two accounts no longer exists.');
  if (!(await hasLiveBank(tx, older))) return joinAccounts(tx, newer, older);
  const [primary, dependent] = older.id < newer.id ? [older, newer] : [newer, older];
  await linkAccounts(tx, {
    primaryId: primary.id,
    dependentId: dependent.id,
    toleranceDays: 1,
    isAttributing: false,
    isEnabled: true,
  });
  tx.journal.summarise(
    `Linked the account ${nameOf(dependent)} to ${nameOf(primary)}: both show the same transactions`,
  );
}

/** Whether a bank goes on delivering rows of the account. */
export async function hasLiveBank(tx: ReadTx, account: AccountsTable): Promise<boolean> {
  const connection = await findConnectionOf(tx, account.connection_id);
  return connection !== undefined && connection.provider !== 'csv' && connection.status !== 'disconnected';
}

function nameOf({ display_name: shown, name }: AccountsTable): string {
  return shown ?? name;
}
