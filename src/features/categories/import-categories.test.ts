import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anyCharacter } from '../../../test/harness/any-character.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import type { CategoryRecord } from './categories.entity.ts';
import { formatTsv, parseTsv } from './category-tsv.ts';

const CATEGORIES = '/api/v1/categories';
const IMPORT = `${CATEGORIES}/import`;
const HEADER = 'slug\tname\tparent_slug\tkind\ticon\tcolor\tsort_order\tarchived\n';
const TRACES = ['api_key_uses', 'change_sets', 'changes'];
const NOTHING = { created: 0, updated: 0, unchanged: 0, deleted: 0, dry_run: false, change_set_id: null };

const lines = (...rows: readonly (readonly (string | number | boolean)[])[]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('');
const send = (app: TestApp, content: string, more: object = {}): Promise<Answer> =>
  app.request('POST', IMPORT, { body: { content, ...more } });
const exported = async (app: TestApp): Promise<string> => (await app.request('GET', `${CATEGORIES}/export`)).text;
const get = async (app: TestApp, id: string) => (await app.request('GET', `${CATEGORIES}/${id}`)).json;
const revert = (app: TestApp, done: Answer) =>
  app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body: {} });
const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathsOf = ({ json }: Answer) => json.error.details.map(({ path }: { path: string }) => path);

async function state(app: TestApp): Promise<unknown> {
  const all = await allRows(app.app.instance.database, TRACES);
  return JSON.parse(JSON.stringify(all).replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, ''));
}

describe('the text', () => {
  const name = fc
    .string({ unit: anyCharacter, minLength: 1 })
    .filter((text) => text.trim() === text && !text.includes('\0'));
  test('any name survives writing and reading', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const record = { parent_id: null, kind: 'expense', archived: false, icon: null, color: null, sort_order: 1 };
        const rows = names.map((one, index) => ({ ...record, id: `${index}`, slug: `s${index}`, name: one }));
        const text = formatTsv(rows as CategoryRecord[]);
        expect(text.split('\n')).toHaveLength(names.length + 2);
        for (const ends of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\uFEFF${text}`]) {
          const { rows: read, problems } = parseTsv(ends);
          expect(problems).toEqual([]);
          expect(read.map(({ cells }) => cells.get('name'))).toEqual(names);
        }
      }),
    );
  });
});

forEachDatabase((database) => {
  test('the export is the list as text, and importing it changes nothing', async () => {
    const app = await database.open();
    await app.request('POST', CATEGORIES, {
      body: { name: 'Tab\there\\and\nthere\rend', parent_id: 'travel', color: '#112233' },
    });
    await app.request('PATCH', `${CATEGORIES}/income`, { body: { archived: true } });
    const file = await app.request('GET', `${CATEGORIES}/export`, { key: app.readOnlyKey });
    expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      200,
      'text/tab-separated-values; charset=utf-8',
      'attachment; filename="categories.tsv"',
    ]);
    expect(file.text.startsWith(`${HEADER}income\tIncome\t\tincome\twallet\t#16a34a\t1\ttrue\n`)).toBe(true);
    expect(file.text).toContain('travel_lodging\tLodging\ttravel\texpense\tbed\t\t2\tfalse\n');
    expect(file.text).toContain(
      'tab_here_and_there_end\tTab\\there\\\\and\\nthere\\rend\ttravel\texpense\t\t#112233\t5\tfalse\n',
    );
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const more of [{}, { replace: true }, { dry_run: true }]) {
      const done = await send(app, file.text, more);
      expect([done.status, done.json]).toEqual([200, { ...NOTHING, unchanged: 123, dry_run: 'dry_run' in more }]);
      expect(done.headers['x-change-set-id']).toBeUndefined();
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('an exported tree with archived branches can be imported elsewhere', async () => {
    const [app, other] = [await database.open(), await database.open()];
    await send(
      app,
      lines(['slug', 'name', 'parent_slug', 'archived'], ['b', 'B', 'a', ''], ['a', 'A', '', ''], ['c', 'C', '', '']),
    );
    await app.request('PATCH', `${CATEGORIES}/a`, { body: { archived: true } });
    const done = await send(other, await exported(app));
    expect(done.json).toMatchObject({ created: 3, updated: 0, unchanged: 122 });
    expect(await exported(other)).toBe(await exported(app));
  });

  test('known slugs are changed and new ones created, in any order of lines and columns', async () => {
    const app = await database.open();
    await app.request('PATCH', `${CATEGORIES}/travel`, { body: { kind: 'transfer', color: '#111111' } });
    const before = await state(app);
    const content = `\uFEFF\r\n${lines(
      ['name', 'parent_slug', 'slug', 'color'],
      ['Train', 'rail', 'train', '#ABCDEF'],
      [' Rail ', '', 'rail', ''],
    )}\r\n   \r${lines(['Bus', 'travel', 'bus', ''], ['Trips', '', 'travel', ''], ['Flights', 'travel', 'travel_flights', ''])}`;
    const rehearsed = await send(app, content, { dry_run: true });
    expect([rehearsed.status, await state(app)]).toEqual([200, before]);
    app.clock.advance(1_000);
    const done = await send(app, content);
    const counts = { created: 3, updated: 1, unchanged: 1, deleted: 0 };
    expect(done.json).toEqual({ ...counts, dry_run: false, change_set_id: done.headers['x-change-set-id'] });
    expect(rehearsed.json).toEqual({ ...counts, dry_run: true, change_set_id: null });
    const rail = await get(app, 'rail');
    expect(rail).toMatchObject({ name: 'Rail', kind: 'expense', sort_order: 17, color: null, is_system: false });
    expect(await get(app, 'train')).toMatchObject({
      parent_id: rail.id,
      kind: 'expense',
      color: '#abcdef',
      sort_order: 1,
    });
    const travel = await get(app, 'travel');
    expect(travel).toMatchObject({ name: 'Trips', color: null, kind: 'transfer', icon: 'plane', sort_order: 15 });
    expect(await get(app, 'bus')).toMatchObject({ parent_id: travel.id, kind: 'transfer', sort_order: 5 });
    const back = await revert(app, done);
    expect([back.status, back.json.reverted_count]).toEqual([200, 4]);
    expect(await state(app)).toEqual(before);
  });

  test('an empty cell clears icon, colour and parent and keeps the rest; a missing column keeps everything', async () => {
    const app = await database.open();
    const body = { name: 'P', parent_id: 'travel', kind: 'income', icon: 'star', color: '#112233', sort_order: 9 };
    const made = (await app.request('POST', CATEGORIES, { body })).json;
    expect((await send(app, lines(['slug', 'name'], ['p', 'P']))).json).toMatchObject({ unchanged: 1 });
    const done = await send(app, HEADER + lines(['p', 'P', '', '', '', '', '', '']));
    expect(done.json).toMatchObject({ updated: 1 });
    const { updated_at: _stamp, ...after } = await get(app, 'p');
    const { updated_at: _older, ...before } = made;
    expect(after).toEqual({ ...before, parent_id: null, icon: null, color: null });
  });

  test('one invalid line among many is reported, and nothing is written', async () => {
    const app = await database.open();
    const good = Array.from({ length: 50 }, (_, index) => [`good_${index}`, `Good ${index}`, '', '', '', '', '', '']);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [row, path] of [
      [['x', 'X'], 'line 2'],
      [['Bad', 'X', '', '', '', '', '', ''], 'line 2: slug'],
      [['', 'X', '', '', '', '', '', ''], 'line 2: slug'],
      [['x'.repeat(101), 'X', '', '', '', '', '', ''], 'line 2: slug'],
      [['x', ' ', '', '', '', '', '', ''], 'line 2: name'],
      [['x', 'X'.repeat(201), '', '', '', '', '', ''], 'line 2: name'],
      [['x', 'C:\\X', '', '', '', '', '', ''], 'line 2: name'],
      [['x', 'X\\', '', '', '', '', '', ''], 'line 2: name'],
      [['x', 'X', 'nothing', '', '', '', '', ''], 'line 2: parent_slug'],
      [['x', 'X', 'income_wages', '', '', '', '', ''], 'line 2: parent_slug'],
      [['x', 'X', 'x', '', '', '', '', ''], 'line 2: parent_slug'],
      [['income', 'X', 'travel', '', '', '', '', ''], 'line 2: parent_slug'],
      [['x', 'X', '', 'gift', '', '', '', ''], 'line 2: kind'],
      [['x', 'X', '', '', 'A', '', '', ''], 'line 2: icon'],
      [['x', 'X', '', '', '', 'red', '', ''], 'line 2: color'],
      [['x', 'X', '', '', '', '', '-1', ''], 'line 2: sort_order'],
      [['x', 'X', '', '', '', '', '1000001', ''], 'line 2: sort_order'],
      [['x', 'X', '', '', '', '', '1.5', ''], 'line 2: sort_order'],
      [['x', 'X', '', '', '', '', '', 'yes'], 'line 2: archived'],
    ] as const) {
      for (const more of [{}, { dry_run: true }]) {
        const refused = await send(app, HEADER + lines(row, ...good), more);
        expect([row, ...errorOf(refused), pathsOf(refused)]).toEqual([row, 400, 'VALIDATION_ERROR', [path]]);
      }
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('every error has its line, and the slug of a line with an error still counts', async () => {
    const app = await database.open();
    const refused = await send(
      app,
      `\n${HEADER}${lines(
        ['top', 'Top', '', 'gift', '', '', 'x', ''],
        ['child', 'Child', 'top', '', '', '', '', ''],
      )}\n${lines(
        ['broken', 'Broken', ''],
        ['other', 'Other', 'broken', '', '', '', '', ''],
        ['child', 'Twice', 'nothing', '', '', '', '', ''],
        ['deep', 'Deep', 'travel_flights', '', '', '', '', ''],
      )}`,
    );
    expect(errorOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(pathsOf(refused)).toEqual([
      'line 3: kind',
      'line 3: sort_order',
      'line 6',
      'line 8: slug',
      'line 9: parent_slug',
    ]);
    expect(refused.json.error.message).toContain('line 3: kind');
    expect(refused.json.error.message).toContain('and 4 more');
  });

  test('a header without slug or name, with unknown or repeated columns is refused', async () => {
    const app = await database.open();
    for (const [content, paths] of [
      ['slug\tparent_slug\na\t\n', ['line 1']],
      ['\n\nslug\tname\tcolour\na\tA\t\n', ['line 3']],
      ['slug\tname\tname\na\tA\tA\n', ['line 1']],
      ['a\tb\n', ['line 1', 'line 1', 'line 1', 'line 1']],
      ['', ['line 1']],
      ['\n \n', ['line 1']],
      ['slug\tname\nx\tX\u0000\n', ['content']],
    ] as const) {
      const refused = await send(app, content);
      expect([content, ...errorOf(refused), pathsOf(refused)]).toEqual([content, 400, 'VALIDATION_ERROR', paths]);
    }
    expect((await send(app, HEADER)).json).toEqual(NOTHING);
    expect(errorOf(await send(app, HEADER, { replace: true }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('archiving a branch archives its children; nothing live stays under an archived parent', async () => {
    const app = await database.open();
    const columns = ['slug', 'name', 'parent_slug', 'archived'];
    const travel = ['travel', 'Travel', '', true];
    for (const [row, path] of [
      [['travel_flights', 'Flights', 'travel', false], 'line 3: archived'],
      [['bank_fees_other', 'Other', 'travel', ''], 'line 3: parent_slug'],
      [['new', 'New', 'travel', ''], 'line 3: parent_slug'],
    ] as const) {
      const refused = await send(app, lines(columns, travel, row));
      expect([row, ...errorOf(refused), pathsOf(refused)]).toEqual([row, 400, 'VALIDATION_ERROR', [path]]);
    }
    const before = await state(app);
    const done = await send(app, lines(columns, travel, ['travel_flights', 'Flights', 'travel', '']));
    expect(done.json).toMatchObject({ created: 0, updated: 5, unchanged: 0 });
    const archived = (await app.request('GET', CATEGORIES, { query: { archived: true } })).json;
    expect(archived.map(({ slug }: { slug: string }) => slug)).toEqual([
      'travel',
      'travel_flights',
      'travel_lodging',
      'travel_rental_cars',
      'travel_other',
    ]);
    expect((await revert(app, done)).status).toBe(200);
    expect(await state(app)).toEqual(before);
  });

  test('replace deletes own categories missing from the text, unless something uses them', async () => {
    const app = await database.open();
    const columns = ['slug', 'name', 'parent_slug'];
    await send(app, lines(columns, ['a', 'A', ''], ['a_1', 'A 1', 'a'], ['b', 'B', ''], ['c', 'C', 'b']));
    await app.request('PATCH', `${CATEGORIES}/travel_other`, { body: { parent_id: 'b' } });
    const replace = { replace: true };
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const [row] = (await addTransactions(app, [
      { account, date: '2026-04-01', amount_cents: 100, name: 'A', category: (await get(app, 'c')) as Made },
    ])) as [Made];

    const before = await state(app);
    for (const [rows, told] of [
      [[['b', 'B', '']], 'c would be deleted, but it is used by 1 transaction,'],
      [[['c', 'C', '']], 'b would be deleted, but it is used by children that stay'],
    ] as const) {
      const refused = await send(app, lines(columns, ...rows), replace);
      expect([rows, ...errorOf(refused)]).toEqual([rows, 409, 'CATEGORY_IN_USE']);
      expect(refused.json.error.message).toContain(told);
    }
    for (const [content, path] of [
      [lines(columns, ['c', 'C', 'b'], ['x', 'X', '']), 'line 2: parent_slug'],
      [lines(['slug', 'name'], ['c', 'C'], ['x', 'X']), 'line 2: parent_slug'],
    ] as const) {
      const refused = await send(app, content, replace);
      expect([...errorOf(refused), pathsOf(refused)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
    }
    expect(await state(app)).toEqual(before);

    const content = lines(columns, ['c', 'C', 'travel'], ['travel_other', 'Other', 'travel'], ['n', 'N', '']);
    const rehearsed = await send(app, content, { ...replace, dry_run: true });
    const done = await send(app, content, replace);
    expect(done.json).toMatchObject({ created: 1, updated: 2, unchanged: 0, deleted: 3 });
    expect(rehearsed.json).toEqual({ ...done.json, dry_run: true, change_set_id: null });
    expect((await app.request('GET', `/api/v1/transactions/${row.id}`)).json.category.slug).toBe('c');
    expect((await app.request('GET', CATEGORIES)).json).toHaveLength(124);
    const after = await state(app);
    const back = await revert(app, done);
    expect(back.status, back.text).toBe(200);
    expect(await state(app)).toEqual(before);
    expect((await revert(app, back)).status).toBe(200);
    expect(await state(app)).toEqual(after);
  });

  test('branches can swap places in one import, and back again', async () => {
    const app = await database.open();
    const columns = ['slug', 'name', 'parent_slug'];
    await send(app, lines(columns, ['a', 'A', ''], ['b', 'B', 'a'], ['c', 'C', ''], ['d', 'D', '']));
    const before = await state(app);
    const done = await send(
      app,
      lines(columns, ['a', 'A', 'b'], ['b', 'B', ''], ['c', 'C', 'new'], ['new', 'New', '']),
    );
    expect(done.json).toMatchObject({ created: 1, updated: 3 });
    expect((await get(app, 'a')).parent_id).toBe((await get(app, 'b')).id);
    const back = await revert(app, done);
    expect(back.status, back.text).toBe(200);
    expect(await state(app)).toEqual(before);
  });

  test('the text may be the body itself, with the options in the query', async () => {
    const app = await database.open();
    const content = lines(['slug', 'name'], ['caf', 'Café']);
    const raw = (type: string, body: string | Buffer, query = {}) =>
      app.request('POST', IMPORT, { body, query, headers: { 'content-type': type } });
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [type, option] of [
      ['text/tab-separated-values', 'true'],
      ['text/plain; charset=utf-8', '1'],
      ['TEXT/PLAIN', 'true'],
    ] as const) {
      const rehearsed = await raw(type, content, { dry_run: option });
      expect([rehearsed.status, rehearsed.json]).toEqual([200, { ...NOTHING, created: 1, dry_run: true }]);
    }
    expect((await app.request('POST', IMPORT, { body: { content }, query: { dry_run: '1' } })).json.dry_run).toBe(true);
    for (const type of ['text/csv', 'application/octet-stream', 'multipart/form-data; boundary=x']) {
      const refused = await raw(type, content);
      expect([type, ...errorOf(refused)]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(refused.json.error.message).toContain('text/tab-separated-values, text/plain');
    }
    expect(errorOf(await raw('text/plain', ''))).toEqual([400, 'VALIDATION_ERROR']);
    expect(errorOf(await raw('text/plain', Buffer.from([0x73, 0xff])))).toEqual([400, 'INVALID_BODY']);
    expect(errorOf(await raw('text/plain', `${content}a\tX\0\n`))).toEqual([400, 'VALIDATION_ERROR']);
    expect(errorOf(await raw('text/plain', content, { dry_run: 'maybe' }))).toEqual([400, 'INVALID_PARAMETER']);
    expect(errorOf(await raw('text/plain', 'x'.repeat(1_048_577)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(errorOf(await app.request('POST', IMPORT, { body: {} }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(errorOf(await send(app, content, { dry_run: 'true' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const done = await raw('text/plain', Buffer.from(content), { replace: 'false' });
    expect([done.json.created, (await get(app, 'caf')).name]).toEqual([1, 'Café']);
  });
});
