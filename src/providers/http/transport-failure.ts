import { ProviderFailure } from '../provider-failure.ts';

/** Why one attempt got no answer. */
export type Breakdown = 'unsent' | 'interrupted' | 'timeout' | 'certificate' | 'too_large' | 'unreadable';

/** Nothing was reached, so nothing can have arrived. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);
/** An alert about the certificate that we showed, or showed none of; or one that TLS cannot even load. */
const REFUSED_CERTIFICATE =
  /ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE|DECRYPT_ERROR)|ERR_OSSL_|ERR_SSL_(EE_KEY|CA_KEY|KEY_VALUES|NO_CERTIFICATE)/;

/** `beside`: errors of sockets during the request, which may say more than the error that was thrown. */
export function breakdownOf(
  error: unknown,
  beside: readonly unknown[] = [],
): { breakdown: Breakdown; isUnsent: boolean } {
  const codes = codesOf(error);
  const told = [...codes, ...beside.flatMap(codesOf)];
  const isUnsent = codes.length > 0 && codes.every((code) => UNSENT.has(code));
  if (codes.includes('UND_ERR_RES_EXCEEDED_MAX_SIZE')) return { breakdown: 'too_large', isUnsent: false };
  if (told.some((code) => REFUSED_CERTIFICATE.test(code))) return { breakdown: 'certificate', isUnsent: true };
  if (codes.some((code) => TIMEOUTS.has(code)) || nameOf(error) === 'TimeoutError') {
    return { breakdown: 'timeout', isUnsent };
  }
  return { breakdown: isUnsent ? 'unsent' : 'interrupted', isUnsent };
}

/** The codes of an error, and of those that it gathers or was caused by. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const gathered = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const inner = [...gathered, error.cause].flatMap(codesOf);
  const own = (error as NodeJS.ErrnoException).code;
  return inner.length > 0 || own === undefined ? inner : [own];
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The failure once nothing more is tried. Its message repeats nothing that came over the wire. */
export function failureOf(breakdown: Breakdown, isUnsent: boolean): ProviderFailure {
  if (breakdown === 'certificate') {
    return new ProviderFailure({ failureClass: 'config', code: 'CERTIFICATE_REJECTED', isUnsent });
  }
  if (breakdown === 'too_large' || breakdown === 'unreadable') return badResponse();
  const code = breakdown === 'timeout' ? 'TIMEOUT' : 'NETWORK_ERROR';
  return new ProviderFailure({ failureClass: 'transient', code, isUnsent });
}

/** The provider answered, but not with what its interface promises. */
export function badResponse(): ProviderFailure {
  return new ProviderFailure({ failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' });
}
