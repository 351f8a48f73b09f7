import { isInvisible, isSpace } from '../text/cell-text.ts';
import { COMMA, DIGIT_0, isAsciiLetter, isDigit } from '../text/char-codes.ts';
import { inWesternDigits, isOtherDigit } from '../text/digits.ts';
import { isWeekday } from '../lexicon/weekdays.ts';

/** The parts of a written date: numbers, words and what separates them. Each `…End` is the position behind one. */

const EAST_ASIAN = /^(\s*\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일]/;

/** Of Japan: Reiwa, Heisei, Showa. The first year of an era is `元`. */
const ERA =
  /^\s*(R|令和?|㋿)?(H|平成?|㍻)?(S|昭和?|㍼)?\s?(\d{1,2}|元)(?:年\s?|[./-])(\d{1,2})(?:月\s?|[./-])(\d{1,2})日?/i;
const BEFORE_ERA = [2018, 1988, 1925] as const;
/** Of Taiwan: years since the Republic, as in `113/01/05`. */
const REPUBLIC = /^(\s*)(1\d\d)([./-]\d{1,2}[./-]\d{1,2})(?!\d)/;
const BEFORE_REPUBLIC = 1911;

/**
 * The cell with a date of East Asia, of an era or in digits of another script as `2025-8-19` or the like; any other cell
 * as it is. Every cell of a file comes here, so most are left after a look at one letter.
 */
export function plainDate(cell: string): string {
  const at = spaceEnd(cell, 0);
  const first = cell.charCodeAt(at);
  if (isOtherDigit(first) || isInvisible(first) || isInvisible(cell.charCodeAt(cell.length - 1)))
    return plainDate(inWesternDigits(cell));
  if (isDigit(first)) {
    if (cell.charCodeAt(at + 4) > EAST_ASIA) return withoutUnits(cell);
    return digitsEnd(cell, at) === at + 3 ? cell.replace(REPUBLIC, inCommonYears) : cell;
  }
  const mayBeEra = ERA_LETTERS.includes(cell.charAt(at)) && isDigit(cell.charCodeAt(at + 1));
  return mayBeEra || first > EAST_ASIA ? cell.replace(ERA, ofEra) : cell;
}

const EAST_ASIA = 0x1000;
const ERA_LETTERS = 'RHSrhs';

function withoutUnits(cell: string): string {
  return /[年년]/.test(cell) ? cell.normalize('NFC').replace(EAST_ASIAN, '$1-$2-$3 ') : cell;
}

function inCommonYears(_: string, space: string, year: string, rest: string): string {
  return `${space}${Number(year) + BEFORE_REPUBLIC}${rest}`;
}

function ofEra(written: string, ...parts: (string | undefined)[]): string {
  const era = BEFORE_ERA.findIndex((_, i) => parts[i] !== undefined);
  const [year = '', month = '', day = ''] = parts.slice(3, 6);
  if (era < 0) return written;
  return `${(BEFORE_ERA[era] as number) + (year === '元' ? 1 : Number(year))}-${month}-${day} `;
}

export function spaceEnd(cell: string, from: number): number {
  let at = from;
  while (at < cell.length && isSpace(cell.charCodeAt(at))) at++;
  return at;
}

export function digitsEnd(cell: string, from: number): number {
  let at = from;
  for (; at < cell.length; at++) {
    const code = cell.charCodeAt(at);
    if (!isDigit(code)) break;
  }
  return at;
}

export function lettersEnd(cell: string, from: number): number {
  let at = from;
  while (at < cell.length && isLetter(cell.charCodeAt(at))) at++;
  return at;
}

export function numberAt(cell: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + cell.charCodeAt(i) - DIGIT_0;
  return value;
}

export function isLetter(code: number): boolean {
  return isAsciiLetter(code) || code >= 0xc0;
}

/**
 * Position behind the name of a weekday and what stands between it and a date, as `Mon, `, `, hétfő` and ` (Mo.)` have it;
 * `from` if there is none.
 */
export function weekdayEnd(cell: string, from: number): number {
  let at = spaceEnd(cell, cell.charCodeAt(from) === COMMA ? from + 1 : from);
  if (cell[at] === '(') at++;
  let end = lettersEnd(cell, at);
  if (end === at || !isWeekday(cell.slice(at, end))) return from;
  if (cell.startsWith('-feira', end)) end += '-feira'.length;
  while (end < cell.length && '.),'.includes(cell.charAt(end))) end++;
  return spaceEnd(cell, end);
}
