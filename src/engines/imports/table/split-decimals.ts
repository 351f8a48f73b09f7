import { meaningsOf } from '../lexicon/synonyms.ts';
import { knownNames } from './known-header.ts';

/** Tables whose separator is also their decimal comma, without quotes: `15/09/2026,Shop,-12,50` below three names. */

type Rewrite = (lines: readonly string[]) => string[];

const ANY_YEAR = 9_998;
const MONEY = ['amount', 'debit', 'credit', 'balance', 'fee'] as const;
const WHOLE = /^[-+(]?\s?[^\d\s,"]{0,4}\s?(?:\d+|\d{1,3}(?:[.' ]\d{3})+)$/u;
const HUNDREDTHS = /^\d{2}(?:\s?[-)]|\s?\p{Sc}|\s?[A-Z]{3})?$/u;
const MOST_FIELDS = 100;

/** Puts the halves of each amount together where the names leave one way to do so; a row with several ways stays. */
export function splitDecimals(head: readonly string[]): Rewrite | null {
  const header = head.findIndex((line) => isHeader(fieldsOf(line)));
  if (header < 0) return null;
  const names = fieldsOf(head[header] as string).map(plain);
  const isMoney = names.map((name) => MONEY.some((field) => meaningsOf(name).has(field)));
  const rows = head.slice(header + 1).filter((line) => line.trim() !== '');
  const long = rows.filter((line) => fieldsOf(line).length > names.length);
  const joined = long.filter((line) => joinedIn(line, isMoney) !== null);
  if (joined.length * 2 < rows.length || joined.length * 10 < long.length * 9 || joined.length === 0) return null;
  return (lines) => lines.map((line, at) => (at > header ? (joinedIn(line, isMoney) ?? line) : line));
}

function isHeader(fields: readonly string[]): boolean {
  return fields.length > 2 && knownNames(fields.map(plain), ANY_YEAR) > 0;
}

/** The record with each split amount in quotes; null unless exactly one way fills the columns. */
function joinedIn(line: string, isMoney: readonly boolean[]): string | null {
  const fields = fieldsOf(line);
  if (fields.length <= isMoney.length || fields.length > MOST_FIELDS) return null;
  const ways = waysFrom(fields, isMoney, 0, 0);
  const [way] = ways;
  return ways.length === 1 && way ? way.join(',') : null;
}

/** Up to two ways to give the fields from `at` on to the columns from `column` on. */
function waysFrom(fields: readonly string[], isMoney: readonly boolean[], at: number, column: number): string[][] {
  const surplus = fields.length - at - (isMoney.length - column);
  if (surplus === 0) return [fields.slice(at)];
  if (surplus < 0 || column === isMoney.length) return [];
  const [whole = '', hundredths = ''] = fields.slice(at, at + 2);
  const isSplit = isMoney[column] === true && WHOLE.test(whole.trim()) && HUNDREDTHS.test(hundredths.trim());
  const together = isSplit ? waysFrom(fields, isMoney, at + 2, column + 1) : [];
  const apart = waysFrom(fields, isMoney, at + 1, column + 1);
  return [
    ...together.map((rest) => [`"${whole.trim()},${hundredths.trim()}"`, ...rest]),
    ...apart.map((rest) => [whole, ...rest]),
  ].slice(0, 2);
}

/** The fields of a line as they are written, quotes included. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ',' && !isQuoted) {
      fields.push(line.slice(from, at));
      from = at + 1;
    }
  }
  return [...fields, line.slice(from)];
}

function plain(field: string): string {
  return field.trim().replace(/^"|"$/g, '');
}
