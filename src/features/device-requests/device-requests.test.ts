import { beforeAll, expect, test } from 'vitest';

import { addMember } from '../../../test/harness/ledger.ts';
import { devicesOf, type Devices } from '../../../test/harness/people/devices.ts';
import { signIn, type SignedIn } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { purgeDead } from '../auth/index.ts';

const START = '/api/v1/auth/device-code';
const REQUESTS = '/api/v1/auth/device-requests';
const KEY = /^hl_[0-9A-Za-z]{43}$/;
const CODE = /^[BCDFGHJKMNPQRTWX2346789]{4}-[BCDFGHJKMNPQRTWX2346789]{4}$/;

forEachDatabase((database) => {
  let app: TestApp;
  let ana: SignedIn;
  let devices: Devices;
  beforeAll(async () => {
    app = await database.open();
    ana = await signIn(app);
    devices = devicesOf(app, ana);
  });

  test('a device that wants to propose gets the key of an agent, which writes nothing over REST', async () => {
    const { device_code: code, user_code: userCode } = await devices.start({ client_name: 'Claws', scope: 'propose' });
    const asPerson = await devices.approve(userCode, { scope: 'propose', actor_type: 'user' });
    expect([asPerson.status, asPerson.json.error.details[0].path]).toEqual([400, 'actor_type']);
    const approved = await devices.approve(userCode, { scope: 'propose' });
    expect(approved.json).toMatchObject({ requested_scope: 'propose', scope: 'propose', status: 'approved' });
    const { token: key } = (await devices.poll(code)).json;
    const own = await app.request('GET', '/api/v1/keys/me', { key });
    expect(own.json).toMatchObject({ scope: 'propose', actor_type: 'agent', actor_name: 'Claws' });
    const refused = await app.request('POST', '/api/v1/transactions/update', { key, body: { operations: [] } });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'FORBIDDEN']);
    const wished = await devices.start({ scope: 'propose' });
    await devices.approve(wished.user_code, { scope: 'full_access' });
    const { token: full } = (await devices.poll(wished.device_code)).json;
    expect((await app.request('GET', '/api/v1/api-keys', { key: full })).status).toBe(200);
  });

  test('from start to end: pending, approved, one key with the granted scope, consumed', async () => {
    const started = await app.request('POST', START, {
      key: null,
      body: { client_name: ' laptop ', scope: 'full_access' },
    });
    expect(started.json).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(CODE),
      verification_url: 'http://localhost:80/auth/device',
      verification_url_complete: `http://localhost:80/auth/device?code=${started.json.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const { device_code: code, user_code: userCode } = started.json;
    expect((await devices.poll(code)).json).toEqual({ status: 'authorization_pending' });
    const path = `${REQUESTS}/${userCode}`;
    const pending = (await app.request('GET', path)).json;
    expect(pending).toEqual({
      id: expect.any(String),
      short_id: expect.stringMatching(/^\w{8}$/),
      user_code: userCode,
      client_name: 'laptop',
      requested_scope: 'full_access',
      scope: null,
      status: 'pending',
      client_address: '127.0.0.1',
      created_at: '2026-04-26T06:00:00.000Z',
      expires_at: '2026-04-26T06:10:00.000Z',
      decided_at: null,
      decided_by: null,
    });
    expect((await app.request('GET', REQUESTS)).json).toContainEqual(pending);
    const approved = await devices.approve(userCode);
    const who = { type: 'user', id: ana.member.short_id, name: 'Ana' };
    expect([approved.status, approved.json, approved.headers['x-change-set-id']]).toEqual([
      200,
      { ...pending, status: 'approved', scope: 'read_only', decided_at: '2026-04-26T06:00:00.000Z', decided_by: who },
      undefined,
    ]);
    expect((await app.request('GET', REQUESTS)).json).not.toContainEqual(expect.objectContaining({ id: pending.id }));
    const collected = await devices.poll(code);
    expect([collected.status, collected.headers['cache-control'], collected.json]).toEqual([
      200,
      'no-store',
      { status: 'approved', token: expect.stringMatching(KEY) },
    ]);
    const again = await devices.poll(code);
    expect([again.status, again.headers['cache-control'], again.json]).toEqual([
      400,
      'no-store',
      { status: 'consumed', error: expect.objectContaining({ code: 'CONSUMED' }) },
    ]);
    const { token } = collected.json;
    const own = (await app.request('GET', '/api/v1/keys/me', { key: token })).json;
    expect(own).toMatchObject({
      name: 'Device: laptop',
      scope: 'read_only',
      user_id: ana.member.short_id,
      actor_type: 'user',
      actor_name: null,
      expires_at: null,
    });
    const [made] = await rowsOf(
      app.app.instance.database,
      `select s.* from change_sets s join changes c on c.change_set_id = s.id where c.entity_id = '${own.id}'`,
    );
    expect(made).toMatchObject({ action: 'api_key.create', actor_type: 'user', actor_id: who.id, actor_name: 'Ana' });
    const everywhere = [JSON.stringify(await allRows(app.app.instance.database)), ...app.logs].join('\n');
    for (const secret of [code, token, token.slice(11)]) expect(everywhere.includes(secret)).toBe(false);
  });

  test('a start needs no body; what it says is checked', async () => {
    const names = async (body?: unknown): Promise<unknown> => {
      const { user_code: code } = await devices.start(body);
      const { client_name: name, requested_scope: scope } = (await app.request('GET', `${REQUESTS}/${code}`)).json;
      return [name, scope];
    };
    for (const body of [undefined, '', '{}']) expect(await names(body)).toEqual(['Unnamed device', 'read_only']);
    expect(await names({ client_name: '🏠'.repeat(100) })).toEqual(['🏠'.repeat(100), 'read_only']);
    for (const [body, field] of [
      [{ client_name: 'x'.repeat(101) }, 'client_name'],
      [{ client_name: ' ' }, 'client_name'],
      [{ client_name: null }, 'client_name'],
      [{ scope: 'admin' }, 'scope'],
      [{ user_id: ana.member.id }, 'user_id'],
    ] as const) {
      const { status, json } = await app.request('POST', START, { key: null, body });
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', field]);
    }
  });

  test('a poll is answered by what the code is', async () => {
    for (const [body, status, code] of [
      ['{', 400, 'INVALID_BODY'],
      [{}, 400, 'VALIDATION_ERROR'],
      [{ device_code: ' ' }, 400, 'VALIDATION_ERROR'],
      [{ device_code: 5 }, 400, 'VALIDATION_ERROR'],
      [{ device_code: 'x' }, 404, 'INVALID_DEVICE_CODE'],
      [{ device_code: 'A'.repeat(43) }, 404, 'INVALID_DEVICE_CODE'],
      [{ device_code: '😀'.repeat(10_000) }, 404, 'INVALID_DEVICE_CODE'],
    ] as const) {
      const answer = await app.request('POST', `${START}/poll`, { key: null, body });
      expect([answer.status, answer.json.error.code]).toEqual([status, code]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('polling too fast is refused until the interval is over, and never delays a decision', async () => {
    const { device_code: code, user_code: userCode } = await devices.start();
    expect((await devices.poll(code)).status).toBe(200);
    const second = database.name === 'PostgreSQL' ? await app.again() : app;
    for (const [after, status, wait] of [
      [0, 429, '5'],
      [1_000, 429, '4'],
      [3_499, 429, '1'],
      [1, 200, undefined],
      [4_400, 429, '1'],
    ] as const) {
      app.clock.advance(after);
      const answer = await devices.poll(code, second);
      expect([after, answer.status, answer.headers['retry-after']]).toEqual([after, status, wait]);
      if (status === 429) expect(answer.json.error.code).toBe('RATE_LIMITED');
    }
    await devices.approve(userCode);
    expect((await devices.poll(code)).json.status).toBe('approved');
  });

  test('a user code may be typed in any form, or be an id', async () => {
    const { user_code: code } = await devices.start();
    const { id, short_id: shortId } = (await app.request('GET', `${REQUESTS}/${code}`)).json;
    const bare = code.replace('-', '');
    const forms = [
      code.toLowerCase(),
      bare,
      bare.toLowerCase(),
      code.replace('-', ' '),
      [...bare].join('-'),
      id,
      shortId,
    ];
    for (const form of forms) {
      const found = await app.request('GET', `${REQUESTS}/${encodeURIComponent(form)}`);
      expect([form, found.json.id]).toEqual([form, id]);
    }
    expect((await devices.approve(bare.toLowerCase())).status).toBe(200);
    expect((await app.request('GET', `${REQUESTS}/BCDF-GHJK`)).status).toBe(404);
  });

  test('a user code that is taken is drawn again', async () => {
    const { user_code: taken } = await devices.start();
    const letters = [...taken.replace('-', '')].map((letter) => 'BCDFGHJKMNPQRTWX2346789'.indexOf(letter));
    // An id and a short_id are drawn before the code.
    let forced = 3;
    const draw = (n: number): Uint8Array =>
      n === 8 && forced-- > 0 ? Uint8Array.from(letters) : crypto.getRandomValues(new Uint8Array(n));
    const other = await app.again({ random: { bytes: draw } });
    forced = 3;
    const started = await other.request('POST', START, { key: null, from: '10.9.0.1' });
    expect(started.json.user_code).toMatch(CODE);
    expect([started.json.user_code === taken, forced < 0]).toEqual([false, true]);
  });

  test('a denial, also of an approval that was not collected, ends the request', async () => {
    for (const isApproved of [false, true]) {
      const { device_code: code, user_code: userCode } = await devices.start();
      if (isApproved) await devices.approve(userCode, { scope: 'full_access' });
      expect((await devices.deny(userCode)).json).toMatchObject({ status: 'denied', scope: null });
      const keys = await devices.keyCount();
      const refused = await devices.poll(code);
      expect([refused.status, refused.json]).toEqual([
        400,
        { status: 'denied', error: expect.objectContaining({ code: 'DENIED' }) },
      ]);
      expect(await devices.keyCount()).toBe(keys);
      for (const answer of [await devices.approve(userCode), await devices.deny(userCode)]) {
        expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
      }
    }
  });

  test('a second approval, and a denial of what was collected, are refused', async () => {
    const { device_code: code, user_code: userCode } = await devices.start();
    expect((await devices.approve(userCode)).status).toBe(200);
    expect((await devices.approve(userCode, { scope: 'full_access' })).json.error.code).toBe('CONFLICT');
    const { token } = (await devices.poll(code)).json;
    expect((await app.request('GET', '/api/v1/keys/me', { key: token })).json.scope).toBe('read_only');
    expect((await devices.deny(userCode)).json.error.code).toBe('CONFLICT');
  });

  test('only a full key or an admin decides, and sees the requests', async () => {
    const { user_code: code } = await devices.start();
    const editor = await signIn(app, { role: 'editor', name: 'Ed' });
    const viewer = await signIn(app, { role: 'viewer', name: 'Vi' });
    for (const caller of [
      { key: app.readOnlyKey, headers: {} },
      { headers: editor.headers },
      { headers: viewer.headers },
    ]) {
      const answers = [
        await devices.approve(code, {}, caller),
        await devices.deny(code, caller),
        await app.request('GET', REQUESTS, { key: null, ...caller }),
        await app.request('GET', `${REQUESTS}/${code}`, { key: null, ...caller }),
      ];
      for (const { status, json } of answers) expect([status, json.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await devices.approve(code, { scope: 'read_only' }, { key: app.key, headers: {} })).status).toBe(200);
  });

  test('what is approved must make sense, and nothing is decided otherwise', async () => {
    const { user_code: code } = await devices.start();
    const past = app.app.instance.clock.now() - 1;
    for (const [body, error, field] of [
      [{ scope: undefined }, 'VALIDATION_ERROR', 'scope'],
      [{ scope: 'admin' }, 'VALIDATION_ERROR', 'scope'],
      [{ scope: 'read_only', actor_type: 'system' }, 'VALIDATION_ERROR', 'actor_type'],
      [{ scope: 'read_only', name: '' }, 'VALIDATION_ERROR', 'name'],
      [{ scope: 'read_only', expires_at: new Date(past).toISOString() }, 'VALIDATION_ERROR', 'expires_at'],
      [{ scope: 'read_only', user_id: 'zzzzzzzz' }, 'INVALID_PARAMETER', 'user_id'],
    ] as const) {
      const { status, json } = await devices.approve(code, body);
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, error, field]);
    }
    expect((await app.request('GET', `${REQUESTS}/${code}`)).json.status).toBe('pending');
  });

  test('the key is what was approved: whose, for what and for how long', async () => {
    const ben = await addMember(app, 'Ben');
    const grant = async (body: object): Promise<{ key: string; own: Answer['json'] }> => {
      const { device_code: code, user_code: userCode } = await devices.start({ client_name: 'Claws' });
      await devices.approve(userCode, { scope: 'full_access', ...body });
      const key = (await devices.poll(code)).json.token as string;
      return { key, own: (await app.request('GET', '/api/v1/keys/me', { key })).json };
    };
    const author = async (key: string): Promise<unknown> => {
      const made = await app.request('POST', '/api/v1/users', { body: { name: 'x' }, key });
      const set = await app.request('GET', `/api/v1/change-sets/${String(made.headers['x-change-set-id'])}`);
      return [set.json.actor_type, set.json.actor_user_id, set.json.actor_name];
    };
    const expiresAt = new Date(app.clock.now() + DAY_MS).toISOString();
    const first = await grant({ name: 'Kitchen', expires_at: expiresAt });
    expect(first.own).toMatchObject({ name: 'Kitchen', expires_at: expiresAt, user_id: ana.member.short_id });
    expect(await author(first.key)).toEqual(['user', ana.member.short_id, 'Ana']);
    expect(await author((await grant({ user_id: ben.id })).key)).toEqual(['user', ben.short_id, 'Ben']);
    const agent = await grant({ actor_type: 'agent' });
    expect(agent.own).toMatchObject({ actor_type: 'agent', actor_name: 'Claws' });
    expect(await author(agent.key)).toEqual(['agent', ana.member.short_id, 'Claws']);
    const unnamed = await grant({ actor_type: 'agent', actor_name: null, user_id: null });
    expect(unnamed.own).toMatchObject({ actor_type: 'agent', actor_name: null, user_id: null });
  });

  test('ten minutes after the start it is too late, approved or not; a day later it is gone', async () => {
    const approved = await devices.start();
    const pending = await devices.start();
    const grant = { expires_at: new Date(app.clock.now() + 60_000).toISOString() };
    const brief = await devices.start();
    await devices.approve(approved.user_code);
    await devices.approve(brief.user_code, grant);
    const keys = await devices.keyCount();
    app.clock.advance(60_000);
    expect((await devices.poll(brief.device_code)).json.status).toBe('expired');
    app.clock.advance(540_000);
    for (const { device_code: code, user_code: userCode } of [approved, pending]) {
      const late = await devices.poll(code);
      expect([late.status, late.json]).toEqual([
        400,
        { status: 'expired', error: expect.objectContaining({ code: 'EXPIRED' }) },
      ]);
      for (const answer of [await devices.approve(userCode), await devices.deny(userCode)]) {
        expect([answer.status, answer.json.error.code]).toEqual([400, 'EXPIRED']);
      }
      expect((await app.request('GET', `${REQUESTS}/${userCode}`)).json.status).toBe('expired');
    }
    expect((await app.request('GET', REQUESTS)).json).toEqual([]);
    expect(await devices.keyCount()).toBe(keys);
    app.clock.advance(DAY_MS);
    expect((await devices.poll(pending.device_code)).json.error.code).toBe('INVALID_DEVICE_CODE');
    expect((await app.request('GET', `${REQUESTS}/${pending.user_code}`)).status).toBe(404);
    const kept = await devices.start();
    await purgeDead(app.app.instance);
    const left = await rowsOf(app.app.instance.database, 'select user_code from device_requests');
    expect(left).toEqual([{ user_code: kept.user_code }]);
    ana = await signIn(app, { name: 'Later Ana' });
    devices = devicesOf(app, ana);
  });
});
