import { createECDH, createHash, createHmac } from 'node:crypto';

/** The key of contract 35.10, which signs until it is rotated. */
const FIRST_KEY = '2jjmcaTnV-PKEPVh6eIk8VT7C2zt1qaPbxGUBRbVpzs';
const KID = '6c5516e1-92dc-479e-a8ff-5a51992e';
const KID_DIGITS = 4;
const CREATED_AT = 1_560_466_150;
/** The order of the group P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const SCALAR_BYTES = 32;

export interface SigningKey {
  kid: string;
  secret: Buffer;
  created_at: number;
  /** Unix seconds; null while it has no end. */
  expired_at: number | null;
}

export interface KeyRing {
  current: SigningKey;
  all: Map<string, SigningKey>;
  rotate(nowSeconds: number, expireOldAfterSeconds: number | null): SigningKey;
  /** A key that no look-up finds. */
  stranger(): SigningKey;
}

export function createKeyRing(seed: number): KeyRing {
  const first = makeKey(1, Buffer.from(FIRST_KEY, 'base64url'), CREATED_AT);
  const ring: KeyRing = {
    current: first,
    all: new Map([[first.kid, first]]),
    rotate(nowSeconds, expireOldAfterSeconds) {
      if (expireOldAfterSeconds !== null) ring.current.expired_at = nowSeconds + expireOldAfterSeconds;
      const number = ring.all.size + 1;
      ring.current = makeKey(number, secretOf(`${seed}:${number}`), nowSeconds);
      ring.all.set(ring.current.kid, ring.current);
      return ring.current;
    },
    stranger: () => makeKey(9_999, secretOf(`${seed}:stranger`), CREATED_AT),
  };
  return ring;
}

function makeKey(number: number, secret: Buffer, createdAt: number): SigningKey {
  return { kid: KID + String(number).padStart(KID_DIGITS, '0'), secret, created_at: createdAt, expired_at: null };
}

function secretOf(text: string): Buffer {
  return toBytes((toNumber(createHash('sha256').update(text).digest()) % (ORDER - 1n)) + 1n);
}

/** The answer's `key` of `/webhook_verification_key/get`. */
export function publicKeyOf({ kid, secret, created_at, expired_at }: SigningKey): Record<string, unknown> {
  const { x, y } = pointOf(secret);
  const point = { x: x.toString('base64url'), y: y.toString('base64url') };
  return { alg: 'ES256', crv: 'P-256', kid, kty: 'EC', use: 'sig', ...point, created_at, expired_at };
}

function pointOf(secret: Buffer): { x: Buffer; y: Buffer } {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(secret);
  const point = ecdh.getPublicKey();
  return { x: point.subarray(1, 1 + SCALAR_BYTES), y: point.subarray(1 + SCALAR_BYTES) };
}

/** A compact JWS with the key's signature. */
export function signJwt(header: object, claims: object, key: SigningKey): string {
  const text = unsigned(header, claims);
  return `${text}.${signEs256(text, key.secret).toString('base64url')}`;
}

export function unsigned(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

/**
 * ES256 with the nonce of RFC 6979 instead of chance, so that a world's webhooks are the same bytes each time. The
 * platform offers only the latter. Secrets here are made up: nothing guards them against timing.
 */
function signEs256(text: string, secret: Buffer): Buffer {
  const digest = createHash('sha256').update(text).digest();
  const nonces = noncesFor(secret, digest);
  for (;;) {
    const nonce = nonces();
    const r = toNumber(pointOf(toBytes(nonce)).x) % ORDER;
    const s = (inverse(nonce) * (toNumber(digest) + r * toNumber(secret))) % ORDER;
    if (r !== 0n && s !== 0n) return Buffer.concat([toBytes(r), toBytes(s)]);
  }
}

/** RFC 6979, section 3.2, with SHA-256. */
function noncesFor(secret: Buffer, digest: Buffer): () => bigint {
  const seed = Buffer.concat([secret, toBytes(toNumber(digest) % ORDER)]);
  let k: Buffer = Buffer.alloc(SCALAR_BYTES);
  let v: Buffer = Buffer.alloc(SCALAR_BYTES, 1);
  const hmac = (...parts: Uint8Array[]): Buffer => createHmac('sha256', k).update(Buffer.concat(parts)).digest();
  const mix = (separator: number, ...more: Uint8Array[]): void => {
    k = hmac(v, Buffer.of(separator), ...more);
    v = hmac(v);
  };
  mix(0, seed);
  mix(1, seed);
  return () => {
    for (;;) {
      v = hmac(v);
      const nonce = toNumber(v);
      if (nonce > 0n && nonce < ORDER) return nonce;
      mix(0);
    }
  };
}

/** By Fermat's little theorem. */
function inverse(number: bigint): bigint {
  let result = 1n;
  let base = number % ORDER;
  for (let exponent = ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % ORDER;
    base = (base * base) % ORDER;
  }
  return result;
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex');
}
