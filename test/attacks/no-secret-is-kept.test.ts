import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openFirstRun } from '../../src/features/setup/index.ts';
import { PEM } from '../harness/servers/certificates.ts';
import { openJar, type CookieJar } from '../harness/people/cookie-jar.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../harness/test-app.ts';

/** What is secret in a body, sent or received. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'key',
  'token',
  'setup_token',
  'setup_url',
  'device_code',
  'password',
  'current_password',
  'new_password',
  'secret',
  'private_key',
  'webhook_secret',
]);
const SHORTEST = 10;

/** Every secret that went over the wire, in either direction; what has been shown once must not be shown again. */
class Seen {
  readonly secrets = new Set<string>();

  add(...values: unknown[]): void {
    for (const value of values) {
      if (typeof value === 'string' && value.length >= SHORTEST) this.secrets.add(value.split('/').at(-1) as string);
    }
  }

  addFields(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (SECRET_FIELDS.has(name)) this.add(inner);
      this.addFields(inner);
    }
  }

  addAnswer({ text, headers, json }: Answer): void {
    expect(this.foundIn(text)).toEqual([]);
    for (const cookie of [headers['set-cookie'] ?? []].flat()) this.add(/=([^;]+)/.exec(cookie)?.[1]);
    this.addFields(json);
  }

  /** The secrets that a text holds, as they are or in a form that gives them away. */
  foundIn(text: string): string[] {
    return [...this.secrets].filter((secret) => formsOf(secret).some((form) => text.includes(form)));
  }
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inner = /^[\w-]{43}$/.test(secret) ? [Buffer.from(secret, 'base64url')] : [];
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...[bytes, ...inner].flatMap((one) => [one.toString('base64').replace(/=+$/, ''), one.toString('hex')]),
    ...inner.map((one) => one.toString('latin1')),
  ];
}

/** Everybody talks through this, so that no secret is missed. */
function talk(seen: Seen, app: TestApp, jar: CookieJar | null) {
  return async (method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> => {
    seen.addFields(body);
    if (typeof options.key === 'string') seen.add(options.key);
    const whole = { ...options, ...(body === undefined ? {} : { body }) };
    const answer = await (jar ?? app).request(method, path, { key: null, ...whole });
    seen.addAnswer(answer);
    return answer;
  };
}

type Talk = ReturnType<typeof talk>;

/** Ana sets the household up, and gives keys, a device, an invitation and credentials of providers. */
async function liveAsAdmin(ana: Talk, program: Talk, token: string): Promise<string> {
  const about = { name: 'Ana', email: 'ana@home.example', password: 'tin roof, rusted', create_api_key: true };
  expect((await ana('POST', '/auth/setup', { ...about, token })).status).toBe(201);
  await ana('POST', '/auth/logout');
  await program('POST', '/auth/login', { identifier: about.email, password: 'a wrong password' });
  expect((await ana('POST', '/auth/login', { identifier: about.email, password: about.password })).status).toBe(200);

  const idempotent = { headers: { 'idempotency-key': 'one', 'x-change-reason': 'Kitchen' } };
  const wanted = { name: 'Kitchen', scope: 'full_access' };
  const { key } = (await ana('POST', '/api/v1/api-keys', wanted, idempotent)).json;
  expect((await ana('POST', '/api/v1/api-keys', wanted, idempotent)).json.key).toBeNull();
  expect((await program('GET', '/api/v1/keys/me', undefined, { key })).status).toBe(200);
  await program('GET', `/api/v1/users?api_key=${key}`);
  await program('GET', '/api/v1/users', undefined, { headers: { authorization: `Bearer ${key}` } });
  await program('GET', `/api/v1/nowhere/${key}`, undefined, { key });
  await program('POST', '/api/v1/api-keys', `{"name": "${key}", `, { key });
  await program('GET', '/api/v1/users', undefined, { key: `hl_${'k'.repeat(43)}` });

  const device = (await program('POST', '/api/v1/auth/device-code', { client_name: 'laptop' })).json;
  const decide = `/api/v1/auth/device-requests/${device.user_code}/approve`;
  expect((await ana('POST', decide, { scope: 'read_only' })).status).toBe(200);
  const poll = { device_code: device.device_code };
  expect((await program('POST', '/api/v1/auth/device-code/poll', poll)).json.status).toBe('approved');
  expect((await program('POST', '/api/v1/auth/device-code/poll', poll)).json.status).toBe('consumed');

  const plaid = { client_id: '64f0a1b2c3d4e5f6a7b89f3c', secret: '0f1e2d3c4b5a69788796a5b4c3d2e1' };
  expect((await ana('PUT', '/api/v1/settings/providers/plaid', plaid)).status).toBe(200);
  const teller = {
    application_id: 'app_1234567890',
    certificate: PEM.certificate,
    private_key: PEM.privateKey,
    webhook_secret: 'whsec_abcdefghij0123456789',
  };
  expect((await ana('PUT', '/api/v1/settings/providers/teller', teller)).status).toBe(200);
  expect((await ana('PUT', '/api/v1/settings/providers/plaid', { secret: 'refused because of spaces' })).status).toBe(
    400,
  );
  return key;
}

/** Ben is invited, is sent a second link, and changes his password. */
async function liveAsMember(ana: Talk, ben: Talk): Promise<void> {
  const { short_id: id } = (await ana('POST', '/api/v1/users', { name: 'Ben' })).json;
  const login = { identifier: 'ben@home.example', role: 'viewer' };
  const invited = (await ana('POST', `/api/v1/users/${id}/login`, login)).json;
  const again = `/api/v1/users/${id}/login/${invited.short_id}/regenerate-token`;
  const { setup_token: token } = (await ana('POST', again)).json;
  for (const one of [invited.setup_token, token]) {
    await ben('GET', `/auth/invitations/${one}`);
    await ben('GET', `/invite/${one}`, undefined, { headers: { accept: 'text/html' } });
    await ben('GET', `/setup?token=${one}`, undefined, { headers: { accept: 'text/html' } });
    await ben('POST', `/auth/invitations/${one}`, { password: 'too short' });
  }
  const password = 'glass roof, shining';
  expect((await ben('POST', `/auth/invitations/${token}`, { password, remember: true })).status).toBe(200);
  const change = { current_password: password, new_password: 'copper roof, green' };
  expect((await ben('POST', '/auth/password', { ...change, current_password: 'his dog, his cat' })).status).toBe(403);
  expect((await ben('POST', '/auth/password', change)).status).toBe(204);
  const profile = { identifier: 'ben@work.example', current_password: change.new_password };
  expect((await ben('PATCH', '/auth/profile', profile)).status).toBe(200);
  await ben('POST', '/auth/login', `{"identifier": "ben@work.example", "password": "${change.new_password}"`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path) && statSync(path).isFile());
}

forEachDatabase((database) => {
  test('no table, file or log line keeps a token, key, password or cookie that was ever sent or shown', async () => {
    const app = await database.open({ env: { LOG_LEVEL: 'debug' } });
    const seen = new Seen();
    const token = (await openFirstRun(app.app.instance)) as string;
    const [ana, ben, program] = [
      talk(seen, app, openJar(app)),
      talk(seen, app, openJar(app, { headers: { 'user-agent': 'Phone' } })),
      talk(seen, app, null),
    ];
    const key = await liveAsAdmin(ana, program, token);
    await liveAsMember(ana, ben);
    for (const path of ['/api/v1/change-sets', '/api/v1/api-keys', '/api/v1/config', '/api/v1/settings/providers']) {
      expect((await program('GET', path, undefined, { key })).status).toBe(200);
    }
    const [session] = (await ana('GET', '/auth/sessions')).json;
    expect((await ana('DELETE', `/auth/sessions/${session.short_id}`)).status).toBe(204);

    // The dump would miss nothing: the flow has shown every kind of secret.
    expect(seen.secrets.size).toBeGreaterThanOrEqual(25);
    const tables = JSON.stringify(await allRows(app.app.instance.database), (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(tables).toContain('ben@work.example');
    expect(seen.foundIn(tables)).toEqual([]);
    expect(app.logs.length).toBeGreaterThan(20);
    expect(seen.foundIn(app.logs.join('\n'))).toEqual([]);

    await app.close();
    const files = filesBelow(app.app.instance.config.dataDir);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect([file, seen.foundIn(readFileSync(file, 'latin1'))]).toEqual([file, []]);
  });
});
