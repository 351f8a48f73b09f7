import { rateLimitOf } from '../http/retry-after.ts';
import type { HttpAnswer } from '../http/http-client.ts';
import { describeError, readWord } from '../http/provider-error.ts';
import { ProviderFailure, type FailureClass, type ProviderError } from '../provider-failure.ts';
import { membersOf } from '../read-values.ts';

/** What a failure asks of the loop that reads transactions (contract 30.7.2). */
export type Remedy = 'restart' | 'drop_position' | 'no_transactions' | null;

export class PlaidFailure extends ProviderFailure {
  readonly remedy: Remedy;
  constructor(details: ConstructorParameters<typeof ProviderFailure>[0], remedy: Remedy) {
    super(details);
    this.remedy = remedy;
  }
}

/** The person has to sign in again; every other code of an item but PRODUCT_NOT_READY is lasting. */
const LOGIN_CODES: ReadonlySet<string> = new Set([
  'ITEM_LOGIN_REQUIRED',
  'INVALID_CREDENTIALS',
  'INVALID_MFA',
  'INSUFFICIENT_CREDENTIALS',
  'INVALID_UPDATED_USERNAME',
  'ITEM_LOCKED',
  'MFA_NOT_SUPPORTED',
  'NO_ACCOUNTS',
  'USER_SETUP_REQUIRED',
  'PASSWORD_RESET_REQUIRED',
  'ACCESS_NOT_GRANTED',
  'USER_PERMISSION_REVOKED',
  'USER_INPUT_TIMEOUT',
  'INVALID_OTP',
]);

/** The class of an error (contract 35.3), by its type and code, and only without them by the status. */
export function classOf(type: string | null, code: string | null, status: number | null): FailureClass {
  // The update mode of Link asks for the consent.
  if (code === 'ADDITIONAL_CONSENT_REQUIRED') return 'login';
  switch (type ?? '') {
    case 'ITEM_ERROR':
      if (code === 'PRODUCT_NOT_READY') return 'transient';
      return code !== null && LOGIN_CODES.has(code) ? 'login' : 'item';
    case 'OAUTH_ERROR':
      return 'login';
    case 'INSTITUTION_ERROR':
      if (code === 'INSTITUTION_REGISTRATION_REQUIRED') return 'config';
      return code === 'INSTITUTION_NO_LONGER_SUPPORTED' ? 'item' : 'transient';
    case 'API_ERROR':
    case 'TRANSACTIONS_ERROR':
      return 'transient';
    case 'RATE_LIMIT_EXCEEDED':
      return 'rate_limited';
    case 'INVALID_INPUT':
      return code === 'INVALID_ACCESS_TOKEN' ? 'item' : 'config';
    case 'INVALID_REQUEST':
      return 'config';
    default:
      return classOfStatus(status);
  }
}

function classOfStatus(status: number | null): FailureClass {
  if (status === 429) return 'rate_limited';
  return status !== null && (status >= 500 || status === 408) ? 'transient' : 'config';
}

/** The failure of an unsuccessful answer. `secrets` is what its request contained. */
export function failureOf(answer: HttpAnswer, now: number, secrets: readonly string[]): ProviderFailure {
  const said = membersOf(answer.json);
  const message = said['error_message'];
  const providerError = describeError(
    { code: said['error_code'], type: said['error_type'], message, requestId: said['request_id'] },
    answer.status,
    secrets,
  );
  const { code, type } = providerError;
  const failureClass = classOf(type, code, answer.status);
  const limited = rateLimitOf(
    failureClass === 'rate_limited' ? { ...answer, status: 429 } : answer,
    now,
    providerError,
  );
  if (limited) return limited;
  const withoutCode = failureClass === 'transient' ? 'PROVIDER_UNAVAILABLE' : `HTTP_${answer.status}`;
  return new PlaidFailure(
    { failureClass, code: code ?? withoutCode, providerError },
    remedyOf(type, code, typeof message === 'string' ? message : ''),
  );
}

function remedyOf(type: string | null, code: string | null, message: string): Remedy {
  if (code === 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION') return 'restart';
  if (code === 'PRODUCTS_NOT_SUPPORTED') return 'no_transactions';
  const isOfRequest = type === 'INVALID_REQUEST' || type === 'INVALID_INPUT';
  const isOfField = code === 'INVALID_FIELD' || code === 'INVALID_CURSOR';
  return isOfRequest && isOfField && /cursor/i.test(message) ? 'drop_position' : null;
}

/** The error that an item, or a webhook about it, is said to have; null for none. */
export function itemErrorOf(
  error: unknown,
  secrets: readonly string[] = [],
): { failureClass: FailureClass; code: string; providerError: ProviderError } | null {
  const said = membersOf(error);
  const [code, type] = [readWord(said['error_code']), readWord(said['error_type'])];
  if (code === null && type === null) return null;
  const status = typeof said['status'] === 'number' ? said['status'] : null;
  const message = said['error_message'];
  return {
    failureClass: classOf(type ?? 'ITEM_ERROR', code, status),
    code: code ?? 'ITEM_ERROR',
    providerError: describeError({ code, type, message, requestId: said['request_id'] }, status, secrets),
  };
}
