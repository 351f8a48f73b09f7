export type CsvValue = string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>;

const NEEDS_QUOTES = /[",\r\n]/;
const LIKE_A_FORMULA = /^[=+\-@\t\r]/;

/**
 * A cell as in RFC 4180. `isText`: whether it holds text of people and banks, not a number. If spreadsheet-safe, such
 * text is prefixed so that a spreadsheet does not read it as a formula.
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

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The values of an object's members in their order, each as JSON text. `JSON.parse` would intern every short string for
 * good: a million short ids in a large export.
 * @param json an object as a database writes it
 */
export function memberTexts(json: string): string[] {
  const values: string[] = [];
  let at = next(json, json.indexOf('{') + 1);
  while (json.charCodeAt(at) === QUOTE) {
    const start = next(json, json.indexOf(':', afterString(json, at)) + 1);
    const end = afterValue(json, start);
    values.push(json.slice(start, end));
    at = next(json, end);
    if (json[at] === ',') at = next(json, at + 1);
  }
  return values;
}

/** The end of white space. */
function next(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 32) at++;
  return at;
}

function afterString(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

function afterValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return afterString(json, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < json.length && !/[,}\s]/.test(json[at] as string)) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < json.length;) {
    const char = json[at];
    if (char === '"') {
      at = afterString(json, at);
      continue;
    }
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return json.length;
}
