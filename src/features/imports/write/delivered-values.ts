import type { DeliveredColumn, DeliveredRow } from '../../facets/index.ts';
import type { DataRow } from '../plan/plan.ts';

/** Delivered columns that no file has a value for: set when a row is added, and left alone ever after. */
const NOT_IN_FILES = {
  provider_category_detailed: null,
  payment_channel: 'other',
} as const satisfies Partial<DeliveredRow>;

type FileColumn = Exclude<DeliveredColumn, keyof typeof NOT_IN_FILES>;
export type FileValues = Pick<DeliveredRow, FileColumn>;

/** What a row of a file says; null where the file says nothing. */
function fileValues(row: DataRow): FileValues {
  return {
    date: row.date,
    authorized_date: row.authorizedDate,
    datetime: row.datetime,
    amount_cents: row.amountCents,
    iso_currency_code: row.currency,
    name: row.name,
    merchant_name: row.merchantName,
    provider_category_primary: row.category,
    pending: row.pending ? 1 : 0,
  };
}

/** The delivered values of a row that becomes a new transaction. */
export function addedValues(row: DataRow): DeliveredRow {
  return { ...fileValues(row), ...NOT_IN_FILES };
}

/**
 * The values of a known row after the same bank delivered it again. What a file in another form lacks keeps its value,
 * and a known currency never becomes unknown.
 */
export function redeliveredValues(row: DataRow, current: FileValues, isSameSource: boolean): FileValues {
  const { iso_currency_code } = current;
  const fallback: Partial<FileValues> = isSameSource ? { iso_currency_code } : current;
  return mapped(fileValues(row), (said, column) => said ?? fallback[column] ?? null);
}

/** The values of a known row that a file merely resembles: all stay, but a missing currency is filled in. */
export function keptValues(row: DataRow, current: FileValues): FileValues {
  const said = fileValues(row);
  const iso_currency_code = current.iso_currency_code ?? said.iso_currency_code;
  return { ...mapped(said, (_, column) => current[column]), iso_currency_code };
}

function mapped(
  values: FileValues,
  change: (value: FileValues[FileColumn], column: FileColumn) => FileValues[FileColumn],
): FileValues {
  const columns = Object.keys(values) as FileColumn[];
  return Object.fromEntries(columns.map((column) => [column, change(values[column], column)])) as unknown as FileValues;
}
