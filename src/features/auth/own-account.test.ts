import { expect, test } from 'vitest';

import { openJar, type CookieJar } from '../../../test/harness/people/cookie-jar.ts';
import { addLogin, PASSWORD } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { logins } from '../users/index.ts';

const NEW = 'glass roof, shining';
const WRONG = 'not the password';
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathOf = ({ status, json }: Answer) => [status, json?.error?.details?.[0]?.path];
const isIn = async (jar: CookieJar) => (await jar.request('GET', '/auth/session')).json.authenticated as boolean;
const lastSet = async (app: TestApp) => {
  const sql = 'select action, surface, actor_name, entity_types, id from change_sets order by id desc limit 1';
  const [set] = await rowsOf<{ id: string }>(app.app.instance.database, sql);
  const changes = `select entity_type as type, "before", "after" from changes where change_set_id = '${set?.id}' order by sequence`;
  return { set, changes: await rowsOf(app.app.instance.database, changes) };
};

async function signedIn(app: TestApp, identifier = 'ana@home.example', remember = false): Promise<CookieJar> {
  const jar = openJar(app);
  expect((await jar.signIn(identifier, PASSWORD, { remember })).status).toBe(200);
  return jar;
}

forEachDatabase((database) => {
  test('a new password ends all other sessions and voids a setup token; this browser stays in with a new cookie', async () => {
    const app = await database.open();
    const { login } = await addLogin(app);
    await addLogin(app, { name: 'Ben' });
    const [here, there, ben] = [
      await signedIn(app, undefined, true),
      await signedIn(app),
      await signedIn(app, 'ben@home.example'),
    ];
    await app.write('test.token', async (tx) => {
      const row = await logins.find(tx, login.id);
      const token = { setup_token_hash: 'ab'.repeat(32), setup_token_expires_at: '2026-05-26T06:00:00.000Z' };
      if (row) await logins.change(tx, row, token);
    });
    const [before, known] = [new Map(here.cookies), `homeledger_browser_${login.short_id}`];
    const body = { current_password: PASSWORD, new_password: NEW };
    const changed = await here.request('POST', '/auth/password', { body });
    expect([changed.status, changed.text]).toEqual([204, '']);
    expect((changed.headers['set-cookie'] as string[])[0]).toContain('Max-Age=2592000');
    for (const name of ['homeledger_session', known]) expect(here.cookies.get(name)).not.toBe(before.get(name));

    expect([await isIn(here), await isIn(there), await isIn(ben)]).toEqual([true, false, true]);
    const old = { cookie: `homeledger_session=${before.get('homeledger_session')}` };
    expect(codeOf(await app.request('GET', '/api/v1/users', { key: null, headers: old }))).toEqual([
      401,
      'MISSING_API_KEY',
    ]);
    expect((await app.request('GET', '/api/v1/users')).status).toBe(200);
    expect((await openJar(app).signIn(login.identifier, PASSWORD)).status).toBe(401);
    expect((await openJar(app).signIn(login.identifier, NEW)).status).toBe(200);
    const { set, changes } = await lastSet(app);
    expect(set).toMatchObject({
      id: changed.headers['x-change-set-id'],
      action: 'login.set_password',
      surface: 'dashboard',
      actor_name: 'Ana',
      entity_types: '["login"]',
    });
    expect(changes).toEqual([
      {
        type: 'login',
        before: '{"has_password":true,"setup_token_expires_at":"2026-05-26T06:00:00.000Z"}',
        after: '{"has_password":true,"setup_token_expires_at":null}',
      },
    ]);
    const sql = 'select setup_token_hash as hash from logins where setup_token_hash is not null';
    expect(await rowsOf(app.app.instance.database, sql)).toEqual([]);
  });

  test('with revoke_keys the keys of the member are revoked, and those of nobody else', async () => {
    const app = await database.open();
    const { member } = await addLogin(app, { role: 'editor' });
    const [own, others] = [await app.newKey({ memberId: member.id }), await app.newKey()];
    const jar = await signedIn(app);
    const body = { current_password: PASSWORD, new_password: NEW };
    expect((await jar.request('POST', '/auth/password', { body })).status).toBe(204);
    expect((await app.request('GET', '/api/v1/keys/me', { key: own.key })).status).toBe(200);
    const again = { current_password: NEW, new_password: PASSWORD, revoke_keys: true };
    expect((await jar.request('POST', '/auth/password', { body: again })).status).toBe(204);
    expect(codeOf(await app.request('GET', '/api/v1/keys/me', { key: own.key }))).toEqual([401, 'REVOKED_API_KEY']);
    expect((await app.request('GET', '/api/v1/keys/me', { key: others.key })).status).toBe(200);
    expect((await lastSet(app)).changes.map(({ type }) => type)).toEqual(['login', 'api_key']);
  });

  test('a password that will not do is refused by name, a wrong current one with 403, and nothing changes', async () => {
    const app = await database.open();
    await addLogin(app, { name: 'Anastasia' });
    const jar = await signedIn(app, 'anastasia@home.example');
    const before = await allRows(app.app.instance.database, ['sessions']);
    const change = (newPassword: unknown, currentPassword: unknown = PASSWORD) =>
      jar.request('POST', '/auth/password', {
        body: { current_password: currentPassword, new_password: newPassword },
      });
    for (const password of [
      '123456789',
      'x'.repeat(201),
      '1234567890',
      'QwertyUIOP',
      'Anastasia@home.example',
      PASSWORD,
    ]) {
      const refused = await change(password);
      expect([password, ...codeOf(refused)]).toEqual([password, 400, 'VALIDATION_ERROR']);
      expect(pathOf(refused)).toEqual([400, 'new_password']);
      expect(refused.json.error.message).toMatch(/^new_password: /);
    }
    expect(pathOf(await change(NEW, 5))).toEqual([400, 'current_password']);
    expect(codeOf(await change(NEW, WRONG))).toEqual([403, 'INVALID_CREDENTIALS']);
    expect(codeOf(await change(NEW, 'x'.repeat(201)))).toEqual([403, 'INVALID_CREDENTIALS']);
    expect(await allRows(app.app.instance.database, ['sessions'])).toEqual(before);
    expect((await change('😀😁😂🤣😃😄😅😆😉😊')).status).toBe(204);
    expect(codeOf(await openJar(app).request('POST', '/auth/password', { body: {} }))).toEqual([401, 'LOGIN_REQUIRED']);
  });

  test('two changes of one password at once: one wins, the other is told so', async () => {
    const app = await database.open();
    await addLogin(app);
    const [here, there] = [await signedIn(app), await signedIn(app)];
    const change = (jar: CookieJar, newPassword: string) =>
      jar.request('POST', '/auth/password', { body: { current_password: PASSWORD, new_password: newPassword } });
    const answers = await Promise.all([change(here, NEW), change(there, 'another long password')]);
    const statuses = answers.map(({ status }) => status);
    // Whoever comes second finds either another password or no session.
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect([401, 403]).toContain(statuses.find((status) => status !== 204));
    expect([await isIn(here), await isIn(there)].filter(Boolean)).toHaveLength(1);
  });

  test('a viewer changes the own name and email address, and with the password the own identifier', async () => {
    const app = await database.open();
    await addLogin(app, { role: 'viewer' });
    await addLogin(app, { name: 'Ben' });
    await app.request('POST', '/api/v1/users', { body: { name: 'Cleo', email: 'cleo@home.example' } });
    const jar = await signedIn(app);
    const patch = (body: object) => jar.request('PATCH', '/auth/profile', { body });
    const named = await patch({ name: ' Ana María ', email: 'Ana.Maria@Home.Example' });
    expect(named.json).toMatchObject({
      authenticated: true,
      user: { name: 'Ana María', email: 'ana.maria@home.example' },
      login: { identifier: 'ana@home.example' },
      scope: 'read_only',
    });
    expect((await lastSet(app)).set).toMatchObject({ action: 'user.update', entity_types: '["user"]' });
    const same = await patch({ name: 'Ana María' });
    expect([same.status, same.headers['x-change-set-id']]).toEqual([200, undefined]);

    const before = await allRows(app.app.instance.database);
    for (const [expected, body] of [
      [[400, 'VALIDATION_ERROR'], { identifier: 'new@home.example' }],
      [[403, 'INVALID_CREDENTIALS'], { identifier: 'new@home.example', name: 'X', current_password: WRONG }],
      [[409, 'IDENTIFIER_TAKEN'], { identifier: 'BEN@home.example', name: 'X', current_password: PASSWORD }],
      [[400, 'VALIDATION_ERROR'], { identifier: 'Ana <a@b.example>', name: 'X', current_password: PASSWORD }],
      [[409, 'EMAIL_CONFLICT'], { name: 'X', email: 'CLEO@home.example' }],
      [[400, 'VALIDATION_ERROR'], { name: ' ' }],
      [[400, 'VALIDATION_ERROR'], { role: 'admin' }],
      [[400, 'VALIDATION_ERROR'], { kind: 'admin' }],
    ] as const) {
      expect([body, codeOf(await patch(body))]).toEqual([body, expected]);
    }
    expect(await allRows(app.app.instance.database)).toEqual(before);
    const moved = await patch({ identifier: ' New@Home.Example', current_password: PASSWORD });
    expect(moved.json.login.identifier).toBe('new@home.example');
    const { set, changes } = await lastSet(app);
    expect([set, changes]).toMatchObject([
      { action: 'login.update', entity_types: '["login"]' },
      [{ before: '{"identifier":"ana@home.example"}', after: '{"identifier":"new@home.example"}' }],
    ]);
    for (const answer of [named, moved]) {
      const path = `/api/v1/change-sets/${String(answer.headers['x-change-set-id'])}/revert`;
      expect(codeOf(await app.request('POST', path))).toEqual([409, 'NOT_REVERTIBLE']);
    }
    expect(await isIn(jar)).toBe(true);
    expect((await openJar(app).signIn('ana@home.example', PASSWORD)).status).toBe(401);
    expect((await openJar(app).signIn('new@home.example', PASSWORD)).status).toBe(200);
    expect(codeOf(await openJar(app).request('PATCH', '/auth/profile', { body: {} }))).toEqual([401, 'LOGIN_REQUIRED']);
  });

  test('members see their own live sessions, last seen first, and end any of them', async () => {
    const app = await database.open();
    await addLogin(app);
    await addLogin(app, { name: 'Ben' });
    const [dead, first] = [await signedIn(app), await signedIn(app, undefined, true)];
    app.clock.advance(5 * 3_600_000);
    const bens = await signedIn(app, 'ben@home.example');
    const [second, here] = [await signedIn(app), await signedIn(app)];
    app.clock.advance(1_000);
    const third = openJar(app, { from: '10.0.0.9', headers: { 'user-agent': 'Phone' } });
    await third.signIn('ana@home.example', PASSWORD);

    expect(await isIn(dead)).toBe(false);
    const list = (await here.request('GET', '/auth/sessions')).json;
    expect(list).toHaveLength(4);
    expect(list[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      short_id: expect.stringMatching(/^\w{8}$/),
      current: false,
      created_at: '2026-04-26T11:00:01.000Z',
      last_seen_at: '2026-04-26T11:00:01.000Z',
      expires_at: '2026-04-27T11:00:01.000Z',
      user_agent: 'Phone',
      client_address: '10.0.0.9',
    });
    expect(list.map(({ current }: { current: boolean }) => current).filter(Boolean)).toHaveLength(1);

    const [bensOwn] = (await bens.request('GET', '/auth/sessions')).json;
    for (const id of [bensOwn.id, 'nonsense', '0'.repeat(36)]) {
      expect(codeOf(await here.request('DELETE', `/auth/sessions/${id}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect((await here.request('DELETE', `/auth/sessions/${list[0].short_id}`)).status).toBe(204);
    expect([await isIn(third), await isIn(first)]).toEqual([false, true]);
    const others = await here.request('DELETE', '/auth/sessions');
    expect([others.status, others.json]).toEqual([200, { ended: 2 }]);
    expect([await isIn(first), await isIn(second), await isIn(here)]).toEqual([false, false, true]);
    const [own] = (await here.request('GET', '/auth/sessions')).json;
    const ended = await here.request('DELETE', `/auth/sessions/${own.id}`);
    expect([ended.status, here.cookies.has('homeledger_session')]).toEqual([204, false]);
    for (const [method, path] of [
      ['GET', '/auth/sessions'],
      ['DELETE', '/auth/sessions'],
      ['DELETE', `/auth/sessions/${own.id}`],
    ] as const) {
      expect(codeOf(await here.request(method, path))).toEqual([401, 'LOGIN_REQUIRED']);
    }
  });

  test('an identifier that is the password but for its capitals is refused, as such a password would be', async () => {
    const app = await database.open();
    const password = 'Ana@Other.Example';
    await addLogin(app, { password });
    const jar = openJar(app);
    await jar.signIn('ana@home.example', password);
    const body = { identifier: 'ana@other.example', current_password: password };
    const answer = await jar.request('PATCH', '/auth/profile', { body });
    expect([answer.status, answer.json.error.details[0].path]).toEqual([400, 'identifier']);
  });
});
