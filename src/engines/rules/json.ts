import { RULE_LIMITS } from './rule-limits.ts';

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

// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Why a text cannot be a metadata key (contract 10.6.1); undefined when it can. */
export function metadataKeyFault(key: string): string | undefined {
  if (key === '' || !isWithin(key, RULE_LIMITS.metadataKeyChars)) {
    return `must be a key of 1 to ${RULE_LIMITS.metadataKeyChars} characters`;
  }
  return CONTROL.test(key) || !key.isWellFormed() ? 'must be a key without control or half characters' : undefined;
}

/** Why JSON cannot be a metadata value, its size aside (contract 10.6.1); undefined when it can. */
export function metadataValueFault(value: unknown, depth = 0): string | undefined {
  // Every level takes two bytes, so that what is deeper is too large; it would exhaust the stack of a recursion.
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
  return isStorableText(text) ? undefined : 'must hold text without U+0000 and without half characters';
}
