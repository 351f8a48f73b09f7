import { isNewestFirst } from '../../engines/imports/file-order.ts';

interface Dated {
  readonly outcome: string;
  readonly date: string | null;
  readonly time: string | null;
}

/** Whether the rows of a file that were read run from new to old. */
export function isReadNewestFirst(rows: readonly Dated[]): boolean {
  const dates: string[] = [];
  for (const { outcome, date } of rows) {
    if (outcome !== 'skipped' && outcome !== 'invalid' && date !== null) dates.push(date);
  }
  return isNewestFirst(dates);
}

/** Rows given in file order, oldest first; within a day as the bank wrote them, a time of day before that. */
export function inBankOrder<T extends Dated>(rows: readonly T[], isReversed: boolean): readonly T[] {
  const ordered = isReversed ? rows.toReversed() : rows;
  return isOrdered(ordered) ? ordered : ordered.toSorted(compare);
}

function isOrdered(rows: readonly Dated[]): boolean {
  for (let i = 1; i < rows.length; i++) if (compare(rows[i - 1] as Dated, rows[i] as Dated) > 0) return false;
  return true;
}

function compare(a: Dated, b: Dated): number {
  if (a.date !== b.date) return (a.date ?? '') < (b.date ?? '') ? -1 : 1;
  if (a.time === null || b.time === null || a.time === b.time) return 0;
  return a.time < b.time ? -1 : 1;
}
