import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

import { isLoopbackHost } from '../../src/kernel/network.ts';
import type { SimulatedClock } from './clock.ts';
import { createFaultList, type FaultList } from './faults.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';

export interface SimulatedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** The body as text, and what it means in JSON; undefined when it is empty or no JSON. */
  text: string;
  body: unknown;
  /** For the certificate of a client. */
  socket: IncomingMessage['socket'];
}

export interface SimulatedAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON, and nothing when undefined. */
  body?: unknown;
}

/** What a provider's simulator makes of requests. */
export interface SimulatedProvider {
  clock: SimulatedClock;
  /** The provider's own API. */
  answer(request: SimulatedRequest): SimulatedAnswer;
  /** Ids of item, enrollment and account that a request is about, for faults. */
  subjectsOf(request: SimulatedRequest): readonly string[];
  /** What the browser asks for: the script and what it needs; undefined for everything else. */
  answerBrowser(request: SimulatedRequest): SimulatedAnswer | undefined;
  /** Calls below `/_control`. */
  control(request: SimulatedRequest): Promise<SimulatedAnswer>;
}

export interface SimulatorServer {
  url: string;
  faults: FaultList;
  requests: RequestLog;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 33_554_432;

/** Listens on loopback and takes every request through the log, the faults and the provider. */
export async function serveProvider(
  makeProvider: (server: Pick<SimulatorServer, 'faults' | 'requests'>) => SimulatedProvider,
  options: { port?: number; tls?: ServerOptions } = {},
): Promise<SimulatorServer> {
  const parts = { faults: createFaultList(), requests: createRequestLog() };
  const provider = makeProvider(parts);
  const listening = await serveOnLoopback(
    (incoming, outgoing, signal) => handle({ ...parts, provider, signal }, incoming, outgoing),
    options,
  );
  return { ...parts, ...listening };
}

/** Answers one request; the signal is aborted when the server closes. */
type Answering = (incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal) => Promise<void>;

export async function serveOnLoopback(
  answer: Answering,
  { port: wanted = 0, tls }: { port?: number; tls?: ServerOptions } = {},
): Promise<Pick<SimulatorServer, 'url' | 'close'>> {
  const closing = new AbortController();
  const listener: RequestListener = (incoming, outgoing) => {
    answer(incoming, outgoing, closing.signal).catch((error: unknown) => {
      if (!closing.signal.aborted) process.stderr.write(`A simulator failed: ${String(error)}\n`);
      outgoing.destroy();
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  await listenOnLoopback(server, wanted);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listenOnLoopback(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Handling extends Pick<SimulatorServer, 'faults' | 'requests'> {
  provider: SimulatedProvider;
  signal: AbortSignal;
}

async function handle(handling: Handling, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { provider, requests, faults, signal } = handling;
  const request = await readRequest(incoming);
  if (request.path === '/_control' || request.path.startsWith('/_control/')) {
    send(outgoing, isFromElsewhere(request) ? { status: 403 } : await provider.control(request));
    return;
  }
  const forBrowser = provider.answerBrowser(request);
  if (forBrowser) {
    send(outgoing, forBrowser);
    return;
  }
  const { method, path, query, headers, body, text } = request;
  const logged = requests.add({
    at: provider.clock.instant(),
    method,
    path,
    query,
    headers,
    body: body ?? (text === '' ? null : text),
  });
  const fault = faults.befalling(path, provider.subjectsOf(request));
  if (fault) await faults.delay(fault, signal);
  const isReplaced = fault !== undefined && (fault.drop || fault.status !== undefined);
  let answer = isReplaced && !fault.applied ? undefined : provider.answer(request);
  if (fault?.drop) {
    outgoing.destroy();
    return;
  }
  if (fault?.status !== undefined) answer = { status: fault.status, headers: fault.headers, body: fault.body };
  if (!answer) return;
  logged.status = answer.status;
  send(outgoing, answer);
}

/** A page of another site may reach loopback through the browser of whoever runs a demo. */
function isFromElsewhere({ headers }: SimulatedRequest): boolean {
  const { host = '', origin } = headers;
  if (origin !== undefined && URL.parse(origin)?.host !== host) return true;
  return !isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '');
}

export async function readRequest(incoming: IncomingMessage): Promise<SimulatedRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error('the body of a request is too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  const url = new URL(incoming.url ?? '/', 'http://simulator');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: jsonOf(text),
    socket: incoming.socket,
  };
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function send(outgoing: ServerResponse, { status, headers = {}, body }: SimulatedAnswer): void {
  if (outgoing.destroyed) return;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type = text.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  outgoing.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type }), ...lowered });
  outgoing.end(text);
}
