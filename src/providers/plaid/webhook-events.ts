import { parseInstant } from '../../kernel/dates.ts';
import { readId, type JsonObject } from '../read-values.ts';
import type { WebhookEvent } from '../webhook.ts';
import { eventOf, readWebhookBody, TEN_MINUTES_MS } from '../webhook-body.ts';
import { itemErrorOf } from './plaid-failure.ts';

/** What a webhook of Plaid means (contract 30.13, 35.5). */
export function readPlaidEvent(body: Uint8Array): WebhookEvent {
  const sent = readWebhookBody(body);
  if (!sent) return eventOf({ isReadable: false });
  const itemId = readId(sent['item_id']);
  const accountId = readId(sent['account_id']);
  return eventOf({ itemId, accountIds: accountId === null ? [] : [accountId], ...meaningOf(sent) });
}

/** Bodies of Plaid have neither id nor time: two real updates of an item are the same, byte for byte. */
function meaningOf(sent: JsonObject): Partial<WebhookEvent> {
  const { webhook_type: type, webhook_code: code } = sent;
  switch (typeof type === 'string' && typeof code === 'string' ? `${type}/${code}` : '') {
    case 'TRANSACTIONS/SYNC_UPDATES_AVAILABLE':
      return { type: 'sync_available', duplicateWindowMs: TEN_MINUTES_MS };
    case 'ITEM/ERROR':
      return { type: 'connection_error', ...errorOf(sent) };
    case 'ITEM/PENDING_EXPIRATION':
      return { type: 'pending_expiration', consentExpiresAt: readInstant(sent['consent_expiration_time']) };
    case 'ITEM/PENDING_DISCONNECT':
      return { type: 'pending_expiration', consentExpiresAt: readInstant(sent['disconnect_time']) };
    case 'ITEM/NEW_ACCOUNTS_AVAILABLE':
      return { type: 'new_accounts' };
    case 'ITEM/LOGIN_REPAIRED':
      return { type: 'login_repaired', duplicateWindowMs: TEN_MINUTES_MS };
    case 'ITEM/USER_PERMISSION_REVOKED':
      return { type: 'access_revoked', code: 'USER_PERMISSION_REVOKED', failureClass: 'login' };
    case 'ITEM/USER_ACCOUNT_REVOKED':
      return { type: 'account_revoked' };
    default:
      return {};
  }
}

function errorOf(sent: JsonObject): Pick<WebhookEvent, 'code' | 'failureClass'> {
  const error = itemErrorOf(sent['error']);
  return { code: error?.code ?? 'ITEM_ERROR', failureClass: error?.failureClass ?? 'item' };
}

function readInstant(value: unknown): string | null {
  return typeof value === 'string' ? (parseInstant(value) ?? null) : null;
}
