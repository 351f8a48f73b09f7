import { describe, expect, test } from 'vitest';

import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { changeSetOf, newKeyOf, stateOf } from '../../../test/harness/people/people.ts';
import { addLogin, PASSWORD, signIn, type SignedIn } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const FIELDS = [
  'created_at',
  'has_password',
  'id',
  'identifier',
  'kind',
  'last_used_at',
  'role',
  'setup_token_expires_at',
  'short_id',
  'user_id',
];
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathOf = (member: Made) => `/api/v1/users/${member.short_id}/login`;
const loginPath = ({ member, login }: SignedIn) => `${pathOf(member)}/${login.short_id}`;
const as = ({ headers }: SignedIn) => ({ key: null, headers });

async function invite(app: TestApp, member: Made, identifier: string, role?: string): Promise<Answer> {
  return app.request('POST', pathOf(member), { body: { identifier, ...(role === undefined ? {} : { role }) } });
}

forEachDatabase((database) => {
  test('an invited member has a login without a password, and a setup link that is shown once', async () => {
    const app = await database.open({ env: { HOMELEDGER_BASE_URL: 'https://home.example' } });
    const ana = await addMember(app, 'Ana');
    expect((await app.request('GET', pathOf(ana))).json).toEqual([]);
    const made = await invite(app, ana, ' ANA@home.example ');
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const { setup_token: token, setup_url: url, ...record } = made.json;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url).toBe(`https://home.example/invite/${token}`);
    expect(Object.keys(record).sort()).toEqual(FIELDS);
    expect(record).toMatchObject({
      user_id: ana.short_id,
      kind: 'password',
      identifier: 'ana@home.example',
      role: 'viewer',
      has_password: false,
      last_used_at: null,
      setup_token_expires_at: '2026-05-03T06:00:00.000Z',
    });
    expect((await app.request('GET', pathOf(ana))).json).toEqual([record]);
    expect(await changeSetOf(app, made)).toEqual({ action: 'login.create', changes: ['create login'] });

    const path = `${pathOf(ana)}/${record.short_id}`;
    expect((await app.request('PATCH', path, { body: {} })).json).toEqual(record);
    const again = await app.request('POST', `${path}/regenerate-token`);
    expect(Object.keys(again.json).sort()).toEqual(['setup_token', 'setup_token_expires_at', 'setup_url']);
    expect(await changeSetOf(app, again)).toMatchObject({ action: 'login.issue_token' });
    const everything = JSON.stringify([await allRows(app.app.instance.database), app.logs]);
    for (const secret of [token, again.json.setup_token]) expect(everything.includes(secret)).toBe(false);

    app.clock.advance(7 * 86_400_000);
    expect((await app.request('GET', pathOf(ana))).json[0].setup_token_expires_at).toBeNull();
  });

  test('a reset lasts a day and leaves the password; the token answer is not kept for a repeated request', async () => {
    const app = await database.open();
    const ana = await signIn(app);
    const headers = { ...ana.headers, 'idempotency-key': 'once' };
    const reset = () => app.request('POST', `${loginPath(ana)}/regenerate-token`, { key: null, headers });
    const first = await reset();
    expect(first.json.setup_token_expires_at).toBe('2026-04-27T06:00:00.000Z');
    expect((await reset()).json).toEqual({ ...first.json, setup_token: null, setup_url: null });
    const [login] = (await app.request('GET', pathOf(ana.member))).json;
    expect([login.has_password, login.setup_token_expires_at]).toEqual([true, '2026-04-27T06:00:00.000Z']);
    const rows = await rowsOf(app.app.instance.database, 'select setup_token_issuer from logins');
    expect(rows).toEqual([{ setup_token_issuer: 'Ana' }]);
  });

  test('a member has one login, and an email address signs in one member, also for concurrent requests', async () => {
    const app = await database.open();
    const [ana, ben, cleo] = [await addMember(app, 'Ana'), await addMember(app, 'Ben'), await addMember(app, 'Cleo')];
    const { json: login } = await invite(app, ana, 'ana@home.example');
    expect(codeOf(await invite(app, ana, 'other@home.example'))).toEqual([409, 'LOGIN_EXISTS']);
    expect(codeOf(await invite(app, ben, 'ANA@home.example'))).toEqual([409, 'IDENTIFIER_TAKEN']);
    const both = await Promise.all([ben, cleo].map((member) => invite(app, member, 'shared@home.example')));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));

    const path = `${pathOf(ana)}/${login.id}`;
    const taken = await app.request('PATCH', path, { body: { identifier: 'Shared@home.example' } });
    expect(codeOf(taken)).toEqual([409, 'IDENTIFIER_TAKEN']);
    for (const body of [{ identifier: 'Ana <a@b.c>' }, { role: 'owner' }, { kind: 'password' }, { role: null }]) {
      expect(codeOf(await app.request('PATCH', path, { body }))).toEqual([400, 'VALIDATION_ERROR']);
    }
    for (const body of [{}, { identifier: 'x' }, { identifier: 'c@d.e', kind: 'oidc' }]) {
      expect(codeOf(await app.request('POST', pathOf(ana), { body }))).toEqual([400, 'VALIDATION_ERROR']);
    }
    for (const [method, under] of [
      ['PATCH', ben],
      ['DELETE', ben],
    ] as const) {
      const answer = await app.request(method, `${pathOf(under)}/${login.id}`, { body: {} });
      expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
    }
    expect(codeOf(await app.request('POST', `${pathOf(ben)}/${login.id}/regenerate-token`))[0]).toBe(404);
  });

  test('an editor and a key that may only read are refused everywhere', async () => {
    const app = await database.open();
    const ben = await signIn(app, { name: 'Ben', role: 'editor' });
    for (const [method, path] of [
      ['GET', pathOf(ben.member)],
      ['POST', pathOf(ben.member)],
      ['PATCH', loginPath(ben)],
      ['DELETE', loginPath(ben)],
      ['POST', `${loginPath(ben)}/regenerate-token`],
    ] as const) {
      expect(codeOf(await app.request(method, path, as(ben)))).toEqual([403, 'FORBIDDEN']);
      expect(codeOf(await app.request(method, path, { key: app.readOnlyKey }))).toEqual([403, 'FORBIDDEN']);
    }
  });

  describe('the last admin', () => {
    test('keeps role, login and member; one who has set no password yet does not count', async () => {
      const app = await database.open();
      const ana = await signIn(app, { name: 'Ana' });
      const attempts = () => [
        app.request('PATCH', loginPath(ana), { ...as(ana), body: { role: 'viewer' } }),
        app.request('DELETE', loginPath(ana), as(ana)),
        app.request('DELETE', `/api/v1/users/${ana.member.id}`, as(ana)),
      ];
      for (const answer of await Promise.all(attempts())) expect(codeOf(answer)).toEqual([409, 'LAST_ADMIN']);
      const ben = await addMember(app, 'Ben');
      const { json: login } = await invite(app, ben, 'ben@home.example', 'admin');
      for (const answer of await Promise.all(attempts())) expect(codeOf(answer)).toEqual([409, 'LAST_ADMIN']);
      const lowered = await app.request('PATCH', `${pathOf(ben)}/${login.id}`, {
        ...as(ana),
        body: { role: 'editor' },
      });
      expect(lowered.json.role).toBe('editor');
    });

    test('of two stays when both are demoted at once, by two processes on PostgreSQL', async () => {
      const app = await database.open();
      const other = database.name === 'PostgreSQL' ? await app.again() : app;
      const [ana, ben] = [await signIn(app, { name: 'Ana' }), await signIn(app, { name: 'Ben' })];
      const answers = await Promise.all([
        app.request('PATCH', loginPath(ana), { ...as(ben), body: { role: 'viewer' } }),
        other.request('PATCH', loginPath(ben), { ...as(ana), body: { role: 'viewer' } }),
      ]);
      // The one demoted first may be refused before the other is looked at.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const admins = await rowsOf(app.app.instance.database, `select id from logins where role = 'admin'`);
      expect(admins).toHaveLength(1);
    });
  });

  test('a new role counts on the next request; it and a new identifier end neither session nor keys', async () => {
    const app = await database.open();
    const ana = await signIn(app, { name: 'Ana', role: 'viewer' });
    const key = await newKeyOf(app, ana.member);
    const tag = () => app.request('POST', '/api/v1/tags', { ...as(ana), body: { name: `Trip ${app.clock.now()}` } });
    expect((await tag()).status).toBe(403);
    const raised = await app.request('PATCH', loginPath(ana), {
      body: { role: 'editor', identifier: 'new@home.example' },
    });
    expect(raised.json).toMatchObject({ role: 'editor', identifier: 'new@home.example' });
    expect(await changeSetOf(app, raised)).toEqual({ action: 'login.update', changes: ['update login'] });
    expect([(await tag()).status, await stateOf(app, key)]).toEqual([201, 200]);
    const undo = `/api/v1/change-sets/${String(raised.headers['x-change-set-id'])}/revert`;
    expect(codeOf(await app.request('POST', undo, { body: {} }))).toEqual([409, 'NOT_REVERTIBLE']);
    const same = await app.request('PATCH', loginPath(ana), { body: { role: 'editor' } });
    expect([same.status, same.headers['x-change-set-id']]).toEqual([200, undefined]);
  });

  test('a new identifier signs in, with the same password, and the old one does not', async () => {
    const app = await database.open();
    const { member, login } = await addLogin(app, { name: 'Ana' });
    const body = { identifier: 'new@home.example' };
    expect((await app.request('PATCH', `${pathOf(member)}/${login.id}`, { body })).status).toBe(200);
    expect((await openJar(app).signIn('NEW@home.example', PASSWORD)).status).toBe(200);
    expect((await openJar(app).signIn(login.identifier, PASSWORD)).status).toBe(401);
  });

  test('a deleted member is signed out', async () => {
    const app = await database.open();
    const [ana, ben] = [await signIn(app, { name: 'Ana' }), await signIn(app, { name: 'Ben', role: 'viewer' })];
    expect((await app.request('DELETE', `/api/v1/users/${ben.member.id}`, as(ana))).status).toBe(204);
    expect(codeOf(await app.request('GET', '/api/v1/users', as(ben)))).toEqual([401, 'MISSING_API_KEY']);
    const left = await rowsOf(app.app.instance.database, 'select login_id from sessions');
    expect(left).toEqual([{ login_id: ana.login.id }]);
  });

  test('a higher role voids a pending setup link, a lower one does not', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const { json: login } = await invite(app, ana, 'ana@home.example', 'editor');
    const change = async (role: string) =>
      (await app.request('PATCH', `${pathOf(ana)}/${login.id}`, { body: { role } })).json.setup_token_expires_at;
    expect(await change('viewer')).toBe(login.setup_token_expires_at);
    expect(await change('admin')).toBeNull();
    const [row] = await rowsOf(app.app.instance.database, 'select setup_token_hash from logins');
    expect(row).toEqual({ setup_token_hash: null });
  });

  describe('who leaves takes no access along', () => {
    test('a lower role revokes the keys with full access, a deleted login all of them, and nobody else’s', async () => {
      const app = await database.open();
      const [ana, ben] = [await signIn(app, { name: 'Ana' }), await signIn(app, { name: 'Ben' })];
      const full = await newKeyOf(app, ana.member);
      const reading = await newKeyOf(app, ana.member, 'read_only');
      const others = [await newKeyOf(app, ben.member), await app.newKey()];
      const demoted = await app.request('PATCH', loginPath(ana), { ...as(ben), body: { role: 'editor' } });
      expect(await changeSetOf(app, demoted)).toMatchObject({ changes: ['update login', 'update api_key'] });
      expect([await stateOf(app, full), await stateOf(app, reading)]).toEqual(['REVOKED_API_KEY', 200]);
      expect((await app.request('GET', '/api/v1/tags', as(ana))).status).toBe(200);

      const gone = await app.request('DELETE', loginPath(ana), as(ben));
      expect(await changeSetOf(app, gone)).toMatchObject({ changes: ['delete login', 'update api_key'] });
      expect(await stateOf(app, reading)).toBe('REVOKED_API_KEY');
      expect(codeOf(await app.request('GET', '/api/v1/tags', as(ana)))).toEqual([401, 'MISSING_API_KEY']);
      for (const other of others) expect(await stateOf(app, other)).toBe(200);
      expect((await app.request('GET', pathOf(ana.member))).json).toEqual([]);
    });

    test('but the last key with full access stays while no admin can sign in', async () => {
      const app = await database.open();
      const ana = await signIn(app, { name: 'Ana', role: 'editor' });
      const own = await newKeyOf(app, ana.member);
      const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
      await app.request('DELETE', `/api/v1/api-keys/${id}`);
      const ask = { key: own.key };
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const answer of [
        await app.request('PATCH', loginPath(ana), { ...ask, body: { role: 'viewer' } }),
        await app.request('DELETE', loginPath(ana), ask),
        await app.request('DELETE', `/api/v1/users/${ana.member.id}`, ask),
      ]) {
        expect(codeOf(answer)).toEqual([409, 'LAST_FULL_ACCESS_KEY']);
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });
  });
});
