import { refuseTooManyRecords } from '../size-limits.ts';
import { detached } from '../text/cell-text.ts';
import { APOSTROPHE, isDigit } from '../text/char-codes.ts';
import { inWesternDigits, isOtherDigit } from '../text/digits.ts';
import { currencyOf } from '../lexicon/currency.ts';
import { asOf, DateCell, NO_DAY } from '../cells/date-cells.ts';
import { NumberCell, VOTE } from '../cells/numbers.ts';
import type { RecordReader } from '../cells/records.ts';
import { hash32, hash53, hasSurplus, openRecords, repeatsHeader } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';
import { IN, wordDirection } from '../lexicon/lexicon.ts';

export const SAMPLE_SIZE = 7;
const MAX_WORDS = 64;
const LONGEST_WORD = 40;
const SKETCH_BITS = 65_536;

interface Range {
  least: number;
  most: number;
}

/** Counts over one whole column; everything that mapping and the format decisions need to know about it. */
export class ColumnStats {
  filled = 0;
  first: { line: number; raw: string } | undefined = undefined;
  withDigit = 0;
  numbers = 0;
  negatives = 0;
  /** Numbers with a direction, as in `12.50 CR`, and those of them that are money in. */
  withDirection = 0;
  withDirectionIn = 0;
  /** How many numbers give each VOTE about the decimal separator. */
  readonly votes = new Int32Array(6);
  /** The first number with each VOTE, for candidates. */
  readonly firstOfVote: ({ line: number; raw: string } | undefined)[] = [];
  /** Cells such as `1.234`, by their separator: they cannot be amounts with three decimals. */
  readonly grouped = { points: 0, commas: 0 };
  /** Numbers such as `0.00`. */
  zeros = 0;
  /** Cells that are dates, and those that are one with the year, day or month first. */
  dates = 0;
  yearFirst = 0;
  dayFirst = 0;
  monthFirst = 0;
  /** Dates whose two-digit year may come first, and up to three different first and last parts of such dates. */
  shortYearFirst = 0;
  readonly ends = [new Set<number>(), new Set<number>()] as const;
  /** The smallest and largest first and last part of the dates with a two-digit year. */
  readonly ranges: readonly Range[] = [0, 1].map(() => ({ least: Infinity, most: -Infinity }));
  /** Cells that are a date with the day first and another one with the month first. */
  differing = 0;
  /** Dates with a day or month of one digit. */
  unpadded = 0;
  firstDiffering: { line: number; raw: string } | undefined = undefined;
  firstDate: { line: number; raw: string } | undefined = undefined;
  currencies = 0;
  /** Cells such as `-` or `***`, which mean nothing. */
  dashes = 0;
  letters = 0;
  /** Cells such as `'RENT`, whose first mark keeps a spreadsheet from changing them. */
  escaped = 0;
  /** The distinct short texts with their counts; null when there are too many. */
  words: Map<string, number> | null = new Map();
  /** Different cells of any kind. If there are SAMPLE_SIZE, there may be more. */
  readonly sampleValues = new Set<string>();
  /** Exact set of hashes for columns that may hold an id; undefined for others. */
  ids: Set<number> | undefined = undefined;
  repeatedIds = 0;
  readonly #sketch = new Uint8Array(SKETCH_BITS / 8);
  #marked = 0;

  /** A measure of how many different texts the column has; equal for equal columns. */
  get variety(): number {
    return this.#marked;
  }

  note(text: string): void {
    const bit = hash32(text) % SKETCH_BITS;
    const mask = 1 << (bit & 7);
    const at = bit >>> 3;
    if (((this.#sketch[at] as number) & mask) !== 0) return;
    this.#sketch[at] = (this.#sketch[at] as number) | mask;
    this.#marked++;
  }
}

export interface TableStats {
  readonly columns: readonly ColumnStats[];
  /** Non-blank records below the header, repeated headers included. */
  readonly records: number;
  /** Records that have at least half of the columns and do not repeat the header. */
  readonly completeRecords: number;
  /** Columns that nine in ten rows have beyond the header (36.5.3). */
  readonly surplusColumns: number;
}

/** One pass over all cells of all records below the header. Throws PAYLOAD_TOO_LARGE beyond the record limit. */
export function measureColumns(
  table: Table,
  latestYear: number,
  idColumns: readonly number[],
  accountColumns: readonly number[],
): TableStats {
  const columns: ColumnStats[] = [];
  const surplus = new Map<number, number>();
  const reader = openRecords(table);
  const date = new DateCell(latestYear);
  const number = new NumberCell();
  let records = 0;
  let completeRecords = 0;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    records++;
    refuseTooManyRecords(records);
    if (reader.count * 2 < table.width || repeatsHeader(reader, table)) continue;
    completeRecords++;
    if (reader.count > table.width && hasSurplus(reader, table.width))
      surplus.set(reader.count, (surplus.get(reader.count) ?? 0) + 1);
    for (let i = 0; i < reader.count; i++) {
      const column = (columns[i] ??= new ColumnStats());
      if (!reader.isEmpty(i)) countCell(column, reader.cell(i), reader.line, date, number);
    }
    for (const i of idColumns) noteId(columns[i], reader, i, accountColumns);
  }
  const surplusColumns =
    columnsBeyond(table.width, surplus, completeRecords) || marksBeyond(columns.slice(table.width));
  const width = Math.max(table.width, table.width + surplusColumns);
  while (columns.length < width) columns.push(new ColumnStats());
  return { columns: columns.slice(0, width), records, completeRecords, surplusColumns };
}

/** Number of columns beyond the header, when nine in ten rows have some. */
function columnsBeyond(width: number, surplus: ReadonlyMap<number, number>, completeRecords: number): number {
  const rows = [...surplus.values()].reduce((sum, times) => sum + times, 0);
  return rows > 0 && rows >= completeRecords * 0.9 ? Math.max(...surplus.keys()) - width : 0;
}

/** A nameless column after the last that holds nothing but marks of money in, such as `CR`. */
function marksBeyond(columns: readonly ColumnStats[]): number {
  const [marks, ...others] = columns;
  return marks && others.every(({ filled }) => filled === 0) && marksMoneyIn(marks) ? 1 : 0;
}

/** True when the column holds nothing but marks of money in. */
export function marksMoneyIn({ filled, letters, words }: ColumnStats): boolean {
  if (words === null || words.size === 0 || letters !== filled) return false;
  return [...words.keys()].every((word) => word.length > 1 && wordDirection(word, 'suffix') === IN);
}

function noteId(
  column: ColumnStats | undefined,
  reader: RecordReader,
  index: number,
  accountColumns: readonly number[],
): void {
  if (!column || reader.isEmpty(index)) return;
  column.ids ??= new Set();
  let key = reader.cell(index);
  for (const account of accountColumns) key += `\u001f${reader.cell(account)}`;
  const hash = hash53(key);
  if (column.ids.has(hash)) column.repeatedIds++;
  else column.ids.add(hash);
}

function countCell(column: ColumnStats, cell: string, line: number, date: DateCell, number: NumberCell): void {
  column.filled++;
  column.first ??= { line, raw: detached(cell) };
  if (column.sampleValues.size < SAMPLE_SIZE) column.sampleValues.add(detached(cell));
  const length = cell.length;
  if (cell.charCodeAt(0) === APOSTROPHE && cell.charCodeAt(length - 1) !== APOSTROPHE) column.escaped++;
  let hasDigit = false;
  for (let i = 0; i < length && i < 64; i++) {
    const code = cell.charCodeAt(i);
    if (isDigit(code) || isOtherDigit(code)) {
      hasDigit = true;
      break;
    }
  }
  let known = false;
  if (hasDigit && length <= 64) {
    column.withDigit++;
    if (date.read(cell)) {
      known = true;
      countDate(column, cell, line, date);
    }
    if ((!known || date.isCompact) && number.read(cell)) {
      known = true;
      column.numbers++;
      if (number.isNegative) column.negatives++;
      if (!/[1-9]/.test(inWesternDigits(cell))) column.zeros++;
      if (number.direction !== 0) column.withDirection++;
      if (number.direction === IN) column.withDirectionIn++;
      const vote = number.vote();
      column.votes[vote] = (column.votes[vote] as number) + 1;
      column.firstOfVote[vote] ??= { line, raw: detached(cell) };
      if (vote === VOTE.undecidedPoint && Number.isNaN(number.cents('.'))) column.grouped.points++;
      else if (vote === VOTE.undecidedComma && Number.isNaN(number.cents(','))) column.grouped.commas++;
    }
  }
  if (known) return;
  column.letters++;
  if (!hasDigit && length <= 24 && !/\p{L}/u.test(cell)) column.dashes++;
  column.note(cell);
  if (length <= 4 && currencyOf(cell) !== undefined) column.currencies++;
  const words = column.words;
  if (words === null) return;
  if (length > LONGEST_WORD) {
    column.words = null;
    return;
  }
  const times = words.get(cell);
  if (times !== undefined) words.set(cell, times + 1);
  else if (words.size >= MAX_WORDS) column.words = null;
  else words.set(detached(cell), 1);
}

function countDate(column: ColumnStats, cell: string, line: number, date: DateCell): void {
  const fixed = date.hasMonthName || date.isCompact;
  const ymd = date.isYearFirst || fixed ? date.day('YMD') : NO_DAY;
  const dmy = date.isYearFirst && !fixed ? NO_DAY : date.day('DMY');
  const mdy = date.isYearFirst && !fixed ? NO_DAY : date.day('MDY');
  if (date.isYearFirst && ymd !== NO_DAY && !fixed) column.yearFirst++;
  if (!date.isYearFirst && !fixed) {
    if (date.yearDigits === 2) noteShortYear(column, date);
    if (dmy !== NO_DAY) column.dayFirst++;
    if (mdy !== NO_DAY) column.monthFirst++;
    if (dmy !== NO_DAY && mdy !== NO_DAY && dmy !== mdy) {
      column.differing++;
      column.firstDiffering ??= { line, raw: detached(cell) };
    }
  }
  if (ymd === NO_DAY && dmy === NO_DAY && mdy === NO_DAY) return;
  column.dates++;
  noteSecondDate(column, cell, date);
  column.firstDate ??= { line, raw: detached(cell) };
  if (!date.isPadded) column.unpadded++;
}

/** Counts the second date of `03/04/2025 as of 03/15/2025`, which has the same order. */
function noteSecondDate(column: ColumnStats, cell: string, date: DateCell): void {
  const second = cell.length > 16 ? asOf(cell) : '';
  if (second === '') return;
  const { isPadded } = date;
  if (date.read(second) && !date.isYearFirst) {
    if (date.day('DMY') !== NO_DAY) column.dayFirst++;
    if (date.day('MDY') !== NO_DAY) column.monthFirst++;
  }
  date.isPadded &&= isPadded;
}

function noteShortYear(column: ColumnStats, date: DateCell): void {
  if (date.mayBeginWithYear) column.shortYearFirst++;
  date.ends.forEach((part, i) => {
    const parts = column.ends[i] as Set<number>;
    if (parts.size < 3) parts.add(part);
    const range = column.ranges[i] as Range;
    range.least = Math.min(range.least, part);
    range.most = Math.max(range.most, part);
  });
}

/** True when every text of the column has the mark of a spreadsheet before it. */
export function isEscaped({ escaped, filled }: ColumnStats): boolean {
  return filled > 1 && escaped === filled;
}

/** True when nearly all filled cells of the column read as dates. */
export function isDateColumn(column: ColumnStats): boolean {
  return column.dates > 0 && column.dates >= column.filled * 0.9;
}

/** True when a column named as a date holds dates, apart from the words of a footer. */
export function fitsDate(column: ColumnStats): boolean {
  return (
    column.dates > 0 &&
    (column.dates >= column.filled * 0.9 ||
      (column.dates * 2 >= column.filled && column.dates >= column.withDigit * 0.5))
  );
}

/** True when nearly all filled cells of the column read as numbers. */
export function isNumberColumn(column: ColumnStats): boolean {
  return column.numbers > 0 && column.numbers >= column.filled * 0.9;
}

/** True when a column named as an amount holds numbers, apart from dashes and the words of a footer. */
export function isNumberColumnByName(column: ColumnStats): boolean {
  const filled = column.filled - column.dashes;
  if (column.numbers === 0) return false;
  return column.numbers >= filled * 0.9 || (column.numbers * 2 >= filled && column.numbers >= column.withDigit * 0.9);
}

/** VOTE totals of several columns: [for point, for comma, undecided]. */
export function decimalVotes(columns: readonly ColumnStats[]): { point: number; comma: number; undecided: number } {
  let point = 0;
  let comma = 0;
  let undecided = 0;
  for (const { votes } of columns) {
    point += votes[VOTE.point] as number;
    comma += votes[VOTE.comma] as number;
    undecided += (votes[VOTE.undecidedPoint] as number) + (votes[VOTE.undecidedComma] as number);
  }
  return { point, comma, undecided };
}
