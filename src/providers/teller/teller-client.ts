import { LIMITS } from '../../kernel/limits.ts';
import type { HttpClient } from '../http/http-client.ts';
import { badResponse } from '../http/transport-failure.ts';
import type { Outside } from '../provider.ts';
import { failureOf } from './teller-failure.ts';

/** Calls the API for the enrollment that a token opens. @throws ProviderFailure */
export interface CallTeller {
  /** The answer, which is JSON. */
  get(token: string, path: string, signal?: AbortSignal): Promise<unknown>;
  /** One attempt, whatever it answers. */
  status(token: string, path: string): Promise<number>;
  remove(token: string, path: string, signal?: AbortSignal): Promise<void>;
}

const VERSION = '2020-10-12';

export function createTellerClient(baseUrl: string, http: HttpClient, outside: Outside): CallTeller {
  const headersFor = (token: string): Record<string, string> => ({
    accept: 'application/json',
    'teller-version': VERSION,
    authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
  });

  async function call(
    method: 'GET' | 'DELETE',
    token: string,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const answer = await http.call({ method, url: baseUrl + path, headers: headersFor(token), signal });
    if (answer.status >= 200 && answer.status < 300) return answer.json;
    const failure = failureOf(answer, outside.now(), [token]);
    outside.refused?.('teller', path.split('?')[0] ?? path, failure);
    throw failure;
  }

  return {
    async get(token, path, signal) {
      const json = await call('GET', token, path, signal);
      if (json === undefined) throw badResponse();
      return json;
    },
    async status(token, path) {
      const within = { withinMs: LIMITS.providerRequestMs };
      const answer = await http.call({ method: 'GET', url: baseUrl + path, headers: headersFor(token), ...within });
      return answer.status;
    },
    async remove(token, path, signal) {
      await call('DELETE', token, path, signal);
    },
  };
}
