/** Movements in columns, by day and then amount: a file or an account of many rows is compared without an object each. */
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
  #metCount = 0;

  constructor(file: Movements, firstDay: number, lastDay: number) {
    this.#file = file;
    this.#from = lowerBound(file, firstDay, -Infinity);
    this.#to = lowerBound(file, lastDay + 1, -Infinity);
    this.#met = new Uint8Array(this.#to - this.#from);
  }

  /** A row of the account: it meets one row of the file, so twins stay twins. */
  meet(day: number, amountCents: number): void {
    const { days, amounts } = this.#file;
    let at = Math.max(this.#from, lowerBound(this.#file, day, amountCents));
    while (at < this.#to && days[at] === day && amounts[at] === amountCents) {
      if (this.#met[at - this.#from] === 0) {
        this.#met[at - this.#from] = 1;
        this.#metCount += 1;
        return;
      }
      at += 1;
    }
  }

  /** Nine in ten of the file's rows; where the file has none on these days, nothing speaks for the account. */
  get isMet(): boolean {
    const rows = this.#to - this.#from;
    return rows > 0 && this.#metCount * 10 >= rows * ENOUGH_OF_TEN;
  }
}

/** Where the first movement stands that is not before this day and amount. */
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
