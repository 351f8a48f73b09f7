import { AppError, validationError } from '../../kernel/errors.ts';
import type { Detection, ReadContext, ReadOptions, StoredProfile } from './analysis.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import { normalisedName, quotedCell } from './cell-text.ts';
import { columnCandidates, findColumn, mayHold } from './column-choice.ts';
import { measureColumns } from './column-stats.ts';
import type { TableStats } from './column-stats.ts';
import { DateCell } from './date-cells.ts';
import type { Dialect } from './dialect.ts';
import type { TextSource } from './encoding.ts';
import { matchShape } from './headerless-shape.ts';
import { bySynonyms, overruledHeader, overrulingProfile } from './known-header.ts';
import type { Head } from './known-header.ts';
import { basisOf, matchBuiltIn, matchStored, usableProfiles } from './profile-match.ts';
import type { ProfileMatch } from './profile-match.ts';
import { RecordReader } from './records.ts';
import { FIELDS } from './synonyms.ts';
import type { Table } from './table.ts';

const SEARCHED_RECORDS = 30;
const HEADERLESS_SHARE = 0.8;

export interface FoundHeader {
  readonly table: Table;
  readonly detection: Detection<number | null>;
  readonly profile: ProfileMatch | null;
  /** Records above the header. */
  readonly preamble: readonly (readonly string[])[];
  /** What would be the header had nobody said that there is none. */
  readonly overruled: readonly string[] | null;
}

/** Finds the header, or that there is none (36.5.4). Throws NO_HEADER and VALIDATION_ERROR. */
export function findHeader(
  source: TextSource,
  dialect: Dialect,
  options: ReadOptions,
  context: ReadContext,
  latestYear: number,
): FoundHeader {
  const base = { source, delimiter: dialect.delimiter, hasSeparatorLine: dialect.hasSeparatorLine };
  if (options.header_line !== undefined && options.has_header === false) {
    throw validationError('header_line', 'header_line and has_header: false exclude each other.');
  }
  const heads = readHeads(source, dialect, options.header_line ?? 0);
  const profiles = usableProfiles(options, context.profiles);
  const found = (
    head: Head,
    confidence: Detection['confidence'],
    evidence: string[],
    profile: ProfileMatch | null,
  ): FoundHeader => {
    const names = [...head.cells];
    while (names.length > 0 && (names.at(-1) as string).trim() === '') names.pop();
    const headers = names.map((name) => name.trim());
    return {
      table: { ...base, headerLine: head.line, headers, width: headers.length },
      detection: { value: head.line, confidence, evidence, candidates: [] },
      profile,
      preamble: heads.filter((other) => other.line < head.line).map((other) => other.cells),
      overruled: null,
    };
  };
  const profileOf = (cells: readonly string[]): ProfileMatch | null => {
    const stored = matchStored(cells, cells.length, profiles.stored);
    if (stored) return { stored, builtIn: basisOf(cells) };
    const builtIn = matchBuiltIn(cells, profiles.builtIn, 'strong') ?? matchBuiltIn(cells, profiles.builtIn, 'weak');
    return builtIn ? { stored: null, builtIn } : null;
  };
  if (options.header_line !== undefined) {
    const head = heads.find((candidate) => candidate.line === options.header_line);
    if (!head) throw validationError('header_line', `No record begins on line ${options.header_line}.`);
    return found(head, 'given', ['parameter'], profileOf(head.cells));
  }
  const near = heads.slice(0, SEARCHED_RECORDS);
  const named = options.has_header === false ? undefined : namedByCaller(near, options);
  const isOpen = options.has_header === undefined && named === undefined;
  const overruling = isOpen ? overrulingProfile(near, profiles.stored, options.profile !== undefined) : undefined;
  if (overruling) {
    const read = withoutHeader(base, heads, true, latestYear);
    if (matchStored(null, read.table.width, [overruling])) {
      const builtIn = matchShape(read.table, read.stats, BUILT_IN_PROFILES) ?? null;
      const detection = { ...read.detection, confidence: 'profile', evidence: ['stored_profile'] } as const;
      const overruled = overruledHeader(near, latestYear);
      return { ...read, detection, overruled, profile: { stored: overruling, builtIn } };
    }
  }
  if (options.has_header !== false) {
    for (const head of near) {
      const stored = matchStored(head.cells, head.cells.length, profiles.stored);
      if (stored) {
        const match = { stored, builtIn: basisOf(head.cells) };
        return found(head, 'certain', ['stored_profile', 'header_names'], match);
      }
    }
    for (const head of near) {
      const builtIn = matchBuiltIn(head.cells, profiles.builtIn, 'strong');
      if (builtIn) return found(head, 'certain', ['built_in_profile', 'header_names'], { stored: null, builtIn });
    }
    if (named) return found(named, 'given', ['parameter'], profileOf(named.cells));
    const known = bySynonyms(near, latestYear);
    if (known)
      return found(known.head, known.fields >= 3 ? 'certain' : 'likely', ['header_names'], profileOf(known.head.cells));
    if (options.has_header === true) {
      const first = heads[0] as Head;
      return found(first, 'given', ['parameter'], profileOf(first.cells));
    }
  }
  const isGiven = options.has_header === false;
  const overruled = isGiven ? overruledHeader(near, latestYear) : null;
  const headerless = { ...withoutHeader(base, heads, isGiven, latestYear), overruled };
  const { table, stats, refusal, isUnsettled, needed } = headerless;
  const alike = profiles.stored.filter(
    (one) => suits(one, table, stats) && (!isUnsettled || settles(one, table, stats, needed)),
  );
  const stored = matchStored(null, table.width, alike);
  if (stored) {
    const basis = matchShape(table, stats, BUILT_IN_PROFILES) ?? null;
    return { ...headerless, profile: { stored, builtIn: basis } };
  }
  if (refusal) throw refusal;
  const shaped = matchShape(table, stats, profiles.builtIn);
  if (shaped) return { ...headerless, profile: { stored: null, builtIn: shaped } };
  const { title } = headerless;
  if (title) return found(title, 'likely', ['field_counts', 'content'], profileOf(title.cells));
  return { table, detection: headerless.detection, profile: null, preamble: [], overruled };
}

/** Files without header of equal width have nothing else in common, so a profile must fit what the columns hold. */
function suits({ settings }: StoredProfile, table: Table, stats: TableStats): boolean {
  return Object.entries(settings.column_mapping ?? {}).every(([name, choice]) =>
    [choice].flat().every((one) => {
      const field = FIELDS.find((known) => known === name);
      const index = one === null ? undefined : findColumn(one, table);
      return one === null || (field && index !== undefined && mayHold(field, stats.columns[index]));
    }),
  );
}

/** Whether a profile says where date and amounts are, and they are there, though no column has them all. */
function settles({ settings }: StoredProfile, table: Table, stats: TableStats, needed: number): boolean {
  const columnOf = (field: string) => {
    const choice = settings.column_mapping?.[field];
    const index = typeof choice === 'string' || typeof choice === 'number' ? findColumn(choice, table) : undefined;
    return index === undefined ? undefined : stats.columns[index];
  };
  const amounts = ['amount', 'debit', 'credit'].reduce((sum, field) => sum + (columnOf(field)?.numbers ?? 0), 0);
  return (columnOf('date')?.dates ?? 0) >= needed && amounts >= needed;
}

function readHeads(source: TextSource, dialect: Dialect, untilLine: number): Head[] {
  const reader = new RecordReader(source, dialect.delimiter, dialect.hasSeparatorLine);
  const heads: Head[] = [];
  while ((heads.length < SEARCHED_RECORDS || reader.line < untilLine) && reader.next()) {
    if (reader.isBlank()) continue;
    if (heads.length < SEARCHED_RECORDS || reader.line === untilLine)
      heads.push({ line: reader.line, cells: reader.cells() });
  }
  if (heads.length === 0) throw new AppError('EMPTY_FILE', 'The file holds no text. Download it from the bank again.');
  return heads;
}

/** The first record that holds every name the caller's column_mapping uses. */
function namedByCaller(heads: readonly Head[], options: ReadOptions): Head | undefined {
  const wanted = Object.values(options.column_mapping ?? {})
    .flat()
    .filter((choice): choice is string => typeof choice === 'string')
    .map((name) => normalisedName(name.replace(/#\d{1,3}$/u, '')));
  if (wanted.length === 0) return undefined;
  return heads.find((head) => {
    const names = new Set(head.cells.map(normalisedName));
    return wanted.every((name) => names.has(name));
  });
}

interface Headerless extends FoundHeader {
  /** A record of words above the first row, in a language we do not know. */
  readonly title: Head | undefined;
  /** Why rows alone do not tell where their date and amount are; null also where only the amounts are open. */
  readonly refusal: AppError | null;
  /** True when no column holds the amounts of nearly all rows. */
  readonly isUnsettled: boolean;
  /** How many rows must have both. */
  readonly needed: number;
  readonly stats: TableStats;
}

function withoutHeader(
  base: Omit<Table, 'headerLine' | 'headers' | 'width'>,
  heads: readonly Head[],
  isGiven: boolean,
  latestYear: number,
): Headerless {
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
  const widest = Math.max(
    width,
    ...heads.filter((head) => head.cells.length <= width + 2).map((head) => head.cells.length),
  );
  const draft: Table = { ...base, headerLine: null, headers: [], width: widest };
  const stats = measureColumns(draft, latestYear, [], []);
  const title = isGiven ? undefined : titleAbove(heads.slice(0, SEARCHED_RECORDS), stats, latestYear);
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
    profile: null,
    preamble: [],
    overruled: null,
    title,
    refusal: isRefused && (dates < 0 || !sharesAmounts(stats, needed)) ? noHeader(stats, headers) : null,
    isUnsettled: isRefused,
    needed,
    stats,
  };
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

/** True when two columns share the amounts of the rows, of which nothing says which one is money out. */
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
    message: raw === '' ? use : `${use}, as ${quotedCell(raw)} on line ${line}`,
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
        { path: 'column_mapping', message: 'Send column_mapping: which columns are date, amount and description.' },
        ...columnsFound(stats, headers),
      ],
    },
  );
}
