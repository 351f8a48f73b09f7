import { isCalendarDate, toDateOnly } from '../../../kernel/dates.ts';
import { isSpace } from '../text/cell-text.ts';
import {
  COLON,
  COMMA,
  LOWER_A,
  LOWER_H,
  LOWER_T,
  MINUS,
  PLUS,
  POINT,
  SLASH,
  SPACE,
  UPPER_T,
  isDigit,
} from '../text/char-codes.ts';
import { monthOf } from '../lexicon/month-names.ts';
import { behindPending } from '../lexicon/statuses.ts';
import { digitsEnd, isLetter, lettersEnd, numberAt, spaceEnd, plainDate, weekdayEnd } from './date-words.ts';

/** The order of year, month and day in a written date. */
export type DateOrder = 'YMD' | 'DMY' | 'MDY';

/** The calendar of two-digit years: of Thailand (67 is 2024), of Japan's present era (06 is 2024), or the common one. */
export type ShortYears = 'common' | 'buddhist' | 'reiwa';

/** Stands for "no date" among day numbers, which count the days since 1970-01-01. */
export const NO_DAY = -2_147_483_648;

const MAX_CELL_CHARS = 48;
const RECENT_YEARS = 13;
/** Earlier dates are out of range. */
const EARLIEST_YEAR = 1970;
/** How far the Buddhist calendar is ahead. */
const BUDDHIST_YEARS = 543;
const BEFORE_REIWA = 2018;
const DAYS_BEFORE_MONTH = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** The days from 1970-01-01 to a date, which must be in the calendar. */
export function dayOf(year: number, month: number, day: number): number {
  const y = year - 1;
  const leap = month > 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  return (
    y * 365 +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) +
    (DAYS_BEFORE_MONTH[month] as number) +
    leap +
    day -
    719_163
  );
}

/**
 * Parses the written dates of 36.5.6 before their order is known. One instance serves a whole column: `read` says whether
 * a cell looks like a date, and the other members describe the cell read last.
 */
export class DateCell {
  isYearFirst = false;
  hasMonthName = false;
  /** Year, month and day without separators, as in 20250131. */
  isCompact = false;
  /** Where the date ends in the cell given to `read`. */
  end = 0;
  separator = '';
  yearDigits = 4;
  isPadded = true;

  /** The three parts as written; year, month and day if a month name or a compact form fixes their order. */
  #first = 0;
  #second = 0;
  #third = 0;
  #isNameFirst = false;
  #hasTrailingPoint = false;
  readonly #latestYear: number;
  readonly #shortYears: ShortYears;

  /** @param latestYear a two-digit year that would be later belongs to the 1900s */
  constructor(latestYear: number, shortYears: ShortYears = 'common') {
    this.#latestYear = latestYear;
    this.#shortYears = shortYears;
  }

  read(cell: string): boolean {
    const length = cell.length;
    let at = 0;
    while (at < length && isSpace(cell.charCodeAt(at))) at++;
    if (length - at < 6 || length - at > MAX_CELL_CHARS) return false;
    const plain = plainDate(cell);
    if (plain !== cell) return this.read(plain);
    const first = cell.charCodeAt(at);
    if (isDigit(first)) return this.#fromDigits(cell, at);
    return isLetter(first) && (this.#fromName(cell, at) || this.#fromWeekday(cell, at) || this.#fromPending(cell));
  }

  /** Whether the first part of a date with a two-digit year could be a recent year. */
  get mayBeginWithYear(): boolean {
    const isShort = this.yearDigits === 2 && !this.hasMonthName && this.day('YMD') !== NO_DAY;
    return isShort && fullYear(this.#first, this.#latestYear) > this.#latestYear - RECENT_YEARS;
  }

  /** The first and the last part of a numeric date with a two-digit year: either may be the year. */
  get ends(): readonly [first: number, last: number] {
    return [this.#first, this.#third];
  }

  /** The date under an order as days since 1970-01-01; NO_DAY if there is no such date. */
  day(order: DateOrder): number {
    const ymd = this.#ymd(order);
    if (ymd === 0) return NO_DAY;
    return dayOf(Math.floor(ymd / 10_000), Math.floor(ymd / 100) % 100, ymd % 100);
  }

  /** The date under an order as YYYY-MM-DD, for candidates; null if there is no such date. */
  date(order: DateOrder): string | null {
    const ymd = this.#ymd(order);
    return ymd === 0 ? null : toDateOnly(Math.floor(ymd / 10_000), Math.floor(ymd / 100) % 100, ymd % 100);
  }

  /** The token form of the last cell under an order, such as DD.MM.YYYY; unpadded parts are M and D. */
  format(order: DateOrder, isPadded = this.isPadded): string {
    if (this.isCompact) return 'YYYYMMDD';
    const year = this.yearDigits === 2 ? 'YY' : 'YYYY';
    const day = isPadded ? 'DD' : 'D';
    const month = this.hasMonthName ? 'MMM' : isPadded ? 'MM' : 'M';
    const s = this.separator;
    if (this.hasMonthName) {
      if (this.isYearFirst) return `${year}${s}${month}${s}${day}`;
      return this.#isNameFirst ? `${month} ${day}${s} ${year}` : `${day}${s}${month}${s}${year}`;
    }
    const parts = order === 'YMD' ? [year, month, day] : order === 'DMY' ? [day, month, year] : [month, day, year];
    return parts.join(s) + (s.startsWith('.') && this.isYearFirst && this.#hasTrailingPoint ? '.' : '');
  }

  /** The date under an order as the number YYYYMMDD; 0 if there is no such date. */
  #ymd(order: DateOrder): number {
    let year: number;
    let month: number;
    let day: number;
    if (this.hasMonthName || this.isCompact) {
      [year, month, day] = [this.#first, this.#second, this.#third];
    } else if (this.isYearFirst) {
      if (order !== 'YMD') return 0;
      [year, month, day] = [this.#first, this.#second, this.#third];
    } else if (order === 'YMD' && this.yearDigits === 2) {
      [year, month, day] = [this.#first, this.#second, this.#third];
    } else if (order === 'DMY') {
      [day, month, year] = [this.#first, this.#second, this.#third];
    } else if (order === 'MDY') {
      [month, day, year] = [this.#first, this.#second, this.#third];
    } else {
      return 0;
    }
    if (this.yearDigits === 2) year = fullYear(year, this.#latestYear, this.#shortYears);
    else if (!this.isYearFirst) year = commonYear(year, this.#latestYear);
    return isCalendarDate(year, month, day) ? year * 10_000 + month * 100 + day : 0;
  }

  #fromDigits(cell: string, start: number): boolean {
    const firstEnd = digitsEnd(cell, start);
    const firstLength = firstEnd - start;
    this.hasMonthName = false;
    this.isCompact = false;
    this.isPadded = true;
    this.#hasTrailingPoint = false;
    this.#first = numberAt(cell, start, firstEnd);
    if (firstLength === 8 || firstLength === 14) return this.#compact(cell, start, firstEnd);
    if (firstLength !== 1 && firstLength !== 2 && firstLength !== 4) return false;
    const isYear = firstLength === 4;
    const separatorEnd = separatorEndAt(cell, firstEnd, isYear);
    if (separatorEnd < 0) return false;
    if (isLetter(cell.charCodeAt(separatorEnd))) return this.#nameSecond(cell, firstLength, firstEnd, separatorEnd);
    const code = cell.charCodeAt(firstEnd);
    const secondEnd = digitsEnd(cell, separatorEnd);
    const secondLength = secondEnd - separatorEnd;
    if (secondLength < 1 || secondLength > 2 || cell.charCodeAt(secondEnd) !== code) return false;
    const thirdStart = separatorEndAt(cell, secondEnd, isYear);
    if (thirdStart < 0) return false;
    const thirdEnd = digitsEnd(cell, thirdStart);
    const thirdLength = thirdEnd - thirdStart;
    this.#second = numberAt(cell, separatorEnd, secondEnd);
    this.#third = numberAt(cell, thirdStart, thirdEnd);
    this.isYearFirst = isYear;
    if (this.isYearFirst ? thirdLength < 1 || thirdLength > 2 : thirdLength !== 2 && thirdLength !== 4) return false;
    this.yearDigits = this.isYearFirst || thirdLength === 4 ? 4 : 2;
    this.separator = cell.slice(firstEnd, separatorEnd);
    this.isPadded = (this.isYearFirst ? thirdLength : firstLength) === 2 && secondLength === 2;
    let end = thirdEnd;
    if (code === POINT && cell.charCodeAt(end) === POINT) {
      this.#hasTrailingPoint = true;
      end++;
    }
    return this.#rest(cell, end);
  }

  #compact(cell: string, start: number, end: number): boolean {
    const year = numberAt(cell, start, start + 4);
    if (year < 1900 || year > 2200) return false;
    this.#first = year;
    this.#second = numberAt(cell, start + 4, start + 6);
    this.#third = numberAt(cell, start + 6, start + 8);
    this.isCompact = true;
    this.isYearFirst = true;
    this.yearDigits = 4;
    this.separator = '';
    if (!isCalendarDate(year, this.#second, this.#third)) return false;
    this.end = start + 8;
    const time = compactTimeEnd(cell, start + 8, end);
    if (time < 0) return end - start === 8 && this.#rest(cell, end);
    return isZone(cell, time);
  }

  /** A month name in second place: `10 Feb 2018`, `23-Jan-15`, `10. Februar 2018`, `2 de enero de 2020`, `2018-Feb-10`. */
  #nameSecond(cell: string, firstLength: number, firstEnd: number, nameStart: number): boolean {
    let start = nameStart;
    let end = lettersEnd(cell, start);
    if (isConnective(cell, start, end)) {
      start = spaceEnd(cell, end);
      end = lettersEnd(cell, start);
    }
    const month = monthOf(cell.slice(start, end));
    if (month === 0) return false;
    if (cell.charCodeAt(end) === POINT) end++;
    let third = separatorEndAt(cell, end);
    if (third < 0) third = cell.charCodeAt(end) === COMMA ? spaceEnd(cell, end + 1) : end;
    const deEnd = lettersEnd(cell, third);
    if (isConnective(cell, third, deEnd)) third = spaceEnd(cell, deEnd);
    const thirdEnd = digitsEnd(cell, third);
    const thirdLength = thirdEnd - third;
    const last = numberAt(cell, third, thirdEnd);
    this.isYearFirst = firstLength === 4;
    if (this.isYearFirst ? thirdLength < 1 || thirdLength > 2 : thirdLength !== 2 && thirdLength !== 4) return false;
    this.separator = cell.slice(firstEnd, nameStart);
    this.#named(
      this.isYearFirst ? this.#first : last,
      month,
      this.isYearFirst ? last : this.#first,
      this.isYearFirst ? 4 : thirdLength,
    );
    this.isPadded = (this.isYearFirst ? thirdLength : firstLength) === 2;
    this.#isNameFirst = false;
    return this.#rest(cell, thirdEnd);
  }

  /** A month name in first place: `Feb 10, 2018`, `February 10 2018`. */
  #fromName(cell: string, start: number): boolean {
    const nameEnd = lettersEnd(cell, start);
    const month = monthOf(cell.slice(start, nameEnd));
    if (month === 0) return false;
    let at = nameEnd;
    if (cell.charCodeAt(at) === POINT) at++;
    const dayStart = separatorEndAt(cell, at);
    if (dayStart < 0) return false;
    const dayEnd = digitsEnd(cell, dayStart);
    if (dayEnd === dayStart || dayEnd - dayStart > 2) return false;
    const comma = cell.charCodeAt(dayEnd) === COMMA;
    const yearStart = comma ? spaceEnd(cell, dayEnd + 1) : separatorEndAt(cell, dayEnd);
    if (yearStart < 0) return false;
    const yearEnd = digitsEnd(cell, yearStart);
    if (yearEnd - yearStart !== 4 && yearEnd - yearStart !== 2) return false;
    this.isCompact = false;
    this.#hasTrailingPoint = false;
    this.isYearFirst = false;
    this.separator = comma ? ',' : '';
    this.isPadded = dayEnd - dayStart === 2;
    this.#named(numberAt(cell, yearStart, yearEnd), month, numberAt(cell, dayStart, dayEnd), yearEnd - yearStart);
    this.#isNameFirst = true;
    return this.#rest(cell, yearEnd);
  }

  /** The date behind a weekday: `Mon, 15 Jan 2024`, `Di 16.01.2024`. */
  #fromWeekday(cell: string, start: number): boolean {
    const at = weekdayEnd(cell, start);
    if (at === start) return false;
    return isDigit(cell.charCodeAt(at)) ? this.#fromDigits(cell, at) : this.#fromName(cell, at);
  }

  /** The date behind a word that says that the row is not booked: `PENDING - 09/29/2025`. */
  #fromPending(cell: string): boolean {
    const date = behindPending(cell);
    return date !== null && this.read(date);
  }

  #named(year: number, month: number, day: number, yearDigits: number): void {
    this.hasMonthName = true;
    this.#first = year;
    this.#second = month;
    this.#third = day;
    this.yearDigits = yearDigits;
  }

  #rest(cell: string, end: number): boolean {
    this.end = end;
    return timeAfter(cell, end) >= 0;
  }
}

/** 20YY, or 19YY if 20YY is later than `latestYear`; in another calendar, the common year. */
export function fullYear(twoDigits: number, latestYear: number, shortYears: ShortYears = 'common'): number {
  if (shortYears !== 'common') return twoDigits + (shortYears === 'buddhist' ? 2500 - BUDDHIST_YEARS : BEFORE_REIWA);
  return 2000 + twoDigits > latestYear ? 1900 + twoDigits : 2000 + twoDigits;
}

/** A year of the Buddhist calendar, as Thai banks write it behind day and month, in the common one. */
export function commonYear(year: number, latestYear: number): number {
  return year >= EARLIEST_YEAR + BUDDHIST_YEARS && year <= latestYear + BUDDHIST_YEARS ? year - BUDDHIST_YEARS : year;
}

/**
 * Where the time of a compact date ends: four or six digits, perhaps with a fraction, directly after the eight digits of
 * the date or after `T` or a space. -1 if there is no time.
 */
function compactTimeEnd(cell: string, date: number, end: number): number {
  let from = date;
  let to = end;
  if (end === date) {
    const mark = cell.charCodeAt(date);
    if (mark !== UPPER_T && mark !== LOWER_T && mark !== SPACE) return -1;
    from = date + 1;
    to = digitsEnd(cell, from);
  }
  if (to - from !== 6 && (to - from !== 4 || end !== date)) return -1;
  const [hours, minutes] = [numberAt(cell, from, from + 2), numberAt(cell, from + 2, from + 4)];
  if (hours > 23 || minutes > 59) return -1;
  return cell.charCodeAt(to) === POINT ? digitsEnd(cell, to + 1) : to;
}

/** True when a time is followed by nothing, `Z`, `+0100`, `-05:00`, `UTC` or `[-5:EST]`. */
function isZone(cell: string, from: number): boolean {
  return /^\s{0,2}(?:[+-]\d{1,2}(?::?\d{2})?|[Zz]|[A-Z]{2,5}|\[[+-]?\d{1,2}(?:\.\d{1,2})?(?::[A-Z]{1,5})?\])?\s*$/.test(
    cell.slice(from),
  );
}

/** The second date of `03/04/2025 as of 03/03/2025`; empty without one. */
export function asOf(cell: string): string {
  return cell.length > MAX_CELL_CHARS
    ? ''
    : (/\d\s+as of\s+(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})\s*$/i.exec(cell)?.[1] ?? '');
}

/** 0 when nothing follows the date, 1 when a time of day does, -1 for anything else. */
export function timeAfter(cell: string, from: number): -1 | 0 | 1 {
  let at = from;
  const length = cell.length;
  while (at < length && isSpace(cell.charCodeAt(at))) at++;
  if (at === length || (cell.charCodeAt(at) === LOWER_A && asOf(cell) !== '')) return 0;
  const weekday = weekdayEnd(cell, at);
  if (weekday === length) return 0;
  if (weekday > at) at = weekday;
  const mark = cell.charCodeAt(at);
  if (mark === UPPER_T || mark === LOWER_T || mark === COMMA || mark === MINUS) at++;
  else if (at === from) return -1;
  while (at < length && isSpace(cell.charCodeAt(at))) at++;
  const end = digitsEnd(cell, at);
  if (end - at < 1 || end - at > 2) return -1;
  const separator = cell.charCodeAt(end);
  if (separator !== COLON && separator !== POINT && separator !== LOWER_H) return -1;
  if (digitsEnd(cell, end + 1) - end !== 3) return -1;
  for (let i = end + 3; i < length; i++) {
    const code = cell.charCodeAt(i);
    const allowed =
      isDigit(code) ||
      code === COLON ||
      isLetter(code) ||
      isSpace(code) ||
      code === POINT ||
      code === PLUS ||
      code === MINUS ||
      code === SLASH ||
      code === COMMA;
    if (!allowed) return -1;
  }
  return 1;
}

function isConnective(cell: string, from: number, to: number): boolean {
  return to - from === 2 && cell.slice(from, to).toLowerCase() === 'de';
}

/**
 * Position after one of `/ - .` or white space and any further white space; -1 when there is no separator. Behind a year
 * a colon is one too: `2012:03:01` is no time of day.
 */
function separatorEndAt(cell: string, from: number, isBehindYear = false): number {
  const code = cell.charCodeAt(from);
  if (code === COLON && isBehindYear) return spaceEnd(cell, from + 1);
  if (code === SLASH || code === MINUS || code === POINT) return spaceEnd(cell, from + 1);
  if (isSpace(code)) return spaceEnd(cell, from);
  return -1;
}
