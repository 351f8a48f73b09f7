import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';

import type { Random } from './random.ts';

const VERSION = 1;
const HEADER = 5;
const NONCE = 12;
const TAG = 16;

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export function hmacHex(key: Uint8Array, data: string): string {
  return createHmac('sha256', key).update(data).digest('hex');
}

/** The first 4 bytes of SHA-256(label ‖ master key), in hex: identifies a key without revealing it (20.15). */
export function keyIdOf(masterKey: Uint8Array): string {
  return createHash('sha256').update('homeledger/key-id/v1').update(masterKey).digest('hex').slice(0, 8);
}

/** A key for one purpose, derived from the master key by HKDF-SHA-256 (RFC 5869). */
export function deriveKey(masterKey: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(0), info, 32));
}

/**
 * Encrypts a secret for one place (`<table>:<row id>:<column>`), so that a record moved elsewhere fails to decrypt.
 * Record: version ‖ key id (4) ‖ nonce (12) ‖ ciphertext ‖ tag (16), AES-256-GCM (20.15).
 */
export function encryptRecord(masterKey: Uint8Array, place: string, plaintext: string, random: Random): Uint8Array {
  const nonce = random.bytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(masterKey, 'homeledger/records/v1'), nonce);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  const keyId = Buffer.from(keyIdOf(masterKey), 'hex');
  return Buffer.concat([Buffer.from([VERSION]), keyId, nonce, body, cipher.getAuthTag()]);
}

/** The secret in a record that was made for `place`; undefined if the key, the place or a single bit differs. */
export function decryptRecord(masterKey: Uint8Array, place: string, record: Uint8Array): string | undefined {
  const bytes = Buffer.from(record);
  if (bytes.length < HEADER + NONCE + TAG || bytes[0] !== VERSION) return undefined;
  const nonce = bytes.subarray(HEADER, HEADER + NONCE);
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(masterKey, 'homeledger/records/v1'), nonce);
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG));
  try {
    const text = decipher.update(bytes.subarray(HEADER + NONCE, bytes.length - TAG));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
