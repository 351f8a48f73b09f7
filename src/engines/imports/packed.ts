import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

import { freeBytes } from '../../kernel/free-bytes.ts';

/** Values that can be iterated any number of times and are built again each time. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
}

/** Keeps blocks of bytes, in memory or elsewhere, and gives what reads each of them again. */
export interface BlockStore {
  keep(block: Uint8Array): () => Uint8Array;
}

const IN_MEMORY: BlockStore = { keep: (block) => () => block };
const PER_BLOCK = 500;
/** A statement of a few entries is not worth compressing. */
const SMALL_CHARS = 2_048;
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * A list of plain values, kept compressed block by block: half a million entries of a statement take tens of megabytes
 * instead of hundreds. It yields copies: nobody else sees their changes.
 */
export class Packed<T> implements Series<T> {
  readonly #store: BlockStore;
  readonly #blocks: (() => string)[] = [];
  #open: T[] = [];
  length = 0;

  constructor(store: BlockStore = IN_MEMORY) {
    this.#store = store;
  }

  push(value: T): void {
    this.length += 1;
    if (this.#open.push(value) >= PER_BLOCK) this.#close();
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    this.#close();
    for (const block of this.#blocks) yield* JSON.parse(block()) as T[];
  }

  #close(): void {
    if (this.#open.length === 0) return;
    const text = JSON.stringify(this.#open);
    this.#blocks.push(text.length < SMALL_CHARS ? () => text : packed(text, this.#store));
    this.#open = [];
  }
}

/** Compresses a text into the store, and gives what reads it again. Both free what they no longer need. */
function packed(text: string, store: BlockStore): () => string {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const block = store.keep(zstdCompressSync(bytes, FAST));
  freeBytes(bytes);
  return () => {
    // With room for one byte more, all of it comes in one piece.
    const unpacked = zstdDecompressSync(block(), { chunkSize: length + 1 });
    const again = unpacked.toString();
    freeBytes(unpacked, length + 1);
    return again;
  };
}

/** The series with `change` applied to each value. */
export function mapped<S, T>(series: Series<S>, change: (value: S) => T): Series<T> {
  return {
    length: series.length,
    *[Symbol.iterator]() {
      for (const value of series) yield change(value);
    },
  };
}
