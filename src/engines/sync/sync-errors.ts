/** Why a sync or a connection failed, and the sentence that people read (contract 30.7.6). */

export type FailureClass = 'login' | 'item' | 'rate_limited' | 'transient' | 'config';

/** Codes of ours that need a sentence of their own, whatever their class. */
export const CONSENT_EXPIRED = 'CONSENT_EXPIRED';
export const CREDENTIALS_UNREADABLE = 'CREDENTIALS_UNREADABLE';
export const INTERRUPTED = 'INTERRUPTED';
export const CONNECTION_DISCONNECTED = 'CONNECTION_DISCONNECTED';

/** Trouble of this server, not of the bank. */
export const INTERNAL_ERROR = 'INTERNAL_ERROR';

/** Refusals of the household's own keys or certificate. */
const OF_KEYS: ReadonlySet<string> = new Set(['INVALID_API_KEYS', 'UNAUTHORIZED_ENVIRONMENT', 'CERTIFICATE_REJECTED']);

export interface SyncError {
  /** null: not a failure of the connection. */
  readonly failureClass: FailureClass | null;
  readonly code: string;
}

export interface ErrorNames {
  /** The connection's institution; null: `the bank`. */
  readonly institutionName: string | null;
  /** The provider's name for people, such as `Plaid`. */
  readonly providerName: string;
}

/** Our own English sentence; it never repeats what the provider said. */
export function syncErrorMessage(
  { failureClass, code }: SyncError,
  { institutionName, providerName }: ErrorNames,
): string {
  const bank = institutionName ?? 'the bank';
  const bankFirst = institutionName ?? 'The bank';
  const ofCode: Readonly<Record<string, string>> = {
    [CONSENT_EXPIRED]: `Your permission for ${bank} has ended. Renew it by signing in again.`,
    [CREDENTIALS_UNREADABLE]:
      `The stored access to ${bank} cannot be decrypted. Restore the encryption key, or disconnect and link ${bank} ` +
      'again; accounts and history are kept.',
    [INTERRUPTED]:
      'The service stopped during this sync. Nothing was stored, and the sync will be retried automatically.',
    [INTERNAL_ERROR]:
      'This server could not store the sync; the bank is not to blame. It is tried again by itself, and the log of the ' +
      'server has the cause.',
    INSTITUTION_REGISTRATION_REQUIRED: `${bankFirst} must first be registered for in ${providerName}'s dashboard. An admin does that; then sign in again.`,
    [CONNECTION_DISCONNECTED]: 'The connection was disconnected during this sync, so nothing was stored.',
  };
  const ofClass: Readonly<Record<FailureClass, string>> = {
    login: `${bankFirst} wants you to sign in again. Nothing is lost; new transactions arrive after that.`,
    item:
      `${providerName} has lost its link to ${bank} for good. Disconnect and link ${bank} again; accounts and history ` +
      'are kept.',
    rate_limited: `${providerName} asks for a pause. It is tried again by itself; there is nothing to do.`,
    transient: `${bankFirst} or ${providerName} cannot be reached. It is tried again by itself; there is nothing to do.`,
    config: OF_KEYS.has(code)
      ? `${providerName} refuses this server's own keys or certificate. An admin must check the provider settings.`
      : `${providerName} refuses what this server sends (${code}). An admin finds what it says in the provider settings.`,
  };
  // A code is a word of the provider, perhaps one that every object knows.
  return (Object.hasOwn(ofCode, code) ? ofCode[code] : undefined) ?? ofClass[failureClass ?? 'transient'];
}
