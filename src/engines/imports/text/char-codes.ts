// Character codes, for loops that must not allocate a text for each character.

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const EXCLAMATION_MARK = 33;
export const QUOTE = 34;
export const HASH = 35;
export const APOSTROPHE = 39;
export const PAREN_OPEN = 40;
export const PAREN_CLOSE = 41;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const SLASH = 47;
export const DIGIT_0 = 48;
const DIGIT_9 = 57;
export const COLON = 58;
export const GREATER_THAN = 62;
export const QUESTION_MARK = 63;
const UPPER_A = 65;
export const UPPER_T = 84;
const UPPER_Z = 90;
export const UNDERSCORE = 95;
export const LOWER_A = 97;
export const LOWER_H = 104;
export const LOWER_T = 116;
const LOWER_Z = 122;

export function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/** Whether the code is a letter from A to Z or a to z. */
export function isAsciiLetter(code: number): boolean {
  return (code >= UPPER_A && code <= UPPER_Z) || (code >= LOWER_A && code <= LOWER_Z);
}
