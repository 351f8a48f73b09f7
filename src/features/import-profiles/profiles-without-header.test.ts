import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile, type Fields } from '../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const PROFILES = '/api/v1/import-profiles';
/** The names stand over the wrong columns: what is spent is below `Credit`. */
const MISLEADING = 'Date,Credit,Debit,Text';
const OVERRULED: Fields = {
  has_header: false,
  column_mapping: { date: 0, debit: 1, credit: 2, description: 3 },
  iso_currency_code: 'EUR',
};
const PROFILE_HEADER = { value: null, confidence: 'profile', evidence: ['stored_profile'], candidates: [] };

function month(number: string, first: string = MISLEADING): string {
  const rows = [`2026-${number}-02,3.50,,COFFEE`, `2026-${number}-05,,1000.00,SALARY`];
  return `${[...(first === '' ? [] : [first]), ...rows].join('\n')}\n`;
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function load(app: TestApp, text: string, fields: Fields = {}): Promise<Answer> {
    app.clock.advance(1_000);
    const answer = await importFile(app, text, fields);
    expect(answer.status, answer.text).toBe(201);
    return answer;
  }

  const onlyProfile = async (app: TestApp) => {
    const profiles = (await app.request('GET', PROFILES)).json;
    expect(profiles).toHaveLength(1);
    return profiles[0];
  };

  const amounts = (answer: Answer): unknown => answer.json.rows.map((row: Record<string, unknown>) => row['amount']);

  test('a file that a person read without a header is read so again, even if its first row looks like one', async () => {
    const app = await household();
    const first = await load(app, month('01'), OVERRULED);
    expect(first.json.import.counts).toMatchObject({ added: 2, skipped: 1 });
    const profile = await onlyProfile(app);
    expect(profile).toMatchObject({
      headers: ['Date', 'Credit', 'Debit', 'Text'],
      settings: { has_header: false, column_mapping: { debit: 'column_2', credit: 'column_3' } },
    });

    const next = await load(app, month('02'));
    expect(next.json.import).toMatchObject({
      counts: { added: 2, skipped: 1 },
      detection: { header: PROFILE_HEADER },
      profile: { source: 'stored', slug: profile.slug },
      skipped_rows: [{ line: 1, reason: 'NOT_A_ROW' }],
    });
    expect(next.json.account_id).toBe(first.json.account_id);
    expect(await listed(app)).toEqual([
      '2026-02-05 SALARY -1000.00',
      '2026-02-02 COFFEE 3.50',
      '2026-01-05 SALARY -1000.00',
      '2026-01-02 COFFEE 3.50',
    ]);
    expect(await onlyProfile(app)).toMatchObject({
      headers: profile.headers,
      header_signature: profile.header_signature,
      settings: profile.settings,
      use_count: 2,
    });
    const again = await load(app, month('02'));
    expect(again.json.import.counts).toMatchObject({ added: 0, duplicate: 2 });
  });

  test('fields of the request take precedence, and files with other names use their own profile', async () => {
    const app = await household();
    await load(app, month('01'), OVERRULED);
    const text = month('02');
    expect(amounts(await previewFile(app, text))).toEqual(['3.50', '-1000.00']);
    for (const fields of [
      { has_header: true },
      { header_line: 1 },
      { profile: 'none' },
      { column_mapping: { date: 'Date', debit: 'Debit', credit: 'Credit' } },
    ]) {
      const { json } = await previewFile(app, text, { ...fields, iso_currency_code: 'EUR' });
      expect([fields, json.detection.header.value, json.headers]).toEqual([fields, 1, MISLEADING.split(',')]);
      expect(amounts({ json } as Answer)).toEqual(['-3.50', '1000.00']);
    }
    const other = await previewFile(app, month('02', 'Date,Debit,Credit,Text'));
    expect([other.json.detection.header.value, other.json.profile, amounts(other)]).toEqual([
      1,
      null,
      ['3.50', '-1000.00'],
    ]);
    const bank = await previewFile(app, csvOf('2026-01-02 COFFEE -3.50'));
    expect([bank.json.detection.header.value, bank.json.profile]).toEqual([1, null]);
  });

  test('a profile named in the request is used without a header, whatever the first row is', async () => {
    const app = await household();
    await load(app, month('01'), OVERRULED);
    const { slug } = await onlyProfile(app);
    const named = await previewFile(app, month('02', 'Date,Credit,Debit,Memo'), { profile: slug });
    expect([named.json.detection.header, amounts(named)]).toEqual([PROFILE_HEADER, ['3.50', '-1000.00']]);
    const wider = await previewFile(app, csvOf('2026-01-02 COFFEE -3.50').replaceAll(',EUR', ',EUR,x'), {
      profile: slug,
    });
    expect(wider.json.detection.header.value).toBe(1);
  });

  test('a file of the same width without such a row does not change what is known about files with one', async () => {
    const app = await household();
    const { account_id } = (await load(app, month('01'), OVERRULED)).json;
    const bare = await load(app, month('02', ''), { account_id });
    expect(bare.json.import).toMatchObject({
      counts: { added: 2, skipped: 0 },
      detection: { header: { value: null } },
    });
    const next = await load(app, month('03'));
    expect(next.json.import).toMatchObject({ counts: { added: 2, skipped: 1 }, detection: { header: PROFILE_HEADER } });
    expect((await onlyProfile(app)).headers).toEqual(MISLEADING.split(','));
  });

  test('a person can say so later: the profile for the header becomes one without a header', async () => {
    const app = await household();
    await load(app, month('01'), { iso_currency_code: 'EUR' });
    const { slug, name, headers, account_id, settings } = await onlyProfile(app);
    const columns = { ...settings.column_mapping, debit: 'Credit', credit: 'Debit' };
    const body = { name, headers, account_id, settings: { ...settings, has_header: false, column_mapping: columns } };
    expect((await app.request('PUT', `${PROFILES}/${slug}`, { body })).status).toBe(200);
    const next = await previewFile(app, month('02'));
    expect([
      next.json.detection.header,
      next.json.warnings.map((one: { code: string }) => one.code),
      amounts(next),
    ]).toEqual([PROFILE_HEADER, ['ACCOUNT_ASSUMED'], ['3.50', '-1000.00']]);
  });

  test('such a profile can be saved back unchanged', async () => {
    const app = await household();
    await load(app, month('01'), OVERRULED);
    const { slug, name, institution_name, headers, account_id, settings } = await onlyProfile(app);
    const body = { name, institution_name, headers, account_id, settings };
    const sent = await app.request('PUT', `${PROFILES}/${slug}`, { body });
    expect([sent.status, sent.headers['x-change-set-id']], sent.text).toEqual([200, undefined]);
    const wrong = { ...settings, column_mapping: { date: 'column_5' } };
    expect((await app.request('PUT', `${PROFILES}/${slug}`, { body: { ...body, settings: wrong } })).status).toBe(400);
  });
});
