import type { OutputOf } from '../../../src/contract/operation.ts';
import type { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { addDays, addMonths } from '../../lib/days.ts';
import { PIECE_ROWS } from './piece-rows.ts';

/** Which months and days a list has, how tall they are, and in which pieces their rows are read. All pure. */

export type Summary = OutputOf<typeof summarizeTransactions>;

export interface Total {
  iso_currency_code: string | null;
  total_amount: string;
  money_out: string;
  money_in: string;
}

/** A month, or a day, of the list. */
export interface Period {
  /** `YYYY-MM` or `YYYY-MM-DD`. */
  key: string;
  /** Rows of the list. */
  count: number;
  /** Those that count in totals; undefined until that is known. */
  counted: number | undefined;
  totals: readonly Total[] | undefined;
}

/** Rows and money of each period, newest first: money of what counts, rows of everything. */
export function periodsOf(rows: Summary, money: Summary | undefined): Period[] {
  const counts = new Map<string, number>();
  for (const { period = '', transaction_count: count } of rows.summary) {
    counts.set(period, (counts.get(period) ?? 0) + count);
  }
  const totals = new Map<string, (Total & { transaction_count: number })[]>();
  for (const row of money?.summary ?? []) {
    const period = row.period ?? '';
    const known = totals.get(period);
    if (known) known.push(row);
    else totals.set(period, [row]);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([key, count]) => {
      const own = totals.get(key) ?? [];
      return {
        key,
        count,
        counted: money && own.reduce((sum, { transaction_count: some }) => sum + some, 0),
        totals: money && own,
      };
    });
}

export function firstDayOf(month: string): string {
  return `${month}-01`;
}

export function lastDayOf(month: string): string {
  return addDays(addMonths(firstDayOf(month), 1), -1);
}

/** A month of more rows than this opens day by day: browsers cut what is taller than some 17 million pixels. */
export const TALL_ROWS = 100_000;

/** Months that are read together, because they have few rows; or a single one. */
export interface Stretch {
  from: string;
  to: string;
  count: number;
}

/** The stretch of each month. */
export function stretchesOf(months: readonly Period[]): ReadonlyMap<string, Stretch> {
  const found = new Map<string, Stretch>();
  let open: Stretch | undefined;
  for (const { key, count } of months) {
    if (open && open.count + count <= PIECE_ROWS) {
      open.from = firstDayOf(key);
      open.count += count;
    } else {
      open = { from: firstDayOf(key), to: lastDayOf(key), count };
    }
    found.set(key, open);
  }
  return found;
}

/** A month, what it is read with, and where it is: the stretch in the list, the month in the stretch. */
export interface PlacedMonth {
  month: Period;
  stretch: Stretch;
  offset: number;
  start: number;
}

export function placesOf(months: readonly Period[]): PlacedMonth[] {
  const stretches = stretchesOf(months);
  const placed: PlacedMonth[] = [];
  let before = 0;
  for (const month of months) {
    const stretch = stretches.get(month.key) as Stretch;
    const last = placed.at(-1);
    const offset = last?.stretch === stretch ? last.offset : before;
    placed.push({ month, stretch, offset, start: before - offset });
    before += month.count;
  }
  return placed;
}

/** Days whose rows are read with one request; `page` counts the requests for a day that needs several. */
export interface Piece {
  from: string;
  to: string;
  page: number;
  /** Where its rows begin in the stretch, and how many they should be. */
  start: number;
  count: number;
}

/** The pieces of a stretch, newest first. Days stay whole, unless one has more rows than a piece. */
export function piecesOf(days: readonly Period[]): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let open: Piece | undefined;
  for (const { key, count } of days) {
    if (open && open.count + count <= PIECE_ROWS) {
      open.from = key;
      open.count += count;
    } else if (count <= PIECE_ROWS) {
      open = { from: key, to: key, page: 0, start, count };
      pieces.push(open);
    } else {
      open = undefined;
      for (let done = 0; done < count; done += PIECE_ROWS) {
        const some = Math.min(PIECE_ROWS, count - done);
        pieces.push({ from: key, to: key, page: done / PIECE_ROWS, start: start + done, count: some });
      }
    }
    start += count;
  }
  return pieces;
}

export interface Heights {
  row: number;
  day: number;
}

/** Where things are in an open month: days one below the other, each with a heading and its rows. */
export interface Layout {
  days: readonly DayLayout[];
  height: number;
  count: number;
}

export interface DayLayout {
  day: Period;
  top: number;
  /** Where its rows begin in the month. */
  start: number;
  /** Rows that have room: none while it is closed. */
  shown: number;
}

export function layOut(days: readonly Period[], heights: Heights, isOpen: (day: string) => boolean): Layout {
  let top = 0;
  let start = 0;
  const laid = days.map((day) => {
    const shown = isOpen(day.key) ? Math.min(day.count, TALL_ROWS) : 0;
    const one = { day, top, start, shown };
    top += heights.day + shown * heights.row;
    start += day.count;
    return one;
  });
  return { days: laid, height: top, count: start };
}

/** What of a day is in the page: some of its rows, from the first up to, but not including, the last. */
export interface Visible {
  at: DayLayout;
  from: number;
  to: number;
}

/** The days between two heights, each with the rows that are there. */
export function visibleBetween({ days }: Layout, heights: Heights, top: number, bottom: number): Visible[] {
  return days
    .filter((at) => at.top < bottom && at.top + heights.day + at.shown * heights.row > top)
    .map((at) => {
      const row = (y: number): number => (y - at.top - heights.day) / heights.row;
      const within = (rows: number): number => Math.max(0, Math.min(at.shown, rows));
      return { at, from: within(Math.floor(row(top))), to: within(Math.ceil(row(bottom))) };
    });
}

/** The top of a row in its month. */
export function topOf({ days }: Layout, heights: Heights, index: number): number {
  const found = days.findLast(({ start }) => start <= index);
  return found ? found.top + heights.day + (index - found.start) * heights.row : 0;
}
