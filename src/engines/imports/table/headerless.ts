import { AppError } from '../../../kernel/errors.ts';
import type { Detection, StoredProfile } from '../analysis.ts';
import type { BuiltInProfile } from '../profiles/built-in-profiles.ts';
import { quotedCell } from '../text/cell-text.ts';
import { columnCandidates, findColumn, mayHold } from '../columns/column-choice.ts';
import { measureColumns } from '../columns/column-stats.ts';
import type { ColumnStats, TableStats } from '../columns/column-stats.ts';
import { DateCell } from '../cells/date-cells.ts';
import type { Head } from './known-header.ts';
import { NumberCell } from '../cells/numbers.ts';
import { matchStored } from '../profiles/profile-match.ts';
import { decimalByVotes } from '../columns/decimal.ts';
import { FIELDS } from '../lexicon/synonyms.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';

const HEADERLESS_SHARE = 0.8;

/** Where the records of a table begin, before its columns are known. */
export type TableStart = Pick<Table, 'source' | 'delimiter' | 'hasSeparatorLine'>;

/** A file read as if it had no header. */
interface Headerless {
  readonly table: Table;
  readonly detection: Detection<number | null>;
  /** A record of words above the first row: a header in a language we do not know. */
  readonly title: Head | undefined;
  /** Why the rows alone do not show their date and amount; null even if only the amounts are open. */
  readonly refusal: AppError | null;
  /** True when no column holds the amounts of nearly all rows. */
  readonly isUnsettled: boolean;
  /** How many rows must have both. */
  readonly needed: number;
  readonly stats: TableStats;
}

export function withoutHeader(
  base: TableStart,
  heads: readonly Head[],
  near: readonly Head[],
  isGiven: boolean,
  latestYear: number,
): Headerless {
  const draft: Table = { ...base, headerLine: null, headers: [], width: widthOf(heads) };
  const stats = measureColumns(draft, latestYear, [], []);
  const title = isGiven ? undefined : titleAbove(near, stats, latestYear);
  const needed = (stats.records - (title ? heads.indexOf(title) + 1 : 0)) * HEADERLESS_SHARE;
  const dates = stats.columns.findIndex(
    (column) => column.dates >= needed && column.dates >= (column.filled - (title ? 1 : 0)) * 0.9,
  );
  const numbers = stats.columns.reduce(
    (best, column, i) =>
      i !== dates && column.numbers >= (column.filled - (title ? 1 : 0)) * 0.9 ? Math.max(best, column.numbers) : best,
    0,
  );
  const isRefused = !isGiven && (dates < 0 || numbers < needed);
  const filled = stats.columns.findLastIndex((column) => column.filled > 0) + 1;
  const headers = Array.from({ length: Math.max(1, filled) }, (_, i) => `column_${i + 1}`);
  return {
    table: { ...draft, headers, width: headers.length },
    detection: {
      value: null,
      confidence: isGiven ? 'given' : 'likely',
      evidence: [isGiven ? 'parameter' : 'content'],
      candidates: [],
    },
    title,
    refusal: isRefused && (dates < 0 || !sharesAmounts(stats, needed)) ? noHeader(stats, headers) : null,
    isUnsettled: isRefused,
    needed,
    stats,
  };
}

/** The width of all records, else of most, or of those that are a little wider. */
function widthOf(heads: readonly Head[]): number {
  const whole = heads[0]?.cells.length ?? 1;
  if (heads.every(({ cells }) => cells.length === whole)) return whole;
  const counts = new Map<number, number>();
  for (const { cells } of heads) {
    let count = cells.length;
    while (count > 0 && cells[count - 1] === '') count--;
    counts.set(count, (counts.get(count) ?? 0) + 1);
  }
  let width = 1;
  let most = 0;
  for (const [count, times] of counts) {
    if (times > most || (times === most && count > width)) [width, most] = [count, times];
  }
  return Math.max(width, ...heads.filter((head) => head.cells.length <= width + 2).map((head) => head.cells.length));
}

/** A record of words alone above a table of dates and numbers: a header in a language we do not know. */
function titleAbove(heads: readonly Head[], stats: TableStats, latestYear: number): Head | undefined {
  const date = new DateCell(latestYear);
  const first = heads.findIndex((head) => head.cells.some((cell) => date.read(cell)));
  if (first < 1) return undefined;
  const title = heads[first - 1] as Head;
  const names = title.cells.filter((cell) => cell !== '');
  const width = stats.columns.filter((column) => column.filled > 0).length;
  const allWords = names.every((name) => /\p{L}/u.test(name) && !/\d{3}/.test(name) && name.length <= 60);
  return allWords && names.length >= Math.max(2, width - 1) && new Set(names).size >= names.length - 2
    ? title
    : undefined;
}

/** True when two columns share the amounts and nothing says which one is money out. */
function sharesAmounts(stats: TableStats, needed: number): boolean {
  const sparse = stats.columns.filter(({ filled, numbers }) => numbers > 0 && numbers >= filled * 0.9);
  return sparse.some((a, i) =>
    sparse.some((b, j) => i < j && a.filled + b.filled >= needed && a.filled + b.filled <= stats.records),
  );
}

/** Every column of the file with what it could be. */
function columnsFound(stats: TableStats, headers: readonly string[]): { path: string; message: string }[] {
  return columnCandidates(stats, { headers }).map(({ value, raw, line, read_as: use }) => ({
    path: value,
    message: raw === '' ? use : `${use}, such as ${quotedCell(raw)} on line ${line}`,
  }));
}

function noHeader(stats: TableStats, headers: readonly string[]): AppError {
  return new AppError(
    'NO_HEADER',
    'We found no line with column names, and the rows do not always have a date and an amount in the same columns. ' +
      'Check that this is a list of transactions. If it is, say which line has the column names and which columns are ' +
      'date, amount and description.',
    {
      details: [
        { path: 'header_line', message: 'Send header_line: the line with the column names.' },
        {
          path: 'column_mapping',
          message: 'Send column_mapping: which columns hold the date, the amount and the description.',
        },
        ...columnsFound(stats, headers),
      ],
    },
  );
}

/** The stored profile of headerless files that the columns fit. */
export function storedProfileByShape(
  profiles: readonly StoredProfile[],
  { table, stats, isUnsettled, needed }: Headerless,
): StoredProfile | undefined {
  const alike = profiles.filter(
    (one) => suits(one, table, stats) && (!isUnsettled || settles(one, table, stats, needed)),
  );
  return matchStored(null, table.width, alike);
}

/** Headerless files of equal width need have nothing else in common, so the columns must hold what the profile says. */
function suits({ settings }: StoredProfile, table: Table, stats: TableStats): boolean {
  return Object.entries(settings.column_mapping ?? {}).every(([name, choice]) =>
    [choice].flat().every((one) => {
      const field = FIELDS.find((known) => known === name);
      const index = one === null ? undefined : findColumn(one, table);
      return one === null || (field && index !== undefined && mayHold(field, stats.columns[index]));
    }),
  );
}

/** Whether the profile says where date and amounts are, and they are there, though no single column has all amounts. */
function settles({ settings }: StoredProfile, table: Table, stats: TableStats, needed: number): boolean {
  const columnOf = (field: string) => {
    const choice = settings.column_mapping?.[field];
    const index = typeof choice === 'string' || typeof choice === 'number' ? findColumn(choice, table) : undefined;
    return index === undefined ? undefined : stats.columns[index];
  };
  const amounts = ['amount', 'debit', 'credit'].reduce((sum, field) => sum + (columnOf(field)?.numbers ?? 0), 0);
  return (columnOf('date')?.dates ?? 0) >= needed && amounts >= needed;
}

/** The built-in profile of headerless files whose columns look like those of this file (36.13). */
export function matchShape(
  table: Table,
  stats: TableStats,
  profiles: readonly BuiltInProfile[],
): BuiltInProfile | undefined {
  for (const profile of profiles) {
    for (const shape of profile.shape ?? []) {
      if (shape.length !== table.width) continue;
      if (![...shape].every((letter, i) => fits(letter, stats.columns[i] as ColumnStats, stats.records))) continue;
      if (!shape.includes('N') || balancesChain(table, stats, shape)) return profile;
    }
  }
  return undefined;
}

function fits(letter: string, column: ColumnStats, records: number): boolean {
  const { filled } = column;
  switch (letter) {
    case 'd':
      return column.dates >= records * 0.9;
    case 'n':
      return column.numbers >= records * 0.9;
    case 'N':
      return column.letters === 0 && column.numbers === filled && filled < records;
    case 't':
      return column.letters > 0 && column.letters >= filled * 0.5;
    case 'r':
      return (
        filled >= records * 0.9 &&
        column.withDigit === filled &&
        column.numbers < filled &&
        column.variety >= filled * 0.99 &&
        [...column.sampleValues].every((cell) => !cell.includes(' '))
      );
    case '*':
      return filled === records && column.sampleValues.size === 1 && column.sampleValues.has('*');
    case '-':
      return filled === 0;
    default:
      return true;
  }
}

/** True when each balance differs from its neighbour by the amount of the row, forwards or backwards in time. */
function balancesChain(table: Table, stats: TableStats, shape: string): boolean {
  const [out, into] = [shape.indexOf('N'), shape.lastIndexOf('N')];
  const balance = shape.lastIndexOf('n');
  const decimal = decimalByVotes([out, into, balance].map((i) => stats.columns[i] as ColumnStats)).detection.value;
  const reader = openRecords(table);
  const number = new NumberCell();
  const read = (index: number): number => (number.read(reader.cell(index)) ? Math.abs(number.cents(decimal)) : 0);
  let forward = 0;
  let backward = 0;
  let links = 0;
  let previous: { move: number; balance: number } | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const move = read(into) - read(out);
    const stated = number.read(reader.cell(balance)) ? number.cents(decimal) : Number.NaN;
    if (previous) {
      links++;
      if (previous.balance + move === stated) forward++;
      if (stated + previous.move === previous.balance) backward++;
    }
    previous = { move, balance: stated };
  }
  return links >= 2 && Math.max(forward, backward) >= links * 0.9;
}
