import type { Clock } from './clock.ts';
import type { Instant } from './dates.ts';
import type { Random } from './random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const USER_CODE = 'BCDFGHJKMNPQRTWX2346789';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SHORT_ID = /^[0-9A-Za-z]{8}$/;

export interface Ids {
  /** A UUID version 7 (RFC 9562): lower case, strictly increasing within this process. */
  uuid(): string;
  /** Eight characters of 0-9A-Za-z, without modulo bias. */
  shortId(): string;
}

export function createIds(clock: Clock, random: Random): Ids {
  let lastMs = 0;
  let counter = 0;
  const uuid = Buffer.alloc(16);
  return {
    uuid() {
      const ms = clock.now();
      if (ms > lastMs) {
        lastMs = ms;
        counter = 0;
      } else if (counter >= 0xfff) {
        // The 12-bit counter is used up: borrow from the future rather than lose the order.
        lastMs += 1;
        counter = 0;
      } else {
        counter += 1;
      }
      uuid.writeUIntBE(lastMs, 0, 6);
      uuid.writeUInt16BE(0x7000 | counter, 6);
      uuid.set(random.bytes(8), 8);
      uuid[8] = ((uuid[8] as number) & 0x3f) | 0x80;
      return dashed(uuid);
    },
    shortId: () => randomBase62(random, 8),
  };
}

/** The first UUID of its time: what was made at or after an instant has it or a later one. */
export function firstUuidAt(instant: Instant): string {
  const ms = Date.parse(instant).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}

const HEX = Buffer.from('0123456789abcdef');
const text = Buffer.alloc(36, '-');

/** Written into one buffer, so that the string is one piece: put together from parts it takes twice the memory. */
function dashed(bytes: Uint8Array): string {
  let at = 0;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) at += 1;
    const byte = bytes[i] as number;
    text[at++] = HEX[byte >> 4] as number;
    text[at++] = HEX[byte & 15] as number;
  }
  return text.toString('latin1');
}

export function randomBase62(random: Random, length: number): string {
  return randomText(random, BASE62, length);
}

/** `XXXX-XXXX` for a person to type: no vowels, and no letters or digits that look alike (20.5). */
export function randomUserCode(random: Random): string {
  const code = randomText(random, USER_CODE, 8);
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Characters of an alphabet, each equally likely: bytes beyond its last multiple are drawn again. */
function randomText(random: Random, alphabet: string, length: number): string {
  const end = 256 - (256 % alphabet.length);
  let out = '';
  while (out.length < length) {
    for (const byte of random.bytes(length - out.length)) if (byte < end) out += alphabet[byte % alphabet.length];
  }
  return out;
}

/** 32 bytes read as one big-endian integer, in base62, left-padded with `0` to 43 characters (20.4). */
export function base62Of32Bytes(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let out = '';
  for (; value > 0n; value /= 62n) out = (BASE62[Number(value % 62n)] as string) + out;
  return out.padStart(43, '0');
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function isShortId(text: string): boolean {
  return SHORT_ID.test(text);
}
