import { createHash, createHmac } from 'node:crypto';

import { sortedJson } from '../providers/webhook-delivery.ts';
import { publicKeyOf, signJwt, unsigned, type SigningKey } from './signing-keys.ts';
import type { PlaidWorld } from './world.ts';

export const PLAID_TAMPERS = [
  'none',
  'no_header',
  'wrong_body_hash',
  'wrong_key',
  'unknown_kid',
  'expired_key',
  'alg_hs256',
  'alg_none',
] as const;
export type PlaidTamper = (typeof PLAID_TAMPERS)[number];

export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** A webhook as Plaid writes and signs it (contract 35.5), or spoiled in one way. */
export function signPlaidWebhook(
  world: PlaidWorld,
  payload: Readonly<Record<string, unknown>>,
  atMs: number,
  tamper: PlaidTamper,
): SignedWebhook {
  const body = sortedJson(payload, 2);
  const hashed = tamper === 'wrong_body_hash' ? `${body} ` : body;
  const claims = {
    iat: Math.floor(atMs / 1000),
    request_body_sha256: createHash('sha256').update(hashed).digest('hex'),
  };
  const headers = { 'content-type': 'application/json' };
  if (tamper === 'no_header') return { headers, body };
  return { headers: { ...headers, 'plaid-verification': tokenFor(world, claims, claims.iat, tamper) }, body };
}

function tokenFor(world: PlaidWorld, claims: object, nowSeconds: number, tamper: PlaidTamper): string {
  const key = keyFor(world, nowSeconds, tamper);
  const header = { alg: 'ES256', kid: key.kid, typ: 'JWT' };
  if (tamper === 'alg_none') return `${unsigned({ ...header, alg: 'none' }, claims)}.`;
  if (tamper === 'alg_hs256') {
    // The old attack: what everybody may look up serves as the shared secret.
    const text = unsigned({ ...header, alg: 'HS256' }, claims);
    return `${text}.${createHmac('sha256', JSON.stringify(publicKeyOf(key)))
      .update(text)
      .digest('base64url')}`;
  }
  if (tamper === 'wrong_key') return signJwt(header, claims, world.keys.stranger());
  return signJwt(header, claims, key);
}

function keyFor({ keys }: PlaidWorld, nowSeconds: number, tamper: PlaidTamper): SigningKey {
  if (tamper === 'unknown_kid') return keys.stranger();
  if (tamper !== 'expired_key') return keys.current;
  const expired = [...keys.all.values()].find(({ expired_at }) => expired_at !== null && expired_at <= nowSeconds);
  if (expired) return expired;
  const old = keys.current;
  keys.rotate(nowSeconds, -1);
  return old;
}
