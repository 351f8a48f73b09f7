import { withoutMarks } from './cell-text.ts';

/** Where the ten digits of a script begin: Arabic, Persian and Urdu, Devanagari, Bengali, Thai. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50] as const;
const NOT_WESTERN = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u066b\u066c]/;
/** The separators of Arabic numbers; thousands become a mark that is never a decimal separator. */
const SEPARATORS: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': '’' };
const EARLIEST = 0x600;

/** Whether a character is a digit that is not written 0 to 9. */
export function isOtherDigit(code: number): boolean {
  return code >= EARLIEST && ZEROS.some((zero) => code >= zero && code < zero + 10);
}

/** The text with the digits and separators of other scripts as 0 to 9, `.` and `’`, without invisible marks. */
export function inWesternDigits(written: string): string {
  const text = withoutMarks(written);
  if (!NOT_WESTERN.test(text)) return text;
  return [...text].map(western).join('');
}

/** Whether a number states its decimal separator by an Arabic one, which means nothing else. */
export function hasArabicPoint(text: string): boolean {
  return text.includes('\u066b');
}

function western(letter: string): string {
  const code = letter.charCodeAt(0);
  if (code < EARLIEST) return letter;
  const zero = ZEROS.find((start) => code >= start && code < start + 10);
  return zero === undefined ? (SEPARATORS[letter] ?? letter) : String(code - zero);
}
