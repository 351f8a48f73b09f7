import { DateCell } from './date-cells.ts';
import { NumberCell } from './numbers.ts';
import { meaningsOf } from './synonyms.ts';

/** One of the first records of a file, which may be its header. */
export interface Head {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The record with the most known column names, if it has a date and an amount among them and no value (36.5.4). */
export function bySynonyms(heads: readonly Head[], latestYear: number): { head: Head; fields: number } | undefined {
  const date = new DateCell(latestYear);
  const number = new NumberCell();
  let best: { head: Head; fields: number } | undefined;
  for (const head of heads) {
    if (head.cells.some((cell) => /\d/.test(cell) && (date.read(cell) || number.read(cell)))) continue;
    let cells = 0;
    let hasDate = false;
    let hasAmount = false;
    for (const cell of head.cells) {
      const meanings = meaningsOf(cell);
      if (meanings.size === 0) continue;
      cells++;
      for (const meaning of meanings.keys()) {
        if (meaning.endsWith('_date')) hasDate = true;
        if (meaning === 'amount' || meaning === 'debit' || meaning === 'credit') hasAmount = true;
      }
    }
    if (hasDate && hasAmount && cells >= 2 && cells > (best?.fields ?? 0)) best = { head, fields: cells };
  }
  return best;
}
