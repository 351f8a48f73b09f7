import type { ErrorBody } from '../kernel/errors.ts';
import type { CallOf, OutputOf } from './operation.ts';

export interface ClientOptions {
  baseUrl: string;
  /** Without one, the browser's session cookie says who calls. */
  apiKey?: string;
  /** For tests and other runtimes. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Stored with the change set of a write. */
  reason?: string;
  idempotencyKey?: string;
  /** The ETag of the record as the caller knows it: a write is refused with 412 if it has changed since. */
  ifMatch?: string;
  /** Where an operation offers it: be answered at once with what can be followed. */
  prefer?: 'respond-async';
  /** Sent beside the fields of the body, as a form; for operations that take an upload. */
  file?: File;
  signal?: AbortSignal;
}

/** A successful response with what its headers say. */
export interface Answered<T> {
  value: T;
  status: number;
  /** The change set of a write that changed something. */
  changeSetId: string | null;
  /** Of a read: names this state of the record. */
  etag: string | null;
}

/** An error response, as the service sent it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: ErrorBody;
  /** Seconds to wait before trying again, if the service says so. */
  readonly retryAfter: number | null;
  constructor(status: number, body: ErrorBody, retryAfter: number | null = null) {
    super(body.error.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.error.code;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** No answer arrived: the service may have done what was asked, or never have heard of it. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('Cannot reach Homeledger. Check your network connection and that the server is running.', { cause });
    this.name = 'ConnectionLost';
  }
}

interface Callable {
  method: string;
  path: string;
  response: unknown;
  beside?: readonly string[];
}

export interface Client {
  /**
   * Calls an operation: `client.call(listTags, {})`. Its declaration types the input and the response.
   * @throws ApiError with the error envelope, ConnectionLost
   */
  call<O extends Callable>(operation: O, input: CallOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  /** The same, with what the headers of the response say. */
  send<O extends Callable>(operation: O, input: CallOf<O>, options?: CallOptions): Promise<Answered<OutputOf<O>>>;
}

interface Input {
  params?: object;
  query?: object;
  body?: unknown;
}

/** A client for a running Homeledger, typed by the same declarations that the server is made from. */
export function createClient(options: ClientOptions): Client {
  async function send<O extends Callable>(operation: O, input: CallOf<O>, extra: CallOptions = {}) {
    const answer = await request(options, operation, input, extra);
    const text = await answer.text().catch((error: unknown) => lose(error, extra.signal));
    if (!answer.ok) throw new ApiError(answer.status, errorBodyOf(answer.status, text), retryAfterOf(answer.headers));
    const isText = answer.headers.get('content-type')?.startsWith('application/json') === false;
    const value = isText ? text : text === '' ? null : (JSON.parse(text) as unknown);
    return {
      value: value as OutputOf<O>,
      status: answer.status,
      changeSetId: answer.headers.get('x-change-set-id'),
      etag: answer.headers.get('etag'),
    };
  }
  return { send, call: async (...args) => (await send(...args)).value };
}

function request(options: ClientOptions, operation: Callable, input: Input, extra: CallOptions): Promise<Response> {
  const url = new URL(fillPath(operation.path, input.params ?? {}), options.baseUrl);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.apiKey !== undefined) headers['x-api-key'] = options.apiKey;
  const { file } = extra;
  if (input.body !== undefined && !file) headers['content-type'] = 'application/json';
  if (extra.reason !== undefined) headers['x-change-reason'] = encodeURIComponent(extra.reason);
  if (extra.idempotencyKey !== undefined) headers['idempotency-key'] = extra.idempotencyKey;
  if (extra.ifMatch !== undefined) headers['if-match'] = extra.ifMatch;
  if (extra.prefer !== undefined) headers['prefer'] = extra.prefer;
  const send = options.fetch ?? fetch;
  return send(url, {
    method: operation.method,
    headers,
    // A browser keeps answers with their ETag, and asks whether they are still the same. What is beside a record
    // changes without its ETag, so such an answer is not kept.
    cache: operation.beside === undefined ? 'no-cache' : 'no-store',
    ...(file ? { body: formOf(file, input.body) } : {}),
    ...(input.body === undefined || file ? {} : { body: JSON.stringify(input.body) }),
    ...(extra.signal === undefined ? {} : { signal: extra.signal }),
  }).catch((error: unknown) => lose(error, extra.signal));
}

/** Its own content type, with the boundary, is set by whoever sends it. */
function formOf(file: File, fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields ?? {}) as [string, unknown][]) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.append('file', file, file.name);
  return form;
}

/** @throws ConnectionLost, unless the caller gave up */
function lose(error: unknown, signal: AbortSignal | undefined): never {
  throw signal?.aborted === true ? error : new ConnectionLost(error);
}

/** A proxy in between answers in words of its own; then only the status is known. */
function errorBodyOf(status: number, text: string): ErrorBody {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody>;
    if (typeof body.error?.message === 'string') return body as ErrorBody;
  } catch {
    // Not JSON, so not ours.
  }
  const code = status >= 500 ? 'UNAVAILABLE' : 'INVALID_BODY';
  return { error: { code, message: `The server answered with status ${status} and no explanation. Try again.` } };
}

function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** `/tags/{slug}` with its parameters filled in, percent-encoded. */
function fillPath(path: string, params: object): string {
  const values = params as Readonly<Record<string, string | undefined>>;
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
}
