import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile } from '../../../test/harness/bank-files.ts';
import { addAccount, addMember } from '../../../test/harness/ledger.ts';
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
  async function household(): Promise<TestApp> {
    const app = await database.open();
    await addMember(app, 'Ana');
    return app;
  }

  async function profiles(app: TestApp, query: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
    return (await app.request('GET', PROFILES, { query })).json;
  }

  async function revert(app: TestApp, changeSetId: unknown): Promise<Answer> {
    return app.request('POST', `/api/v1/change-sets/${String(changeSetId)}/revert`);
  }

  function codes(answer: Answer): string[] {
    const { warnings } = answer.json.import ?? answer.json;
    return warnings.map((one: { code: string }) => one.code);
  }

  test('who was asked once is not asked again', async () => {
    const app = await household();
    const first = dayFirst('03/04/2025 COFFEE -3.50');
    expect((await importFile(app, first)).json.error.candidates[0].parameter).toBe('date_format');
    const done = await importFile(app, first, { date_format: 'DD/MM/YYYY', profile_name: 'My bank' });
    expect(done.status).toBe(201);
    const [profile, ...others] = await profiles(app);
    expect(others).toEqual([]);
    expect(profile).toMatchObject({
      slug: 'my-bank',
      name: 'My bank',
      built_in: false,
      strength: 'strong',
      format: 'csv',
      headers: ['Date', 'Details', 'Amount (EUR)'],
      account_id: done.json.account_id,
      settings: {
        date_format: 'DD/MM/YYYY',
        decimal_separator: '.',
        sign: 'positive_is_in',
        column_mapping: { date: 'Date', amount: 'Amount (EUR)', description: 'Details' },
      },
      use_count: 1,
      last_used_at: '2026-04-26T06:00:00.000Z',
    });

    app.clock.advance(60_000);
    const next = dayFirst('05/04/2025 BOOKS -12.00');
    const preview = await previewFile(app, next);
    expect(preview.json).toMatchObject({
      ready: true,
      template_name: 'My bank',
      profile: { source: 'stored', slug: 'my-bank', name: 'My bank', strength: 'strong' },
      detection: { date_format: { value: 'DD/MM/YYYY', confidence: 'profile', evidence: ['stored_profile'] } },
    });
    expect((await profiles(app))[0]).toEqual(profile);
    expect((await importFile(app, next)).status).toBe(201);
    expect(await listed(app)).toEqual(['2025-04-05 BOOKS 12.00', '2025-04-03 COFFEE 3.50']);
    expect((await profiles(app))[0]).toEqual({
      ...profile,
      use_count: 2,
      last_used_at: '2026-04-26T06:01:00.000Z',
    });
    expect((await importFile(app, next, { profile: 'none' })).json.error.code).toBe('AMBIGUOUS_FORMAT');
    const given = await previewFile(app, next, { date_format: 'MM/DD/YYYY' });
    expect(given.json.detection.date_format.confidence).toBe('given');
  });

  test('what a profile says and the content refutes is dropped, with a warning', async () => {
    const app = await household();
    await importFile(app, dayFirst('03/04/2025 COFFEE -3.50'), { date_format: 'DD/MM/YYYY' });
    const other = await previewFile(app, dayFirst('04/13/2025 BOOKS -12.00', '04/14/2025 TEA -2.00'));
    expect([other.json.ready, other.json.date_format, codes(other)]).toEqual([
      true,
      'MM/DD/YYYY',
      expect.arrayContaining(['PROFILE_DID_NOT_FIT']),
    ]);
    expect(other.json.rows.map((row: { date: string }) => row.date)).toEqual(['2025-04-13', '2025-04-14']);

    const balanced =
      'Date,Details,Amount,Balance\n2026-01-02,A,-1.00,9.00\n2026-01-03,B,-2.00,7.00\n2026-01-04,C,-3.00,4.00\n';
    await app.request('PUT', `${PROFILES}/wrong`, {
      body: { headers: ['Date', 'Details', 'Amount', 'Balance'], settings: { sign: 'positive_is_out' } },
    });
    const proved = await previewFile(app, balanced, { account_type: 'depository' });
    expect(proved.json).toMatchObject({
      ready: true,
      profile: { slug: 'wrong' },
      detection: { sign: { value: 'positive_is_in', confidence: 'proved' } },
      balance_proof: { status: 'proved' },
    });
    expect(codes(proved)).toContain('PROFILE_DID_NOT_FIT');

    await app.request('PUT', `${PROFILES}/wrong`, {
      body: { settings: { column_mapping: { description: 'Balance', amount: 'Amount' }, sign: 'positive_is_in' } },
    });
    expect((await previewFile(app, balanced)).json.mapping.amount.source).toBe('stored_profile');
  });

  test('nothing is remembered of what was refused, previewed, or asked to be forgotten', async () => {
    const app = await household();
    const file = csvOf('2026-01-02 COFFEE -3.50');
    await previewFile(app, file);
    await importFile(app, dayFirst('03/04/2025 COFFEE -3.50'));
    await importFile(app, file, { remember_profile: false });
    await importFile(app, file, { profile: 'none' });
    expect(await profiles(app)).toEqual([]);
    await importFile(app, file);
    expect(await profiles(app)).toMatchObject([{ name: 'bank', slug: 'bank', use_count: 1 }]);
    const [unknown] = [await importFile(app, file, { profile: 'nobody' })];
    expect([unknown?.status, unknown?.json.error.code, unknown?.json.error.details[0].path]).toEqual([
      400,
      'INVALID_PARAMETER',
      'profile',
    ]);
  });

  test('of two profiles of one header the target account’s own is used, else the last one used', async () => {
    const app = await household();
    const text = dayFirst('03/04/2025 COFFEE -3.50');
    const uk = await importFile(app, text, { account_name: 'UK', date_format: 'DD/MM/YYYY' });
    app.clock.advance(60_000);
    const us = await importFile(app, text, { account_name: 'US', date_format: 'MM/DD/YYYY' });
    const next = dayFirst('05/06/2025 TEA -2.00');
    const order = async (fields: object): Promise<unknown> =>
      (await previewFile(app, next, { ...fields })).json.date_format;
    expect(await order({ account_id: uk.json.account_id })).toBe('DD/MM/YYYY');
    expect(await order({ account_id: us.json.account_id })).toBe('MM/DD/YYYY');
    expect(await order({ account_name: 'New' })).toBe('MM/DD/YYYY');
    app.clock.advance(60_000);
    await importFile(app, next, { account_id: uk.json.account_id });
    expect(await order({ account_name: 'New' })).toBe('DD/MM/YYYY');
    expect(await order({ account_name: 'New', profile: (await profiles(app))[1]?.['slug'] })).toBe('MM/DD/YYYY');
    expect((await profiles(app)).map((one) => one['use_count'])).toEqual([2, 1]);
  });

  test('a connection with several accounts: the profile knows where files of its header go', async () => {
    const app = await household();
    const account = await addAccount(
      app,
      (await rowsOf(app.app.instance.database, 'select * from users'))[0] as never,
      {
        name: 'Giro',
        currency: 'EUR',
      },
    );
    const within = { connection_id: account.connection.id };
    await importFile(app, csvOf('2026-01-02 COFFEE -3.50'), { ...within, account_name: 'Card' });
    const other = dayFirst('13/04/2025 COFFEE -3.50');
    expect((await importFile(app, other, within)).json.error.details[0].path).toBe('account_id');
    await importFile(app, other, { account_id: account.id });
    const again = await importFile(app, other, within);
    expect([again.status, again.json.account_id, again.json.skipped_duplicates]).toEqual([201, account.id, 1]);
  });

  test('a known bank’s next month goes into the account that its first one made', async () => {
    const app = await household();
    const month = (rows: string): string =>
      `Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n${rows}\n`;
    const january = month('01/14/2026,01/15/2026,CAFE,Food & Drink,Sale,-25.00,');
    const first = await importFile(app, january, { file_name: 'Chase_0126.csv' });
    expect(first.json.import.profile).toMatchObject({ source: 'built_in', slug: 'chase_card' });
    const february = month('02/14/2026,02/15/2026,BOOKS,Shopping,Sale,-12.00,');
    const next = await importFile(app, february, { file_name: 'Chase_0226.csv' });
    expect(next.json.import.profile).toMatchObject({ source: 'stored' });
    expect(next.json.account_id).toBe(first.json.account_id);
    expect((await app.request('GET', '/api/v1/accounts')).json).toMatchObject([
      { type: 'credit', subtype: 'credit card', name: first.json.import.accounts[0].account_name },
    ]);
  });

  test('an encoding that had to be asked for is remembered', async () => {
    const app = await household();
    const cyrillic = (rows: string): string => {
      const letters = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя';
      const bytes = [...rows].map((one) => (letters.includes(one) ? 0xc0 + letters.indexOf(one) : one.charCodeAt(0)));
      return Buffer.from(bytes).toString('base64');
    };
    const send = (rows: string, fields: object = {}): Promise<Answer> =>
      app.request('POST', '/api/v1/connections/csv/import', {
        body: { csv_base64: cyrillic(rows), file_name: 'bank.csv', iso_currency_code: 'BGN', ...fields },
      });
    const january = 'Date,Amount,Description\n2026-01-02,-3.50,Кафене\n2026-01-03,-4.00,Хляб и сирене\n';
    expect((await send(january)).json.error.candidates[0].parameter).toBe('encoding');
    expect((await send(january, { encoding: 'windows-1251' })).status).toBe(201);
    const next = await send('Date,Amount,Description\n2026-02-02,-5.00,Книги и тетрадки\n');
    expect([next.status, next.json.import.detection.encoding]).toEqual([
      201,
      { value: 'windows-1251', confidence: 'profile', evidence: ['stored_profile'], candidates: [] },
    ]);
    expect(await listed(app)).toContain('2026-02-02 Книги и тетрадки 5.00');
  });

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

  test('deleting a profile changes no transaction; deleting and saving can be taken back', async () => {
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

  test('a profile is made under a new slug, and what is wrong with one is named', async () => {
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

  test('the list: last used first, then by name; built-in ones on request; filters', async () => {
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

  test('of a thousand profiles the remembered one not used for longest makes room', async () => {
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
