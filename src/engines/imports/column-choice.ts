import { validationError } from '../../kernel/errors.ts';
import type { ColumnChoice } from './analysis.ts';
import { normalisedName } from './cell-text.ts';
import type { ColumnStats } from './column-stats.ts';
import type { Field } from './synonyms.ts';
import type { Table } from './table.ts';

/** Fields that together say how much; naming one of them settles all. */
export const AMOUNT_GROUP: readonly Field[] = ['amount', 'debit', 'credit', 'direction', 'fee'];
/** Fields that take several columns. */
export const SEVERAL: ReadonlySet<Field> = new Set(['description', 'account']);

/** Fields in the order in which they claim columns by name. */
export const CLAIM_ORDER: readonly Field[] = [
  'amount',
  'debit',
  'credit',
  'balance',
  'direction',
  'currency',
  'description',
  'merchant_name',
  'payee',
  'payer',
  'category',
  'type',
  'status',
  'bank_id',
  'fee',
  'account',
  'counterparty_account',
  'check_number',
  'tags',
  'notes',
  'time',
];

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
  if (choices.length === 0) throw validationError(path, 'Name at least one column, or null for none.');
  if (choices.length > 1 && !SEVERAL.has(field)) throw validationError(path, `${field} takes one column.`);
  const columns = choices.map((one) => {
    const index = findColumn(one, table);
    if (index !== undefined) return index;
    const names = table.headers
      .slice(0, 40)
      .map((name) => `"${name}"`)
      .join(', ');
    throw validationError(
      path,
      `The file has no column ${JSON.stringify(one)}. Its columns are ${names} (0 to ${table.width - 1}).`,
    );
  });
  return [...new Set(columns)];
}

/** Whether a column still may be what a remembered profile says; one that holds something else is no such column. */
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
