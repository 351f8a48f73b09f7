/** Rows by their places, ascending, of which the first that is not taken counts. Rows are never given back. */
export class RowQueue {
  readonly #places: readonly number[];
  readonly #taken: Uint8Array;
  #head = 0;

  constructor(places: readonly number[], taken: Uint8Array) {
    this.#places = places;
    this.#taken = taken;
  }

  /** The first place that is open and not refused; Infinity when there is none. */
  first(isRefused?: (place: number) => boolean): number {
    while (this.#head < this.#places.length && this.#taken[this.#places[this.#head] as number] === 1) this.#head += 1;
    if (!isRefused) return this.#places[this.#head] ?? Infinity;
    for (let at = this.#head; at < this.#places.length; at += 1) {
      const place = this.#places[at] as number;
      if (this.#taken[place] === 0 && !isRefused(place)) return place;
    }
    return Infinity;
  }
}

/** Several queues as one. A heap by the first place of each, put right only where it is looked at. */
export class MergedQueue {
  readonly #queues: readonly RowQueue[];
  readonly #heap: { queue: RowQueue; first: number }[];

  constructor(queues: readonly RowQueue[]) {
    this.#queues = queues;
    this.#heap = queues.map((queue) => ({ queue, first: queue.first() })).sort((a, b) => a.first - b.first);
  }

  first(isRefused?: (place: number) => boolean): number {
    if (isRefused) return this.#queues.reduce((least, queue) => Math.min(least, queue.first(isRefused)), Infinity);
    for (;;) {
      const top = this.#heap[0];
      if (!top) return Infinity;
      const first = top.queue.first();
      if (first === top.first) return first;
      top.first = first;
      this.#sink();
    }
  }

  /** Moves the top down to its place. Queues only advance, so nothing else is out of place. */
  #sink(): void {
    const heap = this.#heap;
    const moved = heap[0] as (typeof heap)[number];
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const isRightFirst = right < heap.length && (heap[right]?.first ?? 0) < (heap[left]?.first ?? 0);
      const child = isRightFirst ? right : left;
      const next = heap[child];
      if (!next || next.first >= moved.first) break;
      heap[at] = next;
      at = child;
    }
    heap[at] = moved;
  }
}
