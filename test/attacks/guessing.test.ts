import { randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { openJar } from '../harness/people/cookie-jar.ts';
import { addLogin, PASSWORD, signIn } from '../harness/people/sessions.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

/** Guessing passwords, cookies, keys, tokens and codes, and planting cookies. */

const WRONG = 'not the password';
const ANA = 'ana@home.example';
const FEW = { API_RATE_LIMIT_RPM: '60', API_RATE_LIMIT_BURST: '10' };
const randomToken = () => randomBytes(32).toString('base64url');
const statusOf = ({ status }: Answer) => status;
const times = async <T>(count: number, run: (i: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let i = 0; i < count; i++) results.push(await run(i));
  return results;
};

/** An answer without what differs between any two. */
function bare({ status, headers, json }: Answer) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, body: { ...json?.error, request_id: null } };
}

const attempt = (app: TestApp, identifier: string, password: string, headers: Record<string, string>) =>
  app.request('POST', '/auth/login', { key: null, headers, body: { identifier, password } });

forEachDatabase((database) => {
  test('a made-up X-Forwarded-For gives no new attempts, behind a trusted proxy neither', async () => {
    const direct = await database.open();
    await addLogin(direct);
    const forged = (i: number) => ({ 'x-forwarded-for': `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` });
    const statuses = await times(7, async (i) => statusOf(await attempt(direct, ANA, WRONG, forged(i))));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);

    const proxied = await direct.again({ env: { TRUST_PROXY: 'loopback' } });
    const chain = (i: number, client: string) => ({ 'x-forwarded-for': `203.0.113.${i}, ${client}` });
    const behind = await times(6, async (i) => statusOf(await attempt(proxied, ANA, WRONG, chain(i, '198.51.100.7'))));
    expect(behind).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await attempt(proxied, ANA, PASSWORD, chain(9, '198.51.100.8'))).status).toBe(200);
    const [session] = await rowsOf(proxied.app.instance.database, 'select client_address from sessions');
    expect(session).toEqual({ client_address: '198.51.100.8' });
  });

  test('neither answer nor headers tell which identifiers exist, also when the attempts are used up', async () => {
    const app = await database.open();
    await addLogin(app);
    await addLogin(app, { name: 'Ben', password: null });
    const identifiers = [ANA, 'ben@home.example', 'nobody@home.example'];
    for (let i = 0; i < 6; i++) {
      const answers = [];
      for (const identifier of identifiers) answers.push(bare(await attempt(app, identifier, WRONG, {})));
      expect(answers[0]?.status).toBe(i < 5 ? 401 : 429);
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
    }
  });

  test('a cookie planted before the sign-in, the set-up of a password or its change is never adopted', async () => {
    const app = await database.open();
    const { member, login } = await addLogin(app);
    const [planted, browser] = [randomToken(), `homeledger_browser_${login.short_id}`];
    const cookie = `homeledger_session=${planted}; ${browser}=${planted}`;
    const isIn = async (token: string) =>
      (await app.request('GET', '/auth/session', { key: null, headers: { cookie: `homeledger_session=${token}` } }))
        .json.authenticated as boolean;
    const jar = openJar(app);
    const token = () => jar.cookies.get('homeledger_session') as string;
    expect(
      (await jar.request('POST', '/auth/login', { headers: { cookie }, body: { identifier: ANA, password: PASSWORD } }))
        .status,
    ).toBe(200);
    const first = token();
    expect([await isIn(planted), await isIn(first), first === planted]).toEqual([false, true, false]);
    expect(jar.cookies.get(browser)).not.toBe(planted);

    const body = { current_password: PASSWORD, new_password: 'another long password' };
    expect((await jar.request('POST', '/auth/password', { body })).status).toBe(204);
    expect([await isIn(first), await isIn(token())]).toEqual([false, true]);

    const reset = await jar.request(
      'POST',
      `/api/v1/users/${member.short_id}/login/${login.short_id}/regenerate-token`,
    );
    const path = `/auth/invitations/${reset.json.setup_token}`;
    const victim = openJar(app);
    const used = await victim.request('POST', path, {
      headers: { cookie },
      body: { password: 'a third long password' },
    });
    expect(used.status).toBe(200);
    const last = victim.cookies.get('homeledger_session') as string;
    expect([await isIn(planted), await isIn(last), await isIn(token())]).toEqual([false, true, false]);
    const kept = await rowsOf<{ count: number }>(app.app.instance.database, 'select count(*) as count from sessions');
    expect(Number(kept[0]?.count)).toBe(1);
  });

  test('cookies and keys that are guessed use up the attempts of the address, and nobody else’s', async () => {
    const app = await database.open({ env: FEW });
    const ana = await signIn(app);
    const guess = (headers: Record<string, string>, key: string | null = null) =>
      app.request('GET', '/api/v1/users', { key, headers });
    const cookies = await times(12, async () =>
      statusOf(await guess({ cookie: `homeledger_session=${randomToken()}` })),
    );
    expect(cookies).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await guess({}, `hl_${randomToken().replace(/\W/g, 'x')}`)).status).toBe(429);
    expect((await guess(ana.headers)).status).toBe(200);
    expect((await guess({}, app.key)).status).toBe(200);
    const pages = await times(12, async () =>
      statusOf(
        await app.request('GET', '/auth/session', {
          key: null,
          headers: { cookie: `homeledger_session=${randomToken()}` },
        }),
      ),
    );
    expect(pages).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect((await app.request('GET', '/auth/session', { key: null, headers: ana.headers })).status).toBe(200);
  });

  test('setup links and device codes that are guessed are soon refused; user codes are for admins', async () => {
    const app = await database.open({ env: FEW });
    const ben = await signIn(app, { name: 'Ben', role: 'editor' });
    const links = await times(22, async () =>
      statusOf(
        await app.request('POST', `/auth/invitations/${randomToken()}`, {
          key: null,
          headers: ben.headers,
          body: { password: 'a long password' },
        }),
      ),
    );
    expect(links).toEqual([...Array<number>(20).fill(403), 429, 429]);
    const codes = await times(12, async () =>
      statusOf(
        await app.request('POST', '/api/v1/auth/device-code/poll', { key: null, body: { device_code: randomToken() } }),
      ),
    );
    expect(codes).toEqual([...Array<number>(10).fill(404), 429, 429]);
    for (const caller of [{ key: null, headers: ben.headers }, { key: app.readOnlyKey }]) {
      const decide = '/api/v1/auth/device-requests/BCDF-GHJK/approve';
      expect((await app.request('POST', decide, { ...caller, body: { scope: 'full_access' } })).status).toBe(403);
    }
  });

  test('a password of nothing but marks is refused at once, instead of being normalised for minutes', async () => {
    const app = await database.open();
    const { headers } = await signIn(app);
    const marks = `a${'\u0301\u0327'.repeat(250_000)}`;
    expect((await attempt(app, ANA, marks, {})).status).toBe(401);
    const change = (body: unknown) => app.request('POST', '/auth/password', { key: null, headers, body });
    expect((await change({ current_password: marks, new_password: 'a long password' })).status).toBe(403);
    const tooLong = await change({ current_password: PASSWORD, new_password: marks });
    expect([tooLong.status, tooLong.json.error.details[0].path]).toEqual([400, 'new_password']);
    const profile = { identifier: 'ana@other.example', current_password: marks };
    expect((await app.request('PATCH', '/auth/profile', { key: null, headers, body: profile })).status).toBe(403);
  });
});
