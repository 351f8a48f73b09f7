import { addDays, isDateOnly, parseInstant } from '../../../../kernel/dates.ts';
import type { CamtNode } from './camt-node.ts';
import type { StatementEntry } from '../statement.ts';

interface CamtDate {
  /** The date as written, whatever the time zone. */
  readonly date: string | null;
  readonly datetime: string | null;
}

/** A date element, which contains `Dt` or `DtTm`, perhaps with a time zone; null if there is no such element. */
export function readDate(node: CamtNode | undefined): CamtDate | null {
  const text = node === undefined ? '' : node.first('Dt', 'DtTm') || node.text;
  if (text === '') return null;
  const date = text.slice(0, 10);
  if (!isDateOnly(date)) return { date: null, datetime: null };
  const isMidnight = /^T00:00(?::00(?:\.0{1,9})?)?(?:$|Z|[+-])/.test(text.slice(10));
  return { date, datetime: isMidnight ? null : (parseInstant(text) ?? null) };
}

/** Collects the days that a statement mentions, to find a date for entries without one. */
export class CamtDays {
  #first: string | null = null;
  #last: string | null = null;
  #period: CamtNode | null = null;

  noteEntry(date: string | null): void {
    if (date === null) return;
    if (this.#first === null || date < this.#first) this.#first = date;
    if (this.#last === null || date > this.#last) this.#last = date;
  }

  notePeriod(node: CamtNode): void {
    this.#period = node;
  }

  /** The day of a statement that covers just one; null if it may cover several. */
  onlyDay(opening: string | null, closing: string | null): string | null {
    const day = this.#period ? dayOfPeriod(this.#period) : this.#dayOfBalances(opening, closing);
    const isContradicted = this.#first !== null && (this.#first !== day || this.#last !== day);
    return isContradicted ? null : day;
  }

  /** Without a period, the closing balance gives the end, and the other entries or the opening balance the start. */
  #dayOfBalances(opening: string | null, closing: string | null): string | null {
    if (closing === null) return null;
    if (this.#first !== null) return closing;
    return opening === closing || opening === addDays(closing, -1) ? closing : null;
  }
}

function dayOfPeriod(period: CamtNode): string | null {
  const [from, to] = [period.first('FrDtTm', 'FrDt'), period.first('ToDtTm', 'ToDt')];
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
  if (!isDateOnly(first) || !isDateOnly(last)) return null;
  const endsAtMidnight = /T00:00(?::00(?:\.0{1,9})?)?(?:$|Z|[+-])/.test(to);
  return last === first || (endsAtMidnight && last === addDays(first, 1)) ? first : null;
}

/** Gives an entry the only day of its statement if all that it lacks is a date. */
export function withOnlyDay(entry: StatementEntry, day: string | null): StatementEntry {
  if (day === null || entry.reason !== 'DATE_MISSING' || entry.amount_cents === null) return entry;
  return { ...entry, outcome: 'row', reason: null, message: null, date: day };
}
