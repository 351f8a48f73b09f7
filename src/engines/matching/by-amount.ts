interface Movements {
  readonly days: ArrayLike<number>;
  readonly cents: ArrayLike<number>;
}

/** Rows by amount and then by day: one number for each, because files may have half a million. */
export class ByAmount {
  readonly #order: Int32Array;
  readonly #rows: Movements;

  constructor(rows: Movements, places: ArrayLike<number>) {
    const { days, cents } = rows;
    this.#rows = rows;
    this.#order = Int32Array.from(places).sort(
      (a, b) => (cents[a] as number) - (cents[b] as number) || (days[a] as number) - (days[b] as number) || a - b,
    );
  }

  /** The places of the rows with this amount between two days, both included. */
  *within(cents: number, first: number, last: number): Generator<number, void, undefined> {
    const { days, cents: amounts } = this.#rows;
    for (let at = this.#from(cents, first); at < this.#order.length; at++) {
      const place = this.#order[at] as number;
      if (amounts[place] !== cents || (days[place] as number) > last) return;
      yield place;
    }
  }

  /** The first entry of this amount that is not before a day. */
  #from(cents: number, day: number): number {
    const { days, cents: amounts } = this.#rows;
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const place = this.#order[middle] as number;
      const difference = (amounts[place] as number) - cents || (days[place] as number) - day;
      if (difference < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface Listed extends Movements {
  readonly length: number;
}

export function everyPlace({ length }: { readonly length: number }): Int32Array {
  return Int32Array.from({ length }, (_, place) => place);
}
