import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile } from '../../../test/harness/bank-files/bank-files.ts';
import { addAccount, openHousehold } from '../../../test/harness/ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const PROFILES = '/api/v1/import-profiles';

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

  function codes(answer: Answer): string[] {
    const { warnings } = answer.json.import ?? answer.json;
    return warnings.map((one: { code: string }) => one.code);
  }

  test('no one is asked twice', async () => {
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

  test('a setting that the content refutes is dropped, with a warning', async () => {
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
      body: { settings: { column_mapping: { amount: 'Details', date: 'Amount' }, sign: 'positive_is_in' } },
    });
    const misled = await previewFile(app, balanced);
    expect([misled.json.ready, codes(misled)]).toEqual([true, ['PROFILE_DID_NOT_FIT', 'CURRENCY_ASSUMED']]);
    expect(misled.json.inferred_mapping).toMatchObject({ date: 0, amount: 2, balance: 3 });
    await app.request('PUT', `${PROFILES}/wrong`, {
      body: { settings: { column_mapping: { description: 'Balance', amount: 'Amount' }, sign: 'positive_is_in' } },
    });
    expect((await previewFile(app, balanced)).json.mapping.amount.source).toBe('stored_profile');
  });

  test('nothing is remembered from refused imports, previews, or imports with remember_profile off', async () => {
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

  test('of two profiles for one header, the target account’s own is used; for another account there is a question', async () => {
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
    expect(await order({ account_name: 'New' })).toBe(null);
    app.clock.advance(60_000);
    await importFile(app, next, { account_id: uk.json.account_id });
    expect(await order({ account_name: 'New' })).toBe(null);
    expect(await order({ account_name: 'New', profile: (await profiles(app))[1]?.['slug'] })).toBe('MM/DD/YYYY');
    expect((await profiles(app)).map((one) => one['use_count'])).toEqual([2, 1]);
  });

  test('in a connection with several accounts, the profile shows where files with its header go', async () => {
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

  test('next month’s file from a known bank goes to the account that the first one created', async () => {
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

  test('an encoding that was asked about is remembered', async () => {
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

  test('every answer of a person is remembered, and no one has to give it again', async () => {
    const app = await household();
    const rows = (month: string): string =>
      [
        'Tag|Text, long|Summe|Art|Stand|Nr',
        `2026-${month}-02|COFFEE, black|3,50|raus|gebucht|1`,
        `2026-${month}-03|SALARY, gross|900,00|rein|gebucht|2`,
        `2026-${month}-04|BOOKS, used|9,00|raus|pending|3`,
      ].join('\n');
    const words = {
      delimiter: '|',
      column_mapping: {
        date: 'Tag',
        amount: 'Summe',
        direction: 'Art',
        status: 'Stand',
        description: 'Text, long',
        bank_id: null,
      },
      direction_values: { out: ['raus'], in: ['rein'] },
      pending: 'import',
      iso_currency_code: 'EUR',
    };
    const first = await importFile(app, rows('01'), words);
    expect([first.status, first.json.imported_transactions]).toEqual([201, 3]);
    const [profile] = await profiles(app);
    expect(profile?.['settings']).toMatchObject({ ...words, delimiter: '|' });
    for (const month of ['02', '03']) {
      const next = await importFile(app, rows(month), { account_id: first.json.account_id });
      expect([next.status, next.json.import.counts]).toMatchObject([201, { added: 3, pending: 1 }]);
      expect(next.json.import.options).toMatchObject({ pending: 'import' });
      expect(next.json.import.mapping).not.toHaveProperty('bank_id');
      expect((await profiles(app))[0]?.['settings']).toEqual(profile?.['settings']);
    }
    expect((await listed(app)).slice(0, 3)).toEqual([
      '2026-03-04 BOOKS, used 9.00',
      '2026-03-03 SALARY, gross -900.00',
      '2026-03-02 COFFEE, black 3.50',
    ]);
    const other = await importFile(app, rows('04'), {
      account_id: first.json.account_id,
      direction_values: { out: ['rein'], in: ['raus'] },
      pending: 'skip',
      dry_run: true,
    });
    expect(other.json).toMatchObject({
      counts: { added: 2, skipped: 1 },
      rows: [{ amount: '-3.50' }, { amount: '900.00' }, { reason: 'PENDING' }],
    });
  });

  test('a delimiter given by a person is remembered with the header that it gives', async () => {
    const app = await household();
    const rows = (month: string): string =>
      `Tag|Summe|Text\n${Array.from({ length: 28 }, (_, n) => `2026-${month}-${String(n + 1).padStart(2, '0')}|-${n + 1},50|A, B, C, D`).join('\n')}\n`;
    expect((await previewFile(app, rows('01'))).json.delimiter).not.toBe('|');
    const fields = { delimiter: '|', column_mapping: { date: 'Tag', amount: 'Summe', description: 'Text' } };
    const first = await importFile(app, rows('01'), { ...fields, iso_currency_code: 'EUR' });
    expect([first.status, first.json.imported_transactions]).toEqual([201, 28]);
    const next = await importFile(app, rows('02'));
    expect([next.json.imported_transactions, next.json.import.detection.delimiter]).toEqual([
      28,
      { value: '|', confidence: 'profile', evidence: ['stored_profile'], candidates: [] },
    ]);
    expect((await previewFile(app, rows('03'), { profile: 'none' })).json.delimiter).not.toBe('|');
  });

  test('two columns or one: the choice is remembered', async () => {
    const app = await household();
    const rows = (month: string): string =>
      `Date,Description,Amount,Debit,Credit\n2026-${month}-02,A,1.00,5.00,\n2026-${month}-03,B,2.00,,6.00\n`;
    const fields = { has_debit_credit: false, sign: 'positive_is_out', iso_currency_code: 'EUR' };
    const first = await importFile(app, rows('01'), fields);
    expect(first.json.import.totals[0].money_out).toBe('3.00');
    const next = await importFile(app, rows('02'), { account_id: first.json.account_id });
    expect([next.json.import.options.has_debit_credit, next.json.import.totals[0].money_out]).toEqual([false, '3.00']);
    const pair = await previewFile(app, rows('03'), { has_debit_credit: true });
    expect(pair.json).toMatchObject({ has_debit_credit: true, rows: [{ amount: '5.00' }, { amount: '-6.00' }] });
  });
});
