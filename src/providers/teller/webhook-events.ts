import { readWord } from '../http/provider-error.ts';
import { isObject, membersOf, readId, type JsonObject } from '../read-values.ts';
import type { WebhookEvent } from '../webhook.ts';
import { eventOf, readWebhookBody } from '../webhook-body.ts';

/** What a webhook of Teller means (contract 30.13, 35.7). */
export function readTellerEvent(body: Uint8Array): WebhookEvent {
  const sent = readWebhookBody(body);
  if (!sent) return eventOf({ isReadable: false });
  const payload = membersOf(sent['payload']);
  const itemId = readId(payload['enrollment_id']);
  return eventOf({ itemId, accountIds: accountsIn(payload), ...meaningOf(sent['type'], payload) });
}

function meaningOf(type: unknown, payload: JsonObject): Partial<WebhookEvent> {
  switch (type) {
    case 'transactions.processed':
      return { type: 'sync_available' };
    case 'enrollment.disconnected':
      return { type: 'connection_error', failureClass: 'login', code: codeOf(payload['reason']) };
    case 'webhook.test':
      return { type: 'test' };
    default:
      return {};
  }
}

function codeOf(reason: unknown): string {
  return `enrollment.${readWord(reason) ?? 'disconnected'}`;
}

function accountsIn({ account_id: accountId, transactions }: JsonObject): string[] {
  const rows = Array.isArray(transactions) ? transactions.filter(isObject) : [];
  const ids = [accountId, ...rows.map((row) => row['account_id'])].flatMap((id) => readId(id) ?? []);
  return [...new Set(ids)];
}
