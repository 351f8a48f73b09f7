import { beforeAll, expect, test } from 'vitest';

import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

forEachDatabase(
  (database) => {
    let app: TestApp;
    beforeAll(async () => {
      app = await database.open();
    });

    const get = (path: string, headers = {}) => app.request('GET', path, { key: null, headers });

    test('loads its scripts from this origin, and may load nothing else', async () => {
      const page = await get('/docs');
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/https?:|unsafe-eval|\*/);
      expect(page.text).not.toMatch(/https?:|<script(?![^>]* src=)/);
      const scripts = [...page.text.matchAll(/src="([^"]+)"/g)].map((match) => String(match[1]));
      expect(scripts).toEqual(['/docs/start.js']);
      const start = await get('/docs/start.js');
      expect([start.status, start.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(start.text).not.toMatch(/\/\/\w/);
      const [, library = ''] = /from '([^']+)'/.exec(start.text) ?? [];
      const main = await get(library);
      expect([main.status, main.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(main.headers['cache-control']).toContain('max-age');
      const chunks = new Set([...main.text.matchAll(/["'`]\.\/(chunks\/[\w.-]+\.js)["'`]/g)].map((match) => match[1]));
      expect(chunks.size).toBeGreaterThan(0);
      for (const chunk of [...chunks].slice(0, 5)) expect((await get(`/docs/ui/${chunk}`)).status).toBe(200);
    });

    test('is not sent again to whoever has it', async () => {
      const first = await get('/docs/ui/standalone.esm.js');
      const again = await get('/docs/ui/standalone.esm.js', { 'if-none-match': String(first.headers['etag']) });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await app.request('HEAD', '/docs/ui/standalone.esm.js', { key: null });
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', first.headers['etag']]);
    });

    test('serves scripts of the package and no other file', async () => {
      for (const name of [
        'nothing.js',
        'chunks',
        'standalone.esm.js.map',
        '..%2findex.js',
        '%2e%2e%2findex.js',
        '.js',
        'chunks/..%2fstandalone.esm.js',
        'a%00.js',
        `${'x'.repeat(300)}.js`,
      ]) {
        const answer = await get(`/docs/ui/${name}`);
        expect([name, answer.status, answer.json?.error?.code]).toEqual([name, 404, 'NOT_FOUND']);
      }
      expect((await app.request('POST', '/docs/ui/standalone.esm.js', { key: null })).status).toBe(405);
    });
  },
  ['SQLite'],
);
