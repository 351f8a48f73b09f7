import { createHmac } from 'node:crypto';

import { sortedJson } from '../providers/webhook-delivery.ts';
import type { TellerWorld } from './world.ts';

export const TELLER_TAMPERS = ['none', 'no_header', 'wrong_secret', 'wrong_body', 'second_signature'] as const;
export type TellerTamper = (typeof TELLER_TAMPERS)[number];

export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** A webhook as Teller writes and signs it (contract 35.7), or spoiled in one way. */
export function signTellerWebhook(
  { numbering, webhookSecrets }: TellerWorld,
  { type, payload }: { type: string; payload: object },
  atMs: number,
  tamper: TellerTamper,
): SignedWebhook {
  const seconds = Math.floor(atMs / 1000);
  const timestamp = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const body = sortedJson({ id: `wh_sim_${numbering.next('webhook')}`, payload, timestamp, type });
  const headers = { 'content-type': 'application/json' };
  if (tamper === 'no_header') return { headers, body };
  const signed = tamper === 'wrong_body' ? `${body} ` : body;
  const secrets = tamper === 'wrong_secret' ? ['whsec_of_someone_else'] : webhookSecrets;
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${signed}`).digest('hex'));
  if (tamper === 'second_signature') signatures.splice(0, signatures.length, '0'.repeat(64), ...signatures.slice(0, 1));
  const value = [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
  return { headers: { ...headers, 'teller-signature': value }, body };
}
