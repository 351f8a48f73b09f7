import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { expectError } from '../../../test/harness/expect-error.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  test('only the header X-API-Key is looked at', async () => {
    const app = await database.open();
    const bearer = { headers: { authorization: `Bearer ${app.key}` }, key: null };
    expectError(await app.request('GET', '/api/v1/keys/me', bearer), 401, 'MISSING_API_KEY');
    const query = { query: { api_key: app.key, 'X-API-Key': app.key }, key: null };
    expectError(await app.request('GET', '/api/v1/keys/me', query), 401, 'MISSING_API_KEY');
    expectError(await app.request('GET', '/api/v1/keys/me', { key: '' }), 401, 'MISSING_API_KEY');
    const spelt = { headers: { 'X-Api-KEY': app.key }, key: null };
    expect((await app.request('GET', '/api/v1/keys/me', spelt)).status).toBe(200);
    const withCookie = { headers: { cookie: 'homeledger_session=nonsense' } };
    expect((await app.request('GET', '/api/v1/keys/me', withCookie)).status).toBe(200);
  });

  test('a malformed key is refused without touching the database', async () => {
    const app = await database.open();
    const { key } = app;
    let reads = 0;
    const { instance } = app.app;
    const read = instance.database.read.bind(instance.database);
    instance.database.read = (fn) => {
      reads += 1;
      return read(fn);
    };
    for (const bad of [
      key.replace('hl_', 'zz_'),
      key.slice(0, -1),
      `${key}0`,
      `${key.slice(0, -1)}-`,
      `${key.slice(0, -1)}é`,
      key.toUpperCase(),
      'hl_',
      'x'.repeat(10_000),
    ]) {
      expectError(await app.request('GET', '/api/v1/keys/me', { key: bad }), 401, 'INVALID_API_KEY');
    }
    expect(reads).toBe(0);
    expectError(await app.request('GET', '/api/v1/keys/me', { key: `hl_${'0'.repeat(43)}` }), 401, 'INVALID_API_KEY');
    expect(reads).toBe(1);
  });

  test('a key is refused from the instant at which it expires', async () => {
    const app = await database.open();
    const { key, id } = await app.newKey({ expires_at: '2026-04-26T06:01:00.000Z' });
    app.clock.advance(59_999);
    expect((await app.request('GET', '/api/v1/keys/me', { key })).status).toBe(200);
    app.clock.advance(1);
    expectError(await app.request('GET', '/api/v1/keys/me', { key }), 401, 'INVALID_API_KEY');
    expect((await app.request('DELETE', `/api/v1/api-keys/${id}`)).status).toBe(204);
    expectError(await app.request('GET', '/api/v1/keys/me', { key }), 401, 'REVOKED_API_KEY');
  });

  test('a scope that is neither of the two allows nothing', async () => {
    const app = await database.open();
    const { key, id } = await app.newKey();
    await app.app.instance.database.writeBare(
      (tx) => sql`update api_keys set scope = 'everything' where id = ${id}`.execute(tx.q),
      async () => undefined,
    );
    for (const path of ['/api/v1/categories', '/api/v1/keys/me', '/api/v1/api-keys']) {
      expectError(await app.request('GET', path, { key }), 403, 'FORBIDDEN');
    }
  });

  test('what one process revokes, another refuses on its next request', async () => {
    const app = await database.open();
    const other = await app.again();
    const { key, id } = await app.newKey();
    expect((await other.request('GET', '/api/v1/keys/me', { key })).status).toBe(200);
    expect((await app.request('DELETE', `/api/v1/api-keys/${id}`)).status).toBe(204);
    expectError(await other.request('GET', '/api/v1/keys/me', { key }), 401, 'REVOKED_API_KEY');
  });

  test('another prefix is set in the environment, and makes keys with the old one invalid', async () => {
    const app = await database.open();
    const other = await app.again({ env: { API_KEY_PREFIX: 'home1' } });
    const made = await other.newKey();
    expect(made.key).toMatch(/^home1_[0-9A-Za-z]{43}$/);
    expect((await other.request('GET', '/api/v1/keys/me', { key: made.key })).json.prefix).toBe(made.key.slice(0, 11));
    expectError(await other.request('GET', '/api/v1/keys/me'), 401, 'INVALID_API_KEY');
    expect(other.logs.some((line) => line.includes('"level":40') && line.includes('API_KEY_PREFIX'))).toBe(true);
  });
});
