import { expect, test } from 'vitest';

import { journalOf } from '../../../test/harness/journal-rows.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const CATEGORIES = '/api/v1/categories';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';
const FIELDS = [
  'archived',
  'color',
  'created_at',
  'icon',
  'id',
  'is_system',
  'kind',
  'name',
  'parent_id',
  'short_id',
  'slug',
  'sort_order',
  'updated_at',
];

const add = (app: TestApp, body: unknown): Promise<Answer> => app.request('POST', CATEGORIES, { body });
const patch = (app: TestApp, id: string, body: unknown): Promise<Answer> =>
  app.request('PATCH', `${CATEGORIES}/${id}`, { body });
const get = async (app: TestApp, id: string) => (await app.request('GET', `${CATEGORIES}/${id}`)).json;
const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathsOf = ({ json }: Answer) => json.error.details?.map(({ path }: { path: string }) => path);
const unstamped = (record: object) => ({ ...record, updated_at: null });

forEachDatabase((database) => {
  test('a fresh installation has the default tree', async () => {
    const app = await database.open();
    const { json } = await app.request('GET', CATEGORIES, { key: app.readOnlyKey });
    const all = json as { id: string; parent_id: string | null; slug: string; is_system: boolean }[];
    expect(all).toHaveLength(122);
    expect(new Set(all.map(({ slug }) => slug)).size).toBe(122);
    expect(all.every((one) => one.is_system && one.slug !== 'uncategorized')).toBe(true);
    const tops = new Set(all.filter((one) => one.parent_id === null).map(({ id }) => id));
    expect(tops.size).toBe(16);
    expect(all.every((one) => one.parent_id === null || tops.has(one.parent_id))).toBe(true);
  });

  test('a new category has defaults, and is found by slug, UUID and short_id', async () => {
    const app = await database.open();
    const made = await add(app, { name: '  Pets & Co ' });
    expect([made.status, Object.keys(made.json).sort()]).toEqual([201, FIELDS]);
    expect(made.json).toMatchObject({
      slug: 'pets_co',
      name: 'Pets & Co',
      parent_id: null,
      kind: 'expense',
      archived: false,
      icon: null,
      color: null,
      sort_order: 17,
      is_system: false,
    });
    for (const named of ['pets_co', made.json.id, made.json.short_id]) {
      const one = await app.request('GET', `${CATEGORIES}/${named}`, { key: app.readOnlyKey });
      expect([one.status, unstamped(one.json)]).toEqual([200, unstamped(made.json)]);
      const changed = await patch(app, named, { name: `Pets ${named}` });
      expect([changed.status, changed.json.name]).toEqual([200, `Pets ${named}`]);
      await patch(app, named, { name: 'Pets & Co' });
    }
    const income = await get(app, 'income');
    const child = (await add(app, { name: 'Gifts', parent_id: 'income', color: '#AABBCC', icon: 'gift' })).json;
    expect(child).toMatchObject({
      parent_id: income.id,
      kind: 'income',
      sort_order: 8,
      color: '#aabbcc',
      icon: 'gift',
    });
    const other = (await add(app, { name: 'Won', parent_id: income.short_id, kind: 'transfer', sort_order: 3 })).json;
    expect(other).toMatchObject({ parent_id: income.id, kind: 'transfer', sort_order: 3 });
    expect((await add(app, { name: 'Top', parent_id: '', icon: '', color: null })).json.parent_id).toBeNull();
    expect(await journalOf(app, made)).toMatchObject([
      { entity_type: 'category', operation: 'create', before: null, after: made.json },
    ]);
    const sets = await rowsOf(app.app.instance.database, `select action from change_sets order by id desc`);
    expect(sets[0]).toEqual({ action: 'category.create' });
  });

  test('a slug is derived from the name, with a number if taken, or sent', async () => {
    const app = await database.open();
    const slugOf = async (body: unknown) => (await add(app, body)).json.slug;
    expect(await slugOf({ name: 'Food & Drink' })).toBe('food_drink');
    expect([await slugOf({ name: 'Caffè' }), await slugOf({ name: 'caffe' })]).toEqual(['caffe', 'caffe_2']);
    expect(await slugOf({ name: 'CAFFE!' })).toBe('caffe_3');
    expect([await slugOf({ name: '食費' }), await slugOf({ name: '食費' })]).toEqual(['category', 'category_2']);
    expect(await slugOf({ name: '_ä_' })).toBe('a');
    const long = 'x'.repeat(150);
    expect([await slugOf({ name: long }), await slugOf({ name: long })]).toEqual([
      'x'.repeat(100),
      `${'x'.repeat(98)}_2`,
    ]);
    expect(await slugOf({ name: `${'y'.repeat(99)} z` })).toBe('y'.repeat(99));
    expect(await slugOf({ name: 'N', slug: 'my_own_1' })).toBe('my_own_1');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    expect(errorOf(await add(app, { name: 'N', slug: 'my_own_1' }))).toEqual([409, 'SLUG_CONFLICT']);
    for (const slug of ['', 'A', 'a__b', '_a', 'a_', 'a-b', 'x'.repeat(101), 5, null]) {
      const answer = await add(app, { name: 'N', slug });
      expect([slug, ...errorOf(answer), pathsOf(answer)]).toEqual([slug, 400, 'VALIDATION_ERROR', ['slug']]);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('POST, PATCH and PUT refuse invalid fields by name', async () => {
    const app = await database.open();
    await add(app, { name: 'Own' });
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [body, code, path] of [
      [{ name: null }, 'VALIDATION_ERROR', 'name'],
      [{ name: ' ' }, 'VALIDATION_ERROR', 'name'],
      [{ name: 'x'.repeat(201) }, 'VALIDATION_ERROR', 'name'],
      [{ kind: 'other' }, 'VALIDATION_ERROR', 'kind'],
      [{ kind: null }, 'VALIDATION_ERROR', 'kind'],
      [{ sort_order: -1 }, 'VALIDATION_ERROR', 'sort_order'],
      [{ sort_order: 1_000_001 }, 'VALIDATION_ERROR', 'sort_order'],
      [{ sort_order: 1.5 }, 'VALIDATION_ERROR', 'sort_order'],
      [{ sort_order: null }, 'VALIDATION_ERROR', 'sort_order'],
      [{ icon: 'A B' }, 'VALIDATION_ERROR', 'icon'],
      [{ color: 'blue' }, 'VALIDATION_ERROR', 'color'],
      [{ parent_id: 5 }, 'VALIDATION_ERROR', 'parent_id'],
      [{ parent_id: 'income_wages' }, 'VALIDATION_ERROR', 'parent_id'],
      [{ parent_id: 'nothing' }, 'INVALID_PARAMETER', 'parent_id'],
      [{ parent_id: UNKNOWN }, 'INVALID_PARAMETER', 'parent_id'],
      [{ parent_id: 'x'.repeat(300) }, 'INVALID_PARAMETER', 'parent_id'],
      [{ surprise: 1 }, 'VALIDATION_ERROR', 'surprise'],
    ] as const) {
      for (const answer of [
        await add(app, { name: 'N', ...body }),
        await patch(app, 'own', body),
        await app.request('PUT', `${CATEGORIES}/own`, { body }),
      ]) {
        expect([body, ...errorOf(answer), pathsOf(answer)]).toEqual([body, 400, code, [path]]);
      }
    }
    for (const [body, path] of [
      [{ slug: 'other' }, 'slug'],
      [{ archived: null }, 'archived'],
      [{ archived: 1 }, 'archived'],
      [{ parent_id: 'own' }, 'parent_id'],
    ] as const) {
      const answer = await patch(app, 'own', body);
      expect([body, ...errorOf(answer), pathsOf(answer)]).toEqual([body, 400, 'VALIDATION_ERROR', [path]]);
    }
    expect(errorOf(await add(app, { name: 'N', archived: true }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(errorOf(await add(app, {}))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('PATCH and PUT change only the fields sent, and the slug stays', async () => {
    const app = await database.open();
    const made = (await add(app, { name: 'Pets', color: '#112233', icon: 'paw-print' })).json;
    app.clock.advance(1_000);
    for (const [method, name] of [
      ['PATCH', 'Animals'],
      ['PUT', 'Beasts'],
    ] as const) {
      const before = await get(app, 'pets');
      const done = await app.request(method, `${CATEGORIES}/pets`, { body: { name, icon: 'paw-print' } });
      expect(done.json).toEqual({ ...made, name, updated_at: '2026-04-26T06:00:01.000Z' });
      expect(await journalOf(app, done)).toMatchObject([
        { entity_type: 'category', operation: 'update', before: { name: before.name }, after: { name } },
      ]);
      const same = await app.request(method, `${CATEGORIES}/pets`, { body: { name, color: '#112233' } });
      expect([same.status, same.headers['x-change-set-id']]).toEqual([200, undefined]);
    }
    app.clock.advance(1_000);
    expect((await patch(app, 'pets', {})).json.updated_at).toBe('2026-04-26T06:00:01.000Z');
    expect((await patch(app, 'pets', { color: '', icon: null })).json).toMatchObject({ color: null, icon: null });
    const moved = (await patch(app, 'pets', { parent_id: 'personal_care', kind: 'transfer', sort_order: 0 })).json;
    expect(moved).toMatchObject({ slug: 'pets', kind: 'transfer', sort_order: 0 });
    expect(moved.parent_id).toBe((await get(app, 'personal_care')).id);
    await patch(app, 'personal_care', { kind: 'income' });
    expect((await get(app, 'pets')).kind).toBe('transfer');
    const tree = (await app.request('GET', CATEGORIES)).json.map(({ slug }: { slug: string }) => slug);
    expect(tree[tree.indexOf('personal_care') + 1]).toBe('pets');
    expect((await patch(app, 'pets', { parent_id: '' })).json.parent_id).toBeNull();
    expect((await patch(app, 'pets', { parent_id: 'personal_care' })).json.parent_id).not.toBeNull();
    expect((await patch(app, 'pets', { parent_id: null })).json.parent_id).toBeNull();
  });

  test('the tree has two levels', async () => {
    const app = await database.open();
    await add(app, { name: 'Pets' });
    await add(app, { name: 'Food', parent_id: 'pets' });
    for (const [id, parent] of [
      ['pets', 'income'],
      ['income_wages', 'food'],
      ['pets', 'food'],
    ] as const) {
      const refused = await patch(app, id, { parent_id: parent });
      expect([id, ...errorOf(refused), pathsOf(refused)]).toEqual([id, 400, 'VALIDATION_ERROR', ['parent_id']]);
    }
    expect((await patch(app, 'income_wages', { parent_id: 'pets' })).status).toBe(200);
    expect((await patch(app, 'food', { parent_id: null })).status).toBe(200);
  });

  test('archiving a top-level category archives its children; a child leaves the archive only after its parent', async () => {
    const app = await database.open();
    const income = await get(app, 'income');
    await patch(app, 'income_wages', { archived: true });
    app.clock.advance(1_000);
    const done = await patch(app, 'income', { archived: true });
    expect(done.json).toMatchObject({ archived: true, updated_at: '2026-04-26T06:00:01.000Z' });
    const ofIncome = (await app.request('GET', CATEGORIES, { query: { archived: true } })).json;
    expect(
      ofIncome.map(({ slug }: { slug: string }) => slug).filter((slug: string) => slug.startsWith('income')),
    ).toHaveLength(8);
    expect(ofIncome).toHaveLength(8);
    const changes = await journalOf(app, done);
    expect(changes.map(({ before, after }) => [before, after])).toEqual(
      changes.map(() => [{ archived: false }, { archived: true }]),
    );
    expect([changes.length, changes.at(-1)?.entity_id]).toEqual([7, income.id]);

    for (const [id, body, path] of [
      ['income_other', { archived: false }, 'archived'],
      ['travel_other', { parent_id: 'income' }, 'parent_id'],
    ] as const) {
      const refused = await patch(app, id, body);
      expect([id, ...errorOf(refused), pathsOf(refused)]).toEqual([id, 400, 'VALIDATION_ERROR', [path]]);
    }
    const refused = await add(app, { name: 'New', parent_id: 'income' });
    expect([...errorOf(refused), pathsOf(refused)]).toEqual([400, 'VALIDATION_ERROR', ['parent_id']]);
    expect((await patch(app, 'income_other', { archived: false, parent_id: null })).status).toBe(200);
    expect((await patch(app, 'income', { archived: false })).json.archived).toBe(false);
    expect((await get(app, 'income_dividends')).archived).toBe(true);
    expect((await patch(app, 'income_dividends', { archived: false })).json.archived).toBe(false);
  });

  test('the list is filtered by archived and by kind', async () => {
    const app = await database.open();
    await patch(app, 'income_wages', { archived: true });
    const slugs = async (query: Record<string, string>) =>
      (await app.request('GET', CATEGORIES, { query })).json.map(({ slug }: { slug: string }) => slug);
    expect(await slugs({ archived: 'true' })).toEqual(['income_wages']);
    expect(await slugs({ archived: 'false' })).toHaveLength(121);
    expect(await slugs({ kind: 'income,transfer', archived: '0' })).not.toContain('bank_fees');
    for (const query of [{ archived: 'yes' }, { kind: 'other' }]) {
      expect(errorOf(await app.request('GET', CATEGORIES, { query }))).toEqual([400, 'INVALID_PARAMETER']);
    }
  });

  test('creating and changing categories is reverted if the tree still has room for them', async () => {
    const app = await database.open();
    const revert = (done: Answer) =>
      app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body: {} });
    const state = async () => (await app.request('GET', CATEGORIES)).json.map(unstamped);
    const before = await state();
    const made = await add(app, { name: 'Pets' });
    const renamed = await patch(app, 'pets', { name: 'Animals', color: '#112233' });
    expect((await revert(renamed)).status).toBe(200);
    expect(unstamped(await get(app, 'pets'))).toEqual(unstamped(made.json));
    const child = await add(app, { name: 'Food', parent_id: 'pets' });
    expect((await revert(made)).json.error.details[0]).toMatchObject({ reason: 'in_use' });
    expect([(await revert(child)).status, (await revert(made)).status]).toEqual([200, 200]);
    expect(await state()).toEqual(before);

    const archived = await patch(app, 'income', { archived: true });
    const back = await revert(archived);
    expect(back.status, back.text).toBe(200);
    expect(await state()).toEqual(before);
    expect((await revert(back)).status).toBe(200);
    expect((await get(app, 'income_wages')).archived).toBe(true);

    await add(app, { name: 'Pets' });
    await add(app, { name: 'Home', parent_id: 'pets' });
    const loosened = await patch(app, 'home', { parent_id: null });
    const nested = await patch(app, 'pets', { parent_id: 'travel' });
    const refused = await revert(loosened);
    expect(refused.json.error.details[0]).toMatchObject({ reason: 'reference_missing', fields: ['parent_id'] });
    expect((await revert(nested)).status).toBe(200);
    expect((await revert(loosened)).status).toBe(200);
  });
});
