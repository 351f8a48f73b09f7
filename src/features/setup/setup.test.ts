import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { addAccount, addMember } from '../../../test/harness/ledger.ts';
import { changeSetOf } from '../../../test/harness/people/people.ts';
import { addLogin, PASSWORD } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../../../test/harness/test-app.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { openFirstRun } from './index.ts';

const EMAIL = 'ana@home.example';
const ANA = { name: 'Ana', email: EMAIL, password: PASSWORD };
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

async function firstRun(app: TestApp): Promise<string> {
  return (await openFirstRun(app.app.instance)) as string;
}

async function setUp(app: TestApp, body: object): Promise<Answer> {
  return app.request('POST', '/auth/setup', { key: null, body });
}

async function lookAt(app: TestApp, path = '/auth/setup', options: RequestOptions = {}) {
  return (await app.request('GET', path, { key: null, ...options })).json;
}

async function membersAndLogins({ app }: TestApp) {
  const { database } = app.instance;
  return {
    members: await rowsOf(database, 'select name, email from users order by name'),
    logins: await rowsOf(database, 'select identifier, role from logins'),
  };
}

forEachDatabase((database) => {
  test('with the token of the first run somebody becomes the first admin, signed in; there is no second time', async () => {
    const app = await database.open();
    const token = await firstRun(app);
    expect(token).toMatch(/^[\w-]{43}$/);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const body of [{}, ANA, { ...ANA, token: 'wrong' }, { ...ANA, token: { toString: 1 } }, { token: null }]) {
      expect(codeOf(await setUp(app, body))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);

    const browser = openJar(app);
    const done = await browser.request('POST', '/auth/setup', { body: { ...ANA, email: 'ANA@home.example', token } });
    expect([done.status, done.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(done.json).toEqual({
      user: expect.objectContaining({ name: 'Ana', kind: 'admin', email: EMAIL }),
      login: expect.objectContaining({
        user_id: done.json.user.short_id,
        identifier: EMAIL,
        role: 'admin',
        has_password: true,
        setup_token_expires_at: null,
        last_used_at: '2026-04-26T06:00:00.000Z',
      }),
      api_key: null,
      encryption: { source: 'key_file', key_file: expect.stringMatching(/encryption\.key$/) },
    });
    expect(await changeSetOf(app, done)).toEqual({
      action: 'setup.complete',
      changes: ['create user', 'create login'],
    });
    expect((await browser.request('GET', '/auth/session')).json).toMatchObject({
      authenticated: true,
      first_run: false,
      user: { name: 'Ana' },
    });
    expect((await browser.request('GET', '/api/v1/api-keys')).status).toBe(200);
    expect(codeOf(await setUp(app, { ...ANA, token }))).toEqual([409, 'ALREADY_SET_UP']);
    expect(codeOf(await setUp(app, {}))).toEqual([409, 'ALREADY_SET_UP']);
    expect(await rowsOf(app.app.instance.database, 'select * from setup_tokens')).toEqual([]);
    expect((await openJar(app).signIn(EMAIL, PASSWORD)).status).toBe(200);
    expect(await openFirstRun(app.app.instance)).toBeNull();
  });

  test('of two set-ups at once one wins, also in two processes on PostgreSQL', async () => {
    const app = await database.open();
    const other = database.name === 'PostgreSQL' ? await app.again() : app;
    const tokens = [await firstRun(app), await firstRun(other)];
    const ben = { ...ANA, name: 'Ben', email: 'ben@home.example' };
    const answers = await Promise.all([
      setUp(app, { ...ANA, token: tokens[0] }),
      setUp(other, { ...ben, token: tokens[1] }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(answers.find(({ status }) => status === 409)?.json.error.code).toBe('ALREADY_SET_UP');
    const { members, logins } = await membersAndLogins(app);
    expect([members.length, logins.length]).toEqual([1, 1]);
  });

  test('a token is good for a day, whichever process made it; the next start makes another', async () => {
    const app = await database.open();
    const first = await firstRun(app);
    app.clock.advance(DAY_MS / 2);
    const second = await firstRun(app);
    app.clock.advance(DAY_MS / 2);
    expect(codeOf(await setUp(app, { ...ANA, token: first }))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    expect(await lookAt(app)).toEqual({ first_run: true, setup_token: second, members: null });
    app.clock.advance(DAY_MS);
    expect(await lookAt(app)).toEqual({ first_run: true, setup_token: null, members: null });
    expect(codeOf(await setUp(app, { ...ANA, token: second }))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    expect((await setUp(app, { ...ANA, token: await firstRun(app) })).status).toBe(201);
  });

  test('a faulty field is named, after the token was good, and nothing is written', async () => {
    const app = await database.open();
    const token = await firstRun(app);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [path, wrong] of [
      ['name', { name: undefined }],
      ['name', { name: ' ' }],
      ['name', { user_id: 'uB4x90Lm' }],
      ['email', { email: 'Ana <a@b.c>' }],
      ['email', { email: undefined }],
      ['password', { password: 'too short' }],
      ['password', { password: 'QwertyUIOP' }],
      ['password', { password: EMAIL }],
      ['surprise', { surprise: 1 }],
      ['household_name', { household_name: 'x'.repeat(201) }],
      ['default_currency', { default_currency: 'XX' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
      ['create_api_key', { create_api_key: 'yes' }],
    ] as const) {
      const refused = await setUp(app, { ...ANA, token, ...wrong });
      expect([path, ...codeOf(refused)]).toEqual([path, 400, 'VALIDATION_ERROR']);
      expect(refused.json.error.details[0].path).toBe(path);
      expect(refused.json.error.message).toMatch(new RegExp(`^${path}: `));
    }
    const unknown = await setUp(app, { ...ANA, name: undefined, user_id: 'uB4x90Lm', token });
    expect(codeOf(unknown)).toEqual([400, 'INVALID_PARAMETER']);
    expect(codeOf(await app.request('POST', '/auth/setup', { key: null, body: '{' }))).toEqual([400, 'INVALID_BODY']);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' }, body: { ...ANA, token } };
    expect(codeOf(await app.request('POST', '/auth/setup', { key: null, ...foreign }))).toEqual([
      403,
      'ORIGIN_MISMATCH',
    ]);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('the settings of the household are stored, and a key that works belongs to the admin', async () => {
    const app = await database.open();
    const token = await firstRun(app);
    const settings = { household_name: 'Calle Mayor', default_currency: 'eur', timezone: 'Europe/Madrid' };
    const done = await setUp(app, { ...ANA, ...settings, token, create_api_key: true, api_key_name: 'Laptop' });
    const { key, ...record } = done.json.api_key;
    expect(record).toMatchObject({ name: 'Laptop', scope: 'full_access', user_id: done.json.user.short_id });
    expect((await app.request('GET', '/api/v1/keys/me', { key })).json).toMatchObject({ name: 'Laptop' });
    const { action, changes } = await changeSetOf(app, done);
    expect([action, new Set(changes)]).toEqual([
      'setup.complete',
      new Set(['create user', 'create login', 'create api_key', 'update setting']),
    ]);
    const stored = (await app.request('GET', '/api/v1/config')).json as {
      key: string;
      value: string;
      source: string;
    }[];
    expect(stored.filter(({ source }) => source === 'db').map(({ key: name, value }) => [name, value])).toEqual([
      ['default_currency', 'EUR'],
      ['household.name', 'Calle Mayor'],
      ['instance.timezone', 'Europe/Madrid'],
    ]);
    const everything = JSON.stringify([await allRows(app.app.instance.database), app.logs]);
    for (const secret of [token, key, PASSWORD]) expect(everything.includes(secret as string)).toBe(false);
  });

  describe('a household that has members already', () => {
    test('lists those without a login, to whoever has the token, and makes the chosen one the admin', async () => {
      const app = await database.open();
      const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
      const account = await addAccount(app, ana);
      await addLogin(app, { name: 'Cleo', role: 'viewer' });
      const token = await firstRun(app);
      for (const path of ['/auth/setup', '/auth/setup?token=wrong']) {
        expect(await lookAt(app, path)).toMatchObject({ first_run: true, members: null });
      }
      expect((await lookAt(app, `/auth/setup?token=${token}`)).members).toEqual([
        { user_id: ana.short_id, name: 'Ana' },
        { user_id: ben.short_id, name: 'Ben' },
      ]);
      const done = await setUp(app, { user_id: ana.short_id, email: EMAIL, password: PASSWORD, token });
      expect(done.json.user).toMatchObject({ id: ana.id, name: 'Ana', email: EMAIL, kind: 'member' });
      expect((await membersAndLogins(app)).members).toHaveLength(3);
      expect((await app.request('GET', `/api/v1/accounts/${account.id}`)).json.owner_user_name).toBe('Ana');
      expect(await lookAt(app, `/auth/setup?token=${token}`)).toEqual({
        first_run: false,
        setup_token: null,
        members: null,
      });
    });

    test('finds a namesake without address and login, and only if there is one', async () => {
      const app = await database.open();
      await addMember(app, 'Ána');
      await setUp(app, { ...ANA, name: 'ana', token: await firstRun(app) });
      expect((await membersAndLogins(app)).members).toEqual([{ name: 'Ána', email: EMAIL }]);

      const twice = await database.open();
      await addMember(twice, 'Ana');
      await addMember(twice, 'ana');
      await setUp(twice, { ...ANA, token: await firstRun(twice) });
      expect((await membersAndLogins(twice)).members).toHaveLength(3);
    });

    test('finds a member by address, and raises a login by address: its sessions and its link end', async () => {
      const app = await database.open();
      await app.request('POST', '/api/v1/users', { body: { name: 'Someone', email: EMAIL } });
      const ben = { ...ANA, name: 'Ana' };
      expect((await setUp(app, { ...ben, token: await firstRun(app) })).json.user.name).toBe('Someone');

      const other = await database.open();
      const known = await addLogin(other, { name: 'Ana', role: 'viewer' });
      const login = `/api/v1/users/${known.member.id}/login/${known.login.id}`;
      const { setup_token: link } = (await other.request('POST', `${login}/regenerate-token`)).json;
      const browser = openJar(other);
      await browser.signIn(EMAIL, PASSWORD);
      const token = await firstRun(other);
      const body = { ...ANA, name: 'Nobody', password: 'an entirely new one', token };
      const raised = await setUp(other, body);
      expect(raised.json).toMatchObject({
        user: { id: known.member.id },
        login: { id: known.login.id, role: 'admin' },
      });
      expect((await browser.request('GET', '/auth/session')).json.authenticated).toBe(false);
      const used = await other.request('POST', `/auth/invitations/${link}`, {
        key: null,
        body: { password: PASSWORD },
      });
      expect(codeOf(used)).toEqual([403, 'INVALID_SETUP_TOKEN']);
      expect((await openJar(other).signIn(EMAIL, 'an entirely new one')).status).toBe(200);
    });

    test('does not take over a login with another address, nor the address of another member', async () => {
      const app = await database.open();
      const ana = await addLogin(app, { name: 'Ana', role: 'viewer' });
      const ben = await addMember(app, 'Ben');
      const token = await firstRun(app);
      const { name: _known, ...chosen } = { ...ANA, token };
      const other = await setUp(app, { ...chosen, user_id: ana.member.id, email: 'other@home.example' });
      expect(codeOf(other)).toEqual([409, 'LOGIN_EXISTS']);
      expect(codeOf(await setUp(app, { ...chosen, user_id: ben.id }))).toEqual([409, 'IDENTIFIER_TAKEN']);
      expect((await lookAt(app)).first_run).toBe(true);
    });
  });

  test('a viewer made first leaves the household to be set up', async () => {
    const app = await database.open();
    const { id } = await addMember(app, 'Ben');
    await app.request('POST', `/api/v1/users/${id}/login`, { body: { identifier: 'ben@home.example' } });
    expect((await lookAt(app)).first_run).toBe(true);
    expect((await setUp(app, { ...ANA, token: await firstRun(app) })).status).toBe(201);
  });

  test('wrong tokens are throttled by address; after that even the right one has to wait', async () => {
    const app = await database.open();
    const token = await firstRun(app);
    for (let i = 0; i < 10; i++) {
      await setUp(app, { ...ANA, token: `wrong ${i}` });
      await lookAt(app, `/auth/setup?token=wrong${i}`);
    }
    const waiting = await setUp(app, { ...ANA, token });
    expect(codeOf(waiting)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
    app.clock.advance(Number(waiting.headers['retry-after']) * 1_000);
    expect((await setUp(app, { ...ANA, token })).status).toBe(201);
  });
});

forEachDatabase(
  (database) => {
    test('only a browser on the same machine is given the token, and only if nobody else can be asking', async () => {
      const app = await database.open();
      const token = await firstRun(app);
      const given = async (options: RequestOptions, from = app) =>
        (await lookAt(from, '/auth/setup', options)).setup_token;
      for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080'])
        expect(await given({ headers: { host } })).toBe(token);
      expect(await given({ from: '::1' })).toBe(token);
      for (const headers of [
        { host: 'home.example' },
        { host: 'localhost.evil.example' },
        { host: '127.0.0.2' },
        { host: 'evil.example@localhost' },
        { host: 'localhost#.evil.example' },
        { host: 'localhost/.evil.example' },
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-anything': '' },
        { 'x-real-ip': '127.0.0.1' },
        { forwarded: 'for=127.0.0.1' },
        { via: '1.1 proxy' },
      ]) {
        expect([headers, await given({ headers })]).toEqual([headers, null]);
      }
      expect(await given({ from: '192.168.1.20' })).toBeNull();
      for (const env of [
        { HOST: '0.0.0.0' },
        { HOST: '192.168.1.5' },
        { TRUST_PROXY: '10.0.0.1' },
        { HOMELEDGER_BASE_URL: 'https://home.example' },
      ]) {
        const other = await app.again({ env });
        await firstRun(other);
        expect([env, await given({}, other)]).toEqual([env, null]);
      }
      const local = await app.again({ env: { HOMELEDGER_BASE_URL: 'http://localhost:8080', HOST: 'localhost' } });
      expect(await given({}, local)).toBeNull();
      const own = await firstRun(local);
      expect(await given({}, local)).toBe(own);
      expect(app.logs.join('').includes(token)).toBe(false);
    });

    test('a request without Host, which a proxy may make of one with any, is not given the token', async () => {
      const app = await database.open({ env: { PORT: '0' } });
      const token = await firstRun(app);
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(await app.app.listen()).port) });
      socket.end('GET /auth/setup HTTP/1.0\r\n\r\n');
      const answer = await text(socket);
      expect([answer.includes('"first_run":true'), answer.includes(token)]).toEqual([true, false]);
    });
  },
  ['SQLite'],
);
