import type { BalanceResult } from './analysis.ts';
import type { ProofStatement } from './statement-proof.ts';

/** Accounts whose balance may count what is owed (36.6.1). */
export function mayOwe(accountType: string | null): boolean {
  return accountType === 'credit' || accountType === 'loan';
}

/** Statements of one account that may owe (credit, loan). */
interface Owing {
  readonly statements: readonly Pick<ProofStatement, 'opening' | 'closing'>[];
}

/**
 * Whether balances without a mark of debit or credit count what is owed: when more of those that a file states of cards
 * and loans are positive than negative (36.6.1). One bank prints all of them alike.
 */
export function countsOwed(owing: readonly Owing[]): boolean {
  let surplus = 0;
  for (const { statements } of owing)
    for (const { opening, closing } of statements) surplus += Math.sign(opening ?? 0) + Math.sign(closing ?? 0);
  return surplus > 0;
}

/**
 * The result, marked where nothing but the signs told its kind and they can be taken either way: a positive balance of
 * a card is a debt at one bank and money in its holder's favour at another.
 */
export function withAssumedKind(result: BalanceResult): BalanceResult {
  const isAssumed =
    result.status === 'not_available' &&
    result.closings.some(({ balance_cents: cents }) => (result.kind === 'debt' ? cents !== 0 : cents > 0));
  return isAssumed ? { ...result, is_kind_assumed: true } : result;
}
