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
  const { count, first } = waysToFill(isMoney.length, fields, (at, column) => {
    const [whole = '', hundredths = ''] = [fields[at]?.trim(), fields[at + 1]?.trim()];
    return isMoney[column] === true && WHOLE.test(whole) && HUNDREDTHS.test(hundredths)
      ? `"${whole},${hundredths}"`
      : null;
  });
  return count === 1 ? first.join(',') : null;
}

interface Ways {
  /** 2 stands for more, too. */
  readonly count: 0 | 1 | 2;
  readonly first: readonly string[];
}

const NO_WAY: Ways = { count: 0, first: [] };

/**
 * The ways to give all fields to the columns, if `together` says what a field and the next one are as one. What is left
 * of a record is looked at once, or a wide one would take for ever.
 */
function waysToFill(
  columns: number,
  fields: readonly string[],
  together: (at: number, column: number) => string | null,
): Ways {
  const known = new Map<string, Ways>();
  const from = (at: number, column: number): Ways => {
    const surplus = fields.length - at - (columns - column);
    if (surplus === 0) return { count: 1, first: fields.slice(at) };
    if (surplus < 0 || column === columns) return NO_WAY;
    const place = `${at} ${column}`;
    const ways =
      known.get(place) ?? both(after(together(at, column), at + 2, column), after(fields[at] ?? null, at + 1, column));
    known.set(place, ways);
    return ways;
  };
  const after = (value: string | null, at: number, column: number): Ways => {
    if (value === null) return NO_WAY;
    const { count, first } = from(at, column + 1);
    return { count, first: [value, ...first] };
  };
  return from(0, 0);
}

function both(one: Ways, other: Ways): Ways {
  if (one.count === 0) return other;
  return other.count === 0 ? one : { ...one, count: 2 };
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
