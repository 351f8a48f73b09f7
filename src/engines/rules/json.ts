import { RULE_LIMITS } from './rule-limits.ts';

/** A JSON value. Read objects from outside with `Object.entries`, so that `__proto__` is a key like any other. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of the object; inherited ones do not count. */
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

/** Why JSON readers cannot keep a number exactly; undefined if they can. */
export function numberFault(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'must be a finite number';
  const isBeyond = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isBeyond ? 'must be a whole number within ±(2^53 - 1); send a larger one as a string' : undefined;
}

/** Neither database stores U+0000 or lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether the text has at most `max` characters, counted as code points. */
export function isWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

// eslint-disable-next-line no-control-regex -- the pattern finds control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Why a text cannot be a metadata key (contract 10.6.1); undefined if it can. */
export function metadataKeyFault(key: string): string | undefined {
  if (key === '' || !isWithin(key, RULE_LIMITS.metadataKeyChars)) {
    return `must have 1 to ${RULE_LIMITS.metadataKeyChars} characters`;
  }
  return CONTROL.test(key) || !key.isWellFormed()
    ? 'must not contain control characters or unpaired surrogates'
    : undefined;
}

/** Why a value cannot be a metadata value, apart from its size (contract 10.6.1); undefined if it can. */
export function metadataValueFault(value: unknown, depth = 0): string | undefined {
  // Each level takes two bytes, so a deeper value is too large. This also bounds the recursion.
  if (depth > RULE_LIMITS.metadataValueBytes / 2) {
    return `must have at most ${RULE_LIMITS.metadataValueBytes} bytes as compact JSON`;
  }
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'string') return textFault(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const fault = textFault(key) ?? metadataValueFault(item, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function textFault(text: string): string | undefined {
  return isStorableText(text) ? undefined : 'must not contain U+0000 or unpaired surrogates';
}
