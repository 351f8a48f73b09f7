import { expect, test } from 'vitest';

import { eventually } from '../../test/harness/eventually.ts';
import { rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../test/harness/test-app.ts';

forEachDatabase((database) => {
  test('is written at most twice for 1,000 requests in a minute', async () => {
    const app = await database.open();
    const { database: db } = app.app.instance;
    let writes = 0;
    const writeBare = db.writeBare.bind(db);
    db.writeBare = (fn, beforeCommit) => {
      writes += 1;
      return writeBare(fn, beforeCommit);
    };
    const { key, id } = await app.newKey();
    writes = 0;
    for (let i = 0; i < 1_000; i++) {
      expect((await app.request('GET', '/api/v1/version', { key })).status).toBe(200);
      app.clock.advance(60);
    }
    expect(writes).toBeGreaterThan(0);
    expect(writes).toBeLessThanOrEqual(2);
    const at = await eventually(async () => {
      const record = (await app.request('GET', `/api/v1/api-keys/${id}`)).json;
      expect(record.last_used_at).not.toBeNull();
      return record.last_used_at;
    });
    app.clock.advance(60_000);
    await app.request('GET', '/api/v1/version', { key });
    await eventually(async () => {
      const record = (await app.request('GET', `/api/v1/api-keys/${id}`)).json;
      expect(record.last_used_at > at).toBe(true);
    });
  });

  test('is written again after the clock was set back', async () => {
    const app = await database.open();
    const { key, id } = await app.newKey();
    const lastUse = async (): Promise<string> => (await app.request('GET', `/api/v1/api-keys/${id}`)).json.last_used_at;
    for (const at of ['2026-04-27T06:00:00.000Z', '2026-04-26T06:10:00.000Z']) {
      app.clock.set(at);
      await app.request('GET', '/api/v1/version', { key });
      await eventually(async () => expect(await lastUse()).toBe(at));
    }
  });

  test('is never written for a refused key', async () => {
    const app = await database.open();
    const [revoked, expired] = [await app.newKey(), await app.newKey({ expires_at: '2026-04-26T06:00:01.000Z' })];
    await app.request('DELETE', `/api/v1/api-keys/${revoked.id}`);
    app.clock.advance(1_000);
    for (const { key } of [revoked, expired]) await app.request('GET', '/api/v1/keys/me', { key });
    await app.close();
    const later = await app.again();
    const uses = await rowsOf<{ api_key_id: string }>(
      later.app.instance.database,
      'select api_key_id from api_key_uses',
    );
    const { id } = (await later.request('GET', '/api/v1/keys/me')).json;
    expect(uses.map((use) => use.api_key_id)).toEqual([id]);
  });

  test('neither delays nor fails the request', async () => {
    const app = await database.open();
    const { database: db } = app.app.instance;
    db.writeBare = () => Promise.reject(new Error('The disk is full.'));
    expect((await app.request('GET', '/api/v1/keys/me')).status).toBe(200);
    await eventually(() => expect(app.logs.some((line) => line.includes('The disk is full.'))).toBe(true));
    const stuck = Promise.withResolvers<never>();
    db.writeBare = () => stuck.promise;
    expect((await app.request('GET', '/api/v1/keys/me', { key: app.readOnlyKey })).status).toBe(200);
    stuck.reject(new Error('The disk is still full.'));
  });
});
