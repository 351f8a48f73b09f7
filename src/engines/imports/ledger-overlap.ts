import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import type { AccountKnowledge, LedgerRow } from './analysis.ts';
import { hash53 } from './table.ts';

/** Ledger rows of the account within some days, if the days are sane. */
export function ledgerOf(account: AccountKnowledge, first: number, last: number): readonly LedgerRow[] {
  const floor = Math.max(0, first);
  return last < floor
    ? []
    : account.ledgerRows(dateOfDayNumber(floor), dateOfDayNumber(Math.min(last, dayNumber('9999-12-31'))));
}

/** Ledger rows by day and absolute amount, for finding the rows of a file that are already there. */
export class LedgerIndex {
  readonly #rows = new Map<number, LedgerRow[]>();

  constructor(rows: readonly LedgerRow[]) {
    for (const row of rows) {
      const key = keyOf(dayNumber(row.date), row.amount_cents);
      const others = this.#rows.get(key);
      if (others) others.push(row);
      else this.#rows.set(key, [row]);
    }
  }

  at(day: number, cents: number): readonly LedgerRow[] {
    return this.#rows.get(keyOf(day, cents)) ?? [];
  }
}

function keyOf(day: number, cents: number): number {
  return hash53(`${day}:${Math.abs(cents)}`);
}
