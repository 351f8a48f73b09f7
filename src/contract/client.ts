import type { ErrorBody } from '../kernel/errors.ts';
import type { CallOf, OutputOf } from './operation.ts';

export interface ClientOptions {
  baseUrl: string;
  apiKey: string;
  /** For tests and other runtimes. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Stored with the change set of a write. */
  reason?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** An error response, as the service sent it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: ErrorBody;
  constructor(status: number, body: ErrorBody) {
    super(body.error.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.error.code;
    this.body = body;
  }
}

export interface Client {
  /**
   * Calls an operation: `client.call(listTags, {})`. Its declaration types the input and the response.
   * @throws ApiError with the error envelope
   */
  call<O extends { method: string; path: string; response: unknown }>(
    operation: O,
    input: CallOf<O>,
    options?: CallOptions,
  ): Promise<OutputOf<O>>;
}

/** A client for a running Homeledger, typed by the same declarations that the server is made from. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch;
  return {
    async call(operation, input, extra = {}) {
      const { params, query, body } = input as { params?: object; query?: object; body?: unknown };
      const url = new URL(fillPath(operation.path, params ?? {}), options.baseUrl);
      for (const [name, value] of Object.entries(query ?? {})) {
        if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
      }
      const headers: Record<string, string> = { 'x-api-key': options.apiKey, accept: 'application/json' };
      if (body !== undefined) headers['content-type'] = 'application/json';
      if (extra.reason !== undefined) headers['x-change-reason'] = encodeURIComponent(extra.reason);
      if (extra.idempotencyKey !== undefined) headers['idempotency-key'] = extra.idempotencyKey;
      const answer = await send(url, {
        method: operation.method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(extra.signal === undefined ? {} : { signal: extra.signal }),
      });
      const text = await answer.text();
      const value: unknown = text === '' ? null : JSON.parse(text);
      if (!answer.ok) throw new ApiError(answer.status, value as ErrorBody);
      return value as never;
    },
  };
}

/** `/tags/{slug}` with its parameters filled in, percent-encoded. */
export function fillPath(path: string, params: object): string {
  const values = params as Readonly<Record<string, string | undefined>>;
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
}
