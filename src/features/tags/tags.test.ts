import { expect, test } from 'vitest';

import { addAccount, addMember, addTag, addTransactions } from '../../../test/harness/ledger.ts';
import { journalOf } from '../../../test/harness/journal-rows.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const TAGS = '/api/v1/tags';
const FIELDS = [
  'color',
  'created_at',
  'description',
  'icon',
  'id',
  'name',
  'short_id',
  'slug',
  'transaction_count',
  'updated_at',
];

const add = (app: TestApp, body: unknown): Promise<Answer> => app.request('POST', TAGS, { body });
const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];
const pathsOf = ({ json }: Answer) => json.error.details.map(({ path }: { path: string }) => path);

forEachDatabase((database) => {
  test('a fresh installation has one tag', async () => {
    const app = await database.open();
    const { json } = await app.request('GET', TAGS, { key: app.readOnlyKey });
    expect(json).toMatchObject([
      { slug: 'needs-review', name: 'Needs review', color: '#f59e0b', transaction_count: 0 },
    ]);
    expect(Object.keys(json[0]).sort()).toEqual(FIELDS);
  });

  test('a new tag has defaults, and is found by slug, UUID and short_id', async () => {
    const app = await database.open();
    const made = await add(app, { name: '  Été 2026 ' });
    expect([made.status, Object.keys(made.json).sort()]).toEqual([201, FIELDS]);
    expect(made.json).toMatchObject({
      slug: 'ete-2026',
      name: 'Été 2026',
      color: '#6b7280',
      description: '',
      icon: null,
      transaction_count: 0,
    });
    for (const named of ['ete-2026', made.json.id, made.json.short_id]) {
      const one = await app.request('GET', `${TAGS}/${named}`, { key: app.readOnlyKey });
      expect([one.status, one.json]).toEqual([200, made.json]);
    }
    const full = { name: 'A', slug: 'a:1', color: '#ABCDEF', description: ' as typed ', icon: 'star-2' };
    expect((await add(app, full)).json).toMatchObject({ ...full, color: '#abcdef' });
    const cleared = { name: 'B', color: '', description: null, icon: '' };
    expect((await add(app, cleared)).json).toMatchObject({ color: '#6b7280', description: '', icon: null });
  });

  test('well-formed slugs are accepted, others refused', async () => {
    const app = await database.open();
    for (const slug of ['a', 'a1', 'work:2026', 'a--b', 'a:-b', 'x'.repeat(64)]) {
      expect([slug, (await add(app, { name: 'N', slug })).status]).toEqual([slug, 201]);
    }
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const slug of [
      '',
      'Upper',
      'bad space',
      '-leading',
      'trailing-',
      '::x',
      'x:',
      'a_b',
      'é',
      'x'.repeat(65),
      'a\n',
      7,
      null,
    ]) {
      const answer = await add(app, { name: 'N', slug });
      expect([slug, ...errorOf(answer)]).toEqual([slug, 400, 'VALIDATION_ERROR']);
      expect(pathsOf(answer)).toEqual(['slug']);
    }
    for (const name of ['!!!', '日本', '-:-']) {
      const answer = await add(app, { name });
      expect(errorOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect([answer.json.error.message, pathsOf(answer)]).toEqual([expect.stringContaining('Send a slug'), ['slug']]);
    }
    for (const taken of [{ name: 'X', slug: 'a1' }, { name: 'A1' }, { name: 'Needs – Review!' }]) {
      expect(errorOf(await add(app, taken))).toEqual([409, 'SLUG_CONFLICT']);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    expect((await add(app, { name: '日本', slug: 'japan' })).json.name).toBe('日本');
    expect((await add(app, { name: `-${'é'.repeat(100)} x` })).json.slug).toBe('e'.repeat(64));
  });

  test('POST and PATCH refuse invalid fields by name', async () => {
    const app = await database.open();
    await add(app, { name: 'Trip' });
    for (const [body, path] of [
      [{ name: null }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 5 }, 'name'],
      [{ color: 'red' }, 'color'],
      [{ color: '#12345' }, 'color'],
      [{ color: '#1234567' }, 'color'],
      [{ description: 'x'.repeat(1_001) }, 'description'],
      [{ description: 5 }, 'description'],
      [{ icon: 'A' }, 'icon'],
      [{ icon: 'x'.repeat(65) }, 'icon'],
      [{ surprise: 1 }, 'surprise'],
    ] as const) {
      for (const answer of [
        await add(app, { name: 'N', ...body }),
        await app.request('PATCH', `${TAGS}/trip`, { body }),
      ]) {
        expect([body, ...errorOf(answer), pathsOf(answer)]).toEqual([body, 400, 'VALIDATION_ERROR', [path]]);
      }
    }
    const renamed = await app.request('PATCH', `${TAGS}/trip`, { body: { slug: 'other' } });
    expect([...errorOf(renamed), pathsOf(renamed)]).toEqual([400, 'VALIDATION_ERROR', ['slug']]);
    expect(pathsOf(await add(app, {}))).toEqual(['name']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { name: 'X' } } : {};
      expect(errorOf(await app.request(method, `${TAGS}/nothing`, body))).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('a change records only the fields that changed, and the slug stays', async () => {
    const app = await database.open();
    const made = (await add(app, { name: 'Trip', color: '#112233', description: 'D', icon: 'plane' })).json;
    app.clock.advance(1_000);
    const done = await app.request('PATCH', `${TAGS}/trip`, { body: { name: 'Vacation', icon: 'plane' } });
    const updated_at = '2026-04-26T06:00:01.000Z';
    expect([done.status, done.json]).toEqual([200, { ...made, name: 'Vacation', updated_at }]);
    expect(await journalOf(app, done)).toMatchObject([
      { entity_type: 'tag', operation: 'update', before: { name: 'Trip' }, after: { name: 'Vacation' } },
    ]);
    app.clock.advance(1_000);
    for (const body of [{}, { name: ' Vacation ' }, { color: '#112233', description: 'D' }]) {
      const same = await app.request('PATCH', `${TAGS}/trip`, { body });
      expect([same.status, same.json, same.headers['x-change-set-id']]).toEqual([200, done.json, undefined]);
    }
    for (const [empty, field, cleared] of [
      ['', 'color', '#6b7280'],
      [null, 'description', ''],
      ['', 'icon', null],
    ] as const) {
      const answer = await app.request('PATCH', `${TAGS}/trip`, { body: { [field]: empty } });
      expect([answer.status, answer.json[field]]).toEqual([200, cleared]);
    }
    await app.request('PATCH', `${TAGS}/trip`, { body: { color: '#112233' } });
    expect((await app.request('PATCH', `${TAGS}/trip`, { body: { color: null } })).json.color).toBe('#6b7280');
    expect((await app.request('GET', TAGS)).json.map(({ slug }: { slug: string }) => slug)).toEqual([
      'needs-review',
      'trip',
    ]);
  });

  test('a slug is tried first, even if it looks like a short_id or is the id of another tag', async () => {
    const app = await database.open();
    await add(app, { name: 'Shopping', slug: 'shopping' });
    const other = (await add(app, { name: 'Other' })).json;
    expect((await app.request('GET', `${TAGS}/shopping`)).json.name).toBe('Shopping');
    const patched = await app.request('PATCH', `${TAGS}/shopping`, { body: { name: 'Shops' } });
    expect(patched.json).toMatchObject({ slug: 'shopping', name: 'Shops' });
    await add(app, { name: 'Same', slug: other.id });
    expect((await app.request('GET', `${TAGS}/${other.id}`)).json.name).toBe('Same');
    expect((await app.request('DELETE', `${TAGS}/shopping`)).status).toBe(204);
    expect(errorOf(await app.request('GET', `${TAGS}/shopping`))).toEqual([404, 'NOT_FOUND']);
  });

  test('the list is ordered by folded name, then slug', async () => {
    const app = await database.open();
    for (const [name, slug] of [
      ['Zebra', 'z'],
      ['Éclair', 'e-2'],
      ['eclair', 'e-1'],
      ['apple', 'zz'],
    ]) {
      await add(app, { name, slug });
    }
    const { json } = await app.request('GET', TAGS);
    expect(json.map(({ slug }: { slug: string }) => slug)).toEqual(['zz', 'e-1', 'e-2', 'needs-review', 'z']);
  });

  test('transaction_count counts the live transactions with the tag', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const [trip, gift] = [await addTag(app, 'trip'), await addTag(app, 'gift')];
    await addTag(app, 'unused');
    const row = { account, date: '2026-04-01', amount_cents: 100, name: 'A' };
    const columns = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' as const };
    await addTransactions(app, [
      { ...row, tags: [trip, gift] },
      { ...row, tags: [trip] },
      { ...row },
      { ...row, tags: [trip], columns },
      { ...row, tags: [gift], columns },
      { ...row, tags: [gift], columns },
    ]);
    const listed: { slug: string; transaction_count: number }[] = (await app.request('GET', TAGS)).json;
    const counts = Object.fromEntries(listed.map((tag) => [tag.slug, tag.transaction_count]));
    expect(counts).toEqual({ trip: 2, gift: 1, unused: 0, 'needs-review': 0 });
    for (const [slug, count] of Object.entries(counts)) {
      expect((await app.request('GET', `${TAGS}/${slug}`)).json.transaction_count).toBe(count);
      const found = await app.request('GET', '/api/v1/transactions/count', { query: { tag: slug } });
      expect(found.json.count).toBe(count);
    }
    const patched = await app.request('PATCH', `${TAGS}/trip`, { body: { name: 'T' } });
    expect(patched.json.transaction_count).toBe(2);
  });

  test('creating a tag leaves one change with the whole record, without the count', async () => {
    const app = await database.open();
    const made = await add(app, { name: 'Trip' });
    const { transaction_count: _counted, ...after } = made.json;
    expect(await journalOf(app, made)).toMatchObject([
      { entity_type: 'tag', entity_id: made.json.id, operation: 'create', before: null, after },
    ]);
    const [set] = await rowsOf(
      app.app.instance.database,
      `select * from change_sets order by created_at desc, id desc`,
    );
    expect(set).toMatchObject({ action: 'tag.create', summary: 'Created the tag Trip', is_revertible: 1 });
  });
});
