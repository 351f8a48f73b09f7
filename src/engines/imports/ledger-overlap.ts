import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import type { AccountKnowledge, LedgerRow } from './analysis.ts';
import { hash53 } from './table.ts';

const DROPPED = new Set([
  'auth',
  'authorized',
  'card',
  'checkcard',
  'debit',
  'mastercard',
  'pending',
  'pos',
  'preauth',
  'purchase',
  'recurring',
  'visa',
]);

/** The words of a name key (30.8.2). */
export function nameWords(text: string): string[] {
  const words = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const kept = words.filter(
    (word) => !DROPPED.has(word) && !(word.length >= 3 && /\d/.test(word) && /^[\dx]+$/.test(word)),
  );
  return kept.length > 0 ? kept : words;
}

/** Compatible names of 30.8.2: equal keys, one within the other, or half of the words in common. */
export function areCompatible(a: string, b: string): boolean {
  const left = new Set(nameWords(a));
  const right = new Set(nameWords(b));
  const common = [...left].filter((word) => right.has(word));
  const all = new Set([...left, ...right]).size;
  if (all === 0) return true;
  const shorter = Math.min(left.size, right.size);
  if (common.length === shorter && common.join('').length >= 4) return true;
  return common.length / all >= 0.5;
}

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
