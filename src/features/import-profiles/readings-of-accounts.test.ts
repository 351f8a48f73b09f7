import { expect, test } from 'vitest';

import { importFile, listed, previewFile } from '../../../test/harness/bank-files/bank-files.ts';
import { openHousehold, addMember } from '../../../test/harness/ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

function plain(...rows: readonly string[]): string {
  return `Date,Details,Amount\n${rows.join('\n')}\n`;
}

const CARD = plain('2026-01-02,BOOKS,12.50', '2026-01-03,PAYMENT,-40.00', '2026-01-04,TEA,3.00');

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);
  const codes = (answer: Answer): string[] =>
    (answer.json.import ?? answer.json).warnings.map(({ code }: { code: string }) => code);
  const profiles = async (app: TestApp) => (await app.request('GET', '/api/v1/import-profiles')).json;

  test('the sign and currency of a card’s file are not used for other accounts', async () => {
    const app = await household();
    const ben = await addMember(app, 'Ben');
    const [ana] = await rowsOf(app.app.instance.database, `select id from users where name = 'Ana'`);
    const told = { sign: 'positive_is_out', iso_currency_code: 'GBP', account_type: 'credit' };
    const card = await importFile(app, CARD, { ...told, account_name: 'Card', user_id: ana?.['id'] });
    expect(card.json.imported_transactions).toBe(3);
    const [profile] = await profiles(app);
    expect(profile).toMatchObject({ name: 'Card', institution_name: null });
    expect(profile.settings).toMatchObject({ sign: 'positive_is_out', account_type: 'credit' });

    const words = plain(
      '2026-02-02,CARD PURCHASE SHOP,-12.50',
      '2026-02-03,SALARY,4000.00',
      '2026-02-04,ATM WITHDRAWAL,-3.00',
    );
    const own = { user_id: ben.id, account_name: 'Current' };
    const shown = await previewFile(app, words, own);
    expect(shown.json.detection).toMatchObject({ sign: { value: 'positive_is_in', confidence: 'likely' } });
    // The household's default, which the first import set, is not a reading of the card's files.
    expect(shown.json.detection.currency).toMatchObject({ confidence: 'likely', evidence: ['default'] });
    expect(codes(shown)).toContain('CURRENCY_ASSUMED');
    const silent = plain('2026-02-02,ONE,-12.50', '2026-02-03,TWO,4000.00');
    const question = await importFile(app, silent, own);
    expect([question.status, question.json.error.code]).toEqual([422, 'AMBIGUOUS_FORMAT']);
    expect(question.json.error.candidates[0]).toMatchObject({ parameter: 'sign', values: [{}, {}] });
    const open = await previewFile(app, silent, own);
    expect(open.json.detection.sign.evidence).toContain('other_account');
    const answered = await importFile(app, silent, { ...own, sign: 'positive_is_in' });
    expect([answered.status, answered.json.import.accounts[0].account_name]).toEqual([201, 'Current']);
    expect((await app.request('GET', '/api/v1/accounts', { query: { user_id: ben.short_id } })).json).toMatchObject([
      { type: 'depository', institution_name: 'Current' },
    ]);
    expect(await listed(app)).toContain('2026-02-02 ONE 12.50');

    const next = await importFile(app, CARD.replaceAll('2026-01', '2026-03'), { account_id: card.json.account_id });
    expect(next.json.import.detection.sign).toMatchObject({
      value: 'positive_is_out',
      evidence: ['stored_profile', 'negative_values'],
    });
    expect((await profiles(app)).map(({ name }: { name: string }) => name).toSorted()).toEqual(['Card', 'Current']);
  });

  test('a date order chosen for one account is asked about for another, as one of the candidates', async () => {
    const app = await household();
    const file = plain('03/04/2025,COFFEE,-3.50');
    await importFile(app, file, { account_name: 'UK', date_format: 'DD/MM/YYYY' });
    const own = await previewFile(app, file.replace('03/04', '05/04'), { account_name: 'UK' });
    expect(own.json.detection.date_format).toMatchObject({ value: 'DD/MM/YYYY', evidence: ['stored_profile'] });
    const other = await previewFile(app, file.replace('03/04', '05/04'), { account_name: 'New' });
    expect(other.json.detection.date_format).toMatchObject({
      confidence: 'ambiguous',
      evidence: expect.arrayContaining(['other_account']),
    });
    expect(other.json.blockers[0].candidates.map(({ value }: { value: string }) => value)).toContain('DD/MM/YYYY');
  });

  test('an assumption is not remembered as known: the next file warns again', async () => {
    const app = await household();
    const first = await importFile(app, plain('2026-01-02,ONE,-12.50', '2026-01-03,TWO,40.00'));
    expect(codes(first)).toContain('SIGN_ASSUMED');
    expect((await profiles(app))[0].settings).not.toHaveProperty('sign');
    expect((await profiles(app))[0].settings).not.toHaveProperty('pending');
    const next = await importFile(app, plain('2026-02-02,THREE,-1.50', '2026-02-03,FOUR,4.00'));
    expect(next.json.account_id).toBe(first.json.account_id);
    expect(codes(next)).toContain('SIGN_ASSUMED');
  });

  test('a file that leaves everything open does not make the profile forget earlier answers', async () => {
    const app = await household();
    const first = await importFile(app, plain('03/04/2025,ONE,"1,50"'), {
      date_format: 'DD/MM/YYYY',
      sign: 'positive_is_out',
    });
    const account = { account_id: first.json.account_id };
    await importFile(app, plain('05/05/2025,TWO,2'), account);
    expect((await profiles(app))[0].settings).toMatchObject({
      date_format: 'DD/MM/YYYY',
      decimal_separator: ',',
      sign: 'positive_is_out',
    });
    const third = await importFile(app, plain('06/05/2025,THREE,"3,25"'), account);
    expect(third.status).toBe(201);
    expect(await listed(app)).toEqual(['2025-05-06 THREE 3.25', '2025-05-05 TWO 2.00', '2025-04-03 ONE 1.50']);
  });

  test('a file with several accounts is read again as before', async () => {
    const app = await household();
    const file = (...rows: string[]): string => `Account,Date,Details,Amount\n${rows.join('\n')}\n`;
    const first = await importFile(app, file('Cash,03/04/2025,A,-1.00', 'Purse,04/04/2025,B,-2.00'), {
      date_format: 'DD/MM/YYYY',
    });
    expect(first.status).toBe(201);
    const next = await importFile(app, file('Cash,03/05/2025,C,-1.00', 'Purse,04/05/2025,D,-2.00'));
    expect([next.status, next.json.import?.date_format ?? next.json.import?.detection.date_format.value]).toEqual([
      201,
      'DD/MM/YYYY',
    ]);
    const other = await importFile(app, file('Cash,03/05/2025,C,-1.00', 'Safe,04/05/2025,E,-3.00'));
    expect(other.json.error.candidates[0].parameter).toBe('date_format');
  });

  test('a generic header belongs to no bank', async () => {
    const app = await household();
    const file = 'Date,Description,Amount\n2026-01-02,ONE,-12.50\n2026-01-03,TWO,40.00\n';
    const shown = await previewFile(app, file, { file_name: 'mine.csv' });
    expect(shown.json).toMatchObject({ template_name: null, accounts: [{ account_name: 'mine' }] });
    const done = await importFile(app, file, { file_name: 'mine.csv' });
    const said = [done.text, JSON.stringify(await profiles(app)), (await app.request('GET', '/api/v1/accounts')).text];
    expect((await profiles(app))[0]).toMatchObject({ name: 'mine', institution_name: null });
    expect((await app.request('GET', '/api/v1/accounts')).json[0]).toMatchObject({
      name: 'mine',
      institution_name: 'mine',
    });
    for (const text of said.slice(1)) expect(text).not.toContain('American Express');
  });
});
