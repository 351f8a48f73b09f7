import { quoted, shownName, validationError, type AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { ColumnChoice, DetectionCandidate } from '../analysis.ts';
import { collapsed, normalisedName } from '../text/cell-text.ts';
import { isDateColumn, isNumberColumn } from './column-stats.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { FIELDS, type Field } from '../lexicon/synonyms.ts';
import type { Table } from '../cells/table.ts';

const SAMPLE_CHARS = 100;

/** Fields that together say how much; naming one of them settles all. */
export const AMOUNT_GROUP: readonly Field[] = ['amount', 'debit', 'credit', 'direction', 'fee'];
/** Fields that take several columns. */
export const SEVERAL: ReadonlySet<Field> = new Set(['description', 'account']);

/** The index a name or number means; undefined when the file has no such column. */
export function findColumn(choice: number | string, table: Pick<Table, 'headers' | 'width'>): number | undefined {
  if (typeof choice === 'number')
    return Number.isInteger(choice) && choice >= 0 && choice < table.width ? choice : undefined;
  const numbered = /#(\d{1,3})$/u.exec(choice);
  const exact = nthColumn(table, normalisedName(choice), 1);
  if (exact !== undefined || !numbered) return exact;
  return nthColumn(table, normalisedName(choice.slice(0, numbered.index)), Number(numbered[1]));
}

function nthColumn(table: Pick<Table, 'headers'>, name: string, nth: number): number | undefined {
  let seen = 0;
  for (let i = 0; i < table.headers.length; i++) {
    if (normalisedName(table.headers[i] as string) === name && ++seen === nth) return i;
  }
  return undefined;
}

/** The columns that a caller names for a field. @throws VALIDATION_ERROR */
export function resolveColumns(field: Field, choice: Exclude<ColumnChoice, null>, table: Table): number[] {
  const path = `column_mapping.${field}`;
  const choices = Array.isArray(choice) ? (choice as readonly (number | string)[]) : [choice as number | string];
  if (choices.length === 0) throw validationError(path, 'Send at least one column, or null for none.');
  if (choices.length > 1 && !SEVERAL.has(field)) throw validationError(path, `${field} can have only one column.`);
  const columns = choices.map((one) => {
    const index = findColumn(one, table);
    if (index !== undefined) return index;
    const names = table.headers
      .slice(0, 40)
      .map((name) => `"${name}"`)
      .join(', ');
    throw validationError(
      path,
      `The file has no column ${shownColumn(one)}. Its columns are ${names} (0 to ${table.width - 1}).`,
    );
  });
  return [...new Set(columns)];
}

/** A column that a caller names, by its index or its name, as an error repeats it. */
export function shownColumn(column: number | string): string {
  return typeof column === 'number' ? String(column) : quoted(column);
}

/** 400 for a field that no column can be. `path` is that of the mapping. */
export function unknownField(path: string, field: string): AppError {
  return validationError(
    `${path}.${shownName(field)}`,
    `column_mapping: ${quoted(field)} is not a field. Use one of: ${FIELDS.join(', ')}.`,
  );
}

/** Whether a column can still be what a remembered profile says it is. */
export function mayHold(field: Field, column: ColumnStats | undefined): boolean {
  if (!column) return false;
  const filled = column.filled - column.dashes;
  if (field === 'date') return column.dates * 2 >= filled;
  const isMoney = field === 'balance' || (AMOUNT_GROUP.includes(field) && field !== 'direction');
  return !isMoney || column.numbers * 2 >= filled;
}

const SHARED_WITH_DESCRIPTION: ReadonlySet<Field> = new Set(['merchant_name', 'payee', 'payer', 'notes']);

/** Whether one column may serve all of these fields (36.3.3). */
export function mayShare(fields: readonly Field[]): boolean {
  const rest = fields.filter((field) => field !== 'description');
  if (rest.length < fields.length && rest.every((field) => SHARED_WITH_DESCRIPTION.has(field))) return true;
  return fields.length === 2 && fields.includes('type') && fields.includes('direction');
}

/** The columns of a file with a cell of each and what it could be, for a person to choose from. */
export function columnCandidates(
  stats: Pick<TableStats, 'columns'>,
  table: Pick<Table, 'headers'>,
  isWanted: (column: ColumnStats) => boolean = () => true,
): DetectionCandidate[] {
  const found = stats.columns.flatMap((column, index) => {
    if (!isWanted(column)) return [];
    const name = table.headers[index] || `column_${index + 1}`;
    const raw = collapsed(column.first?.raw ?? '').slice(0, SAMPLE_CHARS);
    return [{ value: name, line: column.first?.line ?? 1, raw, read_as: `column ${index + 1}: ${use(column)}` }];
  });
  return found.slice(0, LIMITS.importColumnsNamed);
}

function use(column: ColumnStats): string {
  if (column.filled === 0) return 'empty';
  const isDate = isDateColumn(column);
  const isNumber = isNumberColumn(column);
  if (isDate && isNumber) return 'could be a date or an amount';
  if (isDate) return 'could be the date';
  if (isNumber) return 'could be an amount or a balance';
  return 'could be text';
}
