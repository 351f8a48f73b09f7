import { dayNumber } from '../../../../kernel/dates.ts';
import type { Detection, ReadContext, ReadOptions } from '../../analysis.ts';
import { ColumnStats } from '../../columns/column-stats.ts';
import { DateCell, NO_DAY } from '../../cells/date-cells.ts';
import type { DateOrder } from '../../cells/date-cells.ts';
import { compileDateFormat } from '../../cells/date-format.ts';
import { formatOf, hasFullStops, orderByContent, orderCandidates } from '../../questions/date-order-by-content.ts';
import type { ParsedColumns } from '../../columns/parsed-columns.ts';
import type { Series } from '../../packed.ts';
import { settleOrder } from '../../questions/tied-dates.ts';

/** A date of the file with its amount, as evidence for the order of all dates. */
interface DatedAmount {
  readonly line: number;
  readonly date: string;
  /** Positive = money out; NaN where there is none. */
  readonly cents: number;
  /** Number of the account within the file. */
  readonly account: number;
}

export interface QifDates {
  readonly detection: Detection;
  /** Days since 1970-01-01; NO_DAY when the text is not a date in the order of the file. */
  read(text: string): number;
}

/**
 * A Quicken date in the common form: `1/ 5' 6` is 1/5/06. The apostrophe is a separator, blanks are padding, and a year
 * may have one digit.
 */
export function plainDate(text: string): string {
  if (text.length > 48 || /\p{L}/u.test(text)) return text;
  const separator = /[/.-]/.exec(text)?.[0] ?? '/';
  const plain = text
    .replace(/['’`]/gu, separator)
    .replace(/\s{0,3}([/.-])\s{0,3}/g, '$1')
    .trim();
  const match = /^(\d{1,2}[/.-]\d{1,2}[/.-])(\d)(?!\d)/.exec(plain);
  return match ? `${match[1]}0${match[2]}${plain.slice(match[0].length)}` : plain;
}

/** Settles the order of day and month over all dates of the file (36.5.6). */
export function qifDates(dates: Series<DatedAmount>, options: ReadOptions, context: ReadContext): QifDates {
  const latestYear = Number(context.today.slice(0, 4)) + 1;
  const reader = new DateCell(latestYear);
  const dayIn = (text: string, order: DateOrder): number => (reader.read(plainDate(text)) ? reader.day(order) : NO_DAY);
  if (options.date_format !== undefined) {
    const format = compileDateFormat(options.date_format, latestYear);
    return {
      detection: { value: format.tokens, confidence: 'given', evidence: ['parameter'], candidates: [] },
      // Quicken mixes years of two and four digits; the order is what the caller decides.
      read: (text) => {
        const day = format.read(plainDate(text));
        return day === NO_DAY ? dayIn(text, format.order) : day;
      },
    };
  }
  const stats = statsOf(dates, latestYear);
  const content = orderByContent(stats);
  const first = content.orders[0] as DateOrder;
  const isOpen = content.confidence === 'ambiguous';
  const settled = isOpen
    ? settleOrder({
        parsed: asParsedColumns(
          content.orders.map((order) => column(Int32Array, dates, ({ date }) => dayIn(date, order))),
          column(Uint16Array, dates, ({ account }) => account),
        ),
        orders: content.orders,
        proved: null,
        profile: null,
        today: dayNumber(context.today),
        dayFirst: hasFullStops(stats) ? 'full_stops' : null,
        amounts: column(Float64Array, dates, ({ cents }) => cents),
        account: context.account,
      })
    : null;
  const order = settled?.values[0] ?? first;
  const { confidence, evidence } = settled ?? content;
  return {
    detection: {
      value: stats.dates === 0 ? null : formatOf(stats, order, latestYear),
      confidence: stats.dates === 0 ? 'none' : confidence,
      evidence,
      candidates:
        confidence === 'ambiguous' ? asWritten(orderCandidates(stats, content.orders, latestYear), dates) : [],
    },
    read: (text) => dayIn(text, order),
  };
}

function statsOf(dates: Series<DatedAmount>, latestYear: number): ColumnStats {
  const stats = new ColumnStats();
  const cell = new DateCell(latestYear);
  for (const { line, date } of dates) {
    const raw = plainDate(date);
    if (!cell.read(raw)) continue;
    const isFixed = cell.hasMonthName || cell.isCompact;
    if (isFixed || cell.isYearFirst) {
      if (cell.day('YMD') === NO_DAY) continue;
      else stats.yearFirst++;
    } else {
      const dayFirst = cell.day('DMY');
      const monthFirst = cell.day('MDY');
      if (dayFirst === NO_DAY && monthFirst === NO_DAY) continue;
      if (dayFirst !== NO_DAY) stats.dayFirst++;
      if (monthFirst !== NO_DAY) stats.monthFirst++;
      if (dayFirst !== NO_DAY && monthFirst !== NO_DAY && dayFirst !== monthFirst) {
        stats.differing++;
        stats.firstDiffering ??= { line, raw };
      }
    }
    stats.dates++;
    stats.firstDate ??= { line, raw };
    if (!cell.isPadded) stats.unpadded++;
  }
  return stats;
}

/** The dates as the parsed columns of a table that holds nothing else. */
function asParsedColumns(days: readonly Int32Array[], accountIds: Uint16Array): ParsedColumns {
  const count = accountIds.length;
  return {
    count,
    lines: new Int32Array(count),
    kinds: new Uint8Array(count),
    statuses: new Uint8Array(count),
    problems: new Uint8Array(count),
    days,
    authorizedDays: null,
    otherDates: { count: 0, near: [] },
    amounts: [],
    directions: new Uint8Array(0),
    overrides: new Uint8Array(0),
    currencyIds: new Int16Array(0),
    symbolIds: new Uint8Array(0),
    symbols: [],
    accountIds,
    currencies: [],
    accounts: [],
    typeWords: new Uint8Array(0),
    textWords: new Uint8Array(0),
    openings: [],
    unknownStatusLines: [],
    unbalancedLines: [],
    sectionLines: [],
    hasContinuations: false,
  };
}

/** Candidates show the date as it stands in the file. */
function asWritten(candidates: Detection['candidates'], dates: Series<DatedAmount>): Detection['candidates'] {
  const written = new Map<number, string>();
  for (const { line, date } of dates) if (candidates.some((one) => one.line === line)) written.set(line, date);
  return candidates.map((one) => ({ ...one, raw: written.get(one.line) ?? one.raw }));
}

/** One number for each date. `from` of an array would have all dates in memory first. */
function column<Numbers extends Int32Array | Uint16Array | Float64Array>(
  Column: new (length: number) => Numbers,
  dates: Series<DatedAmount>,
  numberOf: (dated: DatedAmount) => number,
): Numbers {
  const numbers = new Column(dates.length);
  let at = 0;
  for (const dated of dates) numbers[at++] = numberOf(dated);
  return numbers;
}
