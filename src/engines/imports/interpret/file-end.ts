import type { ColumnPlan } from '../columns/parsed-columns.ts';
import type { RecordReader } from '../cells/records.ts';

const ROWS_NEEDED = 3;

/**
 * Tells whether a file that ends without a line break ends amid its last row, as a broken download does: the row has
 * fewer fields than every other, or its amount ends the file with fewer decimals than all others, which have equally many.
 */
export class FileEnd {
  readonly #amounts: readonly number[];
  readonly #delimiter: string;
  /** Of the amounts so far, by column; NaN once they differ. */
  readonly #decimals: (number | null)[];
  #fewestFields = Infinity;
  #rows = 0;

  constructor({ amount, debit, credit, table }: ColumnPlan) {
    this.#amounts = [amount, debit, credit].filter((index) => index >= 0);
    this.#decimals = this.#amounts.map(() => null);
    this.#delimiter = table.delimiter;
  }

  /** Takes the rows in file order; true for a last one that is cut. */
  cuts(reader: RecordReader): boolean {
    const isCut = reader.isOpenEnded && this.#rows >= ROWS_NEEDED && (this.#isShort(reader) || this.#isShorter(reader));
    this.#rows++;
    this.#fewestFields = Math.min(this.#fewestFields, reader.count);
    this.#amounts.forEach((index, i) => {
      if (reader.isEmpty(index)) return;
      const decimals = decimalsOf(reader.cell(index));
      this.#decimals[i] = (this.#decimals[i] ?? decimals) === decimals ? decimals : Number.NaN;
    });
    return isCut;
  }

  /** Whoever copies a table loses the tabs at its end. */
  #isShort(reader: RecordReader): boolean {
    return this.#delimiter !== '\t' && reader.count < this.#fewestFields;
  }

  #isShorter(reader: RecordReader): boolean {
    const i = this.#amounts.indexOf(reader.count - 1);
    return i >= 0 && decimalsOf(reader.cell(reader.count - 1)) < (this.#decimals[i] ?? 0);
  }
}

/** The digits behind the last separator; 0 without one. A mark behind the number counts as the end of it. */
function decimalsOf(cell: string): number {
  const at = Math.max(cell.lastIndexOf('.'), cell.lastIndexOf(','));
  if (at < 0) return 0;
  let end = at + 1;
  while (end < cell.length && cell.charCodeAt(end) >= 48 && cell.charCodeAt(end) <= 57) end++;
  return end - at - 1;
}
