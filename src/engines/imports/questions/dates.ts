import type { Detection, ReadOptions } from '../analysis.ts';
import { ColumnStats, isDateColumn } from '../columns/column-stats.ts';
import type { TableStats } from '../columns/column-stats.ts';
import { DateCell, NO_DAY } from '../cells/date-cells.ts';
import type { DateOrder, ShortYears } from '../cells/date-cells.ts';
import { compileDateFormat } from '../cells/date-format.ts';
import { countOf, formatOf, orderByContent, orderCandidates, shortYearsOf } from './date-order-by-content.ts';
import type { OrderDecision } from './date-order-by-content.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { ProfileStatement } from '../profiles/profile-statement.ts';

export interface DateChoice {
  /** Orders to parse, the most likely one first. */
  readonly orders: readonly DateOrder[];
  /** For each order, a reader of cells: days since 1970-01-01, or NO_DAY. */
  readonly readers: readonly { readonly order: DateOrder; read(cell: string): number }[];
  readonly detection: Detection;
  /** Index of another date column whose order is certain, else of the authorized date; -1 if there is none. */
  readonly otherColumn: number;
  readonly readOther: ((cell: string) => number) | null;
  /** What a profile says that the dates of the file rule out, in words for a warning. */
  readonly contradicted: readonly string[];
  formatFor(order: DateOrder): string;
  /** A reader of the authorized date, given the order of the date column; null without such a column. */
  authorizedReader(order: DateOrder): ((cell: string) => number) | null;
}

interface DateInput {
  readonly stats: TableStats;
  readonly headers: readonly string[];
  readonly mapping: Mapping;
  readonly options: ReadOptions;
  readonly statement: ProfileStatement;
  readonly latestYear: number;
  /** Of columns whose dates are digits alone. */
  readonly digitFormats: ReadonlyMap<number, string> | undefined;
}

/** The orders that the date column itself allows (36.5.6). If there are several, the rows decide later. */
export function decideDates(input: DateInput): DateChoice {
  const { stats, headers, mapping, options, latestYear } = input;
  const dateIndex = mapping.get('date')?.columns[0] ?? -1;
  const column = stats.columns[dateIndex] ?? new ColumnStats();
  const shortYears = shortYearsOf(column, headers[dateIndex] ?? '', latestYear);
  const content = orderOfCalendar(shortYears) ?? orderByContent(column);
  const other = otherDates(stats, mapping, dateIndex, content.orders.length > 1);
  const authorizedIndex = mapping.get('authorized_date')?.columns[0] ?? -1;
  const authorizedReader = (order: DateOrder): ((cell: string) => number) | null => {
    const authorized = stats.columns[authorizedIndex];
    if (!authorized) return null;
    const own = orderByContent(authorized);
    return readerOf(own.orders.includes(order) ? order : (own.orders[0] as DateOrder), latestYear);
  };
  const readOther = other ? readerOf(other.order, latestYear) : authorizedReader(content.orders[0] as DateOrder);
  const written = input.digitFormats?.get(dateIndex);
  const own =
    options.date_format === undefined
      ? datesByContent(column, content, input, shortYears, written)
      : datesByCaller(options.date_format, content, latestYear, shortYears);
  const isTied = content.orders.length > 1 && options.date_format === undefined;
  return {
    ...own,
    otherColumn: other?.index ?? authorizedIndex,
    readOther: isTied && !other ? null : readOther,
    formatFor: (order) => written ?? formatOf(column, order, latestYear),
    authorizedReader,
  };
}

/** Each calendar has one order. Read as common ones, its dates may be none: 29/02/67 is of 2024. */
function orderOfCalendar(shortYears: ShortYears): OrderDecision | null {
  if (shortYears === 'common') return null;
  const order = shortYears === 'reiwa' ? 'YMD' : 'DMY';
  return { orders: [order], confidence: 'likely', evidence: ['header_language'] };
}

type OwnDates = Pick<DateChoice, 'orders' | 'readers' | 'detection' | 'contradicted'>;

function datesByCaller(given: string, content: OrderDecision, latestYear: number, shortYears: ShortYears): OwnDates {
  const format = compileDateFormat(given, latestYear, shortYears);
  const rest = content.orders.length > 1 ? content.orders.filter((order) => order !== format.order) : [];
  return {
    orders: [format.order, ...rest],
    readers: [
      { order: format.order, read: (cell) => format.read(cell) },
      ...rest.map((order) => ({ order, read: readerOf(order, latestYear, shortYears) })),
    ],
    detection: { value: format.tokens, confidence: 'given', evidence: ['parameter'], candidates: [] },
    contradicted: [],
  };
}

function datesByContent(
  column: ColumnStats,
  content: OrderDecision,
  { statement, latestYear }: DateInput,
  shortYears: ShortYears,
  written: string | undefined,
): OwnDates {
  const isDecided = content.orders.length === 1;
  const stated = statement.order?.order ?? null;
  const isPossible = stated !== null && content.orders.includes(stated);
  const first = content.orders[0] as DateOrder;
  const fits = stated === null || isPossible || (isDecided && countOf(column, first) === 0);
  const orders =
    content.orders.length > 1 && isPossible
      ? [stated, ...content.orders.filter((order) => order !== stated)]
      : content.orders;
  const isEmpty = column.dates === 0;
  return {
    orders,
    readers: orders.map((order) => ({ order, read: readerOf(order, latestYear, shortYears) })),
    detection: {
      value: isEmpty ? null : (written ?? formatOf(column, orders[0] as DateOrder, latestYear)),
      confidence: isEmpty ? 'none' : content.confidence,
      evidence: content.evidence,
      candidates: isDecided ? [] : orderCandidates(column, orders, latestYear, shortYears),
    },
    contradicted: fits || (content.evidence.includes('content') && isDecided) ? [] : ['the order of the dates'],
  };
}

/** A reader of dates in one order: days since 1970-01-01, or NO_DAY. */
export function readerOf(order: DateOrder, latestYear: number, shortYears?: ShortYears): (cell: string) => number {
  const date = new DateCell(latestYear, shortYears);
  return (cell) => (date.read(cell) ? date.day(order) : NO_DAY);
}

/** If the order is open, another date column whose order is certain. */
function otherDates(
  stats: TableStats,
  mapping: Mapping,
  dateIndex: number,
  isOpen: boolean,
): { index: number; order: DateOrder } | null {
  if (!isOpen) return null;
  const preferred = mapping.get('authorized_date')?.columns[0] ?? -1;
  const indexes = [preferred, ...stats.columns.keys()].filter((index) => index >= 0 && index !== dateIndex);
  for (const index of indexes) {
    const column = stats.columns[index];
    if (!column || !isDateColumn(column) || column.filled < stats.completeRecords * 0.5) continue;
    const own = orderByContent(column);
    if (own.confidence === 'certain') return { index, order: own.orders[0] as DateOrder };
  }
  return null;
}
