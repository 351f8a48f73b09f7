import { normalisedName } from '../text/cell-text.ts';
import { DateCell } from '../cells/date-cells.ts';
import { knownNames } from './known-header.ts';
import type { Head } from './known-header.ts';
import { balanceLabel, beginsWithSum, isOpeningText, isSumLabel } from '../lexicon/balances.ts';
import { monthOf } from '../lexicon/month-names.ts';
import { headingStatus } from '../lexicon/statuses.ts';
import { NumberCell } from '../cells/numbers.ts';
import type { ColumnPlan } from '../columns/parsed-columns.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';

/**
 * Files of several sections: tables one below the other, each with its own column names. Rows are read under the first
 * one's columns only; what reads as a transaction of another section is asked about, never left out or read wrong.
 */

/** Whether a cell is a date does not depend on the century of its year. */
const ANY_YEAR = 9_998;
const MONEY = ['amount', 'debit', 'credit'] as const;

/** Where a record has its date and what may be its amounts; both are whole cells. */
interface Places {
  readonly date: number;
  readonly amounts: readonly number[];
}

/** True for a record with the names of a date and an amount column, and no value (36.5.4). */
export function namesColumns(cells: readonly string[]): boolean {
  return knownNames(cells, ANY_YEAR) > 0;
}

/** True if a column that is read has another name in these column names. */
export function differs(names: readonly string[], plan: ColumnPlan): boolean {
  const { headers } = plan.table;
  const { date, amount, debit, credit, fee, balance, direction, currency } = plan;
  const isSame = (index: number): boolean =>
    normalisedName(names[index] ?? '') === normalisedName(headers[index] ?? '');
  const isAlike = (index: number): boolean => {
    const meanings = meaningsOf(headers[index] ?? '');
    return isSame(index) || [...meaningsOf(names[index] ?? '').keys()].some((meaning) => meanings.has(meaning));
  };
  const values = [date, amount, debit, credit, fee, balance, direction, currency].filter((index) => index >= 0);
  return !values.every(isSame) || ![...plan.description, ...plan.account].every(isAlike);
}

/** True for a record below these column names with a date and an amount that states no balance, sum or account. */
export function isTransaction(cells: readonly string[], names: readonly string[]): boolean {
  return placesOf(cells, names) !== null;
}

/**
 * The records above a header that read as transactions. Lines of a preamble have dates and numbers too, behind a label;
 * a record counts if it begins with its date, or if column names or another record show that its places are columns.
 */
export function transactionsAbove(heads: readonly Head[], headerLine: number, latestYear: number): Head[] {
  const places = heads.map(({ cells }, at) => {
    const names = heads.slice(0, at).findLast((head) => isWords(head.cells));
    return placesOf(cells, names?.cells ?? []);
  });
  return heads.filter(({ line, cells }, at) => {
    if (line >= headerLine) return false;
    const own = places[at];
    const names = heads.slice(0, at).findLast((head) => knownNames(head.cells, latestYear) > 0);
    if (names) return own !== null || fills(cells, names.cells);
    if (!own) return false;
    if (firstFilled(cells) === own.date) return true;
    return places.some((other, i) => i !== at && other && isAligned(own, other));
  });
}

/** True for a record with digits below the names of a date and an amount: a row, even if we cannot read it. */
function fills(cells: readonly string[], names: readonly string[]): boolean {
  if (statesOther(cells)) return false;
  const found = new Set(names.flatMap((name, at) => (/\d/.test(cells[at] ?? '') ? [...meaningsOf(name).keys()] : [])));
  return [...found].some((meaning) => meaning.endsWith('_date')) && MONEY.some((meaning) => found.has(meaning));
}

function isAligned(own: Places, other: Places): boolean {
  return own.date === other.date && own.amounts.some((index) => other.amounts.includes(index));
}

function firstFilled(cells: readonly string[]): number {
  return cells.findIndex((cell) => cell !== '');
}

/** Null for a record that is not a transaction. `names`: what stands above its columns. */
function placesOf(cells: readonly string[], names: readonly string[]): Places | null {
  if (statesOther(cells)) return null;
  const first = firstFilled(cells);
  const date = cells.findIndex(isDate);
  if (date < 0) return null;
  const amounts = [...cells.keys()].filter((index) => {
    if (index === date || !isAmount(cells[index] as string)) return false;
    const meanings = meaningsOf(names[index] ?? '');
    const isMoney = MONEY.some((meaning) => meanings.has(meaning));
    return isMoney || (!meanings.has('balance') && (first === date || !isLongNumber(cells[index] as string)));
  });
  return amounts.length === 0 ? null : { date, amounts };
}

/** True for a record that states a balance, or that begins with a label. */
function statesOther(cells: readonly string[]): boolean {
  return isLabel(cells[firstFilled(cells)] ?? '') || cells.some((cell) => cell !== '' && balanceLabel(cell) !== '');
}

function isLabel(text: string): boolean {
  return text.trimEnd().endsWith(':') || isOpeningText(text) || isSumLabel(text) || meaningsOf(text).has('account');
}

/** True for one whole date, not for the two of a period. */
function isDate(cell: string): boolean {
  const date = new DateCell(ANY_YEAR);
  return date.read(cell) && !/\d[./-]\d/.test(cell.slice(date.end));
}

function isAmount(cell: string): boolean {
  return /\d/.test(cell) && !new DateCell(ANY_YEAR).read(cell) && new NumberCell().read(cell);
}

/** True for digits alone that are more likely the number of something than an amount. */
function isLongNumber(cell: string): boolean {
  return /^\s*(?:0\d+|\d{7,})\s*$/.test(cell);
}

/** True for a record of several words and no date or number, as column names are. */
export function isWords(cells: readonly string[]): boolean {
  const names = cells.filter((cell) => cell !== '');
  return names.length >= 2 && names.every((name) => /\p{L}/u.test(name) && !isDate(name) && !isAmount(name));
}

/** What the one filled cell of a record says about the rows below it; any heading but a month or a sum ends a part. */
export function headingIn(cells: readonly string[]): number | undefined {
  const [only, ...others] = cells.filter((cell) => cell.trim() !== '');
  if (only === undefined || others.length > 0) return undefined;
  const status = headingStatus(only);
  const isHeading = only === cells[0] && !/\d/.test(only) && !beginsWithSum(only) && monthOf(only.trim()) === 0;
  return status ?? (isHeading ? 0 : undefined);
}
