import { isIPv6, type LookupFunction } from 'node:net';

import { Agent } from 'undici';

import { readRetryAfter } from '../kernel/dates.ts';
import { breakdownOf, type Breakdown } from './http/transport-failure.ts';

/** A request to an address that a person typed in. */
export interface CheckedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The only addresses that may be connected to. */
  readonly addresses: readonly string[];
  /** At most so much of the answer is read, and none of it is kept. */
  readonly answerBytes: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Trusted in addition to the usual authorities, for tests. */
  readonly ca?: string;
}

export type CheckedAnswer =
  | { readonly status: number; readonly retryAfterMs: number | null }
  /** `untrusted`: the certificate is not valid for the name. */
  | { readonly breakdown: Breakdown | 'untrusted' };

/**
 * Posts once: no redirect is followed, no name resolved again, no proxy of the environment used, and no connection kept.
 * @throws the reason of the signal once it is aborted
 */
export async function postChecked(request: CheckedRequest): Promise<CheckedAnswer> {
  const { url, headers, body, addresses, answerBytes, now, signal, ca } = request;
  const connect = { lookup: lookupOf(addresses), rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
  const agent = new Agent({ allowH2: false, connect });
  try {
    const response = await agent.request({
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers,
      body,
      signal,
    });
    // Read for the other side's sake: what counts has been received.
    await response.body.dump({ limit: answerBytes, signal }).catch(() => undefined);
    return { status: response.statusCode, retryAfterMs: readRetryAfter(response.headers['retry-after'], now()) };
  } catch (error) {
    signal.throwIfAborted();
    return { breakdown: isUntrusted(error) ? 'untrusted' : breakdownOf(error).breakdown };
  } finally {
    await agent.destroy();
  }
}

/** Answers whoever asks for the addresses of the name with those that were checked. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, { all, family }, done) => {
    const wanted = known.filter((one) => family === undefined || family === 0 || one.family === Number(family));
    const [first] = wanted;
    if (!first) done(Object.assign(new Error('No address.'), { code: 'ENOTFOUND' }), []);
    else if (all === true) done(null, wanted);
    else done(null, first.address, first.family);
  };
}

/** Codes of OpenSSL and Node for a certificate that is expired, unknown, or that of another name. */
const UNTRUSTED = /CERT|SELF_SIGNED|ISSUER|ERR_TLS/;

function isUntrusted(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((one) => typeof one === 'string' && UNTRUSTED.test(one));
}
