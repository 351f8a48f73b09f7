import { Agent, request } from 'node:http';

/** What one series of requests took. Times in milliseconds. */
export interface Measured {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  failures: number;
}

export interface Target {
  port: number;
  key?: string;
}

export interface Sent {
  method?: string;
  type?: string;
  body?: Uint8Array;
  agent?: Agent;
}

export interface Answer {
  status: number;
  body: Buffer;
  ms: number;
}

/** One request and its whole answer, on a connection that is kept. */
function exchange(target: Target, path: string, { method = 'GET', type, body, agent }: Sent): Promise<Answer> {
  const headers: Record<string, string | number> = target.key === undefined ? {} : { 'x-api-key': target.key };
  if (body) Object.assign(headers, { 'content-type': type, 'content-length': body.length });
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: target.port, path, method, headers, ...(agent ? { agent } : {}) };
    const sent = request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(chunks),
          ms: performance.now() - start,
        }),
      );
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export function call(target: Target, path: string, agent?: Agent): Promise<Answer> {
  return exchange(target, path, agent ? { agent } : {});
}

export function post(target: Target, path: string, type: string, body: Uint8Array): Promise<Answer> {
  return exchange(target, path, { method: 'POST', type, body });
}

/** Sends JSON and reads the JSON of the answer. @throws if the answer is an error */
export async function sendJson<T>(
  target: Target,
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  value: unknown,
): Promise<{ ms: number; json: T }> {
  const body = Buffer.from(JSON.stringify(value));
  const answer = await exchange(target, path, { method, type: 'application/json', body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
  return { ms: answer.ms, json: JSON.parse(answer.body.toString()) as T };
}

export async function readJson<T>(target: Target, path: string): Promise<T> {
  const answer = await call(target, path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
  return JSON.parse(answer.body.toString()) as T;
}

/** Sends the same request for at most `ms`, `concurrency` at a time, after a few to warm up. */
export async function load(
  target: Target,
  path: string,
  options: { ms: number; concurrency: number },
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  for (let i = 0; i < 5; i++) await call(target, path, agent);
  const times: number[] = [];
  let failures = 0;
  const start = performance.now();
  const end = start + options.ms;
  const workers = Array.from({ length: options.concurrency }, async () => {
    while (performance.now() < end) {
      const answer = await call(target, path, agent);
      times.push(answer.ms);
      if (answer.status !== 200) failures += 1;
    }
  });
  await Promise.all(workers);
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { requests: times.length, perSecond: times.length / seconds, ...percentiles(times), failures };
}

export function percentiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
