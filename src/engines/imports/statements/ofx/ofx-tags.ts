import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import { collapsed } from '../../cells/cell-text.ts';
import {
  COLON,
  CR,
  EXCLAMATION_MARK,
  GREATER_THAN,
  HASH,
  LF,
  MINUS,
  POINT,
  QUESTION_MARK,
  SLASH,
  SPACE,
  TAB,
  UNDERSCORE,
  isAsciiLetter,
  isDigit,
} from '../../bytes/char-codes.ts';

const LONGEST_TAG = 1_024;
const LONGEST_ENTITY = 10;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const DECLARATIONS = ['DOCTYPE', 'ENTITY', 'ELEMENT', 'ATTLIST', 'NOTATION'];

/**
 * Reads the tags of an OFX text one after the other, whether leaf tags are closed (XML) or not (SGML), indented or in
 * one line. A leaf is a tag with a text after it; text anywhere else is ignored. Every character is read a bounded
 * number of times.
 */
export class TagReader {
  kind: 'open' | 'close' | 'leaf' = 'open';
  /** In capitals, without a namespace prefix. */
  name = '';
  /** Text of a leaf with entities resolved and white space collapsed. */
  value = '';
  /** Where the tag begins. */
  start = 0;

  readonly #text: string;
  readonly #isAggregate: (name: string) => boolean;
  readonly #markup = new Markup();
  #at = 0;

  /** `isAggregate` names the tags that hold other tags and never a text. */
  constructor(text: string, isAggregate: (name: string) => boolean) {
    this.#text = text;
    this.#isAggregate = isAggregate;
  }

  next(): boolean {
    const text = this.#text;
    const markup = this.#markup;
    for (let at = text.indexOf('<', this.#at); at >= 0; at = text.indexOf('<', at)) {
      const what = markup.read(text, at);
      at = markup.end;
      if (what !== 'tag' && what !== 'end') continue;
      this.start = markup.start;
      this.name = markup.name;
      this.value = '';
      this.#at = at;
      if (what === 'end') this.kind = 'close';
      else if (markup.isEmpty) this.kind = 'leaf';
      else if (this.#isAggregate(markup.name)) this.kind = 'open';
      else this.#readValue();
      return true;
    }
    return false;
  }

  /** The 1-based line of the current tag. */
  line(): number {
    return lineAt(this.#text, this.start);
  }

  /** The text behind an open tag: all of it when the tag is closed, else its first line that holds something. */
  #readValue(): void {
    const text = this.#text;
    const markup = this.#markup;
    const name = this.name;
    let raw = '';
    let at = this.#at;
    let isClosed = false;
    for (;;) {
      const next = text.indexOf('<', at);
      const end = next < 0 ? text.length : next;
      if (end > at) raw += decoded(text, at, end);
      if (raw.length > LIMITS.importFieldBytes) this.#refuseLength();
      this.#at = end;
      if (next < 0) break;
      const what = markup.read(text, next);
      if (what === 'tag' || what === 'end') {
        isClosed = what === 'end' && markup.name === name;
        if (isClosed) this.#at = markup.end;
        break;
      }
      if (what === 'literal') raw += '<';
      else if (what === 'cdata') raw += text.slice(next + 9, markup.end - 3);
      at = markup.end;
    }
    // Some programs escape twice: AT&amp;amp;T.
    const value = isClosed ? raw : firstLine(raw);
    this.value = collapsed(decoded(value, 0, value.length));
    this.kind = isClosed || this.value !== '' ? 'leaf' : 'open';
  }

  #refuseLength(): never {
    throw new AppError(
      'INVALID_FILE',
      `Line ${this.line()}: a value is longer than 64 KiB, so the file is damaged. Download it from the bank again.`,
    );
  }
}

/** What stands at a `<`: a tag, an end tag, something to pass over, or just the character. */
class Markup {
  name = '';
  start = 0;
  end = 0;
  isEmpty = false;

  read(text: string, at: number): 'tag' | 'end' | 'cdata' | 'skip' | 'literal' {
    const code = text.charCodeAt(at + 1);
    this.start = at;
    if (code === EXCLAMATION_MARK) return this.#declaration(text, at);
    if (code === QUESTION_MARK) return this.#until(text, at, '?>', 'a processing instruction');
    const isEnd = code === SLASH;
    const from = isEnd ? at + 2 : at + 1;
    let to = from;
    let prefix = from;
    for (; isNameCode(text.charCodeAt(to)); to++) if (text.charCodeAt(to) === COLON) prefix = to + 1;
    this.end = at + 1;
    if (to === from || to - from > 80 || !isAsciiLetter(text.charCodeAt(prefix))) return 'literal';
    const close = text.charCodeAt(to) === GREATER_THAN ? to : closeOf(text, to);
    if (close < 0) return 'literal';
    this.name = text.slice(prefix, to).toUpperCase();
    this.end = close + 1;
    this.isEmpty = !isEnd && close > to && text.charCodeAt(close - 1) === SLASH;
    return isEnd ? 'end' : 'tag';
  }

  #declaration(text: string, at: number): 'cdata' | 'skip' | 'literal' {
    if (text.startsWith('<!--', at)) return this.#until(text, at, '-->', 'a comment');
    if (text.startsWith('<![CDATA[', at)) {
      this.#until(text, at, ']]>', 'a CDATA section');
      return 'cdata';
    }
    const word = text.slice(at + 2, at + 10).toUpperCase();
    if (DECLARATIONS.some((known) => word.startsWith(known))) {
      throw new AppError(
        'INVALID_FILE',
        `Line ${lineAt(text, at)}: document type and entity declarations are not accepted. Download the file from the bank again, or remove the declaration.`,
      );
    }
    this.end = at + 1;
    return 'literal';
  }

  #until(text: string, at: number, mark: string, what: string): 'skip' {
    const found = text.indexOf(mark, at + 2);
    if (found < 0) {
      throw new AppError(
        'INVALID_FILE',
        `Line ${lineAt(text, at)}: ${what} begins here but is never closed. Download the file from the bank again.`,
      );
    }
    this.end = found + mark.length;
    return 'skip';
  }
}

/** The 1-based line on which a position lies; CR LF, LF and CR end lines. */
function lineAt(text: string, position: number): number {
  let line = 1;
  for (let i = 0; i < position; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) line++;
  }
  return line;
}

/** Position of the `>` after white space or attributes; -1 when this is not a tag. */
function closeOf(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code !== SLASH && code !== SPACE && code !== TAB && code !== LF && code !== CR) return -1;
  const rest = text.slice(from, from + LONGEST_TAG);
  const close = rest.indexOf('>');
  const other = rest.indexOf('<');
  if (close < 0 || (other >= 0 && other < close)) return -1;
  const inner = rest.slice(0, close).trim();
  return inner === '' || inner === '/' || inner.includes('=') ? from + close : -1;
}

/** Letters, digits, `.`, `-`, `_` and `:`. */
function isNameCode(code: number): boolean {
  return (
    isAsciiLetter(code) || isDigit(code) || code === MINUS || code === POINT || code === COLON || code === UNDERSCORE
  );
}

function firstLine(text: string): string {
  let from = 0;
  while (from < text.length && text.charCodeAt(from) <= SPACE) from++;
  let to = from;
  for (; to < text.length; to++) {
    const code = text.charCodeAt(to);
    if (code === LF || code === CR) break;
  }
  return text.slice(from, to);
}

/** A stretch of text with its entities resolved; unknown entities stay as they are. */
function decoded(text: string, from: number, to: number): string {
  const piece = text.slice(from, to);
  let amp = piece.indexOf('&');
  if (amp < 0) return piece;
  let out = '';
  let at = 0;
  for (; amp >= 0; amp = piece.indexOf('&', amp + 1)) {
    const semicolon = piece.slice(amp + 1, amp + 2 + LONGEST_ENTITY).indexOf(';');
    const character = semicolon < 1 ? undefined : entity(piece.slice(amp + 1, amp + 1 + semicolon));
    if (character === undefined) continue;
    out += piece.slice(at, amp) + character;
    at = amp + semicolon + 2;
  }
  return out + piece.slice(at);
}

function entity(name: string): string | undefined {
  if (name.charCodeAt(0) !== HASH) {
    const known = name.toLowerCase();
    return Object.hasOwn(ENTITIES, known) ? ENTITIES[known] : undefined;
  }
  const isHex = name.charAt(1).toLowerCase() === 'x';
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[\da-f]{1,6}$/i : /^\d{1,7}$/).test(digits)) return undefined;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}
