import { isSpace } from '../text/cell-text.ts';
import { COMMA, DIGIT_0, isAsciiLetter, isDigit } from '../text/char-codes.ts';
import { isWeekday } from '../lexicon/weekdays.ts';

/** The parts of a written date: numbers, words and what separates them. Each `…End` is the position behind one. */

const EAST_ASIAN = /^(\s*\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일]/;

/** A date such as `2025年8月19日` or `2024년 1월 15일` written as `2025-8-19`; any other cell as it is. */
export function withoutEastAsianUnits(cell: string): string {
  return /[年년]/.test(cell) ? cell.normalize('NFC').replace(EAST_ASIAN, '$1-$2-$3 ') : cell;
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
