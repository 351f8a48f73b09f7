import { expect, test } from 'vitest';

import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { changeSetOf } from '../../../test/harness/people/people.ts';
import { addLogin, PASSWORD, signIn } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { HOUR_MS } from '../../kernel/dates.ts';

const NEW = 'an entirely new one';
const BEN = 'ben@home.example';
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

/** Ben, invited by Ana. */
async function invite(app: TestApp, role = 'editor') {
  const ana = await signIn(app, { name: 'Ana' });
  const { short_id: ben } = await addMember(app, 'Ben');
  const made = await app.request('POST', `/api/v1/users/${ben}/login`, {
    key: null,
    headers: ana.headers,
    body: { identifier: BEN, role },
  });
  return { ana, path: pathOf(made), login: `/api/v1/users/${ben}/login/${made.json.short_id}`, record: made.json };
}

const pathOf = ({ json }: Answer) => `/auth/invitations/${json.setup_token}`;

async function accept(app: TestApp, path: string, body: object = { password: NEW }): Promise<Answer> {
  return app.request('POST', path, { key: null, body });
}

forEachDatabase((database) => {
  test('an invited member reads what the link is for, sets a password with it once, and is signed in', async () => {
    const app = await database.open();
    await app.request('PUT', '/api/v1/config/household.name', { body: { value: 'Calle Mayor' } });
    const { path, record } = await invite(app);
    const browser = openJar(app);
    for (let i = 0; i < 25; i++) {
      const shown = await browser.request('GET', path);
      expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(shown.json).toEqual({
        identifier: BEN,
        user_name: 'Ben',
        household_name: 'Calle Mayor',
        invited_by: 'Ana',
        purpose: 'invitation',
        expires_at: record.setup_token_expires_at,
      });
    }
    for (const body of [{}, { password: 'too short' }, { password: BEN }, { password: NEW, role: 'admin' }]) {
      expect(codeOf(await accept(app, path, body))).toEqual([400, 'VALIDATION_ERROR']);
    }
    const done = await browser.request('POST', path, { body: { password: NEW, remember: true } });
    expect([done.status, done.json]).toEqual([
      200,
      {
        authenticated: true,
        first_run: false,
        login: expect.objectContaining({
          role: 'editor',
          has_password: true,
          setup_token_expires_at: null,
          last_used_at: '2026-04-26T06:00:00.000Z',
        }),
        user: expect.objectContaining({ name: 'Ben' }),
        scope: 'full_access',
        expires_at: '2026-05-26T06:00:00.000Z',
        idle_expires_at: '2026-05-10T06:00:00.000Z',
      },
    ]);
    expect(await changeSetOf(app, done)).toEqual({ action: 'login.set_password', changes: ['update login'] });
    const id = String(done.headers['x-change-set-id']);
    const [set] = await rowsOf(
      app.app.instance.database,
      `select surface, actor_type, actor_name from change_sets where id = '${id}'`,
    );
    expect(set).toEqual({ surface: 'dashboard', actor_type: 'user', actor_name: 'Ben' });
    expect((await browser.request('GET', '/auth/session')).json).toEqual(done.json);
    expect(codeOf(await accept(app, path))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    expect(codeOf(await browser.request('GET', path))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    expect((await openJar(app).signIn(BEN, NEW)).status).toBe(200);
    const everything = JSON.stringify([await allRows(app.app.instance.database), app.logs]);
    for (const secret of [record.setup_token, NEW]) expect(everything.includes(secret)).toBe(false);
  });

  test('a new link voids the one before; an invitation is good for seven days, a reset for one', async () => {
    const app = await database.open();
    const { path, login } = await invite(app);
    const next = pathOf(await app.request('POST', `${login}/regenerate-token`));
    expect(codeOf(await accept(app, path))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    app.clock.advance(7 * 24 * HOUR_MS - 1);
    expect((await app.request('GET', next, { key: null })).status).toBe(200);
    app.clock.advance(1);
    expect(codeOf(await accept(app, next))).toEqual([403, 'INVALID_SETUP_TOKEN']);

    expect((await accept(app, pathOf(await app.request('POST', `${login}/regenerate-token`)))).status).toBe(200);
    const reset = pathOf(await app.request('POST', `${login}/regenerate-token`));
    expect((await app.request('GET', reset, { key: null })).json).toMatchObject({
      purpose: 'reset',
      invited_by: 'Test',
    });
    app.clock.advance(24 * HOUR_MS);
    expect(codeOf(await accept(app, reset))).toEqual([403, 'INVALID_SETUP_TOKEN']);
  });

  test('until a reset is used the old password works; then it does not, and the other sessions have ended', async () => {
    const app = await database.open();
    const { member, login } = await addLogin(app, { name: 'Ben' });
    const [old, other] = [openJar(app), openJar(app)];
    const path = pathOf(await app.request('POST', `/api/v1/users/${member.id}/login/${login.id}/regenerate-token`));
    expect((await old.signIn(BEN, PASSWORD)).status).toBe(200);
    await other.signIn(BEN, PASSWORD);
    const done = await old.request('POST', path, { body: { password: NEW } });
    expect(done.status).toBe(200);
    expect((await old.request('GET', '/auth/session')).json.authenticated).toBe(true);
    expect((await other.request('GET', '/auth/session')).json.authenticated).toBe(false);
    expect(codeOf(await openJar(app).signIn(BEN, PASSWORD))).toEqual([401, 'INVALID_CREDENTIALS']);
    const known = await rowsOf(app.app.instance.database, 'select * from known_browsers');
    expect(known).toHaveLength(1);
  });

  test('in a browser where somebody else is signed in, that session ends', async () => {
    const app = await database.open();
    const { path } = await invite(app);
    await addLogin(app, { name: 'Cleo' });
    const browser = openJar(app);
    await browser.signIn('cleo@home.example', PASSWORD);
    const cleos = { cookie: `homeledger_session=${browser.cookies.get('homeledger_session')}` };
    await browser.request('POST', path, { body: { password: NEW } });
    expect((await browser.request('GET', '/auth/session')).json.user.name).toBe('Ben');
    const answer = await app.request('GET', '/api/v1/users', { key: null, headers: cleos });
    expect(codeOf(answer)).toEqual([401, 'MISSING_API_KEY']);
  });

  test('of two who use one link at once one wins, also in two processes on PostgreSQL', async () => {
    const app = await database.open();
    const other = database.name === 'PostgreSQL' ? await app.again() : app;
    const { path } = await invite(app);
    const answers = await Promise.all([accept(app, path), accept(other, path, { password: `${NEW} 2` })]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
    const sessions = await rowsOf(app.app.instance.database, `select id from sessions where user_agent <> 'test'`);
    expect(sessions).toHaveLength(1);
  });

  test('a link does not give more than it was sent for, nor outlive its login', async () => {
    const app = await database.open();
    const { path, login } = await invite(app, 'viewer');
    await app.request('PATCH', login, { body: { role: 'admin' } });
    expect(codeOf(await accept(app, path))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    const next = pathOf(await app.request('POST', `${login}/regenerate-token`));
    await app.request('DELETE', login);
    expect(codeOf(await accept(app, next))).toEqual([403, 'INVALID_SETUP_TOKEN']);
  });

  test('guessing is throttled by address, and a foreign page cannot use a link', async () => {
    const app = await database.open();
    const { path } = await invite(app);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' }, body: { password: NEW } };
    expect(codeOf(await app.request('POST', path, { key: null, ...foreign }))).toEqual([403, 'ORIGIN_MISMATCH']);
    const guess = (i: number) => app.request(i % 2 === 0 ? 'GET' : 'POST', `/auth/invitations/${i}`, { key: null });
    for (let i = 0; i < 20; i++) expect(codeOf(await guess(i))).toEqual([403, 'INVALID_SETUP_TOKEN']);
    expect(codeOf(await guess(0))).toEqual([429, 'RATE_LIMITED']);
    expect(codeOf(await accept(app, path))).toEqual([429, 'RATE_LIMITED']);
    expect((await app.request('GET', path, { key: null, from: '192.168.1.20' })).status).toBe(200);
  });
});
