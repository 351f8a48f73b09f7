import type { Detection, DetectionCandidate } from './analysis.ts';
import type { ColumnStats } from './column-stats.ts';
import { DateCell } from './date-cells.ts';
import type { DateOrder } from './date-cells.ts';
import { hasFullStops } from './day-first.ts';

export interface OrderDecision {
  /** The orders still possible, the first one followed meanwhile. */
  readonly orders: readonly DateOrder[];
  readonly confidence: Detection['confidence'];
  readonly evidence: readonly string[];
}

/** Which order of day, month and year a column has by its own content (36.5.6, steps 2 and 3). */
export function orderByContent(column: ColumnStats): OrderDecision {
  const { named, yearFirst, dayFirst, monthFirst, differing } = column;
  const top = Math.max(yearFirst, dayFirst, monthFirst);
  if (top === 0) return { orders: ['YMD'], confidence: 'certain', evidence: named > 0 ? ['content'] : ['content'] };
  const tied = (['YMD', 'DMY', 'MDY'] as const).filter(
    (order) => countOf(column, order) === top || (order === 'YMD' && mayBeginWithYear(column)),
  );
  if (tied.length === 1) {
    const order = tied[0] as DateOrder;
    return { orders: [order], confidence: 'certain', evidence: [order === 'YMD' ? 'year_first' : 'value_over_12'] };
  }
  if (tied.length === 2 && tied[0] === 'DMY' && differing === 0)
    return { orders: ['DMY'], confidence: 'certain', evidence: ['content'] };
  return { orders: tied, confidence: 'ambiguous', evidence: ['content'] };
}

/** `24-03-13`: what hardly changes over the rows is rather a year than a day. */
function mayBeginWithYear(column: ColumnStats): boolean {
  const { dates, shortYearFirst, ends } = column;
  return !hasFullStops(column) && dates >= 3 && shortYearFirst === dates && ends[0].size <= 2 && ends[1].size >= 3;
}

/** Number of cells of the column that an order reads. */
export function countOf(column: ColumnStats, order: DateOrder): number {
  const counts = { YMD: column.yearFirst, DMY: column.dayFirst, MDY: column.monthFirst };
  return counts[order];
}

/** The token form a column has under an order, from its first date; M and D when any cell is unpadded. */
export function formatOf(column: ColumnStats, order: DateOrder, latestYear: number): string {
  const cell = new DateCell(latestYear);
  if (!column.firstDate || !cell.read(column.firstDate.raw))
    return order === 'YMD' ? 'YYYY-MM-DD' : order === 'DMY' ? 'DD/MM/YYYY' : 'MM/DD/YYYY';
  return cell.format(order, column.unpadded === 0);
}

/** One candidate per order, shown on the first cell that the orders read differently. */
export function orderCandidates(
  column: ColumnStats,
  orders: readonly DateOrder[],
  latestYear: number,
): DetectionCandidate[] {
  const sample = column.firstDiffering ?? column.firstDate;
  const cell = new DateCell(latestYear);
  if (!sample || !cell.read(sample.raw)) return [];
  return orders.map((order) => ({
    value: formatOf(column, order, latestYear),
    line: sample.line,
    raw: sample.raw,
    read_as: cell.date(order) ?? 'no date',
  }));
}
