/** Classes of failure (contract 30.7.6). `restart` and `position` never leave a provider's own folder. */
export type FailureClass = 'login' | 'item' | 'rate_limited' | 'transient' | 'config';

/** What the provider said, without tokens, for the single record of a sync log. */
export interface ProviderError {
  readonly code: string | null;
  readonly type: string | null;
  /** At most 500 characters. */
  readonly message: string | null;
  readonly requestId: string | null;
  readonly httpStatus: number | null;
}

interface ProviderFailureDetails {
  failureClass: FailureClass;
  /** The provider's code, else one of ours: `NETWORK_ERROR`, `TIMEOUT`, `PROVIDER_UNAVAILABLE`, … (30.7.6). */
  code: string;
  providerError?: ProviderError | null;
  /** The provider asked not to be called before this instant, in milliseconds. */
  notBefore?: number | null;
  /** Whether the request certainly never arrived, so nothing was used up. */
  isUnsent?: boolean;
}

/** A call that failed for good, retries included. Its message is ours and holds no token and no text of the provider. */
export class ProviderFailure extends Error {
  readonly failureClass: FailureClass;
  readonly code: string;
  readonly providerError: ProviderError | null;
  readonly notBefore: number | null;
  readonly isUnsent: boolean;

  constructor({
    failureClass,
    code,
    providerError = null,
    notBefore = null,
    isUnsent = false,
  }: ProviderFailureDetails) {
    super(`The provider failed: ${code}.`);
    this.name = 'ProviderFailure';
    this.failureClass = failureClass;
    this.code = code;
    this.providerError = providerError;
    this.notBefore = notBefore;
    this.isUnsent = isUnsent;
  }
}
