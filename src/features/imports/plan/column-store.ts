import { detached } from '../../../engines/imports/text/cell-text.ts';

// Columns for the records of large files: a few bytes for each record, where objects would take hundreds.

/** Values of one field, by the number of the record. */
export interface Column<Value> {
  get(at: number): Value;
  set(at: number, value: Value): void;
}

type Numbers = Int8Array<ArrayBuffer> | Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** From narrow to wide. */
const WIDTHS: readonly (new (length: number) => Numbers)[] = [Int8Array, Int16Array, Int32Array, Float64Array];

/**
 * Numbers, 0 until set: as narrow as all of them allow. Takes memory from the first other value on; then grows to one and
 * a half times the size needed.
 */
export class NumberColumn implements Column<number> {
  #numbers: Numbers = new Int8Array(0);
  #width = 0;
  readonly #expected: number;

  constructor(expected: number) {
    this.#expected = expected;
  }

  get(at: number): number {
    return this.#numbers[at] ?? 0;
  }

  set(at: number, value: number): void {
    if (at >= this.#numbers.length) {
      if (value === 0) return;
      this.#move(at < this.#expected ? this.#expected : grown(at));
    }
    this.#numbers[at] = value;
    while (!Object.is(this.#numbers[at], value)) {
      this.#width += 1;
      this.#move(this.#numbers.length);
      this.#numbers[at] = value;
    }
  }

  #move(length: number): void {
    const next = new (WIDTHS[this.#width] as (typeof WIDTHS)[number])(length);
    next.set(this.#numbers);
    this.#numbers = next;
  }
}

const HEX_BYTES = 16;
const HEX = /^[0-9a-f]{32}$/;
const NO_HEX = '0'.repeat(2 * HEX_BYTES);

/** Values of 32 hexadecimal digits, or null. Null is stored as all zeros, which no hash or UUID is. */
export class HexColumn implements Column<string | null> {
  #bytes = Buffer.alloc(0);
  readonly #expected: number;
  /** The rare values of any other form. */
  readonly #others = new Map<number, string>();

  constructor(expected: number) {
    this.#expected = expected;
  }

  get(at: number): string | null {
    const start = at * HEX_BYTES;
    const hex = this.#bytes.toString('hex', start, start + HEX_BYTES);
    return hex === NO_HEX || hex === '' ? (this.#others.get(at) ?? null) : hex;
  }

  set(at: number, hex: string | null): void {
    if ((at + 1) * HEX_BYTES > this.#bytes.length) {
      if (hex === null) return;
      const longer = Buffer.alloc((at < this.#expected ? this.#expected : grown(at)) * HEX_BYTES);
      this.#bytes.copy(longer);
      this.#bytes = longer;
    }
    const isHex = hex !== null && HEX.test(hex);
    this.#bytes.write(isHex ? hex : NO_HEX, at * HEX_BYTES, 'hex');
    if (hex !== null && !isHex) this.#others.set(at, hex);
    else if (this.#others.size > 0) this.#others.delete(at);
  }
}

const LATIN1 = /^[\0-\u00ff]*$/;

/** Texts that hardly repeat, or null: their letters one after the other, a byte for each. */
export class TextColumn implements Column<string | null> {
  #bytes = Buffer.alloc(0);
  #used = 0;
  /** Where a text begins in the bytes, counted from 1, and how long it is. */
  readonly #starts: NumberColumn;
  readonly #lengths: NumberColumn;
  /** The rare texts with letters that take more. */
  readonly #others = new Map<number, string>();

  constructor(expected: number) {
    this.#starts = new NumberColumn(expected);
    this.#lengths = new NumberColumn(expected);
  }

  get(at: number): string | null {
    const start = this.#starts.get(at) - 1;
    return start < 0
      ? (this.#others.get(at) ?? null)
      : this.#bytes.toString('latin1', start, start + this.#lengths.get(at));
  }

  set(at: number, text: string | null): void {
    if (this.#others.size > 0) this.#others.delete(at);
    const isLatin1 = text !== null && LATIN1.test(text);
    if (text !== null && !isLatin1) this.#others.set(at, text);
    this.#starts.set(at, isLatin1 ? this.#used + 1 : 0);
    if (isLatin1) this.#lengths.set(at, this.#append(text));
  }

  #append(text: string): number {
    const { length } = text;
    if (this.#used + length > this.#bytes.length) {
      const longer = Buffer.alloc(grown(this.#used + length));
      this.#bytes.copy(longer, 0, 0, this.#used);
      this.#bytes = longer;
    }
    this.#bytes.write(text, this.#used, 'latin1');
    this.#used += length;
    return length;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUIDs, or null. */
export class UuidColumn implements Column<string | null> {
  readonly #hex: HexColumn;

  constructor(expected: number) {
    this.#hex = new HexColumn(expected);
  }

  get(at: number): string | null {
    const hex = this.#hex.get(at);
    return hex === null || hex.length !== 2 * HEX_BYTES
      ? hex
      : `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  set(at: number, id: string | null): void {
    this.#hex.set(at, id !== null && UUID.test(id) ? id.replaceAll('-', '') : id);
  }
}

/** Stores each distinct text once, until told to forget. */
export class Words {
  readonly #ids = new Map<string, number>();
  readonly #words: (string | null)[] = [null];

  idOf(word: string | null): number {
    if (word === null) return 0;
    let id = this.#ids.get(word);
    if (id === undefined) {
      // The text may be a part of a long one, which it would keep.
      const own = detached(word);
      id = this.#words.push(own) - 1;
      this.#ids.set(own, id);
    }
    return id;
  }

  wordOf(id: number): string | null {
    return this.#words[id] ?? null;
  }

  /** Drops what finds a text again, a quarter of the memory. A text that is set later is stored once more. */
  forget(): void {
    this.#ids.clear();
  }
}

/** Texts that often repeat, or null. */
export class WordColumn implements Column<string | null> {
  readonly #words: Words;
  readonly #ids: NumberColumn;

  constructor(words: Words, ids: NumberColumn) {
    this.#words = words;
    this.#ids = ids;
  }

  get(at: number): string | null {
    return this.#words.wordOf(this.#ids.get(at));
  }

  set(at: number, word: string | null): void {
    this.#ids.set(at, this.#words.idOf(word));
  }
}

/** One of few values, mostly in a byte; the first where none was set. */
export class ChoiceColumn<T> implements Column<T> {
  readonly #values: T[];
  readonly #places: NumberColumn;

  constructor(values: T[], expected: number) {
    this.#values = values;
    this.#places = new NumberColumn(expected);
  }

  get(at: number): T {
    return this.#values[this.#places.get(at)] as T;
  }

  set(at: number, value: T): void {
    const known = this.#values.indexOf(value);
    this.#places.set(at, known < 0 ? this.#values.push(value) - 1 : known);
  }
}

/** Values that most files lack, or null. Costs nothing until the first one is set. */
export class SparseColumn<T> implements Column<T | null> {
  readonly #values: (T | null)[] = [];

  get(at: number): T | null {
    return this.#values[at] ?? null;
  }

  set(at: number, value: T | null): void {
    if (value === null && at >= this.#values.length) return;
    while (this.#values.length < at) this.#values.push(null);
    this.#values[at] = value;
  }
}

function grown(at: number): number {
  return Math.ceil((at + 1) * 1.5);
}
