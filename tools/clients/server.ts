import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, run, type Server } from './client.ts';

interface Started {
  server: Server;
  stop: () => void;
}

const MANY_REQUESTS = { API_RATE_LIMIT_RPM: '1000000', API_RATE_LIMIT_BURST: '1000000' };
const MEMBER = JSON.stringify({ name: 'Ana' });

/** The demo on a port of its own, or an empty service on the PostgreSQL database of this address. */
export async function startServer(databaseUrl?: string): Promise<Started> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  if (databaseUrl === undefined) {
    const { output, stop } = await start(['demo', '--port', port, '--transactions', '2000'], {}, 'Ctrl-C');
    return { server: { url, key: /full_access\s+(\S+)/.exec(output)?.[1] ?? '' }, stop };
  }
  const data = mkdtempSync(join(tmpdir(), 'homeledger-clients-'));
  const environment = { DATABASE_URL: databaseUrl, HOMELEDGER_DATA_DIR: data, PORT: port };
  const { stop } = await start(['serve'], environment, url);
  const made = ['src/start.js', 'keys', 'create', '--name', 'Clients', '--scope', 'full_access'];
  const key = (await run(process.execPath, made, ROOT, environment)).trim();
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  await fetch(`${url}/api/v1/users`, { method: 'POST', headers, body: MEMBER });
  const end = (): void => {
    stop();
    rmSync(data, { recursive: true, force: true });
  };
  return { server: { url, key }, stop: end };
}

/** Runs a command of the service until its output says that it listens. */
async function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  sign: string,
): Promise<{ output: string; stop: () => void }> {
  const child = spawn(process.execPath, ['src/start.js', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...MANY_REQUESTS, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ready = Promise.withResolvers<string>();
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    if (output.includes(sign)) ready.resolve(output);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('close', () => ready.reject(new Error(`The service ended: ${output}`)));
  return { output: await ready.promise, stop: () => child.kill('SIGINT') };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
