import { movedBalance, purchasesLike, type PastRow } from '../providers/next-day.ts';
import type { Enrollment, TellerAccount, TellerTransaction } from './records.ts';
import { newTransactionId, type TellerWorld } from './world.ts';

interface TellerRow extends PastRow {
  row: TellerTransaction;
}

/** A day goes by at a bank: what is pending is posted, and new purchases are made. */
export function liveTellerDay(world: TellerWorld, enrollment: Enrollment): { posted: string[]; pending: string[] } {
  const owed = new Set(enrollment.accounts.filter(({ type }) => type === 'credit').map(({ id }) => id));
  const toCents = (row: TellerTransaction): number =>
    Math.round(Number(row.amount) * 100) * (owed.has(row.account_id) ? 1 : -1);
  const rows = [...enrollment.transactions.values()].map((row): TellerRow => ({
    row,
    accountId: row.account_id,
    cents: toCents(row),
  }));
  const wasPending = rows.filter(({ row }) => row.status === 'pending');
  const bought = purchasesLike(
    rows.filter(({ row }) => row.status === 'posted' && row.type === 'card_payment'),
    world.numbering,
  );
  const posted = wasPending.map(({ row }) => changed(row, 'posted'));
  const pending = bought.map(({ row, cents, accountId }) => ({
    ...changed(row, 'pending'),
    id: newTransactionId(world),
    date: world.clock.today(),
    amount: decimal(owed.has(accountId) ? cents : -cents),
  }));
  for (const row of [...posted, ...pending]) enrollment.transactions.set(row.id, row);
  enrollment.version++;
  enrollment.accounts = enrollment.accounts.map((account) =>
    withMovedBalances(account, wasPending, bought, owed.has(account.id)),
  );
  return { posted: posted.map(({ id }) => id), pending: pending.map(({ id }) => id) };
}

function changed(row: TellerTransaction, status: TellerTransaction['status']): TellerTransaction {
  return { ...row, status, running_balance: status === 'pending' ? null : '1000.00' };
}

function withMovedBalances(
  account: TellerAccount,
  posted: readonly TellerRow[],
  bought: readonly TellerRow[],
  isOwed: boolean,
): TellerAccount {
  const own = (rows: readonly TellerRow[]): TellerRow[] => rows.filter(({ accountId }) => accountId === account.id);
  const moved = (text: string | null, rows: readonly TellerRow[], isDebt: boolean): string | null =>
    text === null ? null : decimal(movedBalance(Math.round(Number(text) * 100), own(rows), isDebt));
  const { ledger, available } = account.balances;
  return {
    ...account,
    // Purchases under way are taken from what can be spent at once.
    balances: { ledger: moved(ledger, posted, isOwed), available: moved(available, bought, false) },
  };
}

function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}
