import { addDays, isDateOnly, parseInstant } from '../../kernel/dates.ts';
import type { CamtNode } from './camt-node.ts';
import type { StatementEntry } from './statement.ts';

interface CamtDate {
  /** As written; a zone never moves it. */
  readonly date: string | null;
  readonly datetime: string | null;
}

/** A date choice: `Dt` or `DtTm`, each perhaps with a zone; null when the element is not there. */
export function readDate(node: CamtNode | undefined): CamtDate | null {
  const text = node === undefined ? '' : node.first('Dt', 'DtTm') || node.text;
  if (text === '') return null;
  const date = text.slice(0, 10);
  if (!isDateOnly(date)) return { date: null, datetime: null };
  const isMidnight = /^T00:00(?::00(?:\.0{1,9})?)?(?:$|Z|[+-])/.test(text.slice(10));
  return { date, datetime: isMidnight ? null : (parseInstant(text) ?? null) };
}

/** The days that a statement mentions, for entries without a date. */
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

  /** The one day of the statement; null where it may have several. */
  only(opening: string | null, closing: string | null): string | null {
    const day = this.#period ? dayOfPeriod(this.#period) : this.#dayOfBalances(opening, closing);
    const isContradicted = this.#first !== null && (this.#first !== day || this.#last !== day);
    return isContradicted ? null : day;
  }

  /** Without a period the closing balance gives only the end; other entries or the opening balance give the start. */
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

/** The entry with the statement's only day, if its date is all that is missing. */
export function datedBy(entry: StatementEntry, day: string | null): StatementEntry {
  if (day === null || entry.reason !== 'DATE_MISSING' || entry.amount_cents === null) return entry;
  return { ...entry, outcome: 'row', reason: null, message: null, date: day };
}
