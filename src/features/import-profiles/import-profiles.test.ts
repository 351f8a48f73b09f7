import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile } from '../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const PROFILES = '/api/v1/import-profiles';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

/** Rows as `DD/MM/YYYY text amount`, under a header that no bank has. */
function dayFirst(...rows: readonly string[]): string {
  const lines = rows.map((row) => row.split(' ').join(','));
  return `Date,Details,Amount (EUR)\n${lines.join('\n')}\n`;
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function profiles(app: TestApp, query: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
    return (await app.request('GET', PROFILES, { query })).json;
  }

  async function revert(app: TestApp, changeSetId: unknown): Promise<Answer> {
    return app.request('POST', `/api/v1/change-sets/${String(changeSetId)}/revert`);
  }

  test('reverting an import forgets the profile that it made; reverting the revert remembers it', async () => {
    const app = await household();
    const done = await importFile(app, csvOf('2026-01-02 COFFEE -3.50'));
    const remembered = await profiles(app);
    expect(remembered).toHaveLength(1);
    const undone = await revert(app, done.json.import.change_set_id);
    expect([undone.status, await profiles(app)]).toEqual([200, []]);
    await revert(app, undone.headers['x-change-set-id']);
    expect(await profiles(app)).toEqual(remembered);
    expect(await listed(app)).toHaveLength(1);

    app.clock.advance(60_000);
    const next = await importFile(app, csvOf('2026-02-02 TEA -2.00'));
    expect((await profiles(app))[0]?.['use_count']).toBe(2);
    await revert(app, next.json.import.change_set_id);
    expect(await profiles(app)).toEqual(remembered);

    const last = await importFile(app, csvOf('2026-03-02 TEA -2.00'));
    await app.request('PUT', `${PROFILES}/bank`, { body: { name: 'Mine', settings: {} } });
    const kept = await profiles(app);
    expect((await revert(app, last.json.import.change_set_id)).status).toBe(200);
    expect(await profiles(app)).toEqual(kept);
  });

  test('deleting a profile changes no transaction; deleting and saving can be reverted', async () => {
    const app = await household();
    await importFile(app, csvOf('2026-01-02 COFFEE -3.50'));
    const [profile] = await profiles(app);
    const rows = await allRows(app.app.instance.database, [
      'import_profiles',
      'change_sets',
      'changes',
      'api_key_uses',
    ]);
    const gone = await app.request('DELETE', `${PROFILES}/${String(profile?.['short_id'])}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(
      await allRows(app.app.instance.database, ['import_profiles', 'change_sets', 'changes', 'api_key_uses']),
    ).toEqual(rows);
    expect((await app.request('GET', `${PROFILES}/bank`)).status).toBe(404);
    expect((await revert(app, gone.headers['x-change-set-id'])).status).toBe(200);
    expect(await profiles(app)).toEqual([profile]);

    const saved = await app.request('PUT', `${PROFILES}/bank`, {
      body: { name: 'Other', settings: { sign: 'positive_is_in' } },
    });
    expect([saved.status, saved.json]).toMatchObject([
      200,
      { name: 'Other', slug: 'bank', account_id: null, settings: { sign: 'positive_is_in' }, use_count: 1 },
    ]);
    const same = await app.request('PUT', `${PROFILES}/bank`, {
      body: { name: 'Other', settings: { sign: 'positive_is_in' } },
    });
    expect([same.status, same.headers['x-change-set-id'], same.json]).toEqual([200, undefined, saved.json]);
    await revert(app, saved.headers['x-change-set-id']);
    expect(await profiles(app)).toEqual([{ ...profile, updated_at: expect.any(String) }]);
  });

  test('a profile is created under a new slug, and errors name what is wrong', async () => {
    const app = await household();
    const body = { headers: ['Dag', 'Som', 'Tekst'], settings: { column_mapping: { date: 'dag', amount: 1 } } };
    const put = (slug: string, sent: object): Promise<Answer> =>
      app.request('PUT', `${PROFILES}/${slug}`, { body: sent });
    const made = await put('my_bank-2', body);
    expect([made.status, made.json]).toMatchObject([
      201,
      { slug: 'my_bank-2', name: 'My bank 2', institution_name: null, use_count: 0, last_used_at: null },
    ]);
    expect((await app.request('GET', `${PROFILES}/${made.json.id}`)).json).toEqual(made.json);
    const preview = await previewFile(app, 'Dag,Som,Tekst\n2026-01-02,-3.50,Koffie\n2026-01-03,-1.00,Thee\n');
    expect(preview.json).toMatchObject({
      template_name: 'My bank 2',
      mapping: { amount: { source: 'stored_profile' } },
    });
    for (const [slug, sent, status, code] of [
      [UNKNOWN, body, 404, 'NOT_FOUND'],
      ['No Slug', body, 404, 'NOT_FOUND'],
      ['none', body, 404, 'NOT_FOUND'],
      ['chase_card', body, 409, 'CONFLICT'],
      ['another', body, 409, 'CONFLICT'],
      ['another', { settings: {} }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, account_id: UNKNOWN }, 400, 'INVALID_PARAMETER'],
      ['another', { ...body, settings: { colour: 1 } }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, settings: { delimiter: '/' } }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, settings: { date_format: 'day' } }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, settings: { column_mapping: { colour: 0 } } }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, settings: { column_mapping: { date: 'Datum' } } }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, settings: { column_mapping: { date: -1 } } }, 400, 'VALIDATION_ERROR'],
      ['another', { ...body, settings: { column_mapping: { date: 1.5 } } }, 400, 'VALIDATION_ERROR'],
    ] as const) {
      const answer = await put(encodeURIComponent(slug), sent);
      expect([slug, sent, answer.status, answer.json.error.code]).toEqual([slug, sent, status, code]);
    }
    for (const [slug, status] of [
      [UNKNOWN, 404],
      ['nobody', 404],
      ['chase_card', 409],
    ] as const) {
      expect([slug, (await app.request('DELETE', `${PROFILES}/${slug}`)).status]).toEqual([slug, status]);
    }
    expect(await profiles(app)).toHaveLength(1);
  });

  test('the list is sorted by last use, then name; it has built-in profiles on request, and filters', async () => {
    const app = await household();
    const done = await importFile(app, csvOf('2026-01-02 COFFEE -3.50'));
    await app.request('PUT', `${PROFILES}/zebra`, { body: { headers: ['A', 'B'] } });
    await app.request('PUT', `${PROFILES}/apple`, { body: { headers: ['A', 'C'] } });
    const slugs = async (query: Record<string, string> = {}): Promise<unknown[]> =>
      (await profiles(app, query)).map((one) => one['slug']);
    expect(await slugs()).toEqual(['bank', 'apple', 'zebra']);
    const builtIn = await profiles(app, { built_in: 'true' });
    expect(builtIn.length).toBeGreaterThan(20);
    for (const one of builtIn) {
      expect(one).toMatchObject({ id: null, short_id: null, built_in: true, account_id: null, created_at: null });
      expect((await app.request('GET', `${PROFILES}/${String(one['slug'])}`)).json).toEqual(one);
    }
    expect(await slugs({ built_in: 'all' })).toEqual(['bank', 'apple', 'zebra', ...builtIn.map((one) => one['slug'])]);
    const [first] = await profiles(app);
    expect(await slugs({ header_signature: String(first?.['header_signature']) })).toEqual(['bank']);
    expect(await slugs({ account_id: done.json.account_id })).toEqual(['bank']);
    for (const query of [{ account_id: UNKNOWN }, { built_in: 'maybe' }]) {
      const answer = await app.request('GET', PROFILES, { query });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
    const { headers } = await app.request('GET', PROFILES);
    const again = await app.request('GET', PROFILES, { headers: { 'if-none-match': headers['etag'] as string } });
    expect(again.status).toBe(304);
  });

  test('at a thousand profiles, the remembered one unused for the longest time is deleted', async () => {
    const app = await household();
    await importFile(app, csvOf('2026-01-02 COFFEE -3.50'));
    const [row] = await rowsOf(app.app.instance.database, 'select * from import_profiles');
    const many = Array.from({ length: 998 }, (_, n) => ({
      ...row,
      id: `01981f6e-7c1a-7b3e-9a44-${String(n).padStart(12, '0')}`,
      short_id: `p${String(n).padStart(7, '0')}`,
      slug: `p${n}`,
      header_signature: `${n}`,
      last_used_at: '2026-04-27T06:00:00.000Z',
    }));
    await app.write('test.profiles', async (tx) => {
      const columns = Object.keys(row as object);
      const values = many.map((one) => columns.map((column) => (one as Record<string, unknown>)[column] as string));
      await tx.insertMany('import_profiles', columns as never[], values);
    });
    await app.request('PUT', `${PROFILES}/by-hand`, { body: { headers: ['A', 'B'] } });
    expect(await profiles(app)).toHaveLength(1_000);
    await importFile(app, dayFirst('13/04/2025 TEA -1.00'), { file_name: 'other.csv' });
    const left = (await profiles(app)).map((one) => one['slug']);
    expect(left).toHaveLength(1_000);
    expect(left).toContain('other');
    expect(left).toContain('by-hand');
    expect(left).not.toContain('bank');
  });
});
