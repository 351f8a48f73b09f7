type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** What the reader answers is readonly, records are not; it is small, so it is copied. */
export function copyOf<T>(value: T): Mutable<T> {
  return structuredClone(value) as Mutable<T>;
}
