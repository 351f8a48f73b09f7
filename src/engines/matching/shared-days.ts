/** Movements in columns, by day and then amount, so that many rows compare without an object for each. */
export interface Movements {
  readonly days: Int32Array;
  /** Positive = money out. */
  readonly amounts: Float64Array;
}

const ENOUGH_OF_TEN = 9;

export function sortedMovements(days: Int32Array, amounts: Float64Array): Movements {
  const order = Int32Array.from(days.keys()).sort(
    (a, b) => (days[a] as number) - (days[b] as number) || (amounts[a] as number) - (amounts[b] as number),
  );
  return {
    days: Int32Array.from(order, (at) => days[at] as number),
    amounts: Float64Array.from(order, (at) => amounts[at] as number),
  };
}

/** The rows of a file on the days that an account covers too, and how many of them the account has (36.4, rule 7). */
export class SharedDays {
  readonly #file: Movements;
  readonly #from: number;
  readonly #to: number;
  readonly #met: Uint8Array;
  /** Rows of the account on its first and last day, and how many of them the file has. */
  readonly #ends: ReadonlyMap<number, { rows: number; met: number }>;
  #metCount = 0;

  /** `ends`: the days, if they are shared, with which the account itself begins and ends. */
  constructor(
    file: Movements,
    { firstDay, lastDay, ends }: { firstDay: number; lastDay: number; ends: readonly number[] },
  ) {
    this.#file = file;
    this.#ends = new Map(ends.map((day) => [day, { rows: 0, met: 0 }]));
    this.#from = lowerBound(file, firstDay, -Infinity);
    this.#to = lowerBound(file, lastDay + 1, -Infinity);
    this.#met = new Uint8Array(this.#to - this.#from);
  }

  /** A row of the account: it meets one row of the file, so twins stay twins. */
  meet(day: number, amountCents: number): void {
    const { days, amounts } = this.#file;
    const end = this.#ends.get(day);
    if (end) end.rows += 1;
    let at = Math.max(this.#from, lowerBound(this.#file, day, amountCents));
    while (at < this.#to && days[at] === day && amounts[at] === amountCents) {
      if (this.#met[at - this.#from] === 0) {
        this.#met[at - this.#from] = 1;
        this.#metCount += 1;
        if (end) end.met += 1;
        return;
      }
      at += 1;
    }
  }

  /**
   * The account meets the file when it has nine in ten of the file's rows; without rows on these days it does not. An
   * export of the account's last day may have cut that day: if the file has all of its rows, further rows say nothing
   * and the other days decide. Without other days the question is open.
   */
  get stand(): 'meets' | 'differs' | 'open' {
    const rows = this.#to - this.#from;
    if (areEnough(this.#metCount, rows)) return 'meets';
    const cut = [...this.#ends].filter(
      ([day, { rows: own, met }]) => own > 0 && met === own && this.#countOn(day) > met,
    );
    if (cut.length === 0) return 'differs';
    const cutRows = cut.reduce((sum, [day]) => sum + this.#countOn(day), 0);
    if (cutRows === rows) return 'open';
    const cutMet = cut.reduce((sum, [, end]) => sum + end.met, 0);
    return areEnough(this.#metCount - cutMet, rows - cutRows) ? 'meets' : 'differs';
  }

  #countOn(day: number): number {
    return lowerBound(this.#file, day + 1, -Infinity) - lowerBound(this.#file, day, -Infinity);
  }
}

function areEnough(met: number, rows: number): boolean {
  return rows > 0 && met * 10 >= rows * ENOUGH_OF_TEN;
}

/** Index of the first movement that is not before this day and amount. */
function lowerBound({ days, amounts }: Movements, day: number, amount: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = (days[middle] as number) < day || (days[middle] === day && (amounts[middle] as number) < amount);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
