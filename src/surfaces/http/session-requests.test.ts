import { expect, test } from 'vitest';

import { eventually } from '../../../test/harness/eventually.ts';
import { signIn, type SignedIn } from '../../../test/harness/people/sessions.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';

const MEMBERS = '/api/v1/users';
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

forEachDatabase((database) => {
  test('a session writes as its member; a viewer only reads, and only an admin does what is for admins', async () => {
    const app = await database.open();
    const ana = await signIn(app, { name: 'Ana' });
    const ben = await signIn(app, { name: 'Ben', role: 'editor' });
    const cleo = await signIn(app, { name: 'Cleo', role: 'viewer' });
    const as = ({ headers }: { headers: Readonly<Record<string, string>> }) => ({ key: null, headers });

    const made = await app.request('POST', '/api/v1/tags', { ...as(ben), body: { name: 'Trip' } });
    expect(made.status).toBe(201);
    expect(made.headers['x-ratelimit-limit']).toBe('5000000');
    const [set] = await rowsOf(
      app.app.instance.database,
      `select surface, actor_type, actor_id, actor_user_id, actor_name from change_sets
        where id = '${String(made.headers['x-change-set-id'])}'`,
    );
    const benId = ben.member.short_id;
    expect(set).toEqual({
      surface: 'dashboard',
      actor_type: 'user',
      actor_id: benId,
      actor_user_id: benId,
      actor_name: 'Ben',
    });

    expect((await app.request('GET', MEMBERS, as(cleo))).status).toBe(200);
    expect(codeOf(await app.request('POST', '/api/v1/tags', { ...as(cleo), body: '{' }))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await app.request('GET', '/api/v1/config', as(ben)))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await app.request('DELETE', `${MEMBERS}/${cleo.member.id}`, as(ben)))).toEqual([403, 'FORBIDDEN']);
    expect((await app.request('GET', '/api/v1/config', as(ana))).status).toBe(200);
  });

  test('a key beside a cookie is judged alone; a cookie that names no live session is none', async () => {
    const app = await database.open();
    const { headers, token } = await signIn(app);
    const get = (key: string | null, cookie = headers['cookie']) =>
      app.request('GET', MEMBERS, { key, headers: { cookie: cookie as string } });
    expect((await get(app.key, 'homeledger_session=nonsense')).status).toBe(200);
    expect(codeOf(await get('hl_short'))).toEqual([401, 'INVALID_API_KEY']);
    expect((await get(null)).status).toBe(200);
    for (const cookie of ['homeledger_session=', `homeledger_session=${'A'.repeat(43)}`, `homeledger_other=${token}`]) {
      expect(codeOf(await get(null, cookie))).toEqual([401, 'MISSING_API_KEY']);
    }
    app.clock.advance(4 * 3_600_000);
    expect(codeOf(await get(null))).toEqual([401, 'MISSING_API_KEY']);
  });

  test('a session lasts 24 hours, with remember 30 days, and ends after 4 hours or 14 days without a request', async () => {
    const app = await database.open();
    const hour = 3_600_000;
    const short = await signIn(app, { name: 'Ana' });
    const long = await signIn(app, { name: 'Ben', remember: true });
    const isLive = async ({ headers, login }: SignedIn) => {
      const { status } = await app.request('GET', MEMBERS, { key: null, headers });
      if (status !== 200) return false;
      await eventually(async () => {
        const sql = `select last_seen_at as seen from sessions where login_id = '${login.id}'`;
        const [row] = await rowsOf<{ seen: string }>(app.app.instance.database, sql);
        expect(Date.parse(row?.seen as string)).toBe(app.clock.now());
      });
      return true;
    };
    for (let passed = 3; passed < 24; passed += 3) {
      app.clock.advance(3 * hour);
      expect(await isLive(short)).toBe(true);
    }
    app.clock.advance(3 * hour);
    expect([await isLive(short), await isLive(long)]).toEqual([false, true]);
    app.clock.advance(14 * 24 * hour - 1);
    expect(await isLive(long)).toBe(true);
    app.clock.advance(14 * 24 * hour);
    expect(await isLive(long)).toBe(false);
  });

  test('a write from a page of another origin is refused, and so is one that says nothing of its origin', async () => {
    const app = await database.open();
    const { headers } = await signIn(app);
    const write = (extra: Record<string, string>) =>
      app.request('POST', '/api/v1/tags', {
        key: null,
        headers: { cookie: headers['cookie'] as string, host: 'home.example', ...extra },
        body: { name: 'Trip' },
      });
    for (const extra of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { origin: 'http://home.example:81' },
      { referer: 'https://elsewhere.example/page' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://home.example' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      const refused = await write(extra);
      expect(codeOf(refused)).toEqual([403, 'ORIGIN_MISMATCH']);
    }
    const message = (await write({ origin: 'https://elsewhere.example' })).json.error.message as string;
    expect(message).toContain('https://elsewhere.example');
    expect(message).toContain('http://home.example');
    expect((await app.request('GET', '/api/v1/tags')).json).toHaveLength(1);
    const read = { cookie: headers['cookie'] as string, origin: 'https://elsewhere.example' };
    expect((await app.request('GET', '/api/v1/tags', { key: null, headers: read })).status).toBe(200);
    expect((await write({ origin: 'http://home.example' })).status).toBe(201);
  });
});
