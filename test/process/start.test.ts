import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { VERSION } from '../../src/kernel/config.ts';
import { createPostgresDatabase, temporaryDirectory } from '../harness/databases/databases.ts';
import { eventually } from '../harness/eventually.ts';
import { runProgram, startProgram, type Program } from '../harness/programs/program.ts';

const MAIN = 'src/start.js';
const KEY = /^hl_[0-9A-Za-z]{43}$/;

interface Server {
  program: Program;
  address: string;
  get(path: string, key?: string): Promise<Response>;
}

interface Installation {
  folder: string;
  env: Readonly<Record<string, string>>;
  serve(more?: Readonly<Record<string, string>>): Promise<Server>;
  run(...words: string[]): ReturnType<typeof runProgram>;
  makeKey(...words: string[]): Promise<string>;
}

function installation(more: Readonly<Record<string, string>> = {}): Installation {
  const folder = temporaryDirectory().path;
  const env = { HOMELEDGER_DATA_DIR: folder, PORT: '0', LOG_FORMAT: 'json', LOG_LEVEL: 'debug', ...more };
  const run: Installation['run'] = (...words) => runProgram([MAIN, ...words], { env });
  return {
    folder,
    env,
    run,
    async serve(others = {}) {
      const program = startProgram([MAIN, 'serve'], { env: { ...env, ...others } });
      const [, address = ''] = await program.says(/listens on (http:\S+)/);
      const get = (path: string, key?: string) =>
        fetch(address + path, key === undefined ? {} : { headers: { 'x-api-key': key } });
      return { program, address, get };
    },
    async makeKey(...words) {
      const { code, out, err } = await run('keys', 'create', '--name', 'Test', ...words);
      expect([code, err]).toEqual([0, expect.any(String)]);
      return out.trim();
    },
  };
}

describe('a start', () => {
  test('prints where it listens and how to make a key; a key made before works, and one made meanwhile', async () => {
    const home = installation();
    const before = await home.makeKey('--scope', 'full_access');
    expect(before).toMatch(KEY);
    const server = await home.serve();
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    await server.program.says(/keys create --name/);
    expect(server.program.err()).toContain(`Homeledger ${VERSION}`);
    expect((await server.get('/health/ready')).status).toBe(200);
    expect((await server.get('/api/v1/keys/me', before)).status).toBe(200);

    const nobody = await home.run('keys', 'create', '--name', 'Test', '--user', 'Ana');
    expect([nobody.code, nobody.out, nobody.err]).toEqual([2, '', expect.stringContaining('has no members yet')]);
    const ana = await fetch(`${server.address}/api/v1/users`, {
      method: 'POST',
      headers: { 'x-api-key': before, 'content-type': 'application/json' },
      body: '{"name":"Ana"}',
    });
    const { short_id: anasId } = (await ana.json()) as { short_id: string };
    const meanwhile = await home.makeKey('--user', anasId);
    const own = await (await server.get('/api/v1/keys/me', meanwhile)).json();
    expect(own).toMatchObject({ scope: 'read_only', name: 'Test', user_id: anasId });
    const listed = JSON.parse((await home.run('keys', 'list', '--json')).out) as { short_id: string; prefix: string }[];
    const { short_id } = listed.find(({ prefix }) => meanwhile.startsWith(prefix)) as { short_id: string };
    expect((await home.run('keys', 'revoke', short_id)).code).toBe(2);
    expect((await server.get('/api/v1/keys/me', meanwhile)).status).toBe(200);
    expect((await home.run('keys', 'revoke', short_id, '--yes')).code).toBe(0);
    expect((await server.get('/api/v1/keys/me', meanwhile)).status).toBe(401);

    server.program.kill('SIGTERM');
    expect(await server.program.ended).toEqual({ code: 0, signal: null });
    for (const key of [before, meanwhile]) expect(server.program.err()).not.toContain(key.slice(11));
    expect(server.program.err()).not.toContain('Deprecation');
  });

  test('in first run prints links that work to set the household up, past the log', async () => {
    const home = installation({ HOST: '0.0.0.0' });
    const server = await home.serve();
    // Two streams arrive in any order.
    const links = await eventually(() => {
      const found = [...server.program.out().matchAll(/http:\S+\/setup\?token=(\S+)\n/g)];
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    const token = links[0]?.[1] as string;
    for (const [link] of links) {
      const { origin, search } = new URL(link);
      const shown = await (await fetch(`${origin}/auth/setup${search}`)).json();
      expect(shown).toEqual({ first_run: true, setup_token: null, members: [] });
    }
    const done = await fetch(`${server.address}/auth/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, name: 'Ana', email: 'ana@home.example', password: 'tin roof, rusted' }),
    });
    expect(done.status).toBe(201);
    expect(server.program.err()).not.toContain(token);
  });

  test('makes an encryption key once, for its owner only, and uses it from then on', async () => {
    const home = installation();
    const first = await home.serve();
    await first.program.says(/Created the encryption key/);
    const file = join(home.folder, 'encryption.key');
    const key = readFileSync(file, 'utf8');
    expect([key, statSync(file).mode & 0o777]).toEqual([expect.stringMatching(/^[0-9a-f]{64}\n$/), 0o600]);
    expect(first.program.err()).not.toContain(key.trim());
    first.program.kill('SIGINT');
    expect((await first.program.ended).code).toBe(0);

    const second = await home.serve();
    expect(second.program.err()).not.toContain('Created the encryption key');
    const refused = await home.run('keys', 'rotate-encryption', '--yes');
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/A server is running .*process \d+ on/)]);
    expect(readFileSync(file, 'utf8')).toBe(key);
    second.program.kill('SIGTERM');
    await second.program.ended;

    const rotated = await home.run('keys', 'rotate-encryption', '--yes');
    expect([rotated.code, rotated.out]).toEqual([
      0,
      expect.stringMatching(/^Encrypted 1 secret with the key [0-9a-f]{8}/),
    ]);
    const newKey = readFileSync(file, 'utf8');
    expect([newKey === key, readFileSync(`${file}.previous`, 'utf8')]).toEqual([false, key]);
    for (const one of [key, newKey]) expect(rotated.out + rotated.err).not.toContain(one.trim());

    const kept = await home.run('keys', 'reset-encryption', '--yes');
    expect([kept.code, kept.err]).toEqual([1, expect.stringMatching(/is not lost/)]);
    const other = 'cd'.repeat(32);
    const wrong = await runProgram([MAIN, 'serve'], { env: { ...home.env, ENCRYPTION_KEY: other } });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/needs the encryption key [0-9a-f]{8}, but found [0-9a-f]{8} in ENCRYPTION_KEY/);
    expect(wrong.err).not.toContain(other);
    writeFileSync(file, '');
    expect((await runProgram([MAIN, 'serve'], { env: home.env })).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('');
    writeFileSync(file, newKey);
    const third = await home.serve();
    expect((await third.get('/health/ready')).status).toBe(200);
  });

  test('refuses a copied database without its key, and makes no new key', async () => {
    const home = installation();
    await home.makeKey();
    const other = installation();
    writeFileSync(join(other.folder, 'homeledger.sqlite'), readFileSync(join(home.folder, 'homeledger.sqlite')));
    const { code, err } = await other.run('serve');
    expect([code, err]).toEqual([1, expect.stringMatching(/needs the encryption key [0-9a-f]{8}, but found no key/)]);
    expect(existsSync(join(other.folder, 'encryption.key'))).toBe(false);
  });

  test('finds everything again after the process was killed', async () => {
    const home = installation();
    const server = await home.serve();
    const key = await home.makeKey('--scope', 'full_access');
    const made = await fetch(`${server.address}/api/v1/api-keys`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Second', scope: 'read_only' }),
    });
    const { key: second } = (await made.json()) as { key: string };
    server.program.kill('SIGKILL');
    await server.program.ended;
    const again = await home.serve();
    expect((await again.get('/api/v1/keys/me', second)).status).toBe(200);
  });

  test('uses ./data unless told otherwise, and says which addresses of providers are replaced', async () => {
    const folder = temporaryDirectory().path;
    const env = { PORT: '0', PLAID_LINK_SCRIPT_URL: 'http://127.0.0.1:9/link.js' };
    const program = startProgram([MAIN, 'serve'], { env, cwd: folder });
    await program.says(/listens on http:\/\/127\.0\.0\.1:/);
    await program.says(/PLAID_LINK_SCRIPT_URL is set to http:\/\/127\.0\.0\.1:9\/link\.js\./);
    expect(existsSync(join(folder, 'data/homeledger.sqlite'))).toBe(true);
  });

  test('works for several programs that start at once in an empty directory', async () => {
    const home = installation();
    const keys = await Promise.all([1, 2, 3, 4].map(() => home.makeKey('--scope', 'full_access')));
    const server = await home.serve();
    for (const key of keys) expect((await server.get('/api/v1/keys/me', key)).status).toBe(200);
    const categories = (await (await server.get('/api/v1/categories', keys[0])).json()) as { slug: string }[];
    expect(new Set(categories.map(({ slug }) => slug)).size).toBe(categories.length);
  });

  test('works the same on PostgreSQL', async () => {
    const database = await createPostgresDatabase();
    const home = installation({ DATABASE_URL: database.url });
    const [key, server] = await Promise.all([home.makeKey(), home.serve()]);
    expect(server.program.err()).toContain('PostgreSQL');
    expect((await server.get('/api/v1/keys/me', key)).status).toBe(200);
    server.program.kill('SIGTERM');
    expect((await server.program.ended).code).toBe(0);
    await database.drop();
  });
});

describe('a stop', () => {
  test('lets running requests finish while probes see it, and exits 0', async () => {
    const home = installation();
    const server = await home.serve();
    const key = await home.makeKey('--scope', 'full_access');
    const { port } = new URL(server.address);
    const body = JSON.stringify({ name: 'Slow', scope: 'read_only' });
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`);
    await eventually(() => expect(answer).toContain('100 Continue'));
    socket.write(body.slice(0, 10));
    server.program.kill('SIGTERM');
    await eventually(async () => expect((await server.get('/health/ready')).status).toBe(503));
    expect(await (await server.get('/health/ready')).json()).toMatchObject({
      error: { code: 'UNAVAILABLE', details: [{ path: 'shutdown' }] },
    });
    const closed = once(socket, 'close');
    socket.write(body.slice(10));
    await closed;
    expect(answer).toMatch(/HTTP\/1\.1 201 Created[\s\S]*"name":"Slow"/);
    expect(await server.program.ended).toEqual({ code: 0, signal: null });
    expect((await home.run('keys', 'list', '--json')).out).toContain('"Slow"');
  });
});

describe('a start that fails', () => {
  test('names every problem of the environment, and no secret', async () => {
    const home = installation({
      PORT: 'abc',
      HOMELEDGER_DASHBORD: 'off',
      TRUST_PROXY: 'all',
      ENCRYPTION_KEY: 'secretKey',
      HOMELEDGER_ADMIN_EMAIL: 'ada@home.example',
      HOMELEDGER_ADMIN_PASSWORD: 'secretPw',
      DATABASE_URL: 'mysql://u:secretDb@db/x',
      PLAID_SECRET: 'secretPlaid',
    });
    const { code, err, out } = await home.run('serve');
    expect([code, out]).toEqual([1, '']);
    for (const name of [
      'PORT',
      'HOMELEDGER_DASHBORD',
      'HOMELEDGER_DASHBOARD',
      'TRUST_PROXY',
      'ENCRYPTION_KEY',
      'HOMELEDGER_ADMIN_PASSWORD',
      'DATABASE_URL',
      'PLAID_CLIENT_ID',
    ]) {
      expect(err).toContain(name);
    }
    expect(err).not.toMatch(/secret(Key|Pw|Db|Plaid)/);
    expect(err).not.toMatch(/\.ts:\d|at .*\(/);
    expect(existsSync(join(home.folder, 'homeledger.sqlite'))).toBe(false);
  });

  test('says that the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { code, err } = await installation({ PORT: String(port) }).run('serve');
    taken.close();
    expect([code, err]).toEqual([1, expect.stringContaining(`error: Port ${port} is in use.`)]);
  });

  test('says that it cannot listen at an address of another machine', async () => {
    const { code, err } = await installation({ HOST: '198.51.100.7' }).run('serve');
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: HOST must .* 198\.51\.100\.7 is not one\.$/m)]);
  });

  test('says that the database server cannot be reached, without its password', async () => {
    const { code, err } = await installation({ DATABASE_URL: 'postgres://u:secretDb@127.0.0.1:1/x' }).run('serve');
    expect([code, err]).toEqual([1, expect.stringContaining('DATABASE_URL')]);
    expect(err).not.toContain('secretDb');
  });

  test('says that the data directory cannot be used', async () => {
    const file = join(temporaryDirectory().path, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      const { code, err } = await installation({ HOMELEDGER_DATA_DIR: path }).run('serve');
      expect([code, err]).toEqual([1, expect.stringContaining('HOMELEDGER_DATA_DIR')]);
    }
  });

  test('exits 2 for an unknown command or a missing flag', async () => {
    for (const words of [
      ['nonsense'],
      ['keys', 'create'],
      ['keys', 'create', '--name', 'x', '--scope', 'admin'],
      ['serve', '--nonsense'],
      [],
    ]) {
      const { code } = await installation().run(...words);
      expect([words, code]).toEqual([words, 2]);
    }
  });
});
