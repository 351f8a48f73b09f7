import { expect, test } from 'vitest';

import { proxyTo, type HeldProxy } from '../harness/held-proxy.ts';
import { addMember } from '../harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

forEachDatabase((database) => {
  /** A household whose app reaches its database through a proxy, if it has a server. */
  async function household(workers = 0): Promise<{ app: TestApp; proxy: HeldProxy }> {
    const first = await database.open();
    const proxy = await proxyTo(first.env['DATABASE_URL'] as string);
    const app = await first.again({ env: { DATABASE_URL: proxy.url }, workers });
    await addMember(app, 'Ana');
    return { app, proxy };
  }

  const once = { 'idempotency-key': 'once' };
  const tag = { name: 'Coffee' };
  const makeTag = (app: TestApp, headers = {}): Promise<Answer> =>
    app.request('POST', '/api/v1/tags', { body: tag, headers });
  const tags = async (app: TestApp): Promise<number> =>
    (await app.request('GET', '/api/v1/tags')).json.filter(({ slug }: { slug: string }) => slug === 'coffee').length;

  function expectUnknown(answer: Answer): void {
    expect([answer.status, answer.json.error.code], answer.text).toEqual([503, 'UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.json.error.message).toContain('Idempotency-Key');
    expect(answer.json.error.message).not.toContain('Nothing was changed');
  }

  if (database.name !== 'PostgreSQL') {
    test('a file has no answers that could be lost', () => undefined);
    return;
  }

  test('a write whose commit was done is told as unknown, and its retry answers as the first would have', async () => {
    const { app, proxy } = await household();
    const broken = proxy.breakCommit(/insert into "tags"/, 'answer');
    const first = await makeTag(app, once);
    expectUnknown(first);
    await broken;
    const [, id] = /change-sets\/([0-9a-f-]{36})/.exec(first.json.error.message) ?? [];
    expect((await app.request('GET', `/api/v1/change-sets/${id}`)).status).toBe(200);

    const again = await makeTag(app, once);
    expect([again.status, again.json.slug, again.headers['idempotency-replayed']]).toEqual([201, 'coffee', 'true']);
    expect(again.headers['x-change-set-id']).toBe(id);
    expect(await tags(app)).toBe(1);
    expect((await makeTag(app, once)).text).toBe(again.text);
  });

  test('a write whose commit never arrived is told as unknown, and its retry does it once', async () => {
    const { app, proxy } = await household();
    const broken = proxy.breakCommit(/insert into "tags"/, 'commit');
    const first = await makeTag(app, once);
    expectUnknown(first);
    await broken;
    const [, id] = /change-sets\/([0-9a-f-]{36})/.exec(first.json.error.message) ?? [];
    expect((await app.request('GET', `/api/v1/change-sets/${id}`)).status).toBe(404);
    expect(await tags(app)).toBe(0);
    const again = await makeTag(app, once);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect((await makeTag(app, once)).headers['idempotency-replayed']).toBe('true');
    expect(await tags(app)).toBe(1);
  });
});
