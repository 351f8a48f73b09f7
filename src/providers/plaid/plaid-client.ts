import { Configuration, PlaidApi } from 'plaid';

import type { HttpClient } from '../http/http-client.ts';
import { badResponse } from '../http/transport-failure.ts';
import type { Outside } from '../provider.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import { failureOf } from './plaid-failure.ts';

export interface PlaidAccount {
  readonly clientId: string;
  readonly secret: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  isOnce?: boolean;
  withinMs?: number;
  /** Tokens that the request contains, to be kept out of errors. */
  secrets?: readonly string[];
}

/** Calls one method of Plaid's client. Its answer is read from the wire, whatever the client makes of it. */
export type CallPlaid = (
  method: (api: PlaidApi, options: object) => Promise<unknown>,
  options?: CallOptions,
) => Promise<JsonObject>;

/** What the library under Plaid's client passes to its transport. */
interface OutgoingRequest {
  url: string;
  data: string;
  headers: Readonly<Record<string, unknown>>;
}

/**
 * Plaid's own client knows the endpoints; our transport sends its requests. So proxies of the environment, redirects
 * and exceptions of the library underneath have no say.
 */
export function createPlaidClient(account: PlaidAccount, http: HttpClient, outside: Outside): CallPlaid {
  const asIs = [(data: unknown) => data];
  const configuration = new Configuration({
    basePath: account.baseUrl,
    baseOptions: {
      headers: { 'PLAID-CLIENT-ID': account.clientId, 'PLAID-SECRET': account.secret, 'User-Agent': outside.userAgent },
      transformRequest: asIs,
      transformResponse: asIs,
    },
  });
  const api = new PlaidApi(configuration);

  return async (method, { secrets = [], ...how } = {}) => {
    const send = async ({ url, data, headers }: OutgoingRequest): Promise<object> => {
      const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
      const answer = await http.call({
        ...how,
        method: 'POST',
        url,
        body: data,
        headers: Object.fromEntries(sent) as Record<string, string>,
      });
      if (answer.status < 200 || answer.status >= 300) {
        const failure = failureOf(answer, outside.now(), [...secrets, account.secret]);
        outside.refused?.('plaid', new URL(url).pathname, failure);
        throw failure;
      }
      return { data: answer.json, status: answer.status, statusText: '', headers: {}, config: {} };
    };
    const { data } = (await method(api, { adapter: send })) as { data: unknown };
    if (!isObject(data)) throw badResponse();
    return data;
  };
}
