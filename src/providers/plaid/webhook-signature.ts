import { createHash, timingSafeEqual } from 'node:crypto';

import { compactVerify, decodeProtectedHeader } from 'jose';

import { readWord } from '../http/provider-error.ts';
import type { Outside } from '../provider.ts';
import { membersOf } from '../read-values.ts';
import type { WebhookRequest, WebhookVerdict } from '../webhook.ts';
import { readPlaidEvent } from './webhook-events.ts';
import type { KeyRing } from './webhook-keys.ts';

const MAX_AGE_MS = 300_000;
const MAX_AHEAD_MS = 60_000;
const MAX_TOKEN_CHARS = 8_192;

/** Checks the signature of a webhook (contract 30.13, 35.5) before anything of its body is read. */
export async function receivePlaidWebhook(
  { headers, body }: WebhookRequest,
  keys: KeyRing,
  outside: Outside,
): Promise<WebhookVerdict> {
  const token = headers['plaid-verification'];
  const kid = typeof token === 'string' ? kidOf(token) : null;
  if (typeof token !== 'string' || kid === null) return { verdict: 'rejected', reason: 'signature' };
  const key = await keys.find(kid);
  if (key === 'unreachable') return { verdict: 'unverifiable' };
  const claims = key === 'unknown' ? null : await readClaims(token, key);
  if (claims === null || !isHashOf(claims.bodyHash, body)) return { verdict: 'rejected', reason: 'signature' };
  const ageMs = outside.now() - claims.issuedAt * 1_000;
  if (ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) return { verdict: 'rejected', reason: 'clock' };
  return { verdict: 'accepted', event: readPlaidEvent(body) };
}

/** The key that a token says it was signed with; null for any other algorithm than ES256. */
function kidOf(token: string): string | null {
  if (token.length > MAX_TOKEN_CHARS) return null;
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === 'ES256' ? readWord(kid) : null;
  } catch {
    return null;
  }
}

async function readClaims(
  token: string,
  key: Parameters<typeof compactVerify>[1],
): Promise<{ issuedAt: number; bodyHash: string } | null> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['ES256'] });
    const { iat, request_body_sha256: bodyHash } = membersOf(JSON.parse(new TextDecoder().decode(payload)));
    return typeof iat === 'number' && typeof bodyHash === 'string' ? { issuedAt: iat, bodyHash } : null;
  } catch {
    return null;
  }
}

function isHashOf(claimed: string, body: Uint8Array): boolean {
  const actual = Buffer.from(createHash('sha256').update(body).digest('hex'));
  const said = Buffer.from(claimed);
  return said.length === actual.length && timingSafeEqual(said, actual);
}
