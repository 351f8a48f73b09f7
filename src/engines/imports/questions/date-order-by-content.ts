import type { Detection, DetectionCandidate } from '../analysis.ts';
import { normalisedName } from '../text/cell-text.ts';
import type { ColumnStats } from '../columns/column-stats.ts';
import { DateCell } from '../cells/date-cells.ts';
import type { DateOrder, ShortYears } from '../cells/date-cells.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

export interface OrderDecision {
  /** The orders still possible, the first one used until that is settled. */
  readonly orders: readonly DateOrder[];
  readonly confidence: Detection['confidence'];
  readonly evidence: readonly string[];
}

/** The order of the dates of one column by its own content (36.5.6, steps 2 and 3). */
export const DATES_BY_CONTENT: Question<DateOrder, ColumnStats> = {
  name: 'date_format',
  asks: 'Do the dates themselves show whether the day, the month or the year comes first?',
  explains:
    '“03/04/2025” is 3 April in one country and 4 March in another. Neither this question nor the next is asked if you chose the order when you sent the file.',
  tests: [
    {
      code: 'content',
      confidence: 'certain',
      means: 'The column holds no date, so there is nothing to settle.',
      says: (column) => (mostRead(column) === 0 ? 'YMD' : null),
    },
    {
      code: 'year_first',
      confidence: 'certain',
      means: 'Most dates begin with the year.',
      says: (column) => (isOnly(column, 'YMD') ? 'YMD' : null),
    },
    {
      code: 'value_over_12',
      confidence: 'certain',
      means: 'One order fits more dates than any other, because a number above 12 cannot be a month.',
      says: (column) => (isOnly(column, 'DMY') ? 'DMY' : isOnly(column, 'MDY') ? 'MDY' : null),
    },
    {
      code: 'content',
      confidence: 'certain',
      means: 'Day first and month first give the same dates, as in 05/05/2025, so it does not matter.',
      says: (column) => (tiedOrders(column).join() === 'DMY,MDY' && column.differing === 0 ? 'DMY' : null),
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means: 'Several orders fit the same number of dates. The next question settles it.',
      says: tiedOrders,
    },
  ],
};

export function orderByContent(column: ColumnStats): OrderDecision {
  const { values, confidence, evidence } = settle(DATES_BY_CONTENT, column);
  return { orders: values, confidence, evidence };
}

function mostRead({ yearFirst, dayFirst, monthFirst }: ColumnStats): number {
  return Math.max(yearFirst, dayFirst, monthFirst);
}

function isOnly(column: ColumnStats, order: DateOrder): boolean {
  return tiedOrders(column).join() === order;
}

/** The orders that read the most cells. */
function tiedOrders(column: ColumnStats): DateOrder[] {
  const top = mostRead(column);
  return (['YMD', 'DMY', 'MDY'] as const).filter(
    (order) => countOf(column, order) === top || (order === 'YMD' && mayBeginWithYear(column)),
  );
}

/** `24-03-13`: a part that hardly changes over the rows is more likely a year than a day. */
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
  shortYears: ShortYears = 'common',
): DetectionCandidate[] {
  const sample = column.firstDiffering ?? column.firstDate;
  const cell = new DateCell(latestYear, shortYears);
  if (!sample || !cell.read(sample.raw)) return [];
  return orders.map((order) => ({
    value: formatOf(column, order, latestYear),
    line: sample.line,
    raw: sample.raw,
    read_as: cell.date(order) ?? 'no date',
  }));
}

/** Names of date columns in languages that never write the month first. Spanish does, in Puerto Rico. */
const DAY_FIRST_NAME =
  /datum|\bdato\b|\bdata\b|tag$|dag$|tarih|paiva|^pvm$|kuupaev|дата|ημερομηνια|^ngay|^tanggal|^tarikh|تاريخ|תאריך|วัน/;
/** French is day first in Europe; Canadian banks write `3/4/2023`, month first, below French names. */
const FRENCH_NAME = /^date (?:d['’ ]|de |valeur|comptable|operation|traitement)/;

/**
 * Evidence of day-first dates although each could be month first: full stops between the numbers, amounts with a
 * decimal comma, or a column named in a language that has no other order.
 */
export function dayFirstEvidence(
  column: ColumnStats | undefined,
  name: string,
  decimal: Detection,
): 'full_stops' | 'decimal_comma' | 'header_language' | null {
  if (column && hasFullStops(column)) return 'full_stops';
  // American apps write `2/8/23` whatever the decimal separator.
  const isPadded = column?.unpadded === 0;
  if (isPadded && decimal.value === ',' && decimal.confidence === 'certain') return 'decimal_comma';
  const folded = normalisedName(name);
  return DAY_FIRST_NAME.test(folded) || (isPadded && FRENCH_NAME.test(folded)) ? 'header_language' : null;
}

const THAI = /[\u0e00-\u0e7f]/;
const JAPANESE = /[\u3040-\u30ff]|日付|年月日|取引日|利用日|取扱日|入金日|出金日|計算日|操作日|勘定日|起算日/;
const RECENT_YEARS = 13;
const BEFORE_REIWA = 2018;

/**
 * The calendar of the two-digit years of a column. In Thai, years that would all be before 1970 are of the Buddhist one.
 * In Japanese, the year is first, and small ones are of the present era.
 */
export function shortYearsOf({ ranges, dates }: ColumnStats, name: string, latestYear: number): ShortYears {
  const [first, last] = ranges;
  if (dates === 0 || !first || !last || first.most < first.least) return 'common';
  const isBefore1970 = 2000 + last.least > latestYear && 1900 + last.most < 1970;
  const isRecent = 1957 + last.most > latestYear - RECENT_YEARS && 1957 + last.most <= latestYear;
  if (THAI.test(name) && isBefore1970 && isRecent) return 'buddhist';
  return JAPANESE.test(name) && first.least > 0 && BEFORE_REIWA + first.most < latestYear ? 'reiwa' : 'common';
}

/** True for dates such as `03.04.2025`, which nobody writes month first. */
export function hasFullStops({ firstDate }: ColumnStats): boolean {
  return /^\s*\d{1,2}\.\s?\d{1,2}\.\s?\d/.test(firstDate?.raw ?? '');
}
