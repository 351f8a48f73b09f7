import type { Sequence } from '../../kernel/sequence.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Where keys stand in a list. It keeps numbers only, a few bytes for each, and not the keys, which the list has: a map of
 * half a million texts takes ten times as much.
 */
export class KeyIndex {
  /** The newest entry of each bucket, and for each entry the one before it: counted from 1, 0 where there is none. */
  readonly #newest: Int32Array;
  #before: Int32Array;
  #places: Int32Array;
  #length = 0;

  constructor(expected: number) {
    this.#newest = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(expected, 1))));
    this.#before = new Int32Array(expected);
    this.#places = new Int32Array(expected);
  }

  add(key: string, place: number): void {
    if (this.#length === this.#places.length) {
      this.#before = longer(this.#before);
      this.#places = longer(this.#places);
    }
    const bucket = this.#bucketOf(key);
    this.#before[this.#length] = this.#newest[bucket] as number;
    this.#places[this.#length] = place;
    this.#newest[bucket] = this.#length += 1;
  }

  /** The places that may have the key, the newest first, and sometimes a place of another key. */
  *placesOf(key: string): Generator<number, void, undefined> {
    for (let entry = this.#newest[this.#bucketOf(key)] as number; entry > 0; entry = this.#before[entry - 1] as number)
      yield this.#places[entry - 1] as number;
  }

  /** FNV-1a. */
  #bucketOf(key: string): number {
    let hash = FNV_OFFSET;
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), FNV_PRIME);
    return hash & (this.#newest.length - 1);
  }
}

/** Finds those of these places in a list whose entries have a key, in order. */
export function indexBy<Entry>(
  list: Sequence<Entry>,
  places: readonly number[],
  keysOf: (entry: Entry) => readonly string[],
): (key: string) => number[] {
  const index = new KeyIndex(places.length);
  for (const place of places) for (const key of keysOf(list.at(place) as Entry)) index.add(key, place);
  return (key) => [...index.placesOf(key)].filter((place) => keysOf(list.at(place) as Entry).includes(key)).reverse();
}

function longer(numbers: Int32Array): Int32Array {
  const copy = new Int32Array(Math.max(8, numbers.length * 2));
  copy.set(numbers);
  return copy;
}
