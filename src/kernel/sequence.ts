/** A list as arrays are, and also one that makes its values as they are asked for. */
export interface Sequence<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

/** The values, each with its index. */
export function* numbered<T>(values: Iterable<T>): Generator<readonly [index: number, value: T], void, undefined> {
  let index = 0;
  for (const value of values) {
    yield [index, value];
    index += 1;
  }
}

/** Whether each value is at least as great as the one before it. */
export function isInOrder<T>(values: Iterable<T>, compare: (a: T, b: T) => number): boolean {
  let previous: T | undefined;
  for (const value of values) {
    if (previous !== undefined && compare(previous, value) > 0) return false;
    previous = value;
  }
  return true;
}
