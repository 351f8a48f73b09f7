/** What a provider's webhook says, in words that no provider owns (contract 30.13). */

import type { FailureClass } from './provider-failure.ts';

/** A request as it arrived: nothing of it is believed before its signature is checked. */
export interface WebhookRequest {
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes, which the signature covers. */
  readonly body: Uint8Array;
}

export type WebhookVerdict =
  | { readonly verdict: 'accepted'; readonly event: WebhookEvent }
  /** `clock`: signed rightly, but outside the limits of time. */
  | { readonly verdict: 'rejected'; readonly reason: 'signature' | 'clock' }
  /** The provider cannot be reached for the key: it should send the webhook again. */
  | { readonly verdict: 'unverifiable' };

export type WebhookEventType =
  | 'sync_available'
  | 'connection_error'
  | 'pending_expiration'
  | 'new_accounts'
  | 'login_repaired'
  | 'access_revoked'
  | 'account_revoked'
  | 'test'
  | 'unknown';

export interface WebhookEvent {
  readonly type: WebhookEventType;
  /** False: the body is not a JSON object, so that nothing else is known of it. */
  readonly isReadable: boolean;
  readonly itemId: string | null;
  /** External ids of the accounts it names, by which its connection is found if it names no item. */
  readonly accountIds: readonly string[];
  /** Of `connection_error` and `access_revoked`: the provider's code and the class of the failure. */
  readonly code: string | null;
  readonly failureClass: FailureClass | null;
  /** Of `pending_expiration`: when the consent ends, if it says so. */
  readonly consentExpiresAt: string | null;
  /** How long the same body counts as the same event. Where two real events can be equal it is short. */
  readonly duplicateWindowMs: number;
}
