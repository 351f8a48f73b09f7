import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { eventually } from '../../../test/harness/eventually.ts';
import { proxyTo } from '../../../test/harness/servers/held-proxy.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { VERSION } from '../../kernel/config.ts';

const LIVE = ['/health', '/health/live', '/api/v1/health', '/api/v1/health/live'];
const READY = ['/health/ready', '/api/v1/health/ready'];
const DRIVER_TEXT = /sqlite|postgres|pool|ECONN|127\.0\.0\.1|database is not open|\/tmp|\/dev\/shm|select/i;

forEachDatabase((database) => {
  test('the probes and /version answer GET and HEAD without a key, and are not cached', async () => {
    const app = await database.open();
    for (const path of [...LIVE, ...READY, '/version']) {
      const [get, head] = [
        await app.request('GET', path, { key: null }),
        await app.request('HEAD', path, { key: null }),
      ];
      expect([path, get.status, head.status, head.text]).toEqual([path, 200, 200, '']);
      expect([get.headers['cache-control'], head.headers['cache-control']]).toEqual(['no-store', 'no-store']);
      expect(get.json.version).toBe(VERSION);
    }
    expect((await app.request('GET', '/health')).json).toEqual({ status: 'ok', version: VERSION });
    expect((await app.request('GET', '/health/ready')).json).toMatchObject({ status: 'ok', db: 'ok' });
  });

  test('readiness and the diagnostics tell whether the scheduler beats', async () => {
    const app = await database.open();
    const seen = async () => [
      (await app.request('GET', '/health/ready', { key: null })).json.scheduler,
      (await app.request('GET', '/api/v1/headless/bootstrap')).json.diagnostics.scheduler_running,
    ];
    expect(await seen()).toEqual(['stopped', false]);
    await app.app.instance.syncs().beat();
    expect(await seen()).toEqual(['running', true]);
    app.clock.advance(120_001);
    expect(await seen()).toEqual(['stopped', false]);
  });

  test('/api/v1/version needs a key of any scope, and announces no updates', async () => {
    const app = await database.open();
    const version = { version: VERSION, latest: null, update_available: null };
    expect((await app.request('GET', '/api/v1/version', { key: null })).status).toBe(401);
    expect((await app.request('GET', '/api/v1/version', { key: app.readOnlyKey })).json).toEqual(version);
    expect((await app.request('GET', '/version', { key: null })).json).toEqual(version);
  });

  test('the probes are never rate-limited, and ignore a wrong key', async () => {
    const app = await database.open({ env: { API_RATE_LIMIT_RPM: '1', API_RATE_LIMIT_BURST: '1' } });
    for (const path of [...LIVE, ...READY]) {
      for (let i = 0; i < 20; i++) expect((await app.request('GET', path, { key: 'nonsense' })).status).toBe(200);
    }
  });

  test('a lost database fails readiness, but not liveness', async () => {
    const app = await database.open();
    await app.app.instance.database.close();
    for (const key of [null, app.key]) {
      for (const path of LIVE) expect((await app.request('GET', path, { key })).status).toBe(200);
      for (const path of READY) expectNotReady(await app.request('GET', path, { key }), ['db']);
    }
  });

  test('a schema of another version fails readiness', async () => {
    const app = await database.open();
    await app.app.instance.database.writeBare(
      (tx) => sql`update schema_migrations set version = version + 1000`.execute(tx.q),
      async () => undefined,
    );
    expectNotReady(await app.request('GET', '/health/ready', { key: null }), ['migrations']);
  });

  test('readiness fails while the service drains, and running requests finish', async () => {
    const app = await database.open({ env: { PORT: '0' } });
    const address = await app.app.listen();
    const { slow, finish } = await slowRequest(app, address);
    const closed = app.close();
    await eventually(async () => {
      const probe = await fetch(`${address}/health/ready`);
      const answer: Answer = {
        status: probe.status,
        headers: Object.fromEntries(probe.headers),
        text: '',
        json: await probe.json(),
      };
      expectNotReady(answer, ['shutdown']);
    });
    expect((await fetch(`${address}/health`)).status).toBe(200);
    finish();
    const answer = await slow;
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('food_and_drink')]);
    await closed;
    await expect(fetch(`${address}/health`)).rejects.toThrow('fetch failed');
  });

  if (database.name !== 'PostgreSQL') return;

  describe('a database server', () => {
    async function behindProxy(): Promise<{ app: TestApp; proxy: Awaited<ReturnType<typeof proxyTo>> }> {
      const first = await database.open();
      const proxy = await proxyTo(first.env['DATABASE_URL'] as string);
      return { app: await first.again({ env: { DATABASE_URL: proxy.url }, expectsFailures: true }), proxy };
    }

    test('that stops responding fails readiness within 3 s', async () => {
      const { app, proxy } = await behindProxy();
      expect((await app.request('GET', '/health/ready')).status).toBe(200);
      proxy.hold();
      const start = performance.now();
      const answer = await app.request('GET', '/health/ready', { key: null });
      expect(performance.now() - start).toBeLessThan(3_000);
      expectNotReady(answer, ['db']);
      expect((await app.request('GET', '/health', { key: null })).status).toBe(200);
      await proxy.cut();
    });

    test('that disappears fails readiness at once', async () => {
      const { app, proxy } = await behindProxy();
      await proxy.cut();
      expectNotReady(await app.request('GET', '/health/ready', { key: null }), ['db']);
      expect((await app.request('GET', '/health', { key: null })).status).toBe(200);
    });
  });
});

function expectNotReady(answer: Answer, causes: readonly string[]): void {
  expect([answer.status, answer.json.error.code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toEqual(causes);
  expect(JSON.stringify(answer.json)).not.toMatch(DRIVER_TEXT);
}

/** A request that is inside the service until `finish` is called. */
async function slowRequest(app: TestApp, address: string): Promise<{ slow: Promise<Response>; finish: () => void }> {
  const { database } = app.app.instance;
  const read = database.read.bind(database);
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  database.read = async (fn) => {
    database.read = read;
    entered.resolve();
    await gate.promise;
    return read(fn);
  };
  const slow = fetch(`${address}/api/v1/categories`, { headers: { 'x-api-key': app.key } });
  await entered.promise;
  return { slow, finish: gate.resolve };
}
