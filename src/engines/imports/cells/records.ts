import { AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { CR, LF, QUOTE, SPACE } from '../text/char-codes.ts';
import { decodedChunks } from '../bytes/encoding.ts';
import type { TextSource } from '../bytes/encoding.ts';
import { isSpace, withoutDirections } from '../text/cell-text.ts';

/**
 * Reads the records of a delimited file one after the other, with the physical line on which each begins.
 * A linear state machine over decoded chunks; cells are cut out on demand. It keeps only one chunk and the current
 * record.
 */
export class RecordReader {
  /** Physical line on which the current record begins. */
  line = 1;
  /** Number of fields of the current record. */
  count = 0;
  /** True if the file ends with the current record, without a line break behind it. */
  isOpenEnded = false;
  /** Lines with an opening quote that never closes. */
  readonly unbalancedLines: number[] = [];

  readonly #chunks: Iterator<string>;
  readonly #delimiter: number;
  readonly #rewrite: ((index: number, cell: string) => string) | undefined;
  readonly #starts = new Int32Array(LIMITS.importColumns + 1);
  readonly #ends = new Int32Array(LIMITS.importColumns + 1);
  readonly #unescaped: (string | undefined)[] = [];
  #text = '';
  #ended = false;
  #from = 0;
  #next = 0;
  #stop = 0;
  #nextLine = 1;
  #lineBreaks = 0;

  constructor(
    source: TextSource,
    delimiter: string,
    skipFirstLine = false,
    rewrite?: (index: number, cell: string) => string,
  ) {
    this.#rewrite = rewrite;
    this.#chunks = decodedChunks(source);
    this.#delimiter = delimiter.charCodeAt(0);
    if (skipFirstLine) this.next();
  }

  /** Moves to the next record, blank ones included; false at the end of the file. */
  next(): boolean {
    this.#from = this.#next;
    this.line = this.#nextLine;
    for (;;) {
      const unbalanced = this.unbalancedLines.length;
      if (this.#from < this.#text.length || this.#ended) {
        if (this.#from >= this.#text.length) return false;
        if (this.#scan()) return true;
      }
      this.unbalancedLines.length = unbalanced;
      this.#fill();
    }
  }

  /** True when every field of the current record is empty. */
  isBlank(): boolean {
    for (let i = 0; i < this.count; i++) {
      if (this.#unescaped[i] === undefined ? this.#starts[i] !== this.#ends[i] : this.cell(i).trim() !== '')
        return false;
    }
    return true;
  }

  /** The n-th field; empty beyond the last one. */
  cell(index: number): string {
    if (index >= this.count || index < 0) return '';
    const cell = this.#unescaped[index] ?? this.#text.slice(this.#starts[index], this.#ends[index]);
    return this.#rewrite === undefined ? cell : this.#rewrite(index, cell);
  }

  /** True when the n-th field is absent or has no character. */
  isEmpty(index: number): boolean {
    if (index >= this.count || index < 0) return true;
    const text = this.#unescaped[index];
    return text === undefined ? this.#starts[index] === this.#ends[index] : text === '';
  }

  /** All fields, copied. */
  cells(): string[] {
    return Array.from({ length: this.count }, (_, i) => this.cell(i));
  }

  /** Number of fields without the empty ones at the end. */
  filledCount(): number {
    let count = this.count;
    while (count > 0 && this.isEmpty(count - 1)) count--;
    return count;
  }

  /** The record as written in the file, cut to `max` characters. */
  raw(max: number): string {
    return this.#text.slice(this.#from, Math.min(this.#stop, this.#from + max));
  }

  #fill(): void {
    const rest = this.#text.length - this.#from;
    if (rest > LIMITS.importRecordBytes) throw tooLong(`The row on line ${this.line} is longer than 1 MiB`);
    let more = '';
    // As much again as there is: otherwise a long record is scanned again for each chunk.
    do {
      const chunk = this.#chunks.next();
      if (chunk.done === true) break;
      more += withoutDirections(chunk.value);
    } while (more.length < Math.max(rest, 1));
    if (more === '') {
      this.#ended = true;
      return;
    }
    this.#text = rest === 0 ? more : this.#text.slice(this.#from) + more;
    this.#from = 0;
    this.#next = 0;
  }

  /** Scans one record from #from; false when the chunk ends before the record does. */
  #scan(): boolean {
    const text = this.#text;
    const length = text.length;
    const delimiter = this.#delimiter;
    let at = this.#from;
    this.count = 0;
    this.#lineBreaks = 0;
    for (;;) {
      const start = text.charCodeAt(at) === SPACE ? afterSpaces(text, at) : at;
      let end: number;
      if (start < length && text.charCodeAt(start) === QUOTE) {
        const closed = this.#quoted(start);
        if (closed === -2) return false;
        end = closed === -1 ? this.#unquoted(at, start) : closed;
      } else {
        end = this.#unquoted(at, start);
      }
      if (end >= length && !this.#ended) return false;
      if (this.count > LIMITS.importColumns)
        throw tooLong(`The row on line ${this.line} has more than ${LIMITS.importColumns} columns`);
      const code = end < length ? text.charCodeAt(end) : LF;
      if (code === delimiter) {
        at = end + 1;
        continue;
      }
      this.#stop = end;
      this.isOpenEnded = end >= length;
      let next = end + 1;
      if (code === CR) {
        if (next >= length && !this.#ended) return false;
        if (next < length && text.charCodeAt(next) === LF) next++;
      }
      if (end - this.#from > LIMITS.importRecordBytes)
        throw tooLong(`The row on line ${this.line} is longer than 1 MiB`);
      this.#next = next;
      this.#nextLine = this.line + this.#lineBreaks + 1;
      return true;
    }
  }

  /** End of the field that begins at `from`; all before `inner` is spaces, which are not looked at again. */
  #unquoted(from: number, inner: number): number {
    const text = this.#text;
    const length = text.length;
    const delimiter = this.#delimiter;
    let end = inner;
    while (end < length) {
      const code = text.charCodeAt(end);
      if (code === delimiter || code === LF || code === CR) break;
      end++;
    }
    if (end - from > LIMITS.importFieldBytes && (end < length || this.#ended)) {
      throw tooLong(`A value on line ${this.line + this.#lineBreaks} is longer than 64 KiB`);
    }
    let start = inner;
    let stop = end;
    while (start < stop && isSpace(text.charCodeAt(start))) start++;
    while (stop > start && isSpace(text.charCodeAt(stop - 1))) stop--;
    this.#push(start, stop, undefined);
    return end;
  }

  /** End of the field whose opening quote is at `open`; -1 when it never closes, -2 when more text is needed. */
  #quoted(open: number): number {
    const text = this.#text;
    const length = text.length;
    let close = open;
    let escaped = false;
    for (;;) {
      close = text.indexOf('"', close + 1);
      if (close < 0 || close - open > LIMITS.importFieldBytes) {
        if (close < 0 && !this.#ended && length - open <= LIMITS.importFieldBytes) return -2;
        const line = this.line + this.#lineBreaks;
        if (this.unbalancedLines.length < 100) this.unbalancedLines.push(line);
        return -1;
      }
      if (close + 1 >= length && !this.#ended) return -2;
      if (text.charCodeAt(close + 1) !== QUOTE) break;
      escaped = true;
      close++;
    }
    for (let i = open + 1; i < close; i++) {
      const code = text.charCodeAt(i);
      if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) this.#lineBreaks++;
    }
    let end = close + 1;
    while (end < length) {
      const code = text.charCodeAt(end);
      if (code === this.#delimiter || code === LF || code === CR) break;
      end++;
    }
    const tail = end > close + 1 ? text.slice(close + 1, end).trimEnd() : '';
    if (escaped || tail !== '') this.#push(open + 1, close, text.slice(open + 1, close).replaceAll('""', '"') + tail);
    else this.#push(open + 1, close, undefined);
    return end;
  }

  #push(start: number, end: number, unescaped: string | undefined): void {
    const index = Math.min(this.count, LIMITS.importColumns);
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.#unescaped[index] = unescaped;
    this.count++;
  }
}

const NO_SPACE = /[^ ]/g;

/** Place of the first character at or after `from` that is not a space. */
function afterSpaces(text: string, from: number): number {
  NO_SPACE.lastIndex = from;
  return NO_SPACE.test(text) ? NO_SPACE.lastIndex - 1 : text.length;
}

function tooLong(what: string): AppError {
  return new AppError(
    'INVALID_FILE',
    `${what}, so this is not a list of transactions. Download the file from the bank again.`,
  );
}
