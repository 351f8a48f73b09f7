import { isCalendarDate } from '../../../kernel/dates.ts';
import type { ReadOptions } from '../analysis.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';
import { commonYear, fullYear } from '../cells/date-cells.ts';
import { findColumn } from '../columns/column-choice.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';

/** The orders of a date in digits alone: `31012020`, `310120`. The usual one, `20200131`, needs no help. */
const ORDERS = ['DDMMYYYY', 'MMDDYYYY', 'YYYYMMDD', 'DDMMYY', 'YYMMDD', 'MMDDYY'] as const;
type Order = (typeof ORDERS)[number];

const DIGITS = /^\d{5,8}$/;
const EARLIEST_YEAR = 1970;

/**
 * The table with the dates of such columns in a form that has one meaning, where all cells read in one order only. It
 * looks at columns that a name or the caller says are dates; a spreadsheet may have dropped their first zero.
 */
export function withDigitDates(table: Table, options: ReadOptions, latestYear: number): Table {
  if (options.date_format !== undefined) return table;
  const columns = table.headers.flatMap((name, i) => (isDate(name, i, table, options) ? [i] : []));
  const orders = columns.length === 0 ? new Map<number, Order>() : ordersOf(table, columns, latestYear);
  if (orders.size === 0) return table;
  const rewrite = (index: number, cell: string): string => {
    const order = orders.get(index);
    const parts = order && DIGITS.test(cell) ? partsOf(cell, order, latestYear) : null;
    return order && parts ? inOrder(parts, order) : cell;
  };
  return { ...table, rewrite, digitFormats: orders };
}

function inOrder([year, month, day]: readonly [number, number, number], order: Order): string {
  const [m, d] = [month, day].map((part) => String(part).padStart(2, '0'));
  if (order.startsWith('Y')) return `${year}-${m}-${d}`;
  return order.startsWith('D') ? `${d}/${m}/${year}` : `${m}/${d}/${year}`;
}

function isDate(name: string, index: number, table: Table, { column_mapping: mapping }: ReadOptions): boolean {
  const given = [mapping?.['date'], mapping?.['authorized_date']].flat();
  if (given.some((choice) => choice !== null && choice !== undefined && findColumn(choice, table) === index))
    return true;
  return table.headerLine !== null && [...meaningsOf(name).keys()].some((meaning) => meaning.endsWith('_date'));
}

/** The one order in which every cell of digits reads, of each column that has more than the usual one. */
function ordersOf(table: Table, columns: readonly number[], latestYear: number): Map<number, Order> {
  // Each order with a sum of the dates that it gives: orders of equal dates are one.
  const open = new Map(columns.map((index) => [index, new Map<Order, number>(ORDERS.map((order) => [order, 0]))]));
  const seen = new Set<number>();
  const reader = openRecords(table);
  while (open.size > 0 && reader.next()) {
    for (const [index, orders] of open) {
      const cell = reader.cell(index);
      if (!DIGITS.test(cell)) {
        // Words stand below the rows; dates of another form rule this one out.
        if (/^\d/.test(cell)) open.delete(index);
        continue;
      }
      seen.add(index);
      for (const [order, sum] of orders) {
        const parts = partsOf(cell, order, latestYear);
        if (parts === null) orders.delete(order);
        else orders.set(order, (Math.imul(sum, 31) + parts[0] * 10_000 + parts[1] * 100 + parts[2]) | 0);
      }
      if (orders.size === 0) open.delete(index);
    }
  }
  const found = [...open].filter(([index, orders]) => seen.has(index) && new Set(orders.values()).size === 1);
  return new Map(
    found.flatMap(([index, orders]) => {
      const [order] = orders.keys();
      return order === undefined || orders.has('YYYYMMDD') ? [] : [[index, order] as const];
    }),
  );
}

/** Year, month and day of the digits in an order; null if they are no date in it. */
function partsOf(cell: string, order: Order, latestYear: number): [number, number, number] | null {
  const missing = order.length - cell.length;
  if (missing < 0 || missing > 1 || (missing === 1 && order === 'YYYYMMDD')) return null;
  const digits = cell.padStart(order.length, '0');
  const part = (letter: string): number => Number(digits.slice(order.indexOf(letter), order.lastIndexOf(letter) + 1));
  const [written, month, day] = [part('Y'), part('M'), part('D')];
  const year = order.length === 6 ? fullYear(written, latestYear) : commonYear(written, latestYear);
  const isInRange = year >= EARLIEST_YEAR && year <= latestYear;
  return isInRange && isCalendarDate(year, month, day) ? [year, month, day] : null;
}
