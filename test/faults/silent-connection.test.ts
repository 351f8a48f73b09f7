import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

import { proxyTo, type HeldProxy } from '../harness/servers/held-proxy.ts';
import { setLimit } from '../harness/limits.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const SILENT_MS = 100;
const WRITE_LOCK = 4_741_331;

forEachDatabase(
  (database) => {
    beforeEach(() => setLimit('writeSilentMs', SILENT_MS));

    async function household(): Promise<{ app: TestApp; proxy: HeldProxy; url: string }> {
      const first = await database.open();
      const url = first.env['DATABASE_URL'] as string;
      const proxy = await proxyTo(url);
      return { app: await first.again({ env: { DATABASE_URL: proxy.url }, expectsFailures: true }), proxy, url };
    }

    const makeTag = async (app: TestApp, name: string): Promise<Answer> =>
      app.request('POST', '/api/v1/tags', { body: { name }, headers: { 'idempotency-key': `make-${name}` } });
    const tagNames = async (app: TestApp): Promise<string[]> =>
      (await app.request('GET', '/api/v1/tags')).json.map(({ name }: { name: string }) => name);

    test.for(['statement', 'answer'] as const)(
      'a connection that loses the %s of a write holds up nobody, and its write is undone',
      async (lost) => {
        const { app, proxy } = await household();
        const before = await tagNames(app);
        const silent = proxy.silence(/insert into "?tags\b/, lost);
        const first = makeTag(app, 'First');
        await silent;
        const behind = ['Second', 'Third'].map(async (name) => makeTag(app, name));
        const unready = await until(async () => {
          const answer = await app.request('GET', '/health/ready', { key: null });
          return answer.status === 503 ? answer : undefined;
        });
        expect(unready.json.error.details).toEqual([
          { path: 'db', message: expect.stringContaining('does not answer, and writes wait') },
        ]);
        const refused = await first;
        expect([refused.status, refused.json.error.code], refused.text).toEqual([503, 'UNAVAILABLE']);
        expect(refused.headers['retry-after']).toBe('5');
        expect(refused.json.error.message).toContain('Nothing was changed');
        expect((await Promise.all(behind)).map(({ status }) => status)).toEqual([201, 201]);
        expect((await tagNames(app)).filter((name) => !before.includes(name)).sort()).toEqual(['Second', 'Third']);
        expect((await app.request('GET', '/health/ready', { key: null })).status).toBe(200);
        expect(app.logs.filter((line) => line.includes('A database connection broke.'))).not.toEqual([]);
        expect((await makeTag(app, 'First')).status).toBe(201);
      },
    );

    test('a connection that is silent before a write begins costs the write nothing', async () => {
      const { app, proxy } = await household();
      const silent = proxy.silence(/pg_advisory_xact_lock\(4741331\)/, 'statement');
      const made = makeTag(app, 'Patience');
      await silent;
      expect((await made).status).toBe(201);
    });

    test('a commit whose answer does not come is unknown, and what follows goes on', async () => {
      const { app, proxy } = await household();
      const silent = proxy.silence(/insert into "?tags\b/, 'commit');
      const first = await makeTag(app, 'Unknown');
      await silent;
      expect(first.status).toBe(503);
      expect(first.json.error.message).toContain('may or may not have been saved');
      expect((await makeTag(app, 'Next')).status).toBe(201);
      expect((await makeTag(app, 'Unknown')).status).toBe(201);
      expect((await tagNames(app)).filter((name) => name === 'Unknown')).toHaveLength(1);
    });

    test('a write that waits for another program is never taken for a silent one', async () => {
      const { app, url } = await household();
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      onTestFinished(async () => other.end());
      await other.query(`begin; select pg_advisory_xact_lock(${WRITE_LOCK})`);
      const made = makeTag(app, 'Waiting');
      await other.query(`select pg_sleep(${(SILENT_MS * 12) / 1_000})`);
      await other.query('commit');
      const answer = await made;
      expect(answer.status, answer.text).toBe(201);
    });
  },
  ['PostgreSQL'],
);

/** Asks until there is an answer; the test's own time limit ends it. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
  }
}
