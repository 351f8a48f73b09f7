import { dateOfDayNumber, dayNumber } from '../../../kernel/dates.ts';
import { areCompatibleKeys, nameKey } from '../../matching/name-key.ts';
import type { AccountKnowledge, LedgerRow, SignConvention } from '../analysis.ts';
import type { ReadRows } from './file-proof.ts';
import type { ColumnPlan } from '../columns/parsed-columns.ts';
import { describe, hash53, openRecords } from '../cells/table.ts';

/** Ledger rows of the account within a range of days, which may lie outside the calendar. */
export function ledgerOf(account: AccountKnowledge, first: number, last: number): readonly LedgerRow[] {
  const floor = Math.max(0, first);
  return last < floor
    ? []
    : account.ledgerRows(dateOfDayNumber(floor), dateOfDayNumber(Math.min(last, dayNumber('9999-12-31'))));
}

/** Ledger rows by day and absolute amount, to find the rows of a file that the ledger already has. */
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

/**
 * The sign convention under which the file's rows meet the ledger's (evidence 3 of 36.5.7): three rows or more, all
 * with one convention; null otherwise. `read` is the file read as positive = out.
 */
export function ledgerSign(plan: ColumnPlan, read: ReadRows, account: AccountKnowledge): SignConvention | null {
  const range = dayRange(read);
  if (!range) return null;
  const index = new LedgerIndex(ledgerOf(account, range.first, range.last));
  const reader = openRecords(plan.table);
  let asOut = 0;
  let asIn = 0;
  for (let row = 0; row < read.parsed.count && reader.next();) {
    if (reader.isBlank()) continue;
    const cents = read.amounts[row] as number;
    if (read.counted[row] === 1 && cents !== 0) {
      const met = index.at(read.days[row] as number, cents);
      if (met.length > 0) {
        const key = nameKey(describe(reader, plan.description));
        const same = met.find((other) => areCompatibleKeys(nameKey(other.name), key));
        if (same) {
          if (same.amount_cents === cents) asOut++;
          else asIn++;
        }
      }
    }
    row++;
  }
  if (asOut >= 3 && asIn === 0) return 'positive_is_out';
  return asIn >= 3 && asOut === 0 ? 'positive_is_in' : null;
}

/** First and last day of the counted rows; null without any. */
function dayRange(read: ReadRows): { first: number; last: number } | null {
  let first = Infinity;
  let last = -Infinity;
  for (let row = 0; row < read.parsed.count; row++) {
    if (read.counted[row] !== 1) continue;
    first = Math.min(first, read.days[row] as number);
    last = Math.max(last, read.days[row] as number);
  }
  return Number.isFinite(first) ? { first, last } : null;
}
