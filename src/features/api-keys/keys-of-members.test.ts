import { describe, expect, test } from 'vitest';

import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { disownKeysOf, revokeKeysOf } from './index.ts';

const KEYS = '/api/v1/api-keys';

forEachDatabase((database) => {
  describe('whose key it is', () => {
    test('the session that makes it, the member of the key that makes it, whoever is named, or nobody', async () => {
      const app = await database.open();
      const ana = await signIn(app);
      const ben = await addMember(app, 'Ben');
      const make = async (caller: object, whose: object = {}) =>
        (await app.request('POST', KEYS, { body: { name: 'x', scope: 'full_access', ...whose }, ...caller })).json;
      const bySession = { key: null, headers: ana.headers };
      const own = await make(bySession);
      expect(own).toMatchObject({ user_id: ana.member.short_id });
      expect(await make({ key: own.key })).toMatchObject({ user_id: ana.member.short_id });
      expect(await make({ key: own.key }, { user_id: ben.short_id })).toMatchObject({ user_id: ben.short_id });
      expect(await make(bySession, { user_id: ben.id })).toMatchObject({ user_id: ben.short_id });
      expect(await make(bySession, { user_id: null })).toMatchObject({ user_id: null });
      expect(await make({})).toMatchObject({ user_id: null });
    });

    test('must be somebody; PATCH gives a key away and back to the household', async () => {
      const app = await database.open();
      const ben = await addMember(app, 'Ben');
      const { id } = await app.newKey();
      const patch = (body: object) => app.request('PATCH', `${KEYS}/${id}`, { body });
      expect((await patch({ user_id: ben.short_id })).json).toMatchObject({ user_id: ben.short_id });
      expect((await app.request('GET', `${KEYS}/${id}`)).json).toMatchObject({ user_id: ben.short_id });
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const user_id of ['zzzzzzzz', '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10', 'Ben', 'x'.repeat(5_000)]) {
        const refused = [
          await patch({ user_id }),
          await app.request('POST', KEYS, { body: { name: 'x', scope: 'read_only', user_id } }),
        ];
        for (const { status, json } of refused) {
          expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'INVALID_PARAMETER', 'user_id']);
        }
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
      expect((await patch({ user_id: '' })).json).toMatchObject({ user_id: null });
      const changes = await rowsOf(
        app.app.instance.database,
        `select before, after from changes where entity_id = '${id}'
        and operation = 'update' order by change_set_id`,
      );
      expect(changes).toEqual([
        { before: '{"user_id":null}', after: `{"user_id":"${ben.short_id}"}` },
        { before: `{"user_id":"${ben.short_id}"}`, after: '{"user_id":null}' },
      ]);
    });
  });

  test("a write by a member's key names the member; by an agent's key, the agent too", async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const named = async (wanted: object): Promise<unknown[]> => {
      const { key, id } = await app.newKey(wanted);
      const made = await app.request('POST', '/api/v1/users', { body: { name: 'x' }, key });
      const set = (await app.request('GET', `/api/v1/change-sets/${String(made.headers['x-change-set-id'])}`)).json;
      expect(set.actor_id).toBe(id);
      return [set.actor_type, set.actor_user_id, set.actor_name];
    };
    const memberId = ana.id;
    expect(await named({ name: 'Laptop', memberId })).toEqual(['user', ana.short_id, 'Ana']);
    expect(await named({ memberId, actor_name: 'Ana at work' })).toEqual(['user', ana.short_id, 'Ana at work']);
    const agent = { memberId, actor_type: 'agent' };
    expect(await named({ ...agent, name: 'Claws' })).toEqual(['agent', ana.short_id, 'Claws']);
    expect(await named({ ...agent, actor_name: 'Helper' })).toEqual(['agent', ana.short_id, 'Helper']);
    expect(await named({ name: 'Kitchen' })).toEqual(['user', null, 'Kitchen']);
  });

  test('a session is shown in the form of a key, without one', async () => {
    const app = await database.open();
    for (const [role, scope] of [
      ['admin', 'full_access'],
      ['editor', 'full_access'],
      ['viewer', 'read_only'],
    ] as const) {
      const { headers, member, login } = await signIn(app, { role, name: `A ${role}` });
      const own = await app.request('GET', '/api/v1/keys/me', { key: null, headers });
      expect([own.status, own.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(own.json).toEqual({
        id: login.id,
        short_id: login.short_id,
        name: login.identifier,
        prefix: null,
        key_prefix: null,
        scope,
        effective_scope: scope,
        user_id: member.short_id,
        actor_type: 'user',
        actor_name: `A ${role}`,
        last_used_at: null,
        expires_at: '2026-04-27T06:00:00.000Z',
        revoked_at: null,
        created_at: '2026-04-26T06:00:00.000Z',
      });
    }
  });

  test('a key or an admin whose access is withdrawn while the request is on the way makes no key', async () => {
    const app = await database.open();
    const other = await app.again();
    await signIn(app, { name: 'Ben' });
    const { headers, member, login } = await signIn(app);
    const { key, id } = await app.newKey();
    const { database: db } = app.app.instance;
    const original = db.writeBare.bind(db);
    for (const [caller, withdraw] of [
      [{ key }, () => other.request('DELETE', `${KEYS}/${id}`)],
      [
        { key: null, headers },
        () => other.request('PATCH', `/api/v1/users/${member.id}/login/${login.id}`, { body: { role: 'editor' } }),
      ],
    ] as const) {
      let withdrawn: Promise<Answer> | undefined;
      db.writeBare = async (fn, before) => {
        expect((await (withdrawn ??= withdraw())).status).toBeLessThan(300);
        return original(fn, before);
      };
      const refused = await app.request('POST', KEYS, { ...caller, body: { name: 'Last', scope: 'full_access' } });
      expect([refused.status, refused.json.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await other.request('GET', KEYS)).text).not.toContain('Last');
  });

  describe('who leaves', () => {
    const revokeAll = (app: TestApp, member: Made, which = {}): Promise<number> =>
      app.write('test.leave', (tx) => revokeKeysOf(tx, member.id, which));
    const works = async (app: TestApp, key: string): Promise<boolean> =>
      (await app.request('GET', '/api/v1/keys/me', { key })).status === 200;

    test('takes their keys along, and nobody else’s', async () => {
      const app = await database.open();
      const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
      const full = await app.newKey({ memberId: ana.id });
      const reading = await app.newKey({ memberId: ana.id, scope: 'read_only' });
      const others = [app.key, (await app.newKey({ memberId: ben.id })).key];
      expect(await revokeAll(app, ana, { scope: 'full_access' })).toBe(1);
      expect([await works(app, full.key), await works(app, reading.key)]).toEqual([false, true]);
      expect(await revokeAll(app, ana, { except: reading.id })).toBe(0);
      expect(await revokeAll(app, ana)).toBe(1);
      expect(await works(app, reading.key)).toBe(false);
      for (const key of others) expect(await works(app, key)).toBe(true);
      await app.write('test.leave', (tx) => disownKeysOf(tx, ana.id));
      const listed = (await app.request('GET', KEYS)).json as { id: string; user_id: string | null }[];
      for (const { id } of [full, reading]) expect(listed.find((key) => key.id === id)?.user_id).toBeNull();
    });

    test('is refused if nobody would have full access', async () => {
      const app = await database.open();
      const ana = await addMember(app, 'Ana');
      const key = await app.newKey({ memberId: ana.id });
      const expiring = await app.newKey({ memberId: ana.id, expires_at: '2026-04-26T06:00:01.000Z' });
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      expect((await app.request('DELETE', `${KEYS}/${id}`)).status).toBe(204);
      await expect(revokeAll(app, ana)).rejects.toMatchObject({ code: 'LAST_FULL_ACCESS_KEY' });
      expect(await works(app, key.key)).toBe(true);
      expect(await revokeAll(app, ana, { except: key.id })).toBe(1);
      expect(await works(app, expiring.key)).toBe(false);
      await signIn(app, { name: 'Ben' });
      expect(await revokeAll(app, ana)).toBe(1);
    });

    test('twice at the same time, from two processes, leaves somebody with full access', async () => {
      const app = await database.open();
      const second = database.name === 'PostgreSQL' ? await app.again() : app;
      const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
      const keys = [await app.newKey({ memberId: ana.id }), await app.newKey({ memberId: ben.id })];
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      expect((await app.request('DELETE', `${KEYS}/${id}`)).status).toBe(204);
      const ends = await Promise.allSettled([revokeAll(app, ana), revokeAll(second, ben)]);
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const working = await Promise.all(keys.map(({ key }) => works(app, key)));
      expect(working.filter(Boolean)).toHaveLength(1);
    });
  });
});
