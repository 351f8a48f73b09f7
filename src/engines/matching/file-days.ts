import { dayNumber } from '../../kernel/dates.ts';
import type { Span } from './identity.ts';

interface Days {
  readonly first: number;
  readonly last: number;
}

/** Which days a file covers, and which others have covered before it (36.1). */
export class FileDays {
  readonly first: number;
  readonly last: number;
  readonly #covered: readonly Days[];
  #isFirstMet = false;
  #isLastMet = false;

  /** `moved`: how many days later the ledger has the rows of the file. */
  constructor(days: Span | null, covered: readonly Span[], moved = 0) {
    this.first = days === null ? Infinity : dayNumber(days.first) + moved;
    this.last = days === null ? -Infinity : dayNumber(days.last) + moved;
    this.#covered = covered.map(({ first, last }) => ({ first: dayNumber(first), last: dayNumber(last) }));
  }

  has(day: number): boolean {
    return day >= this.first && day <= this.last;
  }

  /** A row of this day was met by its content: if it is the first or last day, the file does not cut it. */
  meet(day: number): void {
    this.#isFirstMet ||= day === this.first;
    this.#isLastMet ||= day === this.last;
  }

  isInner(day: number): boolean {
    if (!this.has(day)) return false;
    return (day > this.first || this.#isFirstMet) && (day < this.last || this.#isLastMet);
  }

  isBetweenEnds(day: number): boolean {
    return day > this.first && day < this.last;
  }

  isCovered(day: number): boolean {
    return this.#covered.some(({ first, last }) => day >= first && day <= last);
  }

  isInnerCovered(day: number): boolean {
    return this.#covered.some(({ first, last }) => day > first && day < last);
  }

  /** Whether so many days after a day are in files, this one included; a few quiet ones in a row may be in none. */
  coverAfter(day: number, count: number, quiet: number): boolean {
    let missing = 0;
    for (let at = day + 1; at <= day + count; at++) {
      missing = this.has(at) || this.isCovered(at) ? 0 : missing + 1;
      if (missing > quiet) return false;
    }
    return true;
  }
}
