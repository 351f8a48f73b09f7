import { APOSTROPHE, QUOTE } from '../text/char-codes.ts';
import { collapsed, said } from '../text/cell-text.ts';
import type { TextSource } from '../bytes/encoding.ts';
import { RecordReader } from './records.ts';

/** A delimited file whose columns are known: where its records start and what they are called. */
export interface Table {
  readonly source: TextSource;
  readonly delimiter: string;
  readonly hasSeparatorLine: boolean;
  /** Line number of the header in the file; null when there is none. */
  readonly headerLine: number | null;
  readonly headers: readonly string[];
  readonly width: number;
  /** Cells of some columns in another form, for tables whose dates are digits alone. */
  readonly rewrite?: (index: number, cell: string) => string;
  /** The date formats of these columns. */
  readonly digitFormats?: ReadonlyMap<number, string>;
}

/** A reader positioned before the first record below the header. */
export function openRecords(table: Table): RecordReader {
  const reader = new RecordReader(table.source, table.delimiter, table.hasSeparatorLine, table.rewrite);
  if (table.headerLine === null) return reader;
  while (reader.next()) if (reader.line >= table.headerLine && !reader.isBlank()) break;
  return reader;
}

/** True when the record says the same as the header. */
export function repeatsHeader(reader: RecordReader, table: Table): boolean {
  if (table.headerLine === null || reader.count < table.width) return false;
  for (let i = 0; i < table.width; i++) {
    const name = table.headers[i] as string;
    if (reader.cell(i).trim() !== name && !(name === '' && reader.isEmpty(i))) return false;
  }
  return true;
}

/** True when a field after the last column is filled. */
export function hasSurplus(reader: RecordReader, width: number): boolean {
  for (let i = width; i < reader.count; i++) if (!reader.isEmpty(i)) return true;
  return false;
}

/** A 32-bit hash of a text (FNV-1a over UTF-16 units), for counting distinct values. */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A 53-bit hash of a text; collisions among 500,000 values are about as likely as a disk error. */
export function hash53(text: string): number {
  return (hash32(text) & 0x1fffff) * 0x100000000 + mixed(hash32(text, 0x9747b28c));
}

function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The description columns joined by one space, without empty and repeated parts. */
export function describe(reader: RecordReader, columns: readonly number[]): string {
  if (columns.length === 1) return said(reader.cell(columns[0] as number));
  const parts: string[] = [];
  for (const index of columns) {
    const part = said(reader.cell(index));
    if (part !== '' && !parts.includes(part)) parts.push(part);
  }
  return parts.join(' ');
}

/** True when the one filled field of the record is in the only description column. */
export function isContinuation(reader: RecordReader, description: readonly number[]): boolean {
  if (description.length !== 1) return false;
  for (let i = 0; i < reader.count; i++) if (reader.isEmpty(i) === (i === description[0])) return false;
  return reader.count > (description[0] as number);
}

/** The value of the account columns: their cells joined by one space, stray quotes around them removed. */
export function accountValue(reader: RecordReader, columns: readonly number[]): string {
  if (columns.length === 1) return withoutQuotes(reader.cell(columns[0] as number));
  return columns
    .map((index) => withoutQuotes(collapsed(reader.cell(index))))
    .filter((text) => text !== '')
    .join(' ');
}

function withoutQuotes(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isQuote(text.charCodeAt(from))) from++;
  while (to > from && isQuote(text.charCodeAt(to - 1))) to--;
  return to - from === text.length ? text : text.slice(from, to).trim();
}

function isQuote(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE;
}
