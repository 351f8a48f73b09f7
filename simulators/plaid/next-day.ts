import { movedBalance, purchasesLike, type PastRow } from '../providers/next-day.ts';
import type { PlaidAccount, PlaidFacts, PlaidItem } from './records.ts';
import { applyChange, currentRows } from './transaction-pages.ts';
import { newTransactionId, type PlaidWorld } from './world.ts';

interface PlaidRow extends PastRow {
  facts: PlaidFacts;
}

/** A day goes by at a bank: what is pending is posted, and new purchases are made. */
export function livePlaidDay(world: PlaidWorld, item: PlaidItem): { posted: string[]; pending: string[] } {
  const date = world.clock.today();
  const rows = currentRows(item).map(toRow);
  const wasPending = rows.filter(({ facts }) => facts.pending);
  const posted = wasPending.map(({ facts }) => ({
    ...facts,
    date,
    pending: false,
    transaction_id: newTransactionId(world),
    pending_transaction_id: facts.transaction_id,
  }));
  const bought = purchasesLike(
    rows.filter(({ facts }) => !facts.pending && isForShopping(item, facts.account_id)),
    world.numbering,
  );
  const pending = bought.map(({ facts, cents }) => ({
    ...facts,
    amount: cents / 100,
    date,
    authorized_date: date,
    pending: true,
    pending_transaction_id: null,
    transaction_id: newTransactionId(world),
  }));
  applyChange(item, { put: [...posted, ...pending], removed: wasPending.map(({ facts }) => facts.transaction_id) });
  item.accounts = item.accounts.map((account) => withMovedBalances(account, wasPending, bought));
  return { posted: posted.map(idOf), pending: pending.map(idOf) };
}

/** A loan's payments are not made by going to the shops. */
function isForShopping({ accounts }: PlaidItem, accountId: string): boolean {
  const account = accounts.find(({ account_id }) => account_id === accountId);
  return account?.type === 'depository' || account?.type === 'credit';
}

function withMovedBalances(
  account: PlaidAccount,
  posted: readonly PlaidRow[],
  bought: readonly PlaidRow[],
): PlaidAccount {
  const own = (rows: readonly PlaidRow[]): PlaidRow[] =>
    rows.filter(({ accountId }) => accountId === account.account_id);
  const { current, available } = account.balances;
  const isOwed = account.type === 'credit' || account.type === 'loan';
  return {
    ...account,
    balances: {
      ...account.balances,
      current: current === null ? null : movedBalance(toCents(current), own(posted), isOwed) / 100,
      // Purchases under way are taken from what can be spent at once.
      available: available === null ? null : movedBalance(toCents(available), own(bought), false) / 100,
    },
  };
}

function toRow(facts: PlaidFacts): PlaidRow {
  return { facts, accountId: facts.account_id, cents: toCents(facts.amount) };
}

function idOf({ transaction_id }: PlaidFacts): string {
  return transaction_id;
}

function toCents(units: number): number {
  return Math.round(units * 100);
}
