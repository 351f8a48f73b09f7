import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';

import { Agent, buildConnector } from 'undici';

import { LIMITS } from '../kernel/limits.ts';
import { classOfAddress } from '../kernel/network.ts';

export interface TransportOptions {
  /** The only place that is asked. */
  baseUrl: string;
  userAgent: string;
  resolveHost: (name: string) => Promise<readonly string[]>;
  /** Other than the limit of the service, for tests. */
  answerBytes?: number;
}

export interface Transport {
  fetch: typeof globalThis.fetch;
  close: () => Promise<void>;
}

/** No answer came that can be read. Its message says why, without the address and what was sent. */
export class TransportFailure extends Error {
  readonly isPassing: boolean;
  constructor(message: string, { isPassing }: { isPassing: boolean }) {
    super(message);
    this.isPassing = isPassing;
  }
}

/**
 * A `fetch` that reaches one server and no other: it follows no redirects, ignores proxies of the environment, and never
 * gives up waiting for an answer by itself, because models on a small machine are slow.
 */
export function createTransport({ baseUrl, userAgent, resolveHost, answerBytes }: TransportOptions): Transport {
  const { origin } = new URL(baseUrl);
  const agent = new Agent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: answerBytes ?? LIMITS.modelAnswerBytes,
    connect: buildConnector({
      allowH2: false,
      timeout: LIMITS.providerConnectMs,
      rejectUnauthorized: true,
      lookup: checkedLookup(resolveHost),
    }),
  });
  return {
    close: () => agent.destroy(),
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.origin !== origin)
        throw new TransportFailure('The request would have left the base URL.', { isPassing: false });
      const { signal } = init ?? {};
      try {
        const answer = await agent.request({
          method: 'POST',
          origin,
          path: url.pathname + url.search,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), 'user-agent': userAgent },
          body: typeof init?.body === 'string' ? init.body : null,
          ...(signal ? { signal } : {}),
        });
        const text = await answer.body.text();
        return new Response(isWithoutBody(answer.statusCode) ? null : text, {
          status: answer.statusCode,
          headers: plainHeaders(answer.headers),
        });
      } catch (error) {
        signal?.throwIfAborted();
        throw failureOf(error);
      }
    },
  };
}

function isWithoutBody(status: number): boolean {
  return [204, 205, 304].includes(status);
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
}

class RefusedAddress extends Error {}

function checkedLookup(resolveHost: TransportOptions['resolveHost']): LookupFunction {
  async function look(name: string, wanted: LookupOptions, done: Parameters<LookupFunction>[2]): Promise<void> {
    const found = await findAllowed(resolveHost, name, Number(wanted.family ?? 0));
    const [first] = found instanceof Error ? [] : found;
    if (found instanceof Error || !first) done(found instanceof Error ? found : unknownHost(), []);
    else if (wanted.all === true) done(null, found);
    else done(null, first.address, first.family);
  }
  return (name, wanted, done) => void look(name, wanted, done);
}

/** Link-local and cloud metadata addresses are left out, whatever name leads to them. */
async function findAllowed(
  resolveHost: TransportOptions['resolveHost'],
  name: string,
  family: number,
): Promise<LookupAddress[] | Error> {
  const addresses = await resolveHost(name).catch(() => []);
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const fitting = known.filter((one) => family === 0 || one.family === family);
  const allowed = fitting.filter(({ address }) => classOfAddress(address) !== 'never');
  return allowed.length === 0 && fitting.length > 0 ? new RefusedAddress() : allowed;
}

function unknownHost(): NodeJS.ErrnoException {
  return Object.assign(new Error('No address.'), { code: 'ENOTFOUND' });
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing is listening at the address of the model server. Is it running?',
  ENOTFOUND: 'The name of the model server does not resolve to an address.',
  EAI_AGAIN: 'The name of the model server does not resolve to an address.',
  EHOSTUNREACH: 'The model server cannot be reached from this machine.',
  ENETUNREACH: 'The model server cannot be reached from this machine.',
  UND_ERR_CONNECT_TIMEOUT: 'The model server cannot be reached from this machine.',
  ETIMEDOUT: 'The model server cannot be reached from this machine.',
};

function failureOf(error: unknown): TransportFailure {
  const codes = codesOf(error);
  if (codes.includes('UND_ERR_RES_EXCEEDED_MAX_SIZE')) {
    return new TransportFailure('The answer from the model server is too large.', { isPassing: false });
  }
  if (codes.includes('refused')) {
    return new TransportFailure(
      'The base URL leads to a link-local or cloud metadata address, which is never contacted.',
      { isPassing: false },
    );
  }
  if (codes.some((code) => /CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL/.test(code))) {
    return new TransportFailure('The certificate of the model server is not valid for its address.', {
      isPassing: false,
    });
  }
  const known = codes.find((code) => code in SENTENCES);
  const sentence = known === undefined ? undefined : SENTENCES[known];
  return new TransportFailure(sentence ?? 'The connection to the model server broke.', { isPassing: true });
}

/** The codes of an error, and of those that it gathers or was caused by. */
function codesOf(error: unknown): string[] {
  if (error instanceof RefusedAddress) return ['refused'];
  if (!(error instanceof Error)) return [];
  const gathered = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const own = (error as NodeJS.ErrnoException).code;
  return [...(own === undefined ? [] : [own]), ...[...gathered, error.cause].flatMap(codesOf)];
}
