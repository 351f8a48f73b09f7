/** A JSON value. Objects from outside are read by `Object.entries` only, so that `__proto__` is a key like others. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of this very object; what it inherits does not count. */
export function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Bytes of the compact UTF-8 form. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes of a metadata map in its compact UTF-8 form. */
export function mapBytes(map: ReadonlyMap<string, unknown>): number {
  let bytes = 1 + Math.max(map.size, 1);
  for (const [key, value] of map) bytes += jsonBytes(key) + 1 + jsonBytes(value);
  return bytes;
}

/** Why a number cannot be kept exactly by JSON readers; undefined when it can. */
export function numberFault(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'must be a finite number';
  const isBeyond = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isBeyond ? 'must be an integer within ±(2^53 - 1); send larger ones as a string' : undefined;
}

/** U+0000 and half characters are no text for either database. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** True when the text has at most `max` characters; code points count. */
export function isWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}
