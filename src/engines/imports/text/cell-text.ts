import { fold } from '../../../kernel/fold.ts';
import { APOSTROPHE, QUOTE, SPACE } from './char-codes.ts';

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
/** Marks of direction, joints and other characters that nobody sees. */
// oxlint-disable-next-line no-misleading-character-class -- single marks, of which two join letters elsewhere
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** The same without the two that join letters into signs, and without the hyphen that only shows at the end of a line. */
const DIRECTIONS = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const UNSAID = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
// eslint-disable-next-line no-control-regex
const NEEDS_CLEANING = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Normalised text of 36.1: invisible marks removed, control characters made spaces, then folded. */
export function normalisedText(text: string): string {
  return fold(NEEDS_CLEANING.test(text) ? text.replace(INVISIBLE, '').replace(CONTROL, ' ') : text);
}

/** A date, number or word without the marks that nobody sees. */
export function withoutMarks(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** The text of a file without marks of direction: around cells and their quotes they only disturb. */
export function withoutDirections(text: string): string {
  return text.replace(DIRECTIONS, '');
}

/** True for one of the characters that `withoutMarks` removes. */
export function isInvisible(code: number): boolean {
  if (code < 0x61c) return code === 0xad;
  if (code < 0x2000) return code === 0x61c;
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    code === 0x2060 ||
    (code >= 0x2066 && code <= 0x2069) ||
    code === 0xfeff
  );
}

/** A header name for comparison: normalised text without quotes around it. */
export function normalisedName(text: string): string {
  const name = normalisedText(text);
  const first = name.charCodeAt(0);
  const quoted =
    name.length >= 2 && (first === QUOTE || first === APOSTROPHE) && name.charCodeAt(name.length - 1) === first;
  return quoted ? name.slice(1, -1).trim() : name;
}

/** True for the white space that surrounds or groups cells, no-break and wide spaces included. */
export function isSpace(code: number): boolean {
  return (
    code <= SPACE ||
    code === 0xa0 ||
    code === 0x202f ||
    code === 0x2009 ||
    code === 0x2007 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Text with runs of white space as one space, trimmed, without invisible marks; those that join letters stay. */
export function collapsed(text: string): string {
  let plain = true;
  let previous = 32;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE || code >= 0x7f || (code === SPACE && previous === SPACE)) {
      plain = false;
      break;
    }
    previous = code;
  }
  if (plain && previous !== SPACE) return text;
  return text.replace(UNSAID, '').replace(CONTROL, ' ').replace(/\s+/gu, ' ').trim();
}

/** A copy that does not keep alive the chunk it was sliced from. */
export function detached(text: string): string {
  return text.length < 13 ? text : JSON.parse(JSON.stringify(text));
}

/** A text in quotes for a message, cut to a readable length. */
export function quotedCell(text: string): string {
  const one = collapsed(text);
  return `"${one.length > 60 ? `${one.slice(0, 57)}…` : one}"`;
}

/** What banks write into a field when they have nothing for it. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['nonref', 'notprovided', 'not provided', 'not_provided', 'n/a']);
const LONGEST = 12;
/** Placeholders for an id, some of which are texts elsewhere. */
const NO_IDS: ReadonlySet<string> = new Set([...PLACEHOLDERS, '', '0', '-']);
const DASHES = /^[-–—_.\s]*$/u;

/** A text with its white space collapsed; empty for a placeholder or dashes alone. */
export function said(text: string): string {
  const one = collapsed(text);
  return DASHES.test(one) || (one.length <= LONGEST && PLACEHOLDERS.has(one.toLowerCase())) ? '' : one;
}

/** A bank's own id without quotes around it; null for a placeholder (36.7.1). */
export function bankIdOf(text: string): string | null {
  let id = collapsed(text);
  if (id.length >= 2 && id.startsWith("'") && id.endsWith("'")) id = id.slice(1, -1).trim();
  return id.length <= LONGEST && NO_IDS.has(id.toLowerCase()) ? null : id;
}

/** The text, followed by the other one if that adds words. */
export function withAddedWords(text: string, more: string): string {
  if (more === '' || more === text) return text;
  if (text === '') return more;
  const known = new Set(wordsOf(text));
  return wordsOf(more).every((word) => known.has(word)) ? text : `${text} ${more}`;
}

function wordsOf(text: string): string[] {
  return normalisedText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
