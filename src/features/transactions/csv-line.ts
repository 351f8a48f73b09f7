/** What a cell of an exported row may hold. */
export type CsvValue = string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>;

const NEEDS_QUOTES = /[",\r\n]/;
const LIKE_A_FORMULA = /^[=+\-@\t\r]/;

/**
 * A cell as RFC 4180 writes it. `isText` is text of people and banks, as opposed to numbers: where a spreadsheet reads
 * the file, it must not take that for a formula.
 */
export function csvCell(value: CsvValue, isText: boolean, isSpreadsheetSafe: boolean): string {
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
