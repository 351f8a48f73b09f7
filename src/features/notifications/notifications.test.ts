import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  addChannel,
  allowPrivateNetworks,
  deliveries,
  occurrence,
  sendDue,
  states,
  tell,
} from '../../../test/harness/servers/notifications.ts';
import { scriptedServer, type Recorded, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp, type TestDatabase } from '../../../test/harness/test-app.ts';
import { raise } from './index.ts';

const CHANNELS = '/api/v1/notification-channels';
const OK = { status: 200 };
const SECRET = 'a secret of 24 letters ✓';

let receiver: ScriptedServer;
beforeAll(async () => {
  receiver = await scriptedServer();
});
afterAll(() => receiver.close());

/** An app that may send to the receiver, which answers as it is told. */
async function open(database: TestDatabase, ...answers: Parameters<ScriptedServer['script']>): Promise<TestApp> {
  const app = await database.open();
  await allowPrivateNetworks(app);
  receiver.script(...(answers.length > 0 ? answers : [OK]));
  return app;
}

function isSigned({ headers, body }: Recorded, secret: string): boolean {
  const signed = `${String(headers['homeledger-timestamp'])}.${body}`;
  return headers['homeledger-signature'] === `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`;
}

forEachDatabase((database) => {
  describe('a channel', () => {
    test('shows its secret once, and keeps address, secret and token to itself', async () => {
      const app = await open(database);
      const headers = { 'idempotency-key': 'once' };
      const body = { name: ' Hook ', format: 'webhook', url: `${receiver.url}/topic-4711?key=x1y2` };
      const made = await app.request('POST', CHANNELS, { body, headers });
      expect([made.status, made.headers['cache-control'], made.headers.location]).toEqual([
        201,
        'no-store',
        `/api/v1/notification-channels/${made.json.id}`,
      ]);
      const { secret, ...channel } = made.json;
      expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
      expect(channel).toMatchObject({
        name: 'Hook',
        url_masked: `${receiver.url}/…`,
        min_priority: 'info',
        include_body: false,
        quiet_hours_start: null,
        enabled: true,
        has_secret: true,
        has_token: false,
        last_delivery: null,
      });
      expect(channel.events).toHaveLength(9);
      const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';
      const ntfy = await addChannel(app, { name: 'Phone', format: 'ntfy', url: `${receiver.url}/topic-4711`, token });
      expect([ntfy.has_token, 'secret' in ntfy]).toEqual([true, false]);
      const path = `${CHANNELS}/${channel.short_id}`;
      const rotated = await app.request('POST', `${path}/rotate-secret`);
      expect(rotated.json.secret).toMatch(/^[0-9A-Za-z]{43}$/);
      const later = [
        await app.request('POST', CHANNELS, { body, headers }),
        await app.request('GET', CHANNELS),
        await app.request('GET', path),
        await app.request('PATCH', path, { body: { name: 'Kitchen' } }),
        await app.request('POST', `${path}/test`),
        await app.request('GET', '/api/v1/notification-deliveries'),
        await app.request('GET', `/api/v1/change-sets/${made.headers['x-change-set-id'] as string}`),
      ];
      expect(later.slice(0, 6).map((answer) => [answer.status, answer.headers['cache-control']])).toEqual([
        [201, 'no-store'],
        ...Array.from({ length: 5 }, () => [200, 'no-store']),
      ]);
      expect(later[0]?.json.secret).toBe(null);
      const everywhere = [
        ...later.map(({ text }) => text),
        ...app.logs,
        JSON.stringify(await allRows(app.app.instance.database)),
      ].join('\n');
      for (const hidden of [secret, rotated.json.secret, token, 'topic-4711', 'x1y2']) {
        expect([hidden, everywhere.includes(hidden)]).toEqual([hidden, false]);
      }
    });

    test('takes an address and a secret in any script', async () => {
      const app = await open(database);
      const secret = 'ein schlüssel, 一つの鍵';
      const channel = await addChannel(app, { url: `${receiver.url}/küche?für=ö%20x`, secret });
      receiver.script({ status: 204 });
      await app.request('POST', `${CHANNELS}/${channel.id}/test`);
      const [sent] = receiver.requests as [Recorded];
      expect(sent.path).toBe('/k%C3%BCche?f%C3%BCr=%C3%B6%20x');
      expect(isSigned(sent, secret)).toBe(true);
      const named = await addChannel(app, { url: 'https://müller.example/haken' });
      expect(named.url_masked).toBe('https://xn--mller-kva.example/…');
    });

    test('refuses wrong fields by name, and then changes nothing', async () => {
      const app = await open(database);
      const gotify = await addChannel(app, { format: 'gotify', url: receiver.url, token: 'A1' });
      const hook = await addChannel(app, { url: receiver.url, quiet_hours_start: '22:00', quiet_hours_end: '07:00' });
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      const good = { name: 'x', format: 'webhook', url: receiver.url };
      for (const [field, body] of [
        ['name', { ...good, name: ' ' }],
        ['format', { ...good, format: 'email' }],
        ['url', { ...good, url: 'ftp://home.example/' }],
        ['url', { ...good, url: 'https://ana@home.example/' }],
        ['url', { ...good, url: 'https://ana:pw@home.example/' }],
        ['url', { ...good, url: 'https://@home.example/' }],
        ['url', { ...good, url: 'https://home.example/#top' }],
        ['url', { ...good, url: `https://home.example/${'x'.repeat(2_048)}` }],
        ['url', { ...good, url: 'https://home.example/a b' }],
        ['url', { ...good, url: 'https://home.example/a\u200bb' }],
        ['url', { ...good, url: 'https://ana\uff20home.example/' }],
        ['url', { ...good, url: 'https://[fe80::1%25eth0]/' }],
        ['events[0]', { ...good, events: ['test'] }],
        ['events', { ...good, events: [] }],
        ['min_priority', { ...good, min_priority: 'high' }],
        ['quiet_hours_end', { ...good, quiet_hours_start: '22:00' }],
        ['quiet_hours_end', { ...good, quiet_hours_start: '22:00', quiet_hours_end: '22:00' }],
        ['quiet_hours_start', { ...good, quiet_hours_start: '24:00', quiet_hours_end: '07:00' }],
        ['secret', { ...good, secret: 'fifteen letters' }],
        ['secret', { ...good, secret: 'x'.repeat(257) }],
        ['secret', { ...good, format: 'ntfy', secret: SECRET }],
        ['token', { ...good, token: 'A1' }],
        ['token', { ...good, format: 'gotify' }],
        ['token', { ...good, format: 'ntfy', token: 'A1\r\nX-More: 1' }],
        ['url_masked', { ...good, url_masked: 'x' }],
      ] as const) {
        const { status, json } = await app.request('POST', CHANNELS, { body });
        expect([body, status, json.error.code, json.error.details[0].path]).toEqual([
          body,
          400,
          'VALIDATION_ERROR',
          field,
        ]);
      }
      for (const [field, id, body] of [
        ['format', hook.id, { format: 'ntfy' }],
        ['quiet_hours_end', hook.id, { quiet_hours_end: null }],
        ['token', gotify.id, { token: null }],
        ['secret', gotify.id, { secret: SECRET }],
      ] as const) {
        const { status, json } = await app.request('PATCH', `${CHANNELS}/${id}`, { body });
        expect([body, status, json.error.details[0].path]).toEqual([body, 400, field]);
      }
      const rotate = await app.request('POST', `${CHANNELS}/${gotify.id}/rotate-secret`);
      expect([rotate.status, rotate.json.error.code]).toEqual([409, 'CONFLICT']);
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', '/rotate-secret'],
      ] as const) {
        const options = method === 'PATCH' ? { body: { url: 'http://169.254.169.254/' } } : {};
        expect((await app.request(method, `${CHANNELS}/Unknown1${path}`, options)).status).toBe(404);
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('is changed in parts; what is the same already leaves no change set', async () => {
      const app = await open(database);
      const hook = await addChannel(app, { url: `${receiver.url}/one`, secret: SECRET });
      const path = `${CHANNELS}/${hook.id}`;
      const same = { name: 'Hook', url: `${receiver.url}/one`, secret: SECRET, enabled: true };
      expect((await app.request('PATCH', path, { body: same })).headers['x-change-set-id']).toBeUndefined();
      const body = { url: `${receiver.url}/two`, min_priority: 'warning', events: ['sync.failed', 'report.created'] };
      const changed = await app.request('PATCH', path, { body });
      expect(changed.json).toMatchObject({ min_priority: 'warning', events: ['report.created', 'sync.failed'] });
      const set = await app.request('GET', `/api/v1/change-sets/${changed.headers['x-change-set-id'] as string}`);
      expect(set.json.changes.map(({ before, after }: Record<string, object>) => [before, after])).toEqual([
        [
          expect.objectContaining({ url: 'set', min_priority: 'info' }),
          expect.objectContaining({ url: 'set', min_priority: 'warning' }),
        ],
      ]);
      await tell(app, { priority: 'warning' });
      await sendDue(app);
      expect(receiver.requests.map((request) => [request.path, isSigned(request, SECRET)])).toEqual([['/two', true]]);
    });
  });

  describe('a message', () => {
    test('to a webhook is signed over its raw body, and rotating counts for what is still to be sent', async () => {
      const app = await open(database);
      const hook = await addChannel(app, { url: `${receiver.url}/hook`, include_body: true });
      await tell(app, {
        title: 'A report\u0007 arrived\n',
        body: 'One\tline\r\nand\u0000 more',
        data: { report_id: 'r' },
      });
      await sendDue(app);
      const [request] = receiver.requests as [Recorded];
      expect(isSigned(request, hook.secret)).toBe(true);
      const [delivery] = await deliveries(app);
      expect(request.json).toEqual({
        id: delivery.id,
        event: 'report.created',
        title: 'A report arrived',
        body: 'Oneline\nand more',
        priority: 'info',
        url: null,
        sent_at: '2026-04-26T06:00:00.000Z',
        data: { report_id: 'r' },
      });
      expect(request.headers).toMatchObject({
        'content-type': 'application/json',
        'homeledger-event': 'report.created',
        'homeledger-delivery': delivery.id,
        'homeledger-timestamp': String(Date.parse('2026-04-26T06:00:00.000Z') / 1_000),
      });
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, status_code: 200, detail: null });
      receiver.script(OK);
      await tell(app);
      const { secret } = (await app.request('POST', `${CHANNELS}/${hook.id}/rotate-secret`)).json;
      await sendDue(app);
      expect(receiver.requests.map((one) => [isSigned(one, hook.secret), isSigned(one, secret)])).toEqual([
        [false, true],
      ]);
    });

    test('to ntfy and to Gotify has their form, with the body only where it is wanted', async () => {
      const app = await open(database);
      await app.request('PUT', '/api/v1/config/public_base_url', { body: { value: 'https://money.example' } });
      await addChannel(app, { format: 'ntfy', url: `${receiver.url}/topic`, token: 'tk_1', include_body: true });
      await addChannel(app, { format: 'gotify', url: `${receiver.url}/base/`, token: 'AppToken' });
      const id = app.app.instance.ids.uuid();
      const body = 'x'.repeat(600);
      await tell(app, {
        priority: 'critical',
        title: 'Bücher: “fällig”',
        body,
        subjectType: 'connection',
        subjectId: id,
      });
      await sendDue(app);
      const byPath = Object.fromEntries(receiver.requests.map((request) => [request.path, request]));
      const page = `https://money.example/connections/${id}`;
      const ntfy = byPath['/topic'] as Recorded;
      expect(ntfy.body).toBe(`${'x'.repeat(479)}…`);
      expect(ntfy.headers).toMatchObject({ priority: '5', click: page, authorization: 'Bearer tk_1' });
      expect(ntfy.headers['title']).toBe(`=?UTF-8?B?${Buffer.from('Bücher: “fällig”').toString('base64')}?=`);
      const gotify = byPath['/base/message'] as Recorded;
      expect(gotify.headers['x-gotify-key']).toBe('AppToken');
      expect(gotify.json).toEqual({
        title: 'Bücher: “fällig”',
        message: 'Bücher: “fällig”',
        priority: 10,
        extras: { 'client::notification': { click: { url: page } } },
      });
    });

    test('leads to the page about its subject', async () => {
      const app = await open(database);
      await app.request('PUT', '/api/v1/config/public_base_url', { body: { value: 'https://money.example' } });
      await addChannel(app, { url: receiver.url });
      const id = app.app.instance.ids.uuid();
      for (const subjectType of ['report', 'run', 'proposal', 'sync_log', 'import'] as const) {
        await tell(app, { subjectType, subjectId: id });
      }
      await sendDue(app);
      expect(receiver.requests.map(({ json }) => (json as { url: unknown }).url)).toEqual([
        `https://money.example/reports/${id}`,
        `https://money.example/runs/${id}`,
        `https://money.example/proposals/${id}`,
        `https://money.example/sync-logs/${id}`,
        null,
      ]);
    });

    test('goes to the enabled channels that want its event and priority, once however often it is told', async () => {
      const app = await open(database);
      const all = await addChannel(app, { name: 'All', url: `${receiver.url}/all` });
      await addChannel(app, { url: `${receiver.url}/warnings`, min_priority: 'warning' });
      await addChannel(app, { url: `${receiver.url}/critical`, min_priority: 'critical' });
      await addChannel(app, { url: `${receiver.url}/syncs`, events: ['sync.failed'] });
      await addChannel(app, { url: `${receiver.url}/off`, enabled: false });
      await tell(app, { occurrenceId: 'one', priority: 'info' });
      await tell(app, { occurrenceId: 'one', priority: 'info' });
      await tell(app, { occurrenceId: 'two', priority: 'critical' });
      await sendDue(app);
      const paths = receiver.requests.map(({ path, json }) => `${path} ${String(json['priority'])}`);
      expect(new Set(paths)).toEqual(
        new Set(['/all info', '/all critical', '/critical critical', '/warnings critical']),
      );
      expect(paths).toHaveLength(4);
      expect(await deliveries(app, { channel_id: all.short_id })).toHaveLength(2);
      const { last_delivery: last } = (await app.request('GET', `${CHANNELS}/${all.id}`)).json;
      expect(last).toEqual({ status: 'delivered', at: '2026-04-26T06:00:00.000Z', status_code: 200, detail: null });
    });

    test('of a write that is rolled back does not exist, and a replay tells nothing again', async () => {
      const app = await open(database);
      await addChannel(app, { url: receiver.url });
      const fails = app.write('test.tell', async (tx) => {
        await raise(tx, occurrence('one'));
        throw new Error('rolled back');
      });
      await expect(fails).rejects.toThrow('rolled back');
      expect(await states(app)).toEqual([]);
      const report = { body: { title: 'A report', body: 'It says much.' }, headers: { 'idempotency-key': 'once' } };
      for (let sent = 0; sent < 2; sent++) {
        expect((await app.request('POST', '/api/v1/reports', report)).status).toBe(201);
      }
      expect((await app.request('POST', '/api/v1/reports', { body: { title: '', body: 'x' } })).status).toBe(400);
      expect(await states(app)).toEqual([['pending', 0]]);
      const [{ subject_id: id }] = await deliveries(app);
      await app.request('DELETE', `/api/v1/reports/${id as string}`);
      await sendDue(app);
      expect([await states(app), receiver.requests.length]).toEqual([[['cancelled', 0]], 0]);
    });

    test('waits in quiet hours unless it is critical', async () => {
      const app = await open(database);
      await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'Europe/Berlin' } });
      await addChannel(app, { url: receiver.url, quiet_hours_start: '22:00', quiet_hours_end: '09:00' });
      await tell(app, { priority: 'warning', title: 'Later' });
      await tell(app, { priority: 'critical', title: 'Now' });
      await sendDue(app);
      expect(receiver.requests.map(({ json }) => json['title'])).toEqual(['Now']);
      expect((await deliveries(app, { status: 'pending' }))[0].next_attempt_at).toBe('2026-04-26T07:00:00.000Z');
      app.clock.advance(3_599_999);
      await sendDue(app);
      expect(receiver.requests).toHaveLength(1);
      app.clock.advance(1);
      await sendDue(app);
      await sendDue(app);
      expect(receiver.requests.map(({ json }) => json['title'])).toEqual(['Now', 'Later']);
    });

    test('and when those hours change, until the new ones let it', async () => {
      const app = await open(database);
      const quiet = { quiet_hours_start: '22:00', quiet_hours_end: '09:00' };
      const { id } = await addChannel(app, { url: receiver.url, ...quiet });
      await tell(app, { priority: 'warning', title: 'Later' });
      const change = async (body: object): Promise<void> => {
        const { status } = await app.request('PATCH', `${CHANNELS}/${id}`, { body });
        expect(status).toBe(200);
      };
      const due = async (): Promise<unknown> => (await deliveries(app, { status: 'pending' }))[0].next_attempt_at;
      expect(await due()).toBe('2026-04-26T09:00:00.000Z');
      await change({ quiet_hours_end: '10:30' });
      expect(await due()).toBe('2026-04-26T10:30:00.000Z');
      await change({ name: 'Renamed' });
      expect(await due()).toBe('2026-04-26T10:30:00.000Z');
      await change({ quiet_hours_start: null, quiet_hours_end: null });
      await sendDue(app);
      expect(receiver.requests.map(({ json }) => json['title'])).toEqual(['Later']);
    });
  });
});
