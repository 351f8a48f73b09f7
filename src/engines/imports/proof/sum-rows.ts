import { isSumLabel } from '../lexicon/balances.ts';
import { KIND } from '../columns/parsed-columns.ts';
import type { ParsedAmounts } from '../columns/parsed-columns.ts';
import type { RecordReader } from '../cells/records.ts';
import type { Table } from '../cells/table.ts';

interface SummedColumns {
  readonly kinds: Uint8Array;
  readonly accountIds: Uint16Array;
  readonly amounts: readonly ParsedAmounts[];
}

/**
 * Records of sums among the rows (36.5.4): a cell is wholly the label of a sum, and each amount of the record is the sum
 * of the rows since the last such record, or since the first.
 */
export class SumRows {
  readonly #headers: readonly string[];
  readonly #labelled: number[] = [];

  constructor({ headers }: Table) {
    this.#headers = headers;
  }

  /** Takes the rows that have a date and an amount. */
  note(reader: RecordReader, row: number): void {
    for (let i = 0; i < reader.count; i++) {
      if (reader.isEmpty(i) || !isSumLabel(reader.cell(i), this.#headers)) continue;
      this.#labelled.push(row);
      return;
    }
  }

  settle({ kinds, accountIds, amounts }: SummedColumns, count: number): void {
    let since = 0;
    for (const row of this.#labelled) {
      if (kinds[row] !== KIND.row) continue;
      const isMovement = (at: number): boolean => kinds[at] === KIND.row && at !== row;
      const isOfAccount = (at: number): boolean => isMovement(at) && accountIds[at] === accountIds[row];
      const isSum = amounts.some(
        (parsed) =>
          !movesBalance(parsed, row, count) &&
          (sumsUp(parsed, row, since, row, isMovement) ||
            sumsUp(parsed, row, 0, row, isMovement) ||
            sumsUp(parsed, row, 0, row, isOfAccount) ||
            (row === 0 && sumsUp(parsed, row, 0, count, isMovement))),
      );
      if (!isSum) continue;
      kinds[row] = KIND.notARow;
      since = row + 1;
    }
  }
}

/** A sum leaves the balance as it is. */
function movesBalance({ balance }: ParsedAmounts, row: number, count: number): boolean {
  const stated = balance[row];
  if (stated === undefined || Number.isNaN(stated)) return false;
  const isSame = (at: number): boolean => at >= 0 && at < count && balance[at] === stated;
  return !isSame(row - 1) && !isSame(row + 1);
}

function sumsUp(
  { amount, debit, credit }: ParsedAmounts,
  row: number,
  from: number,
  to: number,
  counts: (at: number) => boolean,
): boolean {
  let summed = 0;
  for (const column of [amount, debit, credit]) {
    const found = column.length > 0 ? (column[row] as number) : Number.NaN;
    if (Number.isNaN(found)) continue;
    let sum = 0;
    for (let at = from; at < to; at++) if (counts(at) && !Number.isNaN(column[at])) sum += column[at] as number;
    if (sum !== found) return false;
    if (found !== 0) summed++;
  }
  return summed > 0;
}
