import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Outside } from '../../../src/providers/provider.ts';

export interface Recorded {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The members of the body. */
  json: Readonly<Record<string, unknown>>;
}

/** What the server does with one request: an answer, or `drop`, which closes the socket. */
export type Scripted =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string>; delayMs?: number }
  | 'drop'
  | 'never';

export interface ScriptedServer {
  url: string;
  requests: Recorded[];
  /** Answers of the next requests, in order; the last one is repeated. A function may look at the request. */
  script: (...answers: (Scripted | ((request: Recorded) => Scripted))[]) => void;
  close: () => Promise<void>;
}

/** A server on loopback that answers as it is told, and remembers what it was asked. */
export async function scriptedServer(): Promise<ScriptedServer> {
  let queue: (Scripted | ((request: Recorded) => Scripted))[] = [];
  const requests: Recorded[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const recorded: Recorded = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        json: body.startsWith('{') ? (JSON.parse(body) as Recorded['json']) : {},
      };
      requests.push(recorded);
      const next = (queue.length > 1 ? queue.shift() : queue[0]) ?? { status: 500, json: { unscripted: true } };
      const answer = typeof next === 'function' ? next(recorded) : next;
      if (answer === 'never') return;
      if (answer === 'drop') {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script(...answers) {
      queue = answers;
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface FakeOutside extends Outside {
  /** The pauses that were asked for, in milliseconds. None of them takes any time. */
  pauses: number[];
  set: (at: string) => void;
}

/** Time stands still unless it is paused, and chance is always in the middle. */
export function fakeOutside(at = '2026-03-02T12:00:00.000Z', random = 0.5): FakeOutside {
  let now = Date.parse(at);
  const pauses: number[] = [];
  return {
    userAgent: 'homeledger/test',
    pauses,
    set: (instant) => {
      now = Date.parse(instant);
    },
    now: () => now,
    random: () => random,
    async pause(ms, signal) {
      signal?.throwIfAborted();
      pauses.push(ms);
      now += ms;
    },
  };
}
