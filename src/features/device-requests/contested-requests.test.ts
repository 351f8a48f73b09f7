import { beforeAll, describe, expect, test } from 'vitest';

import { devicesOf, type Devices, type StartedDevice } from '../../../test/harness/people/devices.ts';
import { signIn, type SignedIn } from '../../../test/harness/people/sessions.ts';
import { bookkeep } from '../../journal/write.ts';
import { insertDeviceRequest, selectLive } from './device-requests.queries.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const START = '/api/v1/auth/device-code';
const REQUESTS = '/api/v1/auth/device-requests';

forEachDatabase((database) => {
  let app: TestApp;
  let ana: SignedIn;
  let devices: Devices;
  beforeAll(async () => {
    app = await database.open();
    ana = await signIn(app);
    devices = devicesOf(app, ana);
  });

  describe('nobody collects', () => {
    async function expectDenied(code: string): Promise<void> {
      const keys = await devices.keyCount();
      for (let i = 0; i < 2; i += 1) {
        const { status, json } = await devices.poll(code);
        expect([status, json.status, json.error.code]).toEqual([400, 'denied', 'DENIED']);
      }
      expect(await devices.keyCount()).toBe(keys);
    }

    test('what was approved by an admin who no longer is one, or no longer has a login', async () => {
      for (const [method, body] of [['PATCH', { role: 'editor' }], ['DELETE']] as const) {
        const { headers, login, member } = await signIn(app, { name: `Admin-${method}` });
        const { device_code: code, user_code: userCode } = await devices.start();
        expect((await devices.approve(userCode, { user_id: null }, { headers })).status).toBe(200);
        const path = `/api/v1/users/${member.id}/login/${login.id}`;
        const left = await app.request(method, path, body === undefined ? {} : { body });
        expect(left.status, left.text).toBeLessThan(300);
        await expectDenied(code);
      }
    });

    test('what a key approved that was revoked since', async () => {
      const approver = await app.newKey();
      const { device_code: code, user_code: userCode } = await devices.start();
      expect((await devices.approve(userCode, {}, { key: approver.key, headers: {} })).status).toBe(200);
      await app.request('DELETE', `/api/v1/api-keys/${approver.id}`);
      await expectDenied(code);
    });

    test('what a key approved that has since lost full access, or become an agent’s', async () => {
      for (const body of [{ scope: 'read_only' }, { actor_type: 'agent' }]) {
        const approver = await app.newKey();
        const { device_code: code, user_code: userCode } = await devices.start();
        expect((await devices.approve(userCode, {}, { key: approver.key, headers: {} })).status).toBe(200);
        expect((await app.request('PATCH', `/api/v1/api-keys/${approver.id}`, { body })).status).toBe(200);
        await expectDenied(code);
      }
    });

    test('what was approved for a member who has a lower role, no login, or is gone', async () => {
      const { member, login } = await signIn(app, { role: 'editor', name: 'Cleo' });
      const grant = async (scope: string): Promise<string> => {
        const { device_code: code, user_code: userCode } = await devices.start();
        expect((await devices.approve(userCode, { user_id: member.id, scope })).status).toBe(200);
        return code;
      };
      const path = `/api/v1/users/${member.id}`;
      const leave = async (method: string, at = path, body?: object): Promise<void> => {
        expect((await app.request(method, at, body === undefined ? {} : { body })).status).toBeLessThan(300);
      };
      const [full, reading] = [await grant('full_access'), await grant('read_only')];
      await leave('PATCH', `${path}/login/${login.id}`, { role: 'viewer' });
      await expectDenied(full);
      await leave('DELETE', `${path}/login/${login.id}`);
      await expectDenied(reading);
      const last = await grant('read_only');
      await leave('DELETE');
      await expectDenied(last);
    });
  });

  describe('at the same time, from two processes', () => {
    let second: TestApp;
    beforeAll(async () => {
      second = database.name === 'PostgreSQL' ? await app.again() : app;
    });

    test('two polls collect one key', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { device_code: code, user_code: userCode } = await devices.start();
        await devices.approve(userCode);
        const keys = await devices.keyCount();
        const answers = await Promise.all([
          devices.poll(code),
          devices.poll(code, second),
          devices.poll(code),
          devices.poll(code, second),
        ]);
        expect(answers.map(({ json }) => String(json.status)).sort()).toEqual([
          'approved',
          'consumed',
          'consumed',
          'consumed',
        ]);
        expect(await devices.keyCount()).toBe(keys + 1);
      }
    });

    test('two polls of a pending request: one is answered', async () => {
      const { device_code: code } = await devices.start();
      const answers = await Promise.all([devices.poll(code), devices.poll(code, second)]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 429]);
    });

    test('two approvals: one counts; an approval and a denial: never a key after a denial', async () => {
      const { user_code: twice } = await devices.start();
      const path = `${REQUESTS}/${twice}/approve`;
      const approvals = await Promise.all([
        devices.approve(twice),
        second.request('POST', path, { body: { scope: 'full_access' } }),
      ]);
      expect(approvals.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);

      const { device_code: code, user_code: userCode } = await devices.start();
      const [approved, denied] = await Promise.all([
        devices.approve(userCode),
        second.request('POST', `${REQUESTS}/${userCode}/deny`),
      ]);
      expect([denied.status, [200, 409].includes(approved.status)]).toEqual([200, true]);
      expect((await devices.poll(code)).json.status).toBe('denied');
    });
  });

  test('20 live requests from one address are enough, also over IPv6; another address may start one', async () => {
    const from = '2001:db8:1:2::1';
    const codes: StartedDevice[] = [];
    for (let i = 0; i < 20; i += 1) codes.push(await devices.start(undefined, from));
    const refused = await app.request('POST', START, { key: null, from: '2001:db8:1:2::ffff' });
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '600',
    ]);
    await devices.start(undefined, '2001:db8:1:3::1');
    await devices.deny(codes[0]?.user_code ?? '');
    await devices.start(undefined, from);
  });

  test('a page of another site cannot approve', async () => {
    const { user_code: code } = await devices.start();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      const answer = await devices.approve(code, {}, { headers: { ...ana.headers, ...headers } });
      expect([answer.status, answer.json.error.code]).toEqual([403, 'ORIGIN_MISMATCH']);
    }
    expect((await app.request('GET', `${REQUESTS}/${code}`)).json.status).toBe('pending');
  });

  test('the instance takes no more than 200 live requests', async () => {
    const { random, database: db } = app.app.instance;
    await bookkeep(db, async (tx) => {
      for (let i = (await selectLive(tx)).length; i < 200; i += 1) {
        const from = { clientName: 'x', clientAddress: `10.3.0.${i}`, requestedScope: 'read_only' };
        await insertDeviceRequest(tx, random, { ...from, deviceCodeHash: `hash ${i}` });
      }
    });
    const refused = await app.request('POST', START, { key: null, from: '10.4.0.1' });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'RATE_LIMITED']);
    app.clock.advance(600_000);
    await devices.start(undefined, '10.4.0.1');
  });

  test('starts and unknown codes are limited per address', async () => {
    const limited = await database.open({ env: { API_RATE_LIMIT_RPM: '60', API_RATE_LIMIT_BURST: '5' } });
    const begin = (from: string): Promise<Answer> => limited.request('POST', START, { key: null, from, body: '{' });
    for (let i = 0; i < 30; i += 1) expect((await begin('10.1.0.1')).status).toBe(400);
    const full = await begin('10.1.0.1');
    expect([full.status, full.json.error.code, full.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '6']);
    expect((await begin('10.1.0.2')).status).toBe(400);

    const guess = (): Promise<Answer> =>
      limited.request('POST', `${START}/poll`, { key: null, from: '10.1.0.1', body: { device_code: 'guess' } });
    for (let i = 0; i < 5; i += 1) expect((await guess()).status).toBe(404);
    const refused = await guess();
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '1',
    ]);
    expect(refused.headers['x-ratelimit-limit']).toBeUndefined();
  });
});
