import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import { collapsed, normalisedText } from '../../text/cell-text.ts';
import { CR, LF, SPACE } from '../../text/char-codes.ts';
import { NumberCell } from '../../cells/numbers.ts';
import { DateCell } from '../../cells/date-cells.ts';
import { plainDate } from './qif-dates.ts';
import { refuseTooManyRecords } from '../../size-limits.ts';

/** An account as its `!Account` block or its section names it. */
export interface QifAccount {
  /** Empty where the file names none. */
  readonly name: string;
  /** Kind of the section that holds its transactions; empty before any `!Type:` line. */
  readonly kind: string;
}

export type QifField = readonly [code: string, text: string];

export interface QifRecord {
  /** Physical line on which the record begins. */
  readonly line: number;
  /** Null for records that are not transactions of a bank account: categories, securities, prices, … */
  readonly account: QifAccount | null;
  /** The lines of the record in file order, each with its code letter. */
  readonly fields: readonly QifField[];
  /** The file ends amid the record: without the `^` that ends the others, and without a line break. */
  readonly isCut: boolean;
}

/** Kinds of sections by the names that programs give them. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['bank', 'Bank'],
  ['banque', 'Bank'],
  ['banco', 'Bank'],
  ['banca', 'Bank'],
  ['checking', 'Bank'],
  ['savings', 'Bank'],
  ['cash', 'Cash'],
  ['bargeld', 'Cash'],
  ['bar', 'Cash'],
  ['ccard', 'CCard'],
  ['creditcard', 'CCard'],
  ['kreditkarte', 'CCard'],
  ['otha', 'Oth A'],
  ['othl', 'Oth L'],
]);
const MAX_LINES = 20_000;

/** Reads the records of a text that comes in pieces, list records included; `!` lines are not records. */
export function* qifRecords(pieces: Iterable<string>): Generator<QifRecord, void, undefined> {
  const sections = new Sections();
  let lines = new RecordLines();
  let directives = 0;
  let isEnded = false;
  let isOpen = false;
  for (const { number, content, isLast } of filledLines(pieces)) {
    const code = content.charAt(0);
    isOpen = isLast;
    if (code === '#' && directives === 0) continue;
    if (code !== '!' && code !== '^') {
      lines.add(content, number, sections.readsTransactions);
      continue;
    }
    const record = sections.record(lines);
    if (record) yield record;
    isEnded ||= record !== null && code === '^';
    if (lines.count > 0) lines = new RecordLines();
    if (code === '!') {
      refuseTooManyRecords(++directives);
      sections.directive(content.slice(1));
    }
  }
  const last = sections.record(lines);
  if (last) yield { ...last, isCut: isEnded && isOpen };
}

/** Text of the first line with a code; empty without one. */
export function fieldOf(fields: readonly QifField[], code: string): string {
  return fields.find(([known]) => known === code)?.[1] ?? '';
}

/** The state that the `!` lines have set. */
class Sections {
  #account: QifAccount = { name: '', kind: '' };
  #listed = 0;
  #isAccountBlock = false;
  #isUnsupported = false;

  get readsTransactions(): boolean {
    return !this.#isAccountBlock && !this.#isUnsupported;
  }

  directive(text: string): void {
    const word = normalisedText(text);
    if (word === 'account') {
      this.#isAccountBlock = true;
      this.#isUnsupported = false;
      this.#listed = 0;
    } else if (word.startsWith('type')) {
      this.#section(word.slice(4).replace(/^[\s:]+/, ''));
    } else if (word.startsWith('clear') && this.#isAccountBlock) {
      // The end of a list of accounts; a list of one still names the account.
      if (this.#listed > 1) this.#account = { name: '', kind: '' };
      this.#isAccountBlock = false;
    } else if (!word.startsWith('option') && !word.startsWith('clear')) {
      this.#isAccountBlock = false;
      this.#isUnsupported = true;
    }
  }

  /** The record that these lines form; null for none and for one that only names an account. */
  record(lines: RecordLines): QifRecord | null {
    if (lines.count === 0) return null;
    const fields = lines.fields();
    if (this.#isAccountBlock && !isTransaction(fields)) {
      const kind = kindOf(fieldOf(fields, 'T'));
      this.#listed++;
      this.#account = { name: fieldOf(fields, 'N'), kind: kind ?? this.#account.kind };
      return null;
    }
    this.#isAccountBlock = false;
    return { line: lines.line, account: this.#isUnsupported ? null : this.#account, fields, isCut: false };
  }

  #section(name: string): void {
    const kind = kindOf(name);
    this.#isAccountBlock = false;
    this.#isUnsupported = kind === null;
    if (kind !== null) this.#account = { name: this.#account.name, kind };
  }
}

function kindOf(name: string): string | null {
  return KINDS.get(normalisedText(name).replaceAll(' ', '')) ?? null;
}

/** In a block of accounts D is a description and T a kind; transactions may follow it without a section line. */
function isTransaction(fields: readonly QifField[]): boolean {
  return isDate(fieldOf(fields, 'D')) && isNumber(fieldOf(fields, 'T') || fieldOf(fields, 'U'));
}

function isDate(text: string): boolean {
  return new DateCell(9_999).read(plainDate(collapsed(text)));
}

function isNumber(text: string): boolean {
  return new NumberCell().read(text);
}

/** Gathers the lines of one record. */
class RecordLines {
  /** Where the record begins. */
  line = 0;
  count = 0;
  readonly #fields: [code: string, text: string][] = [];
  #size = 0;
  #hasDate = false;
  #hasAmount = false;
  #hasSplit = false;

  add(content: string, line: number, isTransaction: boolean): void {
    if (this.count === 0) this.line = line;
    this.count++;
    this.#size += content.length;
    if (this.#size > LIMITS.importRecordBytes || this.count > MAX_LINES) {
      throw new AppError(
        'INVALID_FILE',
        `Line ${this.line}: a record of more than ${MAX_LINES} lines or 1 MiB begins here; the lines with ^ that end records are missing. Export the file again.`,
      );
    }
    const code = content.charAt(0);
    const text = content.slice(1);
    const isSecond = isTransaction && ((code === 'D' && this.#hasDate) || (code === 'T' && this.#hasAmount));
    // A part of a split may have a date of its own; an amount behind it would be the next record's.
    const isOfSplit = code === 'D' && this.#hasSplit;
    if (isSecond && !isOfSplit && (code === 'D' ? isDate(text) : isNumber(text))) {
      throw new AppError(
        'INVALID_FILE',
        `Line ${line}: a record has a second ${code === 'D' ? 'date' : 'amount'}; the line with ^ that ends the previous record is missing. Export the file again.`,
      );
    }
    const last = this.#fields.at(-1);
    if (last && isTransaction && (isSecond || !isCode(code))) {
      last[1] += ` ${content}`;
      return;
    }
    this.#hasDate ||= code === 'D';
    this.#hasAmount ||= code === 'T';
    this.#hasSplit ||= code === 'S';
    this.#fields.push([code, text]);
  }

  fields(): QifField[] {
    return this.#fields.map(([code, text]) => [code, collapsed(text)]);
  }
}

/** Codes are capitals and the signs of splits; any other line continues the text before it. */
function isCode(code: string): boolean {
  const point = code.charCodeAt(0);
  return (point >= 65 && point <= 90) || code === '$' || code === '%';
}

interface FilledLine {
  readonly number: number;
  readonly content: string;
  /** No line break follows. */
  readonly isLast: boolean;
}

/** Non-empty lines, numbered as in an editor: CR LF, LF and CR end one. Leading blanks are dropped. */
function* filledLines(pieces: Iterable<string>): Generator<FilledLine, void, undefined> {
  let number = 1;
  /** What earlier pieces have of the line, without leading blanks, and how long all of that is. */
  let begun = '';
  let length = 0;
  let isBehindReturn = false;
  for (const piece of pieces) {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code !== LF && code !== CR) {
        isBehindReturn = false;
        if (code > SPACE && length + at - start > LIMITS.importFieldBytes) refuseLongLine(number);
        continue;
      }
      if (code === CR || !isBehindReturn) {
        const content = begun === '' ? withoutBlanks(piece.slice(start, at)) : begun + piece.slice(start, at);
        if (content !== '') yield { number, content, isLast: false };
        number++;
      }
      isBehindReturn = code === CR;
      begun = '';
      length = 0;
      start = at + 1;
    }
    const rest = piece.slice(start);
    begun = begun === '' ? withoutBlanks(rest) : begun + rest;
    length += rest.length;
  }
  if (begun !== '') yield { number, content: begun, isLast: true };
}

function withoutBlanks(text: string): string {
  let from = 0;
  while (from < text.length && (text.charCodeAt(from) <= SPACE || text.charCodeAt(from) === 0xfeff)) from++;
  return text.slice(from);
}

function refuseLongLine(number: number): never {
  throw new AppError('INVALID_FILE', `Line ${number} is longer than 64 KiB, so the file is damaged. Export it again.`);
}
