import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { AnalysedRow, Detection, Detections, FileAnalysis, ReadContext, ReadOptions } from './analysis.ts';
import { blockersOf } from './questions/blockers.ts';
import { chooseInterpretation } from './questions/choose-interpretation.ts';
import type { InterpretationResult } from './questions/choose-interpretation.ts';
import { latestYearOf, rowColumnsOf } from './interpret/chosen-interpretation.ts';
import { measureColumns } from './columns/column-stats.ts';
import type { TableStats } from './columns/column-stats.ts';
import {
  accountsOf,
  countOutcomes,
  inferredMapping,
  mappedFields,
  settingsOf,
  unmappedColumns,
} from './interpret/csv-summary.ts';
import type { OutcomeCounts } from './interpret/csv-summary.ts';
import { asTable } from './table/rewritten-lines.ts';
import { detectDialect } from './table/dialect.ts';
import { withDigitDates } from './table/digit-dates.ts';
import type { Dialect } from './table/dialect.ts';
import { fromSpool } from './bytes/encoding.ts';
import type { EncodingDecision, TextSource } from './bytes/encoding.ts';
import { detectFormat, FORMAT_NAMES } from './bytes/format.ts';
import { findHeader } from './table/header.ts';
import type { FoundHeader } from './table/header.ts';
import { decideMapping } from './columns/mapping.ts';
import type { Mapping } from './columns/mapping.ts';
import { readMoneyColumns, readProvedAmount } from './questions/money-columns.ts';
import { headerSignature, usableProfiles } from './profiles/profile-match.ts';
import type { ProfileMatch } from './profiles/profile-match.ts';
import { firstProblems, readRows } from './interpret/rows.ts';
import { meaningsOf } from './lexicon/synonyms.ts';
import { refuseTooLarge } from './size-limits.ts';
import { detectTableEncoding } from './bytes/table-encoding.ts';
import { openRecords, repeatsHeader } from './cells/table.ts';
import type { Table } from './cells/table.ts';

/**
 * Analyses a delimited bank file (36.5, 36.6). Throws an AppError only if the file is not a table or the options cannot
 * fit it; whatever else prevents an import is a blocker in the result. The bytes are kept and read again for each pass
 * over the rows, so the rows are never all in memory.
 */
export function analyseCsv(bytes: Uint8Array, options: ReadOptions, context: ReadContext): FileAnalysis {
  refuseOtherFiles(bytes);
  const latestYear = latestYearOf(context);
  const found = detectTableEncoding(bytes, options.encoding ?? undefined);
  const spool = fromSpool(found.source, context);
  // Which letters the bytes stand for is asked first: a rewritten copy has only one reading of them.
  const spooled = { ...found, source: found.candidates.length > 0 ? spool : asTable(spool) };
  const { encoding, dialect, header } = beginTable(spooled, options, context, latestYear);
  const { table, stats } = measureTable(withDigitDates(header.table, options, latestYear), latestYear);
  if (stats.records === 0)
    throw new AppError('NO_ROWS', 'The file has column names but no rows below them. There is nothing to import.');
  const { profile, preamble } = header;
  const decided = decideMapping(table, stats, options, profile);
  const input = { ...decided, table, stats, options, context, profile, preamble, latestYear };
  const money = readMoneyColumns(input) ?? readProvedAmount(input, decided.readings);
  const mapping = money?.mapping ?? decided.mapping;
  const choice = money?.choice ?? chooseInterpretation(input);
  const counts = countOutcomes(choice.final);
  const problems = firstProblems(choice.final, LIMITS.importProblemsListed);
  const detection: Detections = {
    encoding: detectionOfEncoding(encoding),
    delimiter: dialect.detection,
    header: header.detection,
    ...choice.detection,
    pending: detectionOfPending(counts, mapping, options),
  };
  const blockers = blockersOf({
    stats,
    table,
    leftOut: header.leftOut,
    mapping,
    options,
    detection,
    counts,
    problems,
    proof: choice.proof,
    provesOwed: choice.provesOwed,
    asksAccountType: choice.asksAccountType,
    moneyQuestion: money ? money.question : decided.question,
  });
  if (counts.rows + counts.invalid + counts.pending + counts.ignored === 0 && blockers.length === 0)
    throw new AppError('NO_ROWS', 'No row below the column names has a date or an amount. There is nothing to import.');
  const warnings = [...encoding.warnings, ...choice.warnings(counts, dayNumber(context.today))];
  const source = { header, table, mapping, delimiter: dialect.detection.value, totalRows: stats.records };
  return { ...describeFile(source, choice, counts, detection), problems, warnings, blockers };
}

function refuseOtherFiles(bytes: Uint8Array): void {
  refuseTooLarge(bytes);
  const format = detectFormat(bytes);
  if (format === 'csv') return;
  throw new AppError(
    'INVALID_FILE',
    `The file is ${FORMAT_NAMES[format]}, and this path only reads CSV. Send it to POST /imports.`,
  );
}

/** The file decoded, and where its table begins. */
interface BegunTable<E extends EncodingDecision> {
  readonly encoding: E;
  readonly dialect: Dialect;
  readonly header: FoundHeader;
}

/**
 * Finds where the table begins. If the encoding is open and the file is not a table under the first candidate, shows
 * the first candidate under which it is one. Which one is right is still asked.
 */
function beginTable<E extends EncodingDecision>(
  encoding: E,
  options: ReadOptions,
  context: ReadContext,
  latestYear: number,
): BegunTable<E> {
  const begin = (source: TextSource): BegunTable<E> => {
    const dialect = detectDialect(source, options.delimiter, usableProfiles(options, context.profiles).stored);
    const header = findHeader(source, dialect, options, context, latestYear);
    return { encoding: { ...encoding, source }, dialect, header };
  };
  try {
    return begin(encoding.source);
  } catch (error) {
    if (!isWithoutHeader(error)) throw error;
    for (const { value: label } of encoding.candidates) {
      try {
        return begin({ ...encoding.source, label });
      } catch (again) {
        if (!isWithoutHeader(again)) throw again;
      }
    }
    throw error;
  }
}

function isWithoutHeader(error: unknown): boolean {
  return error instanceof AppError && error.code === 'NO_HEADER';
}

function detectionOfEncoding({ source, confidence, evidence, candidates }: EncodingDecision): Detection {
  return { value: source.labelOfFile ?? source.label, confidence, evidence, candidates };
}

function detectionOfPending(counts: OutcomeCounts, mapping: Mapping, options: ReadOptions): Detections['pending'] {
  const value = { pending: counts.pending, ignored: counts.ignored };
  if (options.pending) return { value, confidence: 'given', evidence: ['parameter'], candidates: [] };
  if (mapping.has('status')) return { value, confidence: 'certain', evidence: ['content'], candidates: [] };
  return { value, confidence: 'none', evidence: [], candidates: [] };
}

/** The part of the analysis that follows from the table and its interpretation. */
function describeFile(
  source: { header: FoundHeader; table: Table; mapping: Mapping; delimiter: string; totalRows: number },
  choice: InterpretationResult,
  counts: OutcomeCounts,
  detection: Detections,
): Omit<FileAnalysis, 'problems' | 'warnings' | 'blockers'> {
  const { header, table, mapping, delimiter, totalRows } = source;
  const { final } = choice;
  const columns = rowColumnsOf(final);
  const signature = headerSignature(table.headerLine === null ? null : header.table.headers, table.width);
  const bankId = mapping.get('bank_id')?.columns[0];
  return {
    format: 'csv',
    headers: table.headers,
    header_signature: signature,
    overruled_header: header.overruled,
    source: sourceKey(signature, mapping),
    bank_id_namespace: bankId === undefined ? null : `csv:${bankIdColumnName(table, bankId)}`,
    delimiter,
    total_rows: totalRows,
    row_count: counts.rows,
    skipped_count: counts.skipped,
    invalid_count: counts.invalid,
    pending_count: counts.pending,
    date_format: detection.date_format.confidence === 'ambiguous' ? null : detection.date_format.value,
    positive_is_debit: choice.mode === 'signed' ? final.interpretation.sign === 'positive_is_out' : null,
    has_debit_credit: choice.mode === 'pair',
    detection,
    mapping: mappedFields(mapping, table),
    inferred_mapping: inferredMapping(mapping),
    unmapped_columns: unmappedColumns(mapping, table),
    profile: matchedProfile(header.profile),
    accounts: accountsOf(final, choice.accountNumber),
    iso_currency_code: choice.currency,
    first_date: counts.firstDay === null ? null : dateOfDayNumber(counts.firstDay),
    last_date: counts.lastDay === null ? null : dateOfDayNumber(counts.lastDay),
    balance_proof: choice.proof,
    settings: settingsOf(final, table, detection, choice.stated, choice.mode, delimiter),
    previewRows: (limit) => previewRows(table, limit),
    rows: (): Iterable<AnalysedRow> => ({ [Symbol.iterator]: () => readRows(columns) }),
  };
}

/** Measures all columns. Columns beyond the header that nine rows in ten have are added, with made-up names. */
function measureTable(table: Table, latestYear: number): { table: Table; stats: TableStats } {
  const idColumns: number[] = [];
  const accountColumns: number[] = [];
  table.headers.forEach((name, i) => {
    const meanings = table.headerLine === null ? null : meaningsOf(name);
    if (meanings?.has('bank_id')) idColumns.push(i);
    if (meanings?.has('account')) accountColumns.push(i);
  });
  const stats = measureColumns(table, latestYear, idColumns, accountColumns);
  if (stats.surplusColumns === 0) return { table, stats };
  const width = table.width + stats.surplusColumns;
  const headers = [
    ...table.headers,
    ...Array.from({ length: stats.surplusColumns }, (_, i) => `column_${table.width + i + 1}`),
  ];
  return { table: { ...table, headers, width }, stats };
}

function sourceKey(signature: string, mapping: Mapping): string {
  const columns = (['date', 'amount', 'debit', 'credit', 'description'] as const).map(
    (field) => `${field}:${(mapping.get(field)?.columns ?? []).join('+')}`,
  );
  return `csv|${signature}|${columns.join('|')}`;
}

function bankIdColumnName(table: Table, index: number): string {
  return (table.headers[index] ?? `column_${index + 1}`).trim().toLowerCase();
}

function matchedProfile(match: ProfileMatch | null): FileAnalysis['profile'] {
  if (!match) return null;
  const strong = match.builtIn?.strength === 'strong' ? match.builtIn : null;
  const known = { known_type: strong?.accountType?.[0] ?? null, known_currency: strong?.currency ?? null };
  if (match.stored) {
    const { id, slug, name, institution_name, account_id, settings } = match.stored;
    return {
      ...known,
      source: 'stored',
      id,
      slug,
      name,
      institution_name,
      strength: 'strong',
      account_type: settings.account_type ?? strong?.accountType?.[0] ?? null,
      account_subtype:
        settings.account_subtype ?? (settings.account_type === undefined ? strong?.accountType?.[1] : null) ?? null,
      account_id,
      account_name: strong?.name ?? null,
    };
  }
  const { slug, name, institution, strength, accountType } = match.builtIn;
  return {
    ...known,
    source: 'built_in',
    id: null,
    slug,
    name,
    institution_name: strength === 'strong' ? institution : null,
    strength,
    account_type: accountType?.[0] ?? null,
    account_subtype: accountType?.[1] ?? null,
    account_id: null,
    account_name: strength === 'strong' ? name : null,
  };
}

function previewRows(table: Table, limit: number): string[][] {
  const reader = openRecords(table);
  const rows: string[][] = [];
  while (rows.length < limit && reader.next()) {
    if (reader.isBlank() || repeatsHeader(reader, table)) continue;
    rows.push(Array.from({ length: table.width }, (_, i) => reader.cell(i)));
  }
  return rows;
}
