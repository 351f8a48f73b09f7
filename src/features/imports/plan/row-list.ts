import type { Sequence } from '../../../kernel/sequence.ts';

/**
 * Rows of a store in an order of their own. Only their places are kept; a row is made whenever it is looked at, so that
 * two looks give two objects that read and write the same values.
 */
export class RowList<Row> implements Sequence<Row> {
  readonly length: number;
  readonly #rowAt: (place: number) => Row;
  /** null for the first rows of the store as they are. */
  readonly #places: Int32Array | null;

  /** `order`: the places of the rows, or how many of the first ones. */
  constructor(rowAt: (place: number) => Row, order: Int32Array | number) {
    this.#rowAt = rowAt;
    this.#places = typeof order === 'number' ? null : order;
    this.length = typeof order === 'number' ? order : order.length;
  }

  at(index: number): Row | undefined {
    return index >= 0 && index < this.length ? this.#rowAt(this.#placeAt(index)) : undefined;
  }

  *[Symbol.iterator](): Generator<Row, void, undefined> {
    for (let index = 0; index < this.length; index++) yield this.#rowAt(this.#placeAt(index));
  }

  every(fits: (row: Row) => boolean): boolean {
    for (const row of this) if (!fits(row)) return false;
    return true;
  }

  some(fits: (row: Row) => boolean): boolean {
    return !this.every((row) => !fits(row));
  }

  filter<Kept extends Row>(fits: (row: Row, index: number) => row is Kept): RowList<Kept>;
  filter(fits: (row: Row, index: number) => boolean): RowList<Row>;
  filter(fits: (row: Row, index: number) => boolean): RowList<Row> {
    const places = new Int32Array(this.length);
    let count = 0;
    for (let index = 0; index < this.length; index++) {
      const place = this.#placeAt(index);
      if (fits(this.#rowAt(place), index)) places[count++] = place;
    }
    return count === this.length ? this : new RowList(this.#rowAt, places.slice(0, count));
  }

  /** The rows at these indexes. */
  pick(indexes: readonly number[]): RowList<Row> {
    return new RowList(
      this.#rowAt,
      Int32Array.from(indexes, (index) => this.#placeAt(index)),
    );
  }

  toArray(): Row[] {
    return this.slice(0, this.length);
  }

  slice(from: number, to: number): Row[] {
    const rows: Row[] = [];
    for (let index = from; index < to && index < this.length; index++) rows.push(this.#rowAt(this.#placeAt(index)));
    return rows;
  }

  toReversed(): RowList<Row> {
    const last = this.length - 1;
    return new RowList(
      this.#rowAt,
      Int32Array.from({ length: this.length }, (_, index) => this.#placeAt(last - index)),
    );
  }

  /** Rows that compare as equal stay in their order. */
  toSorted(compare: (a: Row, b: Row) => number): RowList<Row> {
    const order = Int32Array.from({ length: this.length }, (_, index) => index);
    const rowAt = (index: number): Row => this.#rowAt(this.#placeAt(index));
    order.sort((a, b) => compare(rowAt(a), rowAt(b)) || a - b);
    return new RowList(
      this.#rowAt,
      order.map((index) => this.#placeAt(index)),
    );
  }

  #placeAt(index: number): number {
    return this.#places === null ? index : (this.#places[index] as number);
  }
}

export const NO_ROWS = new RowList<never>(() => {
  throw new Error('There are no rows.');
}, 0);
