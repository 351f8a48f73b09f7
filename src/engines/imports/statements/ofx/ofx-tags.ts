import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import { collapsed } from '../../text/cell-text.ts';
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
} from '../../text/char-codes.ts';

const LONGEST_TAG = 1_024;
const LONGEST_ENTITY = 10;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const DECLARATIONS = ['DOCTYPE', 'ENTITY', 'ELEMENT', 'ATTLIST', 'NOTATION'];

/** A `<` means nothing that depends on more than this behind it, except for where a comment or a value ends. */
const LOOKAHEAD = 2_048;
/** Text without a tag that is longer than any value, even if each character of that was written as an entity. */
const LONGEST_VALUE = 16 * LIMITS.importFieldBytes;
const MORE = -1;

/**
 * Reads the tags of an OFX text one after the other, whether leaf tags are closed (XML) or not (SGML), indented or in
 * one line. A leaf is a tag with a text after it; text anywhere else is ignored. The text comes in pieces, of which
 * only those with the current tag are kept. Every character is read a bounded number of times.
 */
export class TagReader {
  kind: 'open' | 'close' | 'leaf' = 'open';
  /** In capitals, without a namespace prefix. */
  name = '';
  /** Text of a leaf with entities resolved and white space collapsed. */
  value = '';

  readonly #pieces: () => Iterable<string>;
  readonly #unread: Iterator<string>;
  readonly #isAggregate: (name: string) => boolean;
  readonly #markup = new Markup();
  /** The text from position `#before` of the file on, up to the end if `#isRest`. */
  #text = '';
  #before = 0;
  #isRest = false;
  /** All before this has been read. */
  #at = 0;
  /** Where the current tag begins. */
  #start = 0;

  /** `pieces` gives the text from its beginning; `isAggregate` names the tags that hold other tags and never a text. */
  constructor(pieces: () => Iterable<string>, isAggregate: (name: string) => boolean) {
    this.#pieces = pieces;
    this.#unread = pieces()[Symbol.iterator]();
    this.#isAggregate = isAggregate;
  }

  next(): boolean {
    for (;;) {
      const end = this.#read();
      if (end !== MORE) this.#at = end;
      if (end !== MORE || this.#isRest) return end !== MORE;
      this.#readOn();
    }
  }

  /** The 1-based line of the current tag. */
  line(): number {
    return this.#lineAt(this.#start);
  }

  /** Finds the next tag, and says where it ends; MORE if that depends on more text. */
  #read(): number {
    const text = this.#text;
    const markup = this.#markup;
    for (let at = text.indexOf('<', this.#at); at >= 0; at = text.indexOf('<', markup.end)) {
      this.#at = at;
      const what = this.#markupAt(at);
      if (what === 'cut') return MORE;
      if (what !== 'tag' && what !== 'end') continue;
      this.#start = at;
      this.name = markup.name;
      this.value = '';
      if (what === 'end') this.kind = 'close';
      else if (markup.isEmpty) this.kind = 'leaf';
      else if (this.#isAggregate(markup.name)) this.kind = 'open';
      else return this.#readValue(markup.end);
      return markup.end;
    }
    this.#at = text.length;
    return MORE;
  }

  /**
   * Reads the text behind an open tag, all of it when the tag is closed, else its first line that holds something, and
   * says where it ends.
   */
  #readValue(from: number): number {
    const text = this.#text;
    const markup = this.#markup;
    let raw = '';
    let at = from;
    let isClosed = false;
    for (;;) {
      const next = text.indexOf('<', at);
      if (next < 0 && !this.#isRest && text.length - at <= LONGEST_VALUE) return MORE;
      const end = next < 0 ? text.length : next;
      if (end > at) raw += decoded(text, at, end);
      if (raw.length > LIMITS.importFieldBytes) this.#refuseLength();
      at = end;
      if (next < 0) break;
      const what = this.#markupAt(next);
      if (what === 'cut') return MORE;
      if (what === 'tag' || what === 'end') {
        isClosed = what === 'end' && markup.name === this.name;
        if (isClosed) at = markup.end;
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
    return at;
  }

  /** What stands at a `<`; 'cut' if that depends on more text. @throws INVALID_FILE for what is not accepted */
  #markupAt(at: number): 'tag' | 'end' | 'cdata' | 'skip' | 'literal' | 'cut' {
    if (!this.#isRest && at + LOOKAHEAD > this.#text.length) return 'cut';
    const what = this.#markup.read(this.#text, at);
    if (what === 'declaration') {
      throw new AppError(
        'INVALID_FILE',
        `Line ${this.#lineAt(at)}: document type and entity declarations are not accepted. Download the file from the bank again, or remove the declaration.`,
      );
    }
    if (what !== 'endless') return what;
    if (!this.#isRest) return 'cut';
    throw new AppError(
      'INVALID_FILE',
      `Line ${this.#lineAt(at)}: ${this.#markup.name} begins here but is never closed. Download the file from the bank again.`,
    );
  }

  /** Forgets what has been read. What is kept doubles at least, so that going over it again costs little. */
  #readOn(): void {
    const kept = this.#text.slice(this.#at);
    this.#before += this.#at;
    this.#at = 0;
    this.#text = kept;
    while (!this.#isRest && (this.#text === kept || this.#text.length < 2 * kept.length)) {
      const piece = this.#unread.next();
      if (piece.done === true) this.#isRest = true;
      else this.#text += piece.value;
    }
  }

  /** The 1-based line of a position in the text, counted from the beginning of the file. CR LF, LF and CR end lines. */
  #lineAt(at: number): number {
    let left = this.#before + at;
    let line = 1;
    let last = 0;
    for (const piece of this.#pieces()) {
      for (let i = 0; i < piece.length && left > 0; i++, left--) {
        const code = piece.charCodeAt(i);
        if (code === CR || (code === LF && last !== CR)) line++;
        last = code;
      }
      if (left === 0) break;
    }
    return line;
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
  /** Of the tag, or of what has no end. */
  name = '';
  end = 0;
  isEmpty = false;

  read(text: string, at: number): 'tag' | 'end' | 'cdata' | 'skip' | 'literal' | 'declaration' | 'endless' {
    const code = text.charCodeAt(at + 1);
    if (code === EXCLAMATION_MARK) return this.#declaration(text, at);
    if (code === QUESTION_MARK) return this.#until(text, at, '?>', 'a processing instruction', 'skip');
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

  #declaration(text: string, at: number): 'cdata' | 'skip' | 'literal' | 'declaration' | 'endless' {
    if (text.startsWith('<!--', at)) return this.#until(text, at, '-->', 'a comment', 'skip');
    if (text.startsWith('<![CDATA[', at)) return this.#until(text, at, ']]>', 'a CDATA section', 'cdata');
    const word = text.slice(at + 2, at + 10).toUpperCase();
    if (DECLARATIONS.some((known) => word.startsWith(known))) return 'declaration';
    this.end = at + 1;
    return 'literal';
  }

  #until<What extends string>(text: string, at: number, mark: string, name: string, what: What): What | 'endless' {
    const found = text.indexOf(mark, at + 2);
    this.name = name;
    this.end = found + mark.length;
    return found < 0 ? 'endless' : what;
  }
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
