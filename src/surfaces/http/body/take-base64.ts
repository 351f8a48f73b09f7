import { LIMITS } from '../../../kernel/limits.ts';

/** What stands for a file that was taken out of a body. It is no base64, so nobody sends it as a file. */
export const TAKEN = '(taken)';

const QUOTE = 0x22;
const COLON = 0x3a;
const SPACE = 0x20;
const EQUALS = 0x3d;
const DIGITS = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'));
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => (DIGITS.has(byte) ? 1 : 0));
/** A multiple of four. */
const CHUNK = 65_536;

/**
 * Takes a large file out of JSON, which as a text would need more than twice its memory. It is decoded in place, so
 * what is left of the body is `json`. Null if there is none in one of the fields, or if anything about it is unusual:
 * then it is read like any other text.
 */
export function takeBase64(body: Buffer, fields: readonly string[]): { json: Buffer; file: Buffer } | null {
  for (const field of fields) {
    const from = valueOf(body, field);
    const to = from < 0 ? -1 : body.indexOf(QUOTE, from);
    if (to - from <= LIMITS.bodyReadInPlaceBytes || !isBase64(body, from, to)) continue;
    const json = Buffer.concat([body.subarray(0, from), Buffer.from(TAKEN), body.subarray(to)]);
    return { json, file: decodeInPlace(body.subarray(from, to)) };
  }
  return null;
}

/** Where the first text begins that is the value of this field; -1 without one. */
function valueOf(body: Buffer, field: string): number {
  const name = `"${field}"`;
  for (let at = body.indexOf(name); at >= 0; at = body.indexOf(name, at + 1)) {
    const colon = behindBlanks(body, at + name.length);
    if (body[colon] !== COLON) continue;
    const value = behindBlanks(body, colon + 1);
    if (body[value] === QUOTE) return value + 1;
  }
  return -1;
}

function behindBlanks(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && (body[at] as number) <= SPACE) at++;
  return at;
}

/** Whether a stretch is base64 in either alphabet, without blanks or escapes. */
function isBase64(body: Buffer, from: number, to: number): boolean {
  let end = to;
  while (to - end < 2 && body[end - 1] === EQUALS) end--;
  if ((end - from) % 4 === 1) return false;
  for (let at = from; at < end; at++) if (IS_DIGIT[body[at] as number] === 0) return false;
  return true;
}

function decodeInPlace(text: Buffer): Buffer {
  let length = 0;
  for (let at = 0; at < text.length; at += CHUNK) {
    length += text.write(text.toString('latin1', at, at + CHUNK), length, 'base64');
  }
  return text.subarray(0, length);
}
