import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, expect, inject, test } from 'vitest';

import { freePort } from '../../../../test/harness/servers/free-port.ts';
import { playWithBanks, runAReview, type VisitedDemo } from '../../../../test/harness/browser/demo-visit.ts';
import { temporaryDirectory } from '../../../../test/harness/databases/databases.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

interface Demo {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<number | null>;
}

function demo(folder: string, ...flags: string[]): Demo {
  return demoIn({}, folder, ...flags);
}

function demoIn(more: Readonly<Record<string, string>>, folder: string, ...flags: string[]): Demo {
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: folder,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/real',
    // Tests poll.
    API_RATE_LIMIT_RPM: '1000000',
    API_RATE_LIMIT_BURST: '1000000',
    NODE_COMPILE_CACHE: join(inject('temporaryRoot'), 'compiled'),
    NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'test/harness/programs/loopback-only.js')).href}`,
    ...more,
  };
  const child = spawn(process.execPath, [join(ROOT, 'src/start.js'), 'demo', ...flags], { cwd: folder, env });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

function demosIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('homeledger-'));
}

async function ready(one: Demo): Promise<void> {
  while (!one.stdout().includes('Ctrl-C')) {
    if (one.child.exitCode !== null) throw new Error(`The demo ended: ${one.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a demo serves a household, its banks and its model to the keys it prints, without a network, and leaves nothing', async () => {
  using folder = temporaryDirectory();
  const one = demo(folder.path, '--port', '0', '--transactions', '500', '--seed', '7');
  await ready(one);
  const [made] = demosIn(folder.path);
  expect(demosIn(folder.path)).toHaveLength(1);
  expect(statSync(join(folder.path, made as string)).mode & 0o777).toBe(0o700);
  const [, address] = /demo: (http:\S+)/.exec(one.stdout()) ?? [];
  const keyOf = (scope: string) => new RegExp(`${scope} +(hl_\\w+)`).exec(one.stdout())?.[1] ?? '';
  const ask = (path: string, key: string, init = {}) =>
    fetch(`${address}/api/v1/${path}`, { headers: { 'x-api-key': key }, ...init });
  const listed = (await (await ask('accounts', keyOf('read_only'))).json()) as unknown[];
  const [, people, accounts, rows] = /: (\d+) people, (\d+) accounts, (\d+) transactions\n/.exec(one.stdout()) ?? [];
  expect([people, accounts, listed.length]).toEqual(['4', '8', 8]);
  expect(Number(rows)).toBeGreaterThan(500);
  expect(await (await ask('transactions/count', keyOf('full_access'))).json()).toMatchObject({ count: Number(rows) });
  for (const scope of ['read_only', 'propose']) {
    expect((await ask('users', keyOf(scope), { method: 'POST' })).status).toBe(403);
  }
  const visited: VisitedDemo = {
    pages: [...one.stdout().matchAll(/http:\S+\/_control/g)].map(String),
    async ask(method, path, body) {
      const headers = { 'x-api-key': keyOf('full_access'), 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await ask(path, '', { method, headers, ...sent })).json();
    },
  };
  await runAReview(visited);
  await playWithBanks(visited);

  const [, link = ''] = /(http:\S+\/demo\/\S+)/.exec(one.stdout()) ?? [];
  const visit = (): Promise<Response> => fetch(link, { redirect: 'manual' });
  const signedInBy = await visit();
  expect([signedInBy.status, signedInBy.headers.get('location'), (await visit()).status]).toEqual([303, '/', 403]);
  const [cookie = ''] = signedInBy.headers.getSetCookie();
  expect(cookie).toMatch(/^homeledger_demo_session_0=/);
  const session = await fetch(`${address}/auth/session`, { headers: { cookie: cookie.split(';')[0] as string } });
  expect(await session.json()).toMatchObject({ user: { name: 'Ada Keller' }, login: { role: 'admin' } });
  const [, password] = /password (\w+):/.exec(one.stdout()) ?? [];
  for (const [identifier, role] of [
    ['ben@home.example', 'editor'],
    ['mia@home.example', 'viewer'],
  ]) {
    const signedIn = await fetch(`${address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier, password }),
    });
    expect(await signedIn.json()).toMatchObject({ login: { identifier, role } });
  }

  const [, key, url] = /curl -H 'X-API-Key: (\w+)' '([^']+)'/.exec(one.stdout()) ?? [];
  const tried = await fetch(url as string, { headers: { 'x-api-key': key as string } });
  expect(tried.status).toBe(200);
  one.child.kill('SIGINT');
  one.child.kill('SIGINT');
  expect(await one.ended).toBe(0);
  // The dashboard is built unless an earlier start has done so.
  expect(one.stderr().replace(/^Building the dashboard.*\n/m, '')).toBe('');
  expect(demosIn(folder.path)).toEqual([]);
}, 120_000);

test('a demo that is stopped while it writes leaves nothing', async () => {
  using folder = temporaryDirectory();
  const one = demo(folder.path, '--port', '0', '--transactions', '5000000');
  while (!one.stderr().includes('Writing the household')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  one.child.kill('SIGTERM');
  expect(await one.ended).toBe(0);
  expect([one.stdout(), demosIn(folder.path)]).toEqual(['', []]);
});

test('two demos at once keep their visitors apart, and each hears its banks at its own address', async () => {
  using folder = temporaryDirectory();
  const port = String(await freePort());
  const demos = [
    demo(folder.path, '--port', port, '--transactions', '100'),
    demoIn({ HOST: '127.0.0.2' }, folder.path, '--port', port, '--transactions', '100', '--seed', '2'),
    demo(folder.path, '--port', '0', '--transactions', '100'),
  ];
  const cookies = [];
  for (const one of demos) {
    await ready(one);
    for (const [link] of one.stdout().matchAll(/http:\S+\/demo\/\S+/g)) {
      cookies.push((await fetch(link, { redirect: 'manual' })).headers.get('set-cookie')?.split('=')[0]);
    }
    const [, teller = ''] = /Teller {2}(http:\S+)/.exec(one.stdout()) ?? [];
    const told = await fetch(`${teller}/webhooks`, {
      method: 'POST',
      body: '{"type":"transactions.processed","enrollment_id":"enr_sim_1"}',
    });
    expect(await told.json()).toMatchObject({ deliveries: [{ status: 200 }] });
  }
  // At the address of the second, no link would be trusted to come from this machine.
  expect(cookies).toEqual([`homeledger_demo_session_${port}`, 'homeledger_demo_session_0']);
}, 120_000);

test('a kept demo stays where it was asked to, and never on other data', async () => {
  using folder = temporaryDirectory();
  const kept = join(folder.path, 'kept');
  const one = demo(folder.path, '--port', '0', '--transactions', '100', '--keep', 'kept');
  await ready(one);
  expect(one.stdout()).toContain(`HOMELEDGER_DATA_DIR=${kept} npm start`);
  one.child.kill('SIGTERM');
  expect(await one.ended).toBe(0);
  expect(readdirSync(kept)).toContain('homeledger.sqlite');
  const files = readdirSync(kept);
  writeFileSync(join(folder.path, 'note'), '');
  for (const taken of ['kept', '.']) {
    const again = demo(folder.path, '--port', '0', '--keep', taken);
    expect(await again.ended).toBe(2);
    expect(again.stderr()).toMatch(/^error: --keep: .* is not empty/);
  }
  const file = demo(folder.path, '--port', '0', '--keep', 'note');
  expect(await file.ended).toBe(2);
  expect(file.stderr()).toMatch(/^error: --keep: .*note cannot be created or read/);
  expect(readdirSync(kept)).toEqual(files);
});

test('a port in use, and flags that make no sense, are said in one line', async () => {
  using folder = temporaryDirectory();
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const one = demo(folder.path, '--port', String(port));
  expect([await one.ended, one.stderr()]).toEqual([1, `error: Port ${port} is in use. Choose another with --port.\n`]);
  holder.close();
  for (const flags of [
    ['--seed', 'x'],
    ['--transactions', '-1'],
    ['--transactions', '99999999999'],
  ]) {
    const wrong = demo(folder.path, ...flags);
    expect(await wrong.ended).toBe(2);
    expect(wrong.stderr()).toMatch(/^error: --(seed|transactions) must be a whole number from 0 to \d+\.\n$/);
  }
  expect(demosIn(folder.path)).toEqual([]);
});
