import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Outside } from '../provider.ts';
import type { WebhookRequest, WebhookVerdict } from '../webhook.ts';
import { readTellerEvent } from './webhook-events.ts';

const MAX_SKEW_MS = 180_000;
const MAX_HEADER_CHARS = 8_192;
const MAX_SIGNATURES = 10;

/** Checks the signature of a webhook (contract 30.13, 35.7) before anything of its body is read. */
export function receiveTellerWebhook(
  { headers, body }: WebhookRequest,
  webhookSecret: string | null,
  outside: Outside,
): WebhookVerdict {
  const header = headers['teller-signature'];
  const signed = typeof header === 'string' ? readHeader(header) : null;
  const secrets = (webhookSecret ?? '').split(',').filter((secret) => secret !== '');
  if (signed === null || !isSigned(signed, body, secrets)) return { verdict: 'rejected', reason: 'signature' };
  if (Math.abs(outside.now() - Number(signed.at) * 1_000) > MAX_SKEW_MS)
    return { verdict: 'rejected', reason: 'clock' };
  return { verdict: 'accepted', event: readTellerEvent(body) };
}

interface Signed {
  /** As sent, since the text is what was signed. */
  at: string;
  signatures: Buffer[];
}

function readHeader(header: string): Signed | null {
  if (header.length > MAX_HEADER_CHARS) return null;
  const parts = header.split(',').map((part) => part.trim());
  const at = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/i.test(part)).slice(0, MAX_SIGNATURES);
  if (!/^\d{1,12}$/.test(at) || signatures.length === 0) return null;
  return { at, signatures: signatures.map((part) => Buffer.from(part.slice(3), 'hex')) };
}

/** Compares every signature with every secret, so that the time it takes tells nothing. */
function isSigned({ at, signatures }: Signed, body: Uint8Array, secrets: readonly string[]): boolean {
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${at}.`).update(body).digest());
  const matches = expected.flatMap((mine) => signatures.map((sent) => timingSafeEqual(mine, sent)));
  return matches.includes(true);
}
