import { isCalendarDate, toDateOnly } from '../../../../kernel/dates.ts';
import type { AmountReading } from '../statement-amounts.ts';
import { readAmount } from '../statement-amounts.ts';

/** The balance of a `:60F:`, `:62F:` or `:64:` line: mark, YYMMDD, currency, amount. */
export interface Mt940Balance {
  readonly date: string | null;
  /** Empty when the bank leaves it out: then the opening balance has it. */
  readonly currency: string;
  readonly cents: number;
}

const BALANCE = /^([CD])(\d{6})([A-Z]{3})?([\d.,]{1,25})$/;

/** null when the text is not a balance. */
export function readBalance(text: string, latestYear: number): Mt940Balance | null {
  const match = BALANCE.exec(text.replaceAll(' ', '').toUpperCase());
  if (!match) return null;
  const amount = amountOf(match[4] as string);
  if (amount.cents === null) return null;
  const cents = match[1] === 'D' ? 0 - amount.cents : amount.cents;
  return { date: dateOf(match[2] as string, latestYear), currency: match[3] ?? '', cents };
}

/** What a `:61:` line says about a movement. */
export interface Mt940Movement {
  /** Entry date, else value date; null when it is not a date. */
  readonly date: string | null;
  readonly valueDate: string | null;
  readonly mark: string;
  /** Positive = money out. */
  readonly amount: AmountReading;
  /** `N`, `S` or `F` and three characters. */
  readonly type: string | null;
  readonly ownerReference: string | null;
  readonly bankReference: string | null;
}

export function readMovement(text: string, latestYear: number): Mt940Movement {
  const line = text.trim();
  const value = digitsAt(line, 0, 6) ? line.slice(0, 6) : '';
  let at = value.length;
  const entry = digitsAt(line, at, 4) ? line.slice(at, at + 4) : '';
  at = skipSpaces(line, at + entry.length);
  const mark = markAt(line, at);
  at += mark.length;
  if (isLetter(line, at) && (isDigit(line, skipSpaces(line, at + 1)) || line.charAt(at + 1) === ',')) at++;
  at = skipSpaces(line, at);
  let end = at;
  while (isDigit(line, end) || line.charAt(end) === ',' || line.charAt(end) === '.') end++;
  const rest = line.slice(end).trimStart();
  const hasType = /^[NSF][A-Z0-9 ]{3}/i.test(rest);
  const references = hasType ? rest.slice(4) : rest;
  const cut = references.indexOf('//');
  return {
    date: entry === '' ? dateOf(value, latestYear) : entryDate(value, entry, latestYear),
    valueDate: dateOf(value, latestYear),
    mark,
    amount: signed(amountOf(line.slice(at, end)), mark),
    type: hasType ? rest.slice(0, 4).trim() : null,
    ownerReference: textOrNull(cut < 0 ? references : references.slice(0, cut)),
    bankReference: cut < 0 ? null : textOrNull(references.slice(cut + 2)),
  };
}

/** D and a reversed credit are money out; C and a reversed debit are money in. */
function signed(amount: AmountReading, mark: string): AmountReading {
  if (amount.cents === null) return amount;
  if (mark === '') {
    const message = 'the line does not say whether it is money in or out';
    return { cents: null, reason: 'DIRECTION_UNKNOWN', message };
  }
  const isOut = mark.startsWith('R') ? mark === 'RC' : mark.endsWith('D');
  return { cents: isOut ? amount.cents : 0 - amount.cents, reason: null };
}

function markAt(line: string, at: number): string {
  const two = line.slice(at, at + 2).toUpperCase();
  if (['RC', 'RD', 'EC', 'ED'].includes(two)) return two;
  const one = two.slice(0, 1);
  return one === 'C' || one === 'D' ? one : '';
}

/** The decimal comma of the standard; a decimal point is read too, but never where it could group thousands. */
function amountOf(text: string): AmountReading {
  const point = text.lastIndexOf('.');
  if (point < 0) return readAmount(text, ',');
  const comma = text.lastIndexOf(',');
  if (comma > point && isGrouped(text.slice(0, comma), '.')) return readAmount(text.replaceAll('.', ''), ',');
  if (comma >= 0 && comma < point && isGrouped(text.slice(0, point), ','))
    return readAmount(text.replaceAll(',', ''), '.');
  if (comma < 0 && text.indexOf('.') === point && text.length - point - 1 !== 3) return readAmount(text, '.');
  return { cents: null, reason: 'AMOUNT_INVALID', message: 'the amount is not a number with a decimal comma' };
}

function isGrouped(whole: string, separator: string): boolean {
  const [first = '', ...others] = whole.split(separator);
  return first.length >= 1 && first.length <= 3 && others.every((part) => part.length === 3);
}

function dateOf(digits: string, latestYear: number): string | null {
  if (digits.length !== 6) return null;
  const year = yearOf(digits, latestYear);
  const [month, day] = [Number(digits.slice(2, 4)), Number(digits.slice(4, 6))];
  return isCalendarDate(year, month, day) ? toDateOnly(year, month, day) : null;
}

/** 20YY, or 19YY when 20YY would be more than a year ahead. */
function yearOf(digits: string, latestYear: number): number {
  const year = 2_000 + Number(digits.slice(0, 2));
  return year > latestYear ? year - 100 : year;
}

/** An entry date has no year; the year nearest to the value date counts (36.14.4). */
function entryDate(value: string, entry: string, latestYear: number): string | null {
  if (value.length !== 6) return null;
  const [month, day] = [Number(entry.slice(0, 2)), Number(entry.slice(2, 4))];
  const ahead = month * 31 + day - (Number(value.slice(2, 4)) * 31 + Number(value.slice(4, 6)));
  const half = 6 * 31;
  const year = yearOf(value, latestYear) + (ahead > half ? -1 : ahead < -half ? 1 : 0);
  return isCalendarDate(year, month, day) ? toDateOnly(year, month, day) : null;
}

function textOrNull(text: string): string | null {
  const one = text.trim();
  return one === '' ? null : one;
}

function skipSpaces(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === ' ') at++;
  return at;
}

function digitsAt(line: string, from: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (!isDigit(line, from + i)) return false;
  return true;
}

function isDigit(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function isLetter(line: string, at: number): boolean {
  const code = line.charCodeAt(at) & ~32;
  return code >= 65 && code <= 90;
}
