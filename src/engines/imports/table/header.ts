import { AppError, validationError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Detection, DetectionCandidate, ReadContext, ReadOptions } from '../analysis.ts';
import { BUILT_IN_PROFILES } from '../profiles/built-in-profiles.ts';
import { normalisedName } from '../text/cell-text.ts';
import type { Dialect } from './dialect.ts';
import type { TextSource } from '../bytes/encoding.ts';
import { matchShape, storedProfileByShape, withoutHeader } from './headerless.ts';
import type { TableStart } from './headerless.ts';
import { bySynonyms, overruledHeader, overrulingProfile } from './known-header.ts';
import type { Head } from './known-header.ts';
import { complementOf, matchBuiltIn, matchStored, usableProfiles } from '../profiles/profile-match.ts';
import type { ProfileMatch } from '../profiles/profile-match.ts';
import { RecordReader } from '../cells/records.ts';
import { isWords, transactionsAbove } from './sections.ts';
import type { Table } from '../cells/table.ts';

const SEARCHED_RECORDS = 30;
/** The options of a search for a header by nothing but its names. */
const DETECTED: ReadOptions = {};

export interface FoundHeader {
  readonly table: Table;
  readonly detection: Detection<number | null>;
  readonly profile: ProfileMatch | null;
  /** Records above the header. */
  readonly preamble: readonly (readonly string[])[];
  /** The record that would have been the header, if the request or a profile says that the file has none. */
  readonly overruled: readonly string[] | null;
  /** Records above the header that read as transactions: nobody has said that they may be left out. */
  readonly leftOut: readonly Head[];
}

/** Where the header may be, and what is known about files like this one. */
interface Search {
  readonly start: TableStart;
  /** The first records of the file, and the one on the caller's line. */
  readonly heads: readonly Head[];
  /** Those of them that may be the header. */
  readonly near: readonly Head[];
  readonly profiles: ReturnType<typeof usableProfiles>;
  readonly options: ReadOptions;
  readonly latestYear: number;
  /** The record with the column names that the caller uses. */
  readonly named: Head | undefined;
}

/** Finds the header, or that there is none (36.5.4). Throws NO_HEADER and VALIDATION_ERROR. */
export function findHeader(
  source: TextSource,
  dialect: Dialect,
  options: ReadOptions,
  context: ReadContext,
  latestYear: number,
): FoundHeader {
  if (options.header_line !== undefined && options.has_header === false) {
    throw validationError('header_line', 'header_line cannot be combined with has_header: false.');
  }
  const heads = readHeads(source, dialect, options.header_line ?? 0);
  const near = heads.slice(0, SEARCHED_RECORDS);
  const search: Search = {
    start: { source, delimiter: dialect.delimiter, hasSeparatorLine: dialect.hasSeparatorLine },
    heads,
    near,
    profiles: usableProfiles(options, context.profiles),
    options,
    latestYear,
    named: options.has_header === false ? undefined : namedByCaller(near, options),
  };
  refuseUnreadable(search);
  return headerOnLine(search) ?? headerlessByProfile(search) ?? firstSection(search) ?? headerlessByContent(search);
}

/** @throws INVALID_FILE for files that every reading would falsify, unless the caller wants no profile */
function refuseUnreadable({ near, options }: Search): void {
  if (options.profile === 'none') return;
  const refused = BUILT_IN_PROFILES.filter(({ refusal }) => refusal !== undefined);
  for (const { cells } of near) {
    const refusal = matchBuiltIn(cells, refused, 'strong')?.refusal;
    if (refusal !== undefined) throw new AppError('INVALID_FILE', refusal);
  }
}

function headerOnLine(search: Search): FoundHeader | undefined {
  const line = search.options.header_line;
  if (line === undefined) return undefined;
  const head = search.heads.find((candidate) => candidate.line === line);
  if (!head) throw validationError('header_line', `header_line: no row begins on line ${line}.`);
  return found(search, head, 'given', ['parameter'], profileOf(search, head.cells));
}

/** Files that have no header because a person said so, although a record looks like one (36.12). */
function headerlessByProfile({
  start,
  heads,
  near,
  profiles,
  options,
  latestYear,
  named,
}: Search): FoundHeader | undefined {
  const isOpen = options.has_header === undefined && named === undefined;
  const overruling = isOpen ? overrulingProfile(near, profiles.stored, options.profile !== undefined) : undefined;
  if (!overruling) return undefined;
  const read = withoutHeader(start, heads, near, true, latestYear);
  if (!matchStored(null, read.table.width, [overruling])) return undefined;
  const builtIn = matchShape(read.table, read.stats, BUILT_IN_PROFILES) ?? null;
  const detection = { ...read.detection, confidence: 'profile', evidence: ['stored_profile'] } as const;
  const profile = { stored: overruling, builtIn };
  return {
    table: read.table,
    detection,
    profile,
    preamble: [],
    overruled: overruledHeader(near, latestYear),
    leftOut: [],
  };
}

/**
 * The header by its names. If records above it read as transactions, it belongs to a further section: the header above
 * them is the file's, and without one they are asked about.
 */
function firstSection(search: Search): FoundHeader | undefined {
  const header = headerByNames(search);
  if (!header) return undefined;
  const { near, latestYear } = search;
  const leftOut = transactionsAbove(near, header.table.headerLine ?? 0, latestYear);
  const [first] = leftOut;
  if (!first) return header;
  const above = near.filter(({ line }) => line < first.line);
  const earlier = search.named ? undefined : headerByNames({ ...search, near: above, options: DETECTED });
  if (earlier) return earlier;
  const candidates = beginnings(search, header.table, leftOut, above.at(-1));
  return { ...header, leftOut, detection: { ...header.detection, confidence: 'ambiguous', candidates } };
}

/** The lines with which the table may begin: the header that was found, and words above the rows that it leaves out. */
function beginnings(
  { start }: Search,
  { headerLine, headers }: Table,
  leftOut: readonly Head[],
  above: Head | undefined,
): DetectionCandidate[] {
  const rows = leftOut.length === 1 ? '1 row' : `${leftOut.length} rows`;
  const line = headerLine ?? 0;
  const raw = (cells: readonly string[]): string => cells.join(start.delimiter).slice(0, LIMITS.importRawChars);
  const own = { value: `${line}`, line, raw: raw(headers), read_as: `column names, leaving out ${rows} above them` };
  if (!above || !isWords(above.cells)) return [own];
  const read_as = `column names for the ${rows} from line ${leftOut[0]?.line} on`;
  return [own, { value: `${above.line}`, line: above.line, raw: raw(above.cells), read_as }];
}

/** A remembered header first, then a known bank's, the caller's column names, and names that any bank may use. */
function headerByNames(search: Search): FoundHeader | undefined {
  const { near, profiles, options, latestYear, named } = search;
  if (options.has_header === false) return undefined;
  for (const head of near) {
    const stored = matchStored(head.cells, head.cells.length, profiles.stored);
    const evidence = ['stored_profile', 'header_names'];
    if (stored) return found(search, head, 'certain', evidence, { stored, builtIn: complementOf(head.cells) });
  }
  for (const head of near) {
    const builtIn = matchBuiltIn(head.cells, profiles.builtIn, 'strong');
    const evidence = ['built_in_profile', 'header_names'];
    if (builtIn) return found(search, head, 'certain', evidence, { stored: null, builtIn });
  }
  if (named) return found(search, named, 'given', ['parameter'], profileOf(search, named.cells));
  const known = bySynonyms(near, latestYear);
  if (known) {
    const confidence = known.fields >= 3 ? 'certain' : 'likely';
    return found(search, known.head, confidence, ['header_names'], profileOf(search, known.head.cells));
  }
  if (options.has_header !== true) return undefined;
  const first = near[0] as Head;
  return found(search, first, 'given', ['parameter'], profileOf(search, first.cells));
}

function headerlessByContent(search: Search): FoundHeader {
  const { start, heads, near, profiles, options, latestYear } = search;
  const isGiven = options.has_header === false;
  const overruled = isGiven ? overruledHeader(near, latestYear) : null;
  const headerless = withoutHeader(start, heads, near, isGiven, latestYear);
  const { table, stats, detection, title, refusal } = headerless;
  const answer = { table, detection, preamble: [], overruled, leftOut: [] };
  const stored = storedProfileByShape(profiles.stored, headerless);
  if (stored) return { ...answer, profile: { stored, builtIn: matchShape(table, stats, BUILT_IN_PROFILES) ?? null } };
  if (refusal) throw refusal;
  const shaped = matchShape(table, stats, profiles.builtIn);
  if (shaped) return { ...answer, profile: { stored: null, builtIn: shaped } };
  if (title) return found(search, title, 'likely', ['field_counts', 'content'], profileOf(search, title.cells));
  return { ...answer, profile: null };
}

function found(
  { start, heads }: Search,
  head: Head,
  confidence: Detection['confidence'],
  evidence: readonly string[],
  profile: ProfileMatch | null,
): FoundHeader {
  const names = [...head.cells];
  while (names.length > 0 && (names.at(-1) as string).trim() === '') names.pop();
  const headers = names.map((name) => name.trim());
  return {
    table: { ...start, headerLine: head.line, headers, width: headers.length },
    detection: { value: head.line, confidence, evidence, candidates: [] },
    profile,
    preamble: heads.filter((other) => other.line < head.line).map((other) => other.cells),
    overruled: null,
    leftOut: [],
  };
}

function profileOf({ profiles }: Search, cells: readonly string[]): ProfileMatch | null {
  const stored = matchStored(cells, cells.length, profiles.stored);
  if (stored) return { stored, builtIn: complementOf(cells) };
  const builtIn = matchBuiltIn(cells, profiles.builtIn, 'strong') ?? matchBuiltIn(cells, profiles.builtIn, 'weak');
  return builtIn ? { stored: null, builtIn } : null;
}

function readHeads(source: TextSource, dialect: Dialect, untilLine: number): Head[] {
  const reader = new RecordReader(source, dialect.delimiter, dialect.hasSeparatorLine);
  const heads: Head[] = [];
  while ((heads.length < SEARCHED_RECORDS || reader.line < untilLine) && reader.next()) {
    if (reader.isBlank()) continue;
    if (heads.length < SEARCHED_RECORDS || reader.line === untilLine)
      heads.push({ line: reader.line, cells: reader.cells() });
  }
  if (heads.length === 0)
    throw new AppError('EMPTY_FILE', 'The file contains no text. Download it from the bank again.');
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
