import { expect, test } from 'vitest';

import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import type { NotificationChannelsTable } from '../../db/schema.ts';
import { createReportRow, findRecentReport } from './index.ts';

const REPORTS = '/api/v1/reports';
const NASTY = [
  '<script>alert(1)</script> <img src=x onerror=alert(1)>',
  '[x](javascript:alert(1)) ![p](data:image/png;base64,AAAA)',
  '  trailing\\n is two characters\t\r\n',
].join('\n');

const submit = (app: TestApp, more: object = {}, how: object = {}): Promise<Answer> =>
  app.request('POST', REPORTS, { body: { title: 'Rents', body: 'All paid.', ...more }, ...how });
const unreadCount = async (app: TestApp): Promise<unknown> =>
  (await app.request('GET', `${REPORTS}/unread-count`)).json;
const mark = (app: TestApp, { id }: { id: string }, as: 'read' | 'unread', body?: unknown): Promise<Answer> =>
  app.request('PATCH', `${REPORTS}/${id}/${as}`, body === undefined ? {} : { body });
const titles = async (app: TestApp, query: Record<string, string>): Promise<string[]> =>
  (await app.request('GET', REPORTS, { query })).json.map(({ title }: { title: string }) => title);
const setOf = (answer: Answer): string | undefined => answer.headers['x-change-set-id'] as string | undefined;
const actionOf = async (app: TestApp, answer: Answer) =>
  (await app.request('GET', `/api/v1/change-sets/${setOf(answer)}`)).json.action as unknown;
const revert = (app: TestApp, answer: Answer) =>
  app.request('POST', `/api/v1/change-sets/${setOf(answer)}/revert`, { body: {} });

/** A channel as the household would make it, but for its address. */
async function addChannel(app: TestApp, columns: Partial<NotificationChannelsTable>): Promise<void> {
  await app.write('test.channel', async (tx) => {
    const stamps = { created_at: tx.now, updated_at: tx.now };
    const row = {
      id: tx.ids.uuid(),
      short_id: tx.ids.shortId(),
      name: 'all',
      format: 'ntfy',
      url_masked: 'https://ntfy.home.example/…',
      events: '["report.created"]',
      min_priority: 'info',
      is_body_included: 0 as const,
      is_enabled: 1 as const,
    };
    await tx.q
      .insertInto('notification_channels')
      .values({ ...row, ...stamps, ...columns })
      .execute();
    tx.journal.allowUnjournaled('notification_channel');
  });
}

const deliveries = (app: TestApp) =>
  rowsOf(
    app.app.instance.database,
    'select event, subject_type, subject_id, priority, title, body, data, status from notification_deliveries',
  );

forEachDatabase((database) => {
  test('a report is stored as sent, unread, with the credential as its author', async () => {
    const app = await database.open();
    const made = await submit(app, {
      title: '  Rents ',
      body: NASTY,
      tags: [' rent ', 'home', 'rent'],
      priority: 'warning',
    });
    expect([made.status, made.headers['location']]).toEqual([201, `${REPORTS}/${made.json.id}`]);
    const self = (await app.request('GET', '/api/v1/keys/me')).json;
    expect(made.json).toEqual({
      id: made.json.id,
      short_id: made.json.short_id,
      title: 'Rents',
      body: NASTY,
      kind: 'report',
      priority: 'warning',
      tags: ['rent', 'home'],
      author_type: self.actor_type,
      author_id: self.id,
      author_name: self.actor_name ?? self.name,
      workflow_run_id: null,
      read_at: null,
      created_at: '2026-04-26T06:00:00.000Z',
    });
    expect(await unreadCount(app)).toEqual({ count: 1 });
    for (const id of [made.json.id, made.json.short_id]) {
      expect((await app.request('GET', `${REPORTS}/${id}`)).json).toEqual(made.json);
    }
    expect(await actionOf(app, made)).toBe('report.create');
    expect((await app.request('GET', `${REPORTS}/zzzzzzzz`)).status).toBe(404);

    const ana = await signIn(app, { name: 'Ana' });
    const bySession = await submit(app, { author_name: ' The desk ' }, { key: null, headers: ana.headers });
    expect(bySession.json).toMatchObject({
      author_type: 'user',
      author_id: ana.member.short_id,
      author_name: 'The desk',
    });
  });

  test('what breaks a rule is refused by name, and stores nothing', async () => {
    const app = await database.open();
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const tags = Array.from({ length: 11 }, (_, index) => `tag ${index}`);
    for (const [body, path] of [
      [{ title: '   ' }, 'title'],
      [{ title: 'é'.repeat(301) }, 'title'],
      [{ body: ' \n\t' }, 'body'],
      [{ body: '' }, 'body'],
      [{ body: 'x'.repeat(100_001) }, 'body'],
      [{ body: 'a\0b' }, 'body'],
      [{ priority: 'high' }, 'priority'],
      [{ kind: 'Digest' }, 'kind'],
      [{ tags }, 'tags'],
      [{ tags: ['x'.repeat(51)] }, 'tags[0]'],
      [{ tags: [' '] }, 'tags[0]'],
      [{ author_name: '' }, 'author_name'],
      [{ author_type: 'user' }, 'author_type'],
      [{ author_id: 'Qw3rTy7U' }, 'author_id'],
      [{ workflow_run_id: null }, 'workflow_run_id'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      const refused = await submit(app, body);
      expect([path, refused.status, refused.json.error.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
      expect(refused.json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const longest = await submit(app, {
      title: '😀'.repeat(300),
      body: 'é'.repeat(100_000),
      tags: [...tags.slice(1), 'tag 1'],
    });
    expect([longest.status, longest.json.tags.length]).toEqual([201, 10]);
  });

  test('reading and unreading is one flag for the household; doing it twice changes nothing', async () => {
    const app = await database.open();
    const [first, second] = [(await submit(app)).json, (await submit(app, { title: 'Second' })).json];
    const read = await mark(app, first, 'read', {});
    expect([read.status, read.json.read_at, await actionOf(app, read)]).toEqual([
      200,
      '2026-04-26T06:00:00.000Z',
      'report.read',
    ]);
    app.clock.advance(60_000);
    const again = await mark(app, first, 'read');
    expect([again.status, again.json, setOf(again)]).toEqual([200, read.json, undefined]);
    expect(await unreadCount(app)).toEqual({ count: 1 });

    const unread = await mark(app, first, 'unread');
    expect([unread.json.read_at, await actionOf(app, unread)]).toEqual([null, 'report.unread']);
    expect(setOf(await mark(app, first, 'unread', {}))).toBeUndefined();
    expect((await mark(app, first, 'read', { read_at: null })).status).toBe(400);
    expect(await unreadCount(app)).toEqual({ count: 2 });

    const all = await app.request('POST', `${REPORTS}/read-all`);
    expect([all.status, all.text, await actionOf(app, all)]).toEqual([204, '', 'report.read_all']);
    expect(await unreadCount(app)).toEqual({ count: 0 });
    const stamps = await Promise.all(
      [first, second].map(async ({ id }) => (await app.request('GET', `${REPORTS}/${id}`)).json.read_at),
    );
    expect(stamps).toEqual(['2026-04-26T06:01:00.000Z', '2026-04-26T06:01:00.000Z']);
    const none = await app.request('POST', `${REPORTS}/read-all`, { body: {} });
    expect([none.status, none.text, setOf(none)]).toEqual([204, '', undefined]);

    expect((await revert(app, all)).status).toBe(200);
    expect(await unreadCount(app)).toEqual({ count: 2 });
  });

  test('the list is a bare array, newest first, and filters are exact', async () => {
    const app = await database.open();
    await submit(app, { title: 'One', kind: 'digest', tags: ['rent', 'a"b', ','] });
    app.clock.advance(1_000);
    const two = (await submit(app, { title: 'Two', priority: 'critical', tags: ['x,', 'Rent'] })).json;
    app.clock.advance(1_000);
    await submit(app, { title: 'Three', priority: 'warning' });
    await mark(app, two, 'read');
    for (const [query, expected] of [
      [{}, ['Three', 'Two', 'One']],
      [{ limit: '2' }, ['Three', 'Two']],
      [{ read: 'true' }, ['Two']],
      [{ read: '0' }, ['Three', 'One']],
      [{ priority: 'critical,warning' }, ['Three', 'Two']],
      [{ kind: 'digest' }, ['One']],
      [{ tag: 'rent' }, ['One']],
      [{ tag: 'rent,Rent' }, ['Two', 'One']],
      [{ tag: 'b' }, []],
      [{ tag: 'x' }, []],
      [{ kind: 'report', read: 'false', limit: '1' }, ['Three']],
      [{ kind: 'none' }, []],
    ] as const) {
      expect([query, await titles(app, query)]).toEqual([query, expected]);
    }
    for (const query of [
      { read: 'maybe' },
      { priority: 'high' },
      { limit: '0' },
      { limit: '501' },
      { workflow_run_id: two.id },
    ]) {
      const refused = await app.request('GET', REPORTS, { query });
      expect([refused.status, refused.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
  });

  test('600 reports are listed, all 600 of them', async () => {
    const app = await database.open();
    await app.write('test.reports', async (tx) => {
      for (let index = 0; index < 600; index++) {
        const fields = { body: 'Body', kind: 'report', priority: 'info' as const, tags: [], author_name: 'Desk' };
        await createReportRow(tx, null, { title: `Report ${index}`, ...fields });
      }
    });
    const listed = (await app.request('GET', REPORTS)).json as { id: string }[];
    expect(listed).toHaveLength(600);
    expect(listed.map(({ id }) => id)).toEqual(
      listed
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(await unreadCount(app)).toEqual({ count: 600 });
  });

  test('a deleted report is gone; the deletion and the submission can be reverted', async () => {
    const app = await database.open();
    const made = await submit(app, { tags: ['rent'] });
    const path = `${REPORTS}/${made.json.short_id}`;
    const gone = await app.request('DELETE', path);
    expect([gone.status, gone.text, await actionOf(app, gone)]).toEqual([204, '', 'report.delete']);
    expect([(await app.request('GET', path)).status, (await app.request('DELETE', path)).status]).toEqual([404, 404]);
    expect((await revert(app, gone)).status).toBe(200);
    expect((await app.request('GET', path)).json).toEqual(made.json);
    expect((await revert(app, made)).status).toBe(200);
    expect(await titles(app, {})).toEqual([]);
  });

  test('channels that want it are told of a report once; deleting it, or reverting it, takes back what is not sent', async () => {
    const app = await database.open();
    await addChannel(app, { name: 'all', min_priority: 'info', is_body_included: 1 });
    await addChannel(app, { name: 'severe', min_priority: 'critical' });
    await addChannel(app, { name: 'others', events: '["sync.failed"]' });
    await submit(app, { title: '' });
    expect(await deliveries(app)).toEqual([]);
    const headers = { 'idempotency-key': 'once' };
    const made = await submit(app, { priority: 'warning' }, { headers });
    await submit(app, { priority: 'warning' }, { headers });
    const told = {
      event: 'report.created',
      subject_type: 'report',
      subject_id: made.json.id,
      priority: 'warning',
      title: 'Rents',
      body: 'All paid.',
      data: JSON.stringify({ report_id: made.json.id }),
      status: 'pending',
    };
    expect(await deliveries(app)).toEqual([told]);
    const gone = await app.request('DELETE', `${REPORTS}/${made.json.id}`);
    expect(await deliveries(app)).toEqual([{ ...told, status: 'cancelled' }]);
    await revert(app, gone);
    expect(await deliveries(app)).toEqual([{ ...told, status: 'cancelled' }]);

    const severe = await submit(app, { priority: 'critical' });
    const statuses = async () => (await deliveries(app)).filter((one) => one['subject_id'] === severe.json.id);
    expect(await statuses()).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    await revert(app, severe);
    expect(await statuses()).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  test('a read_only key reads, and writes nothing; nor does a viewer', async () => {
    const app = await database.open();
    const { json } = await submit(app);
    const { key } = await app.newKey({ scope: 'read_only' });
    const viewer = await signIn(app, { role: 'viewer' });
    for (const how of [{ key }, { key: null, headers: viewer.headers }]) {
      for (const path of ['', '/unread-count', `/${json.id}`]) {
        expect((await app.request('GET', REPORTS + path, how)).status).toBe(200);
      }
      for (const [method, path] of [
        ['POST', ''],
        ['POST', '/read-all'],
        ['PATCH', `/${json.id}/read`],
        ['PATCH', `/${json.id}/unread`],
        ['DELETE', `/${json.id}`],
      ] as const) {
        expect([method, path, (await app.request(method, REPORTS + path, how)).status]).toEqual([method, path, 403]);
      }
    }
  });

  test('the same report of the same author within a day is found again', async () => {
    const app = await database.open();
    const author = (id: string) => ({ actor: { type: 'agent' as const, id, userId: null, name: id } }) as never;
    const fields = { body: 'Body', kind: 'report', priority: 'info' as const, tags: [], author_name: undefined };
    const { id } = await app.write('test', (tx) => createReportRow(tx, author('a'), { title: 'Rents', ...fields }));
    const find = (who: string, title: string, body: string) =>
      app.write('test', async (tx) => (await findRecentReport(tx, author(who), { title, body }))?.id);
    app.clock.advance(24 * 3_600_000);
    expect(await find('a', ' Rents ', 'Body')).toBe(id);
    expect(await find('b', 'Rents', 'Body')).toBeUndefined();
    expect(await find('a', 'Rents', 'Body ')).toBeUndefined();
    expect(await find('a', 'Rent', 'Body')).toBeUndefined();
    app.clock.advance(1);
    expect(await find('a', 'Rents', 'Body')).toBeUndefined();
  });

  test('agents without a key are told apart by their names', async () => {
    const app = await database.open();
    const author = (name: string) => ({ actor: { type: 'agent' as const, id: null, userId: null, name } }) as never;
    const report = { title: 'Rents', body: 'Body', kind: 'report', priority: 'info' as const, tags: [] };
    const store = (who: string, author_name: string | undefined) =>
      app.write('test', async (tx) => (await createReportRow(tx, author(who), { ...report, author_name })).id);
    const find = (who: string, author_name: string | undefined) =>
      app.write('test', async (tx) => (await findRecentReport(tx, author(who), { ...report, author_name }))?.id);
    const [own, signed] = [await store('Desk', undefined), await store('Desk', 'The desk')];
    expect([await find('Desk', undefined), await find('Desk', 'The desk')]).toEqual([own, signed]);
    expect(await find('Phone', undefined)).toBeUndefined();
  });
});
