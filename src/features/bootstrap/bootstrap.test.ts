import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryDirectory } from '../../../test/harness/databases/databases.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { programVersion } from '../../db/migrate.ts';
import { VERSION } from '../../kernel/config.ts';

const PATH = '/api/v1/headless/bootstrap';
const ADMIN = { HOMELEDGER_ADMIN_EMAIL: 'ada@home.example', HOMELEDGER_ADMIN_PASSWORD: 'correct horse battery' };

forEachDatabase((database) => {
  test('shows a client without a key how to get one, and nothing about the household', async () => {
    const app = await database.open();
    const answer = await app.request('GET', PATH, { key: null });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.json).toEqual({
      version: VERSION,
      providers: [
        { name: 'plaid', configured: false },
        { name: 'teller', configured: false },
        { name: 'csv', configured: true },
      ],
      dashboard_enabled: true,
      first_run: true,
      auth: {
        device_code_url: 'http://localhost:80/api/v1/auth/device-code',
        device_code_poll_url: 'http://localhost:80/api/v1/auth/device-code/poll',
        verification_url: 'http://localhost:80/auth/device',
      },
      docs_url: 'http://localhost:80/docs',
      openapi_url: 'http://localhost:80/openapi.json',
    });
    expect(answer.text).not.toContain(app.env['HOMELEDGER_DATA_DIR']);
  });

  test('an admin ends the first run, and is not shown', async () => {
    const app = await database.open({ env: { ...ADMIN, HOMELEDGER_DASHBOARD: 'off' } });
    const answer = await app.request('GET', PATH, { key: null });
    expect(answer.json).toMatchObject({ first_run: false, dashboard_enabled: false });
    expect(answer.text).not.toContain('ada');
  });

  test('an address at home is one at which the server listens, at the port that it takes', async () => {
    for (const [HOST, PORT] of [
      ['192.168.77.5', '8123'],
      ['127.0.0.1', '8123'],
    ] as const) {
      const app = await database.open({ env: { HOST, PORT } });
      const { diagnostics } = (await app.request('GET', PATH)).json;
      expect(diagnostics.addresses_at_home).toEqual(HOST === '127.0.0.1' ? [] : [`http://${HOST}:${PORT}`]);
    }
  });

  test('a valid key of any scope adds diagnostics; an invalid one does not', async () => {
    const app = await database.open({ env: ADMIN });
    const [revoked, expired] = [await app.newKey(), await app.newKey({ expires_at: '2026-04-26T06:00:01.000Z' })];
    await app.request('DELETE', `/api/v1/api-keys/${revoked.id}`);
    app.clock.advance(1_000);
    for (const key of [app.key, app.readOnlyKey]) {
      const { diagnostics } = (await app.request('GET', PATH, { key })).json;
      expect(diagnostics).toEqual({
        database: {
          engine: database.name === 'SQLite' ? 'sqlite' : 'postgres',
          connected: true,
          migrations_current: true,
          migration_version: programVersion(),
        },
        counts: { users: 1, logins: 1, api_keys: 2, connections: 0, accounts: 0, transactions: 0 },
        scheduler_running: expect.any(Boolean),
        encryption: { configured: true, source: 'key_file' },
        disk_free_bytes: expect.any(Number),
        request: { origin: 'http://localhost:80', client_address: '127.0.0.1', forwarding_ignored: false },
        addresses_at_home: [],
      });
      expect(diagnostics.disk_free_bytes).toBeGreaterThan(0);
    }
    for (const key of [revoked.key, expired.key, `hl_${'0'.repeat(43)}`, 'nonsense', '']) {
      const answer = await app.request('GET', PATH, { key });
      expect([answer.status, answer.json.diagnostics]).toEqual([200, undefined]);
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    }
  });

  test('shows where the encryption key came from', async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, 'key');
    const hex = 'ab'.repeat(32);
    writeFileSync(file, ` ${hex}\n`);
    for (const [source, env] of [
      ['env', { ENCRYPTION_KEY: hex }],
      ['file', { ENCRYPTION_KEY_FILE: file }],
    ] as const) {
      const app = await database.open({ env });
      expect((await app.request('GET', PATH)).json.diagnostics.encryption).toEqual({ configured: true, source });
    }
  });

  test('says which providers have credentials', async () => {
    const app = await database.open({
      env: { PLAID_CLIENT_ID: 'id', PLAID_SECRET: 'secret', TELLER_APPLICATION_ID: 'app' },
    });
    const { providers } = (await app.request('GET', PATH, { key: null })).json;
    expect(providers.map((provider: { configured: boolean }) => provider.configured)).toEqual([true, true, true]);
  });

  test('every address starts with the base URL, regardless of Host', async () => {
    const app = await database.open({ env: { HOMELEDGER_BASE_URL: 'https://home.example/' } });
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { json, headers: sent } = await app.request('GET', PATH, { key: null, headers });
    expect(sent['strict-transport-security']).toBe('max-age=31536000');
    for (const url of [...Object.values(json.auth), json.docs_url, json.openapi_url]) {
      expect(url).toMatch(/^https:\/\/home\.example\/[a-z]/);
    }
  });

  test('without a base URL, addresses start with the one the client used', async () => {
    const headers = { host: 'box.lan:8080', 'x-forwarded-host': 'home.example', 'x-forwarded-proto': 'https' };
    const direct = await database.open();
    const { json, headers: sent } = await direct.request('GET', PATH, { key: null, headers });
    expect(sent['strict-transport-security']).toBeUndefined();
    expect(json.docs_url).toBe('http://box.lan:8080/docs');
    const proxied = await database.open({ env: { TRUST_PROXY: 'loopback' } });
    const through = (await proxied.request('GET', PATH, { key: null, headers })).json;
    expect(through.docs_url).toBe('https://home.example/docs');
  });

  test('diagnostics tell how the request is read, and whether its proxy is ignored', async () => {
    const headers = {
      host: 'box.lan:8080',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'home.example',
      'x-forwarded-proto': 'https',
    };
    const direct = await database.open();
    const requestSeen = async (app: TestApp, from: string, sent: Record<string, string> = headers) =>
      (await app.request('GET', PATH, { headers: sent, from })).json.diagnostics.request;
    const told = () => direct.logs.filter((line) => line.includes('TRUST_PROXY'));

    expect(await requestSeen(direct, '198.51.100.9')).toEqual({
      origin: 'http://box.lan:8080',
      client_address: '198.51.100.9',
      forwarding_ignored: true,
    });
    expect(told()).toEqual([]);
    expect(await requestSeen(direct, '172.17.0.1', { host: 'box' })).toMatchObject({ forwarding_ignored: false });
    expect(told()).toEqual([]);
    expect(await requestSeen(direct, '::ffff:172.17.0.1')).toMatchObject({
      client_address: '172.17.0.1',
      forwarding_ignored: true,
    });
    await requestSeen(direct, '127.0.0.1');
    expect(told()).toEqual([expect.stringContaining('TRUST_PROXY=172.17.0.1,')]);

    const local = await direct.again();
    await requestSeen(local, '127.0.0.1');
    expect(local.logs.join()).toContain('TRUST_PROXY=loopback,');

    const proxied = await direct.again({ env: { TRUST_PROXY: '172.17.0.1' } });
    expect(await requestSeen(proxied, '172.17.0.1')).toEqual({
      origin: 'https://home.example',
      client_address: '203.0.113.7',
      forwarding_ignored: false,
    });
    expect(proxied.logs.join()).not.toContain('TRUST_PROXY');
  });

  test('answers 503 if the database does not answer', async () => {
    const app = await database.open();
    await app.app.instance.database.close();
    for (const key of [null, app.key]) {
      const answer = await app.request('GET', PATH, { key });
      expect([answer.status, answer.json.error.code, answer.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    }
  });
});
