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
  const surplus = fields.length - isMoney.length;
  if (surplus <= 0 || fields.length > MOST_FIELDS) return null;
  const values = fields.map((field) => field.trim());
  const isSplit = values.map((value, at) => WHOLE.test(value) && HUNDREDTHS.test(values[at + 1] ?? ''));
  const ways = waysToFill(isMoney, isSplit, surplus);
  if (ways[0]?.[0] !== 1) return null;
  let joined = 0;
  const record = isMoney.map((canSplit, column) => {
    const at = column + joined;
    if (!canSplit || isSplit[at] !== true || ways[column + 1]?.[joined + 1] !== 1) return fields[at] as string;
    joined += 1;
    return `"${values[at]},${values[at + 1]}"`;
  });
  return record.join(',');
}

/**
 * By column, and by how many values were put together before it: in how many ways the rest fills the columns from there
 * on; 2 stands for more, too. A wide record has too many ways to try each.
 */
function waysToFill(isMoney: readonly boolean[], isSplit: readonly boolean[], surplus: number): number[][] {
  const ways = [Array.from({ length: surplus + 1 }, (_, joined) => Number(joined === surplus))];
  for (let column = isMoney.length - 1; column >= 0; column -= 1) {
    const after = ways[0] as number[];
    ways.unshift(
      after.map((apart, joined) => {
        const together = isMoney[column] === true && isSplit[column + joined] === true ? (after[joined + 1] ?? 0) : 0;
        return Math.min(2, apart + together);
      }),
    );
  }
  return ways;
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
