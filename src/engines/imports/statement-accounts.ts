import type { StatedAccount } from './analysis.ts';
import { accountValueOf } from './statement-rows.ts';
import type { Statement, StatementBalance } from './statement.ts';

/** What the statements of a file say about their accounts; of several about one, the newest balances. */
export function statedAccounts(statements: readonly Statement[]): Map<string | null, StatedAccount> {
  const accounts = new Map<string | null, StatedAccount>();
  for (const one of statements) {
    const value = accountValueOf(one);
    const known = accounts.get(value);
    accounts.set(value, {
      identifier: known?.identifier ?? one.account_identifier,
      name: known?.name ?? one.account_name,
      institution_name: known?.institution_name ?? one.institution_name,
      institution_id: known?.institution_id ?? one.institution_id,
      mask: known?.mask ?? one.mask,
      type: known?.type ?? one.account_type,
      subtype: known?.subtype ?? one.account_subtype,
      closing: newer(known?.closing ?? null, one.closing),
      available: newer(known?.available ?? null, one.available),
    });
  }
  return accounts;
}

function newer(known: StatementBalance | null, other: StatementBalance | null): StatementBalance | null {
  if (known === null || other === null) return known ?? other;
  return (other.date ?? '') >= (known.date ?? '') ? other : known;
}
