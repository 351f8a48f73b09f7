import { argon2, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { addLogin, PASSWORD } from '../../../test/harness/people/sessions.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { sha256Hex } from '../../kernel/crypto.ts';

const WRONG = 'not the password';
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];
const messageOf = ({ status, json }: Answer) => [status, { ...json.error, request_id: null }];
const compute = (parameters: Argon2Parameters): Promise<Uint8Array> => promisify(argon2)('argon2id', parameters);

/** Counts the computations of an app. */
function counting() {
  const counted = { computations: 0 };
  const passwordHashing = {
    compute(parameters: Argon2Parameters) {
      counted.computations += 1;
      return compute(parameters);
    },
  };
  return { counted, passwordHashing };
}

const hashOf = async (app: TestApp, loginId: string) => {
  const sql = `select password_hash from logins where id = '${loginId}'`;
  return (await rowsOf<{ password_hash: string }>(app.app.instance.database, sql))[0]?.password_hash;
};

forEachDatabase((database) => {
  test('a member signs in and is who the session says, until they sign out', async () => {
    const app = await database.open();
    const ana = await addLogin(app, { role: 'editor' });
    const browser = openJar(app, { headers: { 'user-agent': 'Firefox' } });
    const before = await browser.request('GET', '/auth/session');
    expect([before.status, before.headers['cache-control'], before.json]).toEqual([
      200,
      'no-store',
      {
        authenticated: false,
        first_run: true,
        login: null,
        user: null,
        scope: null,
        expires_at: null,
        idle_expires_at: null,
      },
    ]);
    const signedIn = await browser.signIn('  ANA@home.example ', PASSWORD);
    expect([signedIn.status, signedIn.headers['x-change-set-id']]).toEqual([200, undefined]);
    expect(signedIn.json).toMatchObject({
      authenticated: true,
      first_run: true,
      login: {
        id: ana.login.id,
        user_id: ana.member.short_id,
        role: 'editor',
        has_password: true,
        last_used_at: '2026-04-26T06:00:00.000Z',
      },
      user: { id: ana.member.id, name: 'Ana' },
      scope: 'full_access',
      expires_at: '2026-04-27T06:00:00.000Z',
      idle_expires_at: '2026-04-26T10:00:00.000Z',
    });
    expect((await browser.request('GET', '/auth/session')).json).toEqual(signedIn.json);
    expect((await browser.request('GET', '/api/v1/users')).status).toBe(200);
    const [row] = await rowsOf(app.app.instance.database, 'select * from sessions');
    const token = browser.cookies.get('homeledger_session') as string;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(row).toMatchObject({ token_hash: sha256Hex(token), user_agent: 'Firefox', client_address: '127.0.0.1' });
    expect(JSON.stringify(row)).not.toContain(token);

    const out = await browser.request('POST', '/auth/logout');
    expect([out.status, out.text, browser.cookies.get('homeledger_session')]).toEqual([204, '', undefined]);
    expect([out.headers['set-cookie']].flat()).toEqual([
      'homeledger_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(await rowsOf(app.app.instance.database, 'select id from sessions')).toEqual([]);
    expect((await browser.request('POST', '/auth/logout')).status).toBe(204);
    const kept = { cookie: `homeledger_session=${token}` };
    expect(codeOf(await app.request('GET', '/api/v1/users', { key: null, headers: kept }))).toEqual([
      401,
      'MISSING_API_KEY',
    ]);
  });

  test('an unknown identifier, a login without a password and a wrong password are answered alike, at one cost', async () => {
    const { counted, passwordHashing } = counting();
    const app = await database.open({ passwordHashing });
    await addLogin(app);
    await addLogin(app, { name: 'Ben', password: null });
    const browser = openJar(app);
    counted.computations = 0;
    const attempts = [
      ['ana@home.example', WRONG],
      ['ben@home.example', WRONG],
      ['ben@home.example', ''],
      ['cleo@home.example', WRONG],
      ['no address at all', WRONG],
      ['', ''],
    ];
    const answers: Answer[] = [];
    for (const [identifier = '', password = ''] of attempts) {
      const answer = await browser.signIn(identifier, password);
      expect(counted.computations).toBe(answers.push(answer));
    }
    expect(codeOf(answers[0] as Answer)).toEqual([401, 'INVALID_CREDENTIALS']);
    for (const answer of answers) {
      expect(messageOf(answer)).toEqual(messageOf(answers[0] as Answer));
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.headers['www-authenticate']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    for (const identifier of ['ana@home.example', 'ben@home.example', 'dora@home.example']) {
      const tooLong = await browser.signIn(identifier, 'x'.repeat(201));
      expect(messageOf(tooLong)).toEqual(messageOf(answers[0] as Answer));
    }
    expect(counted.computations).toBe(attempts.length);
    expect(await rowsOf(app.app.instance.database, 'select id from sessions')).toEqual([]);
  });

  test('the cookie is of this host alone, and Secure when the browser came over https', async () => {
    const app = await database.open({ env: { HOMELEDGER_BASE_URL: 'https://home.example' } });
    const ana = await addLogin(app);
    const cookies = async (headers: Record<string, string>, remember = false) => {
      const body = { identifier: ana.login.identifier, password: PASSWORD, remember };
      const answer = await app.request('POST', '/auth/login', { key: null, headers, body });
      return (answer.headers['set-cookie'] ?? []).map((text) => text.replace(/=[\w-]{43};/, '=…;'));
    };
    const known = `homeledger_browser_${ana.login.short_id}=…; Path=/auth; Max-Age=31536000; HttpOnly; SameSite=Lax`;
    const session = 'homeledger_session=…; Path=/; HttpOnly; SameSite=Lax';
    const secure = [`${session}; Secure`, `${known}; Secure`];
    expect(await cookies({ origin: 'https://home.example' })).toEqual(secure);
    expect(await cookies({})).toEqual(secure);
    const plain = { origin: 'http://192.168.1.5:8080', host: '192.168.1.5:8080' };
    expect(await cookies(plain)).toEqual([session, known]);
    const kept = 'homeledger_session=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax';
    expect(await cookies(plain, true)).toEqual([kept, known]);

    const browser = openJar(app, { headers: plain });
    await browser.signIn(ana.login.identifier, PASSWORD);
    expect((await browser.request('GET', '/auth/session')).json.authenticated).toBe(true);
  });

  test('a sign-in never adopts the cookie that was sent, and ends the session that it names', async () => {
    const app = await database.open();
    await addLogin(app);
    await addLogin(app, { name: 'Ben' });
    const browser = openJar(app);
    await browser.signIn('ana@home.example', PASSWORD);
    const anas = browser.cookies.get('homeledger_session') as string;
    await browser.signIn('ben@home.example', PASSWORD);
    const bens = browser.cookies.get('homeledger_session') as string;
    expect(bens).not.toBe(anas);
    const nameOf = async (token: string) =>
      (await app.request('GET', '/auth/session', { key: null, headers: { cookie: `homeledger_session=${token}` } }))
        .json.user?.name;
    expect([await nameOf(anas), await nameOf(bens)]).toEqual([undefined, 'Ben']);
  });

  test('a hash made at another cost is made anew; a password that was changed meanwhile does not sign in', async () => {
    const before = await database.open();
    const { login } = await addLogin(before);
    const old = await hashOf(before, login.id);
    let meanwhile = async (): Promise<unknown> => undefined;
    const app = await before.again({
      passwordHashing: {
        cost: { memoryKib: 8, passes: 2, lanes: 1 },
        async compute(parameters) {
          const tag = await compute(parameters);
          await meanwhile();
          return tag;
        },
      },
    });
    const browser = openJar(app);
    expect((await browser.signIn(login.identifier, PASSWORD)).status).toBe(200);
    const anew = await hashOf(app, login.id);
    expect(anew).not.toBe(old);
    expect(anew).toContain('t=2');
    expect((await browser.signIn(login.identifier, PASSWORD)).status).toBe(200);
    expect(await hashOf(app, login.id)).toBe(anew);
    const sets = `select id from change_sets where action not in ('test.login', 'setup.complete', 'api_key.create')`;
    expect(await rowsOf(app.app.instance.database, `${sets} and surface = 'dashboard'`)).toEqual([]);

    meanwhile = () =>
      app.write('test.reset', async (tx) => {
        tx.journal.allowUnjournaled('login');
        await tx.q
          .updateTable('logins')
          .set({ password_hash: old ?? null })
          .execute();
      });
    expect(codeOf(await browser.signIn(login.identifier, PASSWORD))).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('a body that is no sign-in is refused by name, and costs nothing', async () => {
    const app = await database.open();
    const post = (body: unknown, headers = {}) => openJar(app).request('POST', '/auth/login', { body, headers });
    const good = { identifier: 'ana@home.example', password: PASSWORD };
    for (const [path, body] of [
      ['identifier', { password: PASSWORD }],
      ['password', { identifier: 'ana@home.example' }],
      ['password', { ...good, password: 12345 }],
      ['remember', { ...good, remember: 'yes' }],
      ['token', { ...good, token: 'x' }],
      ['identifier', { ...good, identifier: 'ana\u0000@home.example' }],
    ] as const) {
      for (let i = 0; i < 6; i++) {
        const answer = await post(body);
        expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
        expect(answer.json.error.details[0].path).toBe(path);
      }
    }
    expect(codeOf(await post('{'))).toEqual([400, 'INVALID_BODY']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(codeOf(await post('identifier=ana', form))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(codeOf(await post(good))).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('more sign-ins than can wait are told to come back, and count as no failure', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const app = await database.open({
      passwordHashing: {
        async compute(parameters) {
          await gate;
          return compute(parameters);
        },
      },
    });
    const many = Array.from({ length: 70 }, (_, i) =>
      openJar(app, { from: `10.0.0.${i}` }).signIn(`member${i}@home.example`, WRONG),
    );
    const early: Answer[] = [];
    for (const one of many) void one.then((answer) => early.push(answer));
    await eventually(() => expect(early).toHaveLength(4));
    for (const answer of early) {
      expect([...codeOf(answer), answer.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '1']);
    }
    open();
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect([401, 503].map((status) => statuses.filter((one) => one === status).length)).toEqual([66, 4]);
  });

  test('sign-ins and refused keys are logged without what was typed', async () => {
    const app = await database.open();
    const { login } = await addLogin(app);
    const browser = openJar(app, { from: '203.0.113.7' });
    await browser.signIn(login.identifier, WRONG);
    await browser.signIn('my secret typed here', WRONG);
    await browser.signIn(login.identifier, PASSWORD);
    const key = `hl_${'k'.repeat(43)}`;
    await app.request('GET', '/api/v1/users', { key });
    await app.request('GET', '/api/v1/users', { key: 'hl_too_short_to_be_a_key' });
    const info = app.logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 30);
    const own = { login: login.short_id, client_address: '203.0.113.7' };
    const lines = info.filter(({ msg }) => /sign|key/i.test(msg));
    expect(lines).toMatchObject([
      { msg: 'A sign-in failed.', ...own },
      { msg: 'A sign-in failed.', ...own, login: null },
      { msg: 'Signed in.', ...own },
      { msg: 'An API key was refused.', prefix: 'hl_kkkkkkkk' },
    ]);
    const everything = app.logs.join('\n');
    for (const secret of ['home.example', 'my secret', WRONG, PASSWORD, key, 'too_short']) {
      expect(everything).not.toContain(secret);
    }
  });
});
