import { Agent, request } from 'node:http';

/** What one series of requests took. Times in milliseconds. */
export interface Measured {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  bytes: number;
  failures: number;
}

export interface Target {
  port: number;
  key?: string;
  method?: string;
}

export function call(
  target: Target,
  path: string,
  agent?: Agent,
): Promise<{ status: number; body: Buffer; ms: number; headers: NodeJS.Dict<string | string[]> }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = target.key === undefined ? {} : { 'x-api-key': target.key };
    const sent = request(
      {
        host: '127.0.0.1',
        port: target.port,
        path,
        method: target.method ?? 'GET',
        headers,
        ...(agent ? { agent } : {}),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(chunks),
            ms: performance.now() - start,
            headers: answer.headers,
          }),
        );
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

export function post(
  target: Target,
  path: string,
  type: string,
  body: Uint8Array,
): Promise<{ status: number; body: Buffer; ms: number }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: target.port,
        path,
        method: 'POST',
        headers: { 'x-api-key': target.key ?? '', 'content-type': type, 'content-length': body.length },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks), ms: performance.now() - start }),
        );
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
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
  let bytes = 0;
  const start = performance.now();
  const end = start + options.ms;
  const workers = Array.from({ length: options.concurrency }, async () => {
    while (performance.now() < end) {
      const answer = await call(target, path, agent);
      times.push(answer.ms);
      bytes = answer.body.length;
      if (answer.status !== 200) failures += 1;
    }
  });
  await Promise.all(workers);
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { requests: times.length, perSecond: times.length / seconds, ...percentiles(times), bytes, failures };
}

export function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
