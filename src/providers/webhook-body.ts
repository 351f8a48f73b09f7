import { DAY_MS, MINUTE_MS } from '../kernel/dates.ts';
import { isObject, type JsonObject } from './read-values.ts';
import type { WebhookEvent } from './webhook.ts';

export const TEN_MINUTES_MS = 10 * MINUTE_MS;

/** The object in a webhook's body; undefined if it is anything else. */
export function readWebhookBody(body: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An event that says nothing but what is given. */
export function eventOf(said: Partial<WebhookEvent>): WebhookEvent {
  return {
    type: 'unknown',
    isReadable: true,
    itemId: null,
    accountIds: [],
    code: null,
    failureClass: null,
    consentExpiresAt: null,
    // The same body within a day is the same event, unless its provider's bodies have neither id nor time.
    duplicateWindowMs: DAY_MS,
    ...said,
  };
}
