import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  addChannel,
  allowPrivateNetworks,
  deliveries,
  sendDue,
  states,
  tell,
} from '../../../test/harness/servers/notifications.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import { forEachDatabase, type TestApp, type TestDatabase } from '../../../test/harness/test-app.ts';
import { dropOldDeliveries } from './index.ts';
import { pauseAfter } from './send-queue.ts';

const CHANNELS = '/api/v1/notification-channels';
const OK = { status: 200 };
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

let receiver: ScriptedServer;
let hanging: ScriptedServer;
beforeAll(async () => {
  [receiver, hanging] = await Promise.all([scriptedServer(), scriptedServer()]);
});
afterAll(() => Promise.all([receiver.close(), hanging.close()]));

/** An app with a channel to the receiver, which answers as it is told. */
async function open(database: TestDatabase, ...answers: Parameters<ScriptedServer['script']>): Promise<TestApp> {
  const app = await database.open();
  await allowPrivateNetworks(app);
  await addChannel(app, { url: receiver.url });
  receiver.script(...answers);
  return app;
}

const idsSent = () => receiver.requests.map(({ headers }) => headers['homeledger-delivery']);

test('pauses grow, vary by a tenth, and are as long as the server asks, up to two hours', () => {
  const pauses = (chance: number) => [1, 2, 3, 4, 5, 6].map((attempts) => pauseAfter(attempts, null, chance));
  const usual = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, null];
  expect(pauses(0.5)).toEqual(usual);
  expect(pauses(0)).toEqual(usual.map((ms) => ms && Math.round(ms * 0.9)));
  expect(pauses(1)).toEqual(usual.map((ms) => ms && Math.round(ms * 1.1)));
  expect([1_000, 90 * MINUTE, 3 * HOUR, 1e12].map((asked) => pauseAfter(1, asked, 0.5))).toEqual([
    10 * SECOND,
    90 * MINUTE,
    2 * HOUR,
    2 * HOUR,
  ]);
});

forEachDatabase((database) => {
  describe('a message', () => {
    test('that fails twice and then arrives was sent three times under one id', async () => {
      const app = await open(database, { status: 500 }, { status: 500 }, OK);
      await tell(app);
      const [{ id }] = await deliveries(app);
      await sendDue(app);
      await sendDue(app);
      expect(await deliveries(app)).toMatchObject([
        { status: 'pending', attempts: 1, status_code: 500, detail: 'The server answered 500.', finished_at: null },
      ]);
      app.clock.advance(8_999);
      await sendDue(app);
      expect(receiver.requests).toHaveLength(1);
      app.clock.advance(2_001);
      await sendDue(app);
      app.clock.advance(66 * SECOND);
      await sendDue(app);
      expect(idsSent()).toEqual([id, id, id]);
      expect(await deliveries(app)).toMatchObject([{ status: 'delivered', attempts: 3, detail: null }]);
    });

    test.each([
      [400, 'The server answered 400.'],
      [302, 'The server answered 302, a redirect. Redirects are not followed.'],
    ])('that is answered %i fails at once, and can be sent again', async (status, detail) => {
      const app = await open(database, { status, headers: { location: `${receiver.url}/elsewhere` } }, OK);
      await tell(app);
      await sendDue(app);
      app.clock.advance(DAY);
      await sendDue(app);
      const [failed] = await deliveries(app);
      expect(failed).toMatchObject({ status: 'failed', attempts: 1, status_code: status, detail });
      expect(receiver.requests.map(({ path }) => path)).toEqual(['/']);
      const path = `/api/v1/notification-deliveries/${failed.short_id as string}/retry`;
      const again = await app.request('POST', path);
      expect(again.json).toMatchObject({ status: 'pending', attempts: 0, finished_at: null });
      expect((await app.request('POST', path)).json.error.code).toBe('CONFLICT');
      await sendDue(app);
      expect(idsSent()).toEqual([failed.id, failed.id]);
      expect(await states(app)).toEqual([['delivered', 1]]);
    });

    test('fails after six attempts, and Retry-After is heeded', async () => {
      const app = await open(database, { status: 429, headers: { 'retry-after': '5400' } }, { status: 503 });
      await tell(app);
      await sendDue(app);
      app.clock.advance(89 * MINUTE);
      await sendDue(app);
      expect(receiver.requests).toHaveLength(1);
      for (let times = 0; times < 8; times++) {
        app.clock.advance(3 * HOUR);
        await sendDue(app);
      }
      expect([receiver.requests.length, await states(app)]).toEqual([6, [['failed', 6]]]);
    });

    test('that waits for its retry holds back no later one, and messages keep their order', async () => {
      const app = await open(database, { status: 500 }, OK);
      for (const title of ['one', 'two', 'three']) {
        app.clock.advance(1);
        await tell(app, { title });
      }
      await sendDue(app);
      app.clock.advance(MINUTE);
      await sendDue(app);
      expect(receiver.requests.map(({ json }) => json['title'])).toEqual(['one', 'two', 'three', 'one']);
    });

    test('goes nowhere if its channel is disabled or deleted meanwhile, and stays listed', async () => {
      const app = await open(database, OK);
      const other = await addChannel(app, { name: 'Other', url: receiver.url });
      const [hook] = (await app.request('GET', CHANNELS)).json;
      await tell(app);
      await app.request('PATCH', `${CHANNELS}/${hook.id}`, { body: { enabled: false } });
      expect((await app.request('DELETE', `${CHANNELS}/${other.id}`)).status).toBe(204);
      await sendDue(app);
      expect([receiver.requests.length, await states(app)]).toEqual([
        0,
        [
          ['cancelled', 0],
          ['cancelled', 0],
        ],
      ]);
      expect(await deliveries(app, { channel_id: other.id })).toHaveLength(1);
      expect((await app.request('GET', '/api/v1/notification-deliveries?channel_id=Unknown1')).status).toBe(400);
    });

    test('is forgotten when it is older than the household keeps them', async () => {
      const app = await open(database, OK);
      await tell(app);
      await sendDue(app);
      await app.request('PATCH', '/api/v1/settings/notifications', { body: { delivery_retention_days: 2 } });
      app.clock.advance(2 * DAY);
      await tell(app);
      await dropOldDeliveries(app.app.instance);
      expect(await states(app)).toHaveLength(2);
      app.clock.advance(1);
      await dropOldDeliveries(app.app.instance);
      expect(await states(app)).toEqual([['pending', 0]]);
    });
  });

  test('a receiver that hangs delays no other channel and no request, and gets its message after the next start', async () => {
    const app = await open(database, OK);
    const slow = await addChannel(app, { name: 'Slow', url: hanging.url });
    hanging.script('never');
    await tell(app);
    await app.app.instance.notifications().look();
    await eventually(() => expect([receiver.requests.length, hanging.requests.length]).toEqual([1, 1]));
    const report = { title: 'Now', body: 'At once' };
    expect((await app.request('POST', '/api/v1/reports', { body: report })).status).toBe(201);
    await app.app.instance.notifications().look();
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    expect(hanging.requests).toHaveLength(1);
    await app.close();
    hanging.script(OK);
    const next = await app.again();
    await sendDue(next);
    expect(hanging.requests.map(({ json }) => json['title'])).toEqual(['Something happened', 'Now']);
    expect(await deliveries(next, { channel_id: slow.id })).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'delivered', attempts: 1 },
    ]);
  });

  test('two processes never make the same attempt, and one takes over what a dead one had begun', async () => {
    const app = await open(database, OK);
    const other = await app.again();
    for (let count = 0; count < 5; count++) await tell(app);
    await Promise.all([app, other, app, other].map(async (one) => sendDue(one)));
    await eventually(async () => {
      await Promise.all([sendDue(app), sendDue(other)]);
      expect(await deliveries(app, { status: 'pending' })).toEqual([]);
    });
    expect(new Set(idsSent()).size).toBe(5);
    expect(idsSent()).toHaveLength(5);

    receiver.script(OK);
    await tell(app);
    await app.write('test.die', async (tx) => {
      const claim = { claimed_by: tx.ids.uuid(), attempts: 1 };
      await tx.q.updateTable('notification_deliveries').set(claim).where('status', '=', 'pending').execute();
    });
    const [{ id }] = await deliveries(app);
    await sendDue(other);
    expect([idsSent(), (await deliveries(app))[0]]).toMatchObject([[id], { status: 'delivered', attempts: 2 }]);
  });

  test('a test message is sent once, whatever the channel wants, and listed', async () => {
    const app = await open(database, { status: 401 }, OK);
    const quiet = await addChannel(app, { name: 'Quiet', url: receiver.url, enabled: false, min_priority: 'critical' });
    const path = `${CHANNELS}/${quiet.short_id}/test`;
    const refused = await app.request('POST', path);
    expect(refused.json).toMatchObject({ ok: false, status_code: 401, detail: 'The server answered 401.' });
    const fine = await app.request('POST', path);
    expect(fine.json).toMatchObject({ ok: true, status_code: 200, detail: null, duration_ms: expect.any(Number) });
    expect(idsSent()).toEqual([refused.json.delivery_id, fine.json.delivery_id]);
    expect(receiver.requests[1]?.json).toMatchObject({ event: 'test', priority: 'info', body: null, data: {} });
    expect(await states(app)).toEqual([
      ['failed', 1],
      ['delivered', 1],
    ]);
    expect(await deliveries(app, { event: 'test', status: 'failed,pending' })).toHaveLength(1);
  });
});
