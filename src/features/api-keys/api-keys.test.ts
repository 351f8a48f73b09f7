import { describe, expect, test } from 'vitest';

import { expectError } from '../../../test/harness/expect-error.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { write } from '../../journal/write.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { makeKey } from './index.ts';

const KEY = /^hl_[0-9A-Za-z]{43}$/;

forEachDatabase((database) => {
  describe('creating', () => {
    test('shows the key once; it works at once and is stored nowhere', async () => {
      const app = await database.open();
      const headers = { 'idempotency-key': 'first' };
      const body = { name: ' Kitchen tablet ', scope: 'full_access', actor_type: 'agent', actor_name: 'Tablet' };
      const made = await app.request('POST', '/api/v1/api-keys', { body, headers });
      expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
      const { key } = made.json;
      expect(key).toMatch(KEY);
      expect(made.json).toMatchObject({
        name: 'Kitchen tablet',
        prefix: key.slice(0, 11),
        scope: 'full_access',
        actor_type: 'agent',
        actor_name: 'Tablet',
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
        created_at: '2026-04-26T06:00:00.000Z',
      });
      const own = await app.request('GET', '/api/v1/keys/me', { key });
      expect(own.json).toMatchObject({ id: made.json.id, key_prefix: made.json.prefix });
      const later = [
        own,
        await app.request('GET', '/api/v1/api-keys'),
        await app.request('GET', `/api/v1/api-keys/${made.json.id}`),
        await app.request('PATCH', `/api/v1/api-keys/${made.json.id}`, { body: { name: 'Tablet' } }),
        await app.request('POST', '/api/v1/api-keys', { body, headers }),
        await app.request('POST', '/api/v1/api-keys', { body: { ...body, name: key, extra: key } }),
      ];
      const everywhere = [
        ...later.map((answer) => answer.text),
        ...later.map((answer) => JSON.stringify(answer.headers)),
        ...app.logs,
        JSON.stringify(await allRows(app.app.instance.database)),
      ].join('\n');
      expect(everywhere.includes(key)).toBe(false);
      expect(everywhere.includes(key.slice(12))).toBe(false);
      expect(everywhere).toContain(made.json.prefix);
    });

    test('refuses invalid fields by name, and creates nothing', async () => {
      const app = await database.open();
      const { database: db } = app.app.instance;
      const before = await allRows(db, ['api_key_uses']);
      const good = { name: 'x', scope: 'read_only' };
      for (const [field, body] of [
        ['name', { scope: 'read_only' }],
        ['name', { ...good, name: ' ' }],
        ['name', { ...good, name: 'x'.repeat(201) }],
        ['name', { ...good, name: 5 }],
        ['scope', { name: 'x' }],
        ['scope', { ...good, scope: 'admin' }],
        ['scope', { ...good, scope: null }],
        ['actor_type', { ...good, actor_type: 'robot' }],
        ['actor_name', { ...good, actor_name: 'x'.repeat(201) }],
        ['expires_at', { ...good, expires_at: '2026-04-26T06:00:00.000Z' }],
        ['expires_at', { ...good, expires_at: '2020-01-01T00:00:00Z' }],
        ['expires_at', { ...good, expires_at: '2036-04-26T06:00:00.001Z' }],
        ['expires_at', { ...good, expires_at: '2027-02-30T00:00:00Z' }],
        ['expires_at', { ...good, expires_at: '2027-01-01' }],
        ['key', { ...good, key: 'mine' }],
      ] as const) {
        const answer = await app.request('POST', '/api/v1/api-keys', { body });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toEqual([field]);
        expect(answer.json.error.message).toMatch(new RegExp(`^${field}: `));
      }
      expect(await allRows(db, ['api_key_uses'])).toEqual(before);
    });

    test('takes names of 200 characters in any alphabet, and an expiry in any time zone', async () => {
      const app = await database.open();
      const name = '🏠'.repeat(200);
      const body = { name, scope: 'read_only', expires_at: '2036-04-26T08:00:00+02:00' };
      const made = await app.request('POST', '/api/v1/api-keys', { body });
      expect(made.json).toMatchObject({ name, expires_at: '2036-04-26T06:00:00.000Z' });
    });

    test('a thousand keys are all different and equally long', async () => {
      const app = await database.open();
      const wanted = { name: 'x', scope: 'read_only', actor_type: 'user', actor_name: null, expires_at: null } as const;
      const keys = await app.write('api_key.create', async (tx) => {
        const made: string[] = [];
        for (let i = 0; i < 1_000; i++) made.push((await makeKey(app.app.instance, tx, wanted)).key);
        return made;
      });
      expect(new Set(keys).size).toBe(1_000);
      expect(keys.every((key) => KEY.test(key))).toBe(true);
    });
  });

  describe('listing and changing', () => {
    test('lists newest first, with revoked and expired keys, and finds one by either id', async () => {
      const app = await database.open();
      for (const name of ['a', 'b', 'c']) {
        app.clock.advance(1_000);
        await app.newKey({ name, expires_at: name === 'a' ? '2026-04-26T06:00:10.000Z' : null });
      }
      app.clock.advance(60_000);
      const list = (await app.request('GET', '/api/v1/api-keys')).json;
      expect(list.map((key: { name: string }) => key.name)).toEqual(['c', 'b', 'a', 'Test, reading', 'Test']);
      await app.request('DELETE', `/api/v1/api-keys/${list[1].short_id}`);
      const again = (await app.request('GET', '/api/v1/api-keys')).json;
      expect(again[1]).toEqual({ ...list[1], revoked_at: '2026-04-26T06:01:03.000Z' });
      for (const id of [list[0].id, list[0].short_id]) {
        expect((await app.request('GET', `/api/v1/api-keys/${id}`)).json).toEqual(list[0]);
      }
    });

    test('changes the fields sent, clears with null or an empty text, and writes nothing if nothing changes', async () => {
      const app = await database.open();
      const { id } = await app.newKey({ actor_name: 'Ada' });
      const path = `/api/v1/api-keys/${id}`;
      const patch = (body: object): Promise<Answer> => app.request('PATCH', path, { body });
      const renamed = await patch({ name: 'New', expires_at: '2027-01-01T00:00:00Z' });
      expect(renamed.json).toMatchObject({ name: 'New', actor_name: 'Ada', expires_at: '2027-01-01T00:00:00.000Z' });
      expect(renamed.headers['x-change-set-id']).toMatch(/^[0-9a-f-]{36}$/);
      for (const nothing of ['', null]) {
        await patch({ actor_name: 'Ada', expires_at: '2027-01-01T00:00:00Z' });
        const cleared = await patch({ actor_name: nothing, expires_at: nothing });
        expect(cleared.json).toMatchObject({ actor_name: null, expires_at: null });
      }
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const body of [{}, { name: 'New' }, { actor_name: null }, { name: ' New ', expires_at: null }]) {
        const same = await patch(body);
        expect([same.status, same.headers['x-change-set-id'], same.json.name]).toEqual([200, undefined, 'New']);
      }
      for (const body of [
        { actor_type: 'system' },
        { scope: 'admin' },
        { name: null },
        { expires_at: '2020-01-01T00:00:00Z' },
      ]) {
        expectError(await patch(body), 400, 'VALIDATION_ERROR');
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('a revoked or expired key cannot be changed', async () => {
      const app = await database.open();
      const [revoked, expired] = [await app.newKey(), await app.newKey({ expires_at: '2026-04-26T06:00:01.000Z' })];
      await app.request('DELETE', `/api/v1/api-keys/${revoked.id}`);
      app.clock.advance(1_000);
      for (const { id } of [revoked, expired]) {
        expectError(await app.request('PATCH', `/api/v1/api-keys/${id}`, { body: { name: 'x' } }), 409, 'CONFLICT');
      }
    });

    test('every write is one change set that names the actor and contains no secret', async () => {
      const app = await database.open();
      const script = await app.newKey({ actor_type: 'system', actor_name: 'Helper' });
      const headers = { 'x-change-reason': encodeURIComponent('Für die Küche'), 'x-request-id': 'r-1' };
      const body = { name: 'Kitchen', scope: 'read_only' };
      const made = await app.request('POST', '/api/v1/api-keys', { body, headers, key: script.key });
      await app.request('PATCH', `/api/v1/api-keys/${made.json.id}`, { body: { name: 'Bath' }, key: script.key });
      await app.request('DELETE', `/api/v1/api-keys/${made.json.id}`, { key: script.key });
      const { database: db } = app.app.instance;
      const sets = await rowsOf(db, `select * from change_sets where actor_id = '${script.id}' order by id`);
      expect(sets.map((set) => set['action'])).toEqual(['api_key.create', 'api_key.update', 'api_key.revoke']);
      expect(sets[0]).toMatchObject({
        id: made.headers['x-change-set-id'],
        actor_type: 'system',
        actor_name: 'Helper',
        actor_user_id: null,
        surface: 'rest',
        reason: 'Für die Küche',
        request_id: 'r-1',
        is_revertible: 0,
        entity_types: '["api_key"]',
      });
      const [created, updated, gone] = await rowsOf<{ before: string; after: string; sequence: number }>(
        db,
        `select before, after, sequence from changes where entity_id = '${made.json.id}' order by change_set_id`,
      );
      const { key: _secret, last_used_at: _unrecorded, ...record } = made.json;
      expect(JSON.parse(created?.after ?? '')).toEqual(record);
      expect([updated?.before, updated?.after]).toEqual(['{"name":"Kitchen"}', '{"name":"Bath"}']);
      expect([gone?.before, gone?.after]).toEqual(['{"revoked_at":null}', '{"revoked_at":"2026-04-26T06:00:00.000Z"}']);
    });

    test('a reason that is malformed or too long is refused, and nothing is written', async () => {
      const app = await database.open();
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const reason of ['%zz', '%00', 'x'.repeat(501), encodeURIComponent('é'.repeat(501)), '%ff']) {
        const request = { body: { name: 'x', scope: 'read_only' }, headers: { 'x-change-reason': reason } };
        expectError(await app.request('POST', '/api/v1/api-keys', request), 400, 'INVALID_PARAMETER');
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });
  });

  describe('revoking', () => {
    test('works at once and for good', async () => {
      const app = await database.open();
      const { key, id } = await app.newKey();
      const gone = await app.request('DELETE', `/api/v1/api-keys/${id}`, { key });
      expect([gone.status, gone.text]).toEqual([204, '']);
      expectError(await app.request('GET', '/api/v1/keys/me', { key }), 401, 'REVOKED_API_KEY');
      expectError(await app.request('DELETE', `/api/v1/api-keys/${id}`), 404, 'NOT_FOUND');
    });

    test('of the last full key needs force', async () => {
      const app = await database.open();
      await app.newKey({ expires_at: '2026-04-26T06:00:01.000Z' });
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      app.clock.advance(1_000);
      const expired = (await app.request('GET', '/api/v1/api-keys')).json[0].id;
      expectError(await app.request('DELETE', `/api/v1/api-keys/${id}`), 409, 'LAST_FULL_ACCESS_KEY');
      expectError(await app.request('DELETE', `/api/v1/api-keys/${id}?force=0`), 409, 'LAST_FULL_ACCESS_KEY');
      expectError(await app.request('DELETE', `/api/v1/api-keys/${id}?force=yes`), 400, 'INVALID_PARAMETER');
      expect((await app.request('DELETE', `/api/v1/api-keys/${expired}`)).status).toBe(204);
      expect((await app.request('DELETE', `/api/v1/api-keys/${id}?force=true`)).status).toBe(204);
      expectError(await app.request('GET', '/api/v1/keys/me'), 401, 'REVOKED_API_KEY');
    });

    test('of the last full key needs no force if an admin can sign in', async () => {
      const env = { HOMELEDGER_ADMIN_EMAIL: 'ada@home.example', HOMELEDGER_ADMIN_PASSWORD: 'correct horse battery' };
      const app = await database.open({ env });
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      expect((await app.request('DELETE', `/api/v1/api-keys/${id}`)).status).toBe(204);
    });

    test('of the last two full keys at the same time leaves one', async () => {
      const app = await database.open();
      const other = await app.newKey();
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      const second = database.name === 'PostgreSQL' ? await app.again() : app;
      const answers = await Promise.all([
        app.request('DELETE', `/api/v1/api-keys/${id}`),
        second.request('DELETE', `/api/v1/api-keys/${other.id}`, { key: other.key }),
      ]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]));
      expect(answers.find(({ status }) => status === 409)?.json.error.code).toBe('LAST_FULL_ACCESS_KEY');
    });

    test('of the last two full keys at the same time leaves none if forced', async () => {
      const app = await database.open();
      const other = await app.newKey();
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      const answers = await Promise.all([
        app.request('DELETE', `/api/v1/api-keys/${id}?force=true`),
        app.request('DELETE', `/api/v1/api-keys/${other.id}?force=1`, { key: other.key }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    });
  });

  test('a day-old key of an agent survives a restart', async () => {
    const app = await database.open();
    const { key } = await app.newKey({ actor_type: 'agent' });
    await app.close();
    app.clock.advance(DAY_MS);
    const later = await app.again();
    expect((await later.request('GET', '/api/v1/keys/me', { key })).json).toMatchObject({ actor_type: 'agent' });
  });

  test('the calling key is shown with either scope, but never its plaintext', async () => {
    const app = await database.open();
    for (const [key, scope] of [
      [app.key, 'full_access'],
      [app.readOnlyKey, 'read_only'],
    ] as const) {
      const own = await app.request('GET', '/api/v1/keys/me', { key });
      expect(own.json).toMatchObject({ scope, prefix: key.slice(0, 11), key_prefix: key.slice(0, 11) });
      expect(own.headers['cache-control']).toBe('no-store');
      expect(own.text.includes(key.slice(12))).toBe(false);
    }
  });

  test('a key written without a journaled change is rolled back', async () => {
    const app = await database.open();
    const { database: db } = app.app.instance;
    const before = await allRows(db, ['api_key_uses']);
    const actor = { type: 'system', id: null, userId: null, name: 'test' } as const;
    const origin = { actor, surface: 'system', source: 'system', action: 'x', reason: null, requestId: null } as const;
    const silent = write(db, origin, (tx) => tx.q.updateTable('api_keys').set({ name: 'silent' }).execute());
    await expect(silent).rejects.toThrow('without a change of type api_key');
    expect(await allRows(db, ['api_key_uses'])).toEqual(before);
  });
});
