import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
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
      const time = lastMs.toString(16).padStart(12, '0');
      const tail = random.bytes(8);
      tail[0] = ((tail[0] as number) & 0x3f) | 0x80;
      const hex = Buffer.from(tail.buffer, tail.byteOffset, 8).toString('hex');
      const sequence = counter.toString(16).padStart(3, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${hex.slice(0, 4)}-${hex.slice(4)}`;
    },
    shortId: () => randomBase62(random, 8),
  };
}

/** `length` characters of base62, each equally likely: bytes of 248 and more are drawn again. */
export function randomBase62(random: Random, length: number): string {
  let out = '';
  while (out.length < length) {
    for (const byte of random.bytes(length - out.length)) if (byte < 248) out += BASE62[byte % 62];
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
