import { isCalendarDate } from '../../../kernel/dates.ts';
import { validationError } from '../../../kernel/errors.ts';
import { isSpace } from '../text/cell-text.ts';
import { POINT } from '../text/char-codes.ts';
import { NO_DAY, commonYear, dayOf, fullYear, timeAfter } from './date-cells.ts';
import type { DateOrder, ShortYears } from './date-cells.ts';
import { digitsEnd, lettersEnd, numberAt, plainDate, weekdayEnd } from './date-words.ts';
import { monthOf } from '../lexicon/month-names.ts';
import { behindPending } from '../lexicon/statuses.ts';

type Token = 'YYYY' | 'YY' | 'MMMM' | 'MMM' | 'MM' | 'M' | 'DD' | 'D' | 'HH' | 'mm' | 'ss';
type Step = { readonly token: Token; readonly literal: null } | { readonly token: null; readonly literal: string };

const TOKENS: readonly Token[] = ['YYYY', 'YY', 'MMMM', 'MMM', 'MM', 'M', 'DD', 'D', 'HH', 'mm', 'ss'];
const EXAMPLES: readonly (readonly [string, Token])[] = [
  ['2006', 'YYYY'],
  ['January', 'MMMM'],
  ['Jan', 'MMM'],
  ['06', 'YY'],
  ['01', 'MM'],
  ['02', 'DD'],
  ['15', 'HH'],
  ['04', 'mm'],
  ['05', 'ss'],
  ['1', 'M'],
  ['2', 'D'],
];
const MAX_FORMAT = 60;

/** A date format from the caller or a profile. */
interface DateFormat {
  /** The token form, whichever form was sent. */
  readonly tokens: string;
  readonly order: DateOrder;
  /** Days since 1970-01-01; NO_DAY when the cell does not have this format. */
  read(cell: string): number;
}

/** Compiles the token form or the example form of 36.5.6; throws VALIDATION_ERROR for anything else. */
export function compileDateFormat(text: string, latestYear: number, shortYears?: ShortYears): DateFormat {
  const steps =
    text.length <= MAX_FORMAT && text.trim() !== ''
      ? /[YyDdMm]{1,4}/.test(text) && /[YD]/.test(text)
        ? tokenSteps(text)
        : exampleSteps(text)
      : null;
  if (!steps || !isComplete(steps)) {
    throw validationError(
      'date_format',
      'The date format is not valid. Use tokens, such as DD/MM/YYYY, YYYY-MM-DD or "MMM D, YYYY", or write 2 January 2006 in the layout of the file, such as 02/01/2006.',
    );
  }
  return {
    tokens: steps
      .map((step) => step.token ?? (/[A-Za-z]/.test(step.literal) ? `[${step.literal}]` : step.literal))
      .join(''),
    order: orderOf(steps),
    read: (cell) => readSteps(cell, steps, latestYear, shortYears),
  };
}

function tokenSteps(text: string): Step[] | null {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const token = TOKENS.find((known) => text.startsWith(known, at));
    if (token) {
      steps.push({ token, literal: null });
      at += token.length;
    } else if (text[at] === '[') {
      const close = text.indexOf(']', at);
      if (close < 0) return null;
      if (close > at + 1) steps.push({ token: null, literal: text.slice(at + 1, close) });
      at = close + 1;
    } else if ('/-. ,:T'.includes(text[at] as string)) {
      steps.push({ token: null, literal: text[at] as string });
      at++;
    } else {
      return null;
    }
  }
  return steps;
}

function exampleSteps(text: string): Step[] | null {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const example = EXAMPLES.find(([known]) => text.startsWith(known, at));
    if (example) {
      steps.push({ token: example[1], literal: null });
      at += example[0].length;
    } else if (/[/\-. ,:T]/.test(text[at] as string)) {
      steps.push({ token: null, literal: text[at] as string });
      at++;
    } else {
      return null;
    }
  }
  return steps;
}

function isComplete(steps: readonly Step[]): boolean {
  const tokens = steps.flatMap((step) => (step.token === null ? [] : [step.token.charAt(0)]));
  const count = (letter: string): number => tokens.filter((token) => token === letter).length;
  return (
    count('Y') === 1 && count('M') === 1 && count('D') === 1 && count('H') <= 1 && count('m') <= 1 && count('s') <= 1
  );
}

function orderOf(steps: readonly Step[]): DateOrder {
  const letters = steps.map((step) => step.token?.charAt(0) ?? '').join('');
  const [year, month, day] = [letters.indexOf('Y'), letters.indexOf('M'), letters.indexOf('D')] as const;
  if (year < month && year < day) return 'YMD';
  return day < month ? 'DMY' : 'MDY';
}

function readSteps(written: string, steps: readonly Step[], latestYear: number, shortYears?: ShortYears): number {
  const plain = plainDate(written);
  const cell = withLostZero(behindPending(plain) ?? plain, steps);
  let at = 0;
  while (at < cell.length && isSpace(cell.charCodeAt(at))) at++;
  if (!beginsWithMonth(cell, at, steps)) at = weekdayEnd(cell, at);
  let year = 0;
  let month = 0;
  let day = 0;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as Step;
    if (step.token === null) {
      if (step.literal === ' ' && isSpace(cell.charCodeAt(at))) {
        while (at < cell.length && isSpace(cell.charCodeAt(at))) at++;
      } else if (cell.startsWith(step.literal, at)) {
        at += step.literal.length;
      } else {
        return NO_DAY;
      }
      continue;
    }
    if (step.token === 'MMM' || step.token === 'MMMM') {
      const end = lettersEnd(cell, at);
      month = monthOf(cell.slice(at, end));
      if (month === 0) return NO_DAY;
      at = end;
      if (cell.charCodeAt(at) === POINT && steps[i + 1]?.literal !== '.') at++;
      continue;
    }
    const most = step.token === 'YYYY' ? 4 : 2;
    const end = Math.min(digitsEnd(cell, at), at + most);
    const length = end - at;
    if (length === 0 || (step.token.startsWith('Y') && length !== most)) return NO_DAY;
    const value = numberAt(cell, at, end);
    at = end;
    if (step.token === 'YYYY') year = i === 0 ? value : commonYear(value, latestYear);
    else if (step.token === 'YY') year = fullYear(value, latestYear, shortYears);
    else if (step.token.startsWith('M')) month = value;
    else if (step.token.startsWith('D')) day = value;
  }
  if (!isCalendarDate(year, month, day)) return NO_DAY;
  if (at < cell.length && cell.charCodeAt(at) === POINT && at === cell.trimEnd().length - 1) at++;
  return timeAfter(cell, at) >= 0 || isTimeTail(cell, at, steps) ? dayOf(year, month, day) : NO_DAY;
}

/** In a format of digits alone, a spreadsheet may have taken the first one for a zero too many. */
function withLostZero(cell: string, steps: readonly Step[]): string {
  const digits = steps.reduce((sum, { token }) => sum + (token === null ? Infinity : token === 'YYYY' ? 4 : 2), 0);
  return cell.length === digits - 1 && /^\d+$/.test(cell) ? `0${cell}` : cell;
}

/** True for `Mar 15, 2024` under a format with the month first: there it is March, not mardi. */
function beginsWithMonth(cell: string, at: number, steps: readonly Step[]): boolean {
  return steps[0]?.token?.startsWith('MMM') === true && monthOf(cell.slice(at, lettersEnd(cell, at))) > 0;
}

/** After a format that ends in a time, a fraction, AM/PM or a zone may follow. */
function isTimeTail(cell: string, at: number, steps: readonly Step[]): boolean {
  return steps.some((step) => step.token === 'HH') && cell.length - at <= 20;
}
