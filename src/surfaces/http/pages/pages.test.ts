import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from 'vitest';

import { PAGES, safeNext } from '../../../contract/pages.ts';
import { signIn, type SignedIn } from '../../../../test/harness/people/sessions.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

const HTML = { accept: 'text/html,application/xhtml+xml;q=0.9' };
const ASSET = '/assets/main-0a1b2c3d.js';

forEachDatabase(
  (database) => {
    let app: TestApp;
    let ana: SignedIn;
    beforeAll(async () => {
      app = await database.open({ env: { LOG_LEVEL: 'debug' } });
      ana = await signIn(app, { role: 'viewer' });
      await signIn(app, { role: 'admin', name: 'Bo' });
    });
    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      app.request(method, path, { key: null, headers: { ...HTML, ...headers } });
    const signedIn = (path: string) => get(path, { cookie: ana.headers['cookie'] as string });

    test('every page of the list is served to whoever is signed in', async () => {
      for (const { path } of PAGES.filter(({ audience }) => audience !== 'visitor')) {
        const answer = await signedIn(path);
        expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
        expect(answer.headers['cache-control']).toBe('no-cache');
      }
    });

    test('HEAD answers like GET, without the page', async () => {
      const [whole, head] = [await get('/login'), await get('/login', {}, 'HEAD')];
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', whole.headers['etag']]);
    });

    test('a page allows only files of ours, no frame, and no referrer elsewhere', async () => {
      const { headers } = await signedIn('/');
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/(^|;)default-src 'self'(;|$)/);
      for (const part of ["frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'", "object-src 'none'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toMatch(/unsafe|nonce|\*|https?:/);
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
    });

    test('a page that the browser has is not sent again', async () => {
      const { headers } = await signedIn('/');
      const again = await get('/', {
        cookie: ana.headers['cookie'] as string,
        'if-none-match': String(headers['etag']),
      });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    test('files are sent as they were compressed, and may be kept forever', async () => {
      const plain = await get(ASSET, { 'accept-encoding': 'identity' });
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding']);
      const server = await app.app.http();
      for (const [accepted, encoding, unpack] of [
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0, gzip', 'gzip', gunzipSync],
      ] as const) {
        const packed = await server.inject({ url: ASSET, headers: { 'accept-encoding': accepted } });
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(unpack(packed.rawPayload).toString()).toBe(plain.text);
        expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
      }
    });

    test.each(['/assets/none.js', '/assets/..%2Findex.html', '/assets/main-0a1b2c3d.js.br', '/assets/'])(
      'no other file is served: %s',
      async (path) => {
        expect((await app.request('GET', path, { key: null })).json).toMatchObject({ error: { code: 'NOT_FOUND' } });
      },
    );

    test('an unknown path is a page only for those who ask for one, and never where programs ask', async () => {
      const page = await get('/no/such/page');
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('Not found');
      for (const [path, accept] of [
        ['/no/such/page', 'application/json'],
        ['/no/such/page', '*/*'],
        ['/no/such/page', 'text/html;q=0'],
        ['/.well-known/change-password', HTML.accept],
      ] as const) {
        const answer = await get(path, { accept });
        expect([answer.status, answer.json?.error.code]).toEqual([404, 'NOT_FOUND']);
      }
      expect((await get('/api/v1/none')).json).toMatchObject({ error: { code: 'MISSING_API_KEY' } });
      expect((await get('/', {}, 'POST')).json).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
    });

    test('signed out, a page leads to sign in and names itself; an account page shows itself', async () => {
      for (const [path, target] of [
        ['/', '/login'],
        ['/help', '/login?next=%2Fhelp'],
        ['/settings/system?a=1&b=%2F', '/login?next=%2Fsettings%2Fsystem%3Fa%3D1%26b%3D%252F'],
        ['/auth/device?code=ABCD-EFGH', '/login?next=%2Fauth%2Fdevice%3Fcode%3DABCD-EFGH'],
        ['/setup?token=secret', '/'],
      ] as const) {
        const answer = await get(path);
        expect([path, answer.status, answer.headers['location']]).toEqual([path, 303, target]);
      }
      for (const path of ['/login', '/invite/abc']) {
        const answer = await get(path);
        expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'no-store']);
      }
      expect((await get('/', { cookie: 'homeledger_session=wrong' })).headers['location']).toBe('/login');
    });

    test('signed in, the sign-in page leads to where it was asked from, and to no other host', async () => {
      for (const [next, target] of [
        ['/help', '/help'],
        ['//evil.example', '/'],
        ['/\\evil.example', '/'],
        ['https://evil.example', '/'],
        ['/\t/evil.example', '/'],
        // A header takes ASCII only, and what is encoded already stays as it is.
        ['/help?q=Käse %26 €', '/help?q=K%C3%A4se%20%26%20%E2%82%AC'],
      ] as const) {
        const answer = await signedIn(`/login?next=${encodeURIComponent(next)}`);
        expect([next, answer.status, answer.headers['location']]).toEqual([next, 303, target]);
      }
      const foreign = await get('/help', { host: 'evil.example' });
      expect(foreign.headers['location']).toBe('/login?next=%2Fhelp');
    });

    test('the log shows no token of an address', async () => {
      await get('/invite/tok3n-in-the-path');
      await get('/setup?token=tok3n-in-the-query');
      expect(app.logs.some((line) => line.includes('/invite/'))).toBe(true);
      expect(app.logs.join('\n')).not.toContain('tok3n');
    });

    test('with the dashboard off, only the account pages stay', async () => {
      const off = await app.again({ env: { HOMELEDGER_DASHBOARD: 'off' } });
      const cookie = ana.headers['cookie'] as string;
      const ask = (path: string) => off.request('GET', path, { key: null, headers: { ...HTML, cookie } });
      for (const path of ['/', '/settings/system', '/setup']) {
        expect([path, (await ask(path)).json?.error.code]).toEqual([path, 'NOT_FOUND']);
      }
      const login = await off.request('GET', '/login', { key: null, headers: HTML });
      expect([login.status, (await ask('/auth/device')).status]).toEqual([200, 200]);
    });
  },
  ['SQLite'],
);

forEachDatabase((database) => {
  test('until somebody has set it up, every page leads to the setup', async () => {
    const app = await database.open();
    const locationOf = async (path: string) => {
      const { status, headers } = await app.request('GET', path, { key: null, headers: HTML });
      return [status, headers['location']];
    };
    for (const path of ['/', '/login', '/auth/device?code=x', '/settings/system']) {
      expect([path, ...(await locationOf(path))]).toEqual([path, 303, '/setup']);
    }
    expect(await locationOf('/setup')).toEqual([200, undefined]);
    const off = await app.again({ env: { HOMELEDGER_DASHBOARD: 'off' } });
    expect((await off.request('GET', '/setup', { key: null, headers: HTML })).status).toBe(200);
    await signIn(app, { role: 'viewer' });
    expect(await locationOf('/')).toEqual([303, '/setup']);
    await signIn(app, { role: 'admin', name: 'Bo' });
    expect(await locationOf('/')).toEqual([303, '/login']);
    expect(await locationOf('/setup')).toEqual([303, '/']);
  });
});

describe('where to go after signing in', () => {
  test.each([
    ['/settings/system?tab=1#top', '/settings/system?tab=1#top'],
    ['/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\u0000/evil.example', '/'],
    ['/\n/evil.example', '/'],
    ['/a\u007f', '/'],
    ['javascript:alert(1)', '/'],
    ['settings', '/'],
    ['', '/'],
    [null, '/'],
    [undefined, '/'],
  ])('%j → %s', (next, target) => {
    expect(safeNext(next)).toBe(target);
  });
});
