/** What a cell of an exported row may hold. */
export type CsvValue = string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>;

export interface CsvCell {
  value: CsvValue;
  /** Text of people and banks, as opposed to numbers: a spreadsheet must not take it for a formula. */
  isText: boolean;
}

const NEEDS_QUOTES = /[",\r\n]/;
const LIKE_A_FORMULA = /^[=+\-@\t\r]/;

/** One record of a CSV file with its line end, as RFC 4180 writes it. */
export function csvLine(cells: readonly CsvCell[], isSpreadsheetSafe: boolean): string {
  return `${cells.map((cell) => csvCell(cell, isSpreadsheetSafe)).join(',')}\r\n`;
}

function csvCell({ value, isText }: CsvCell, isSpreadsheetSafe: boolean): string {
  const plain = plainText(value);
  const text = isSpreadsheetSafe && isText && LIKE_A_FORMULA.test(plain) ? `'${plain}` : plain;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Nulls are empty, lists are joined by `;`, objects are compact JSON. */
function plainText(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? value.join(';') : JSON.stringify(value);
}
