import { describe, expect, test } from 'vitest';

import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { createDemoLink, type DemoLink } from '../../features/demo/index.ts';
import { systemRandom } from '../../kernel/random.ts';

interface Demo {
  app: TestApp;
  link: DemoLink;
  open: (token: string, request?: { headers?: object; from?: string; method?: string }) => Promise<Answer>;
}

const BROWSER = { host: '127.0.0.1:8080', accept: 'text/html' };

forEachDatabase((database) => {
  async function demo(): Promise<Demo> {
    const link = createDemoLink({ now: () => app.clock.now() }, systemRandom());
    const app = await database.open({ demoLink: link });
    const open: Demo['open'] = (token, { headers = {}, from, method = 'GET' } = {}) =>
      app.request(method, `/demo/${token}`, {
        key: null,
        headers: { ...BROWSER, ...headers },
        ...(from === undefined ? {} : { from }),
      });
    return { app, link, open };
  }

  const cookieOf = (answer: Answer): string => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';

  test('the link of a demo signs one visitor in as the admin, once; the same browser may come back', async () => {
    const { app, link, open } = await demo();
    await signIn(app, { role: 'editor', name: 'Ben' });
    await signIn(app);
    const token = link.open();
    const answer = await open(token);
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([303, '/', 'no-store']);
    const cookie = cookieOf(answer);
    const own = await app.request('GET', '/api/v1/keys/me', { key: null, headers: { cookie } });
    expect(own.json).toMatchObject({ name: 'ana@home.example', scope: 'full_access' });
    const again = await open(token, { headers: { cookie } });
    expect([again.status, again.headers.location, again.headers['set-cookie']]).toEqual([303, '/', undefined]);
    const other = await open(token);
    expect([other.status, other.headers['set-cookie']]).toEqual([403, undefined]);
    expect(other.text).toContain('This link works once');
    expect([JSON.stringify(await allRows(app.app.instance.database)), ...app.logs].join().includes(token)).toBe(false);
  });

  describe('nobody gets in', () => {
    test('from elsewhere, through a proxy, under another name, ahead of the visitor, or too late', async () => {
      const { app, link, open } = await demo();
      await signIn(app);
      const token = link.open();
      for (const request of [
        { from: '192.168.1.9' },
        { headers: { 'x-forwarded-for': '127.0.0.1' } },
        { headers: { host: 'evil.example' } },
        { headers: { 'sec-purpose': 'prefetch;prerender' } },
        { method: 'HEAD' },
      ]) {
        const answer = await open(token, request);
        expect([request, answer.headers['set-cookie'], answer.status >= 400]).toEqual([request, undefined, true]);
      }
      for (const wrong of ['x', `${token.slice(0, -1)}_`, '']) expect((await open(wrong)).status).toBeGreaterThan(400);
      const api = await open(token.toLowerCase(), { headers: { accept: 'application/json' } });
      expect([api.status, api.json.error.code]).toEqual([403, 'FORBIDDEN']);
      app.clock.advance(3_600_000);
      expect((await open(token)).status).toBe(403);
      const next = link.open();
      expect((await open(next)).status).toBe(303);
    });

    test('where there is no demo, or no admin yet', async () => {
      const plain = await database.open();
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect((await plain.request(method, '/demo/x', { key: null, headers: BROWSER })).status).toBe(404);
      }
      const { link, open } = await demo();
      expect((await open(link.open())).status).toBe(403);
    });
  });
});
