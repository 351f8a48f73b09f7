import { beforeAll, describe, expect, test } from 'vitest';

import { PAGES } from '../../src/contract/pages.ts';
import { browserOperations, operations } from '../../src/contract/registry.ts';
import { openJar, type CookieJar } from '../harness/people/cookie-jar.ts';
import { addLogin, PASSWORD } from '../harness/people/sessions.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

/** What a page elsewhere can make the browser of a member do. */

const EVIL = 'https://evil.example';
const HTML = { accept: 'text/html' };
const everyOperation = [...operations, ...browserOperations];
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathOf = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? 'abcdefgh');

forEachDatabase((database) => {
  let app: TestApp;
  let ana: CookieJar;
  beforeAll(async () => {
    app = await database.open();
    await addLogin(app);
    ana = openJar(app);
    expect((await ana.signIn('ana@home.example', PASSWORD)).status).toBe(200);
  });

  describe('forged requests', () => {
    const unsafe = everyOperation.filter(({ method, scope, session }) => {
      return method !== 'GET' && (scope !== 'none' || session !== undefined);
    });
    test('of every operation that writes are refused from a page elsewhere, and write nothing', async () => {
      expect(unsafe.length).toBeGreaterThan(60);
      const before = await allRows(app.app.instance.database, ['sessions']);
      const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const { method, path, example } of unsafe) {
        // Browsers that do not send Sec-Fetch-Site send Origin, or at least Referer.
        for (const headers of [
          { 'sec-fetch-site': 'cross-site', origin: EVIL, 'content-type': 'text/plain' },
          { 'sec-fetch-site': 'same-site', origin: 'http://localhost' },
          { origin: EVIL },
          { origin: 'null' },
          { referer: `${EVIL}/page` },
          {},
        ]) {
          const forged = { key: null, headers: { cookie, ...headers }, body: example.body ?? {} };
          const answer = await app.request(method, pathOf(path, example.params), forged);
          expect([method, path, ...codeOf(answer)]).toEqual([method, path, 403, 'ORIGIN_MISMATCH']);
          expect(answer.headers['set-cookie']).toBeUndefined();
        }
      }
      expect(await allRows(app.app.instance.database, ['sessions'])).toEqual(before);
    });

    test('nobody is signed in, signed out or set up from a page elsewhere, with or without a session', async () => {
      const headers = { 'sec-fetch-site': 'cross-site', origin: EVIL };
      const body = { identifier: 'ana@home.example', password: PASSWORD };
      for (const [path, sent] of [
        ['/auth/login', body],
        ['/auth/logout', {}],
        ['/auth/setup', { token: 'x' }],
        ['/auth/invitations/abc', { password: 'a long password' }],
      ] as const) {
        const answer = await app.request('POST', path, { key: null, headers, body: sent });
        expect([path, ...codeOf(answer), answer.headers['set-cookie']]).toEqual([
          path,
          403,
          'ORIGIN_MISMATCH',
          undefined,
        ]);
      }
      expect((await ana.request('GET', '/auth/session')).json.authenticated).toBe(true);
    });

    test('a page elsewhere reads nothing either: no answer allows it', async () => {
      for (const path of ['/api/v1/users', '/auth/session', '/auth/sessions']) {
        for (const method of ['GET', 'OPTIONS']) {
          const answer = await ana.request(method, path, { headers: { origin: EVIL } });
          expect(answer.headers['access-control-allow-origin']).toBeUndefined();
          expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
        }
      }
    });
  });

  describe('frames', () => {
    test.each([
      ...PAGES.map(({ path }) => pathOf(path)),
      '/docs',
      '/openapi.json',
      '/nowhere',
      '/auth/session',
      '/api/v1/users',
      '/api/v1/nowhere',
    ])('%s cannot be shown in a frame', async (path) => {
      for (const by of [ana, openJar(app)]) {
        const { headers } = await by.request('GET', path, { headers: HTML });
        expect(headers['content-security-policy']).toMatch(/(^|;)frame-ancestors 'none'(;|$)/);
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    });
  });

  describe('a foreign Host', () => {
    const foreign = { ...HTML, host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };

    test.each([
      ...PAGES.map(({ path }) => pathOf(path)),
      '/login?next=//evil.example',
      '/login?next=/%5Cevil.example',
      '/login?next=https://evil.example',
      '/login?next=/%09/evil.example',
      '//evil.example/%2e%2e',
      '/%2f%2fevil.example',
    ])('%s leads nowhere else', async (path) => {
      for (const by of [ana, openJar(app)]) {
        const { headers, status } = await by.request('GET', path, { headers: foreign });
        const { location } = headers;
        if (status >= 300 && status < 400 && status !== 304) expect(location).toMatch(/^\/(?![/\\])/);
        else expect(location).toBeUndefined();
        expect(JSON.stringify(headers)).not.toMatch(/evil\.example(?!%)/);
      }
    });

    test('with a base URL, every link begins with it', async () => {
      const home = await app.again({ env: { HOMELEDGER_BASE_URL: 'https://home.example' } });
      const { json: start } = await home.request('GET', '/api/v1/headless/bootstrap', { key: null, headers: foreign });
      const links = [start.docs_url, start.openapi_url, ...Object.values(start.auth as Record<string, string>)];
      const { json: cleo } = await home.request('POST', '/api/v1/users', { body: { name: 'Cleo' }, headers: foreign });
      const invited = await home.request('POST', `/api/v1/users/${cleo.short_id}/login`, {
        body: { identifier: 'cleo@home.example' },
        headers: foreign,
      });
      const device = await home.request('POST', '/api/v1/auth/device-code', { key: null, headers: foreign });
      links.push(invited.json.setup_url, device.json.verification_url, device.json.verification_url_complete);
      for (const link of links) expect(link).toMatch(/^https:\/\/home\.example\//);
      expect(invited.text + device.text).not.toContain('evil');
    });
  });
});
