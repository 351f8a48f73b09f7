import { expect, test } from 'vitest';

import {
  csvOf,
  importFile,
  previewFile,
  sendBytes,
  type Fields,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const HEAD = 'Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n';
const CARD = `${HEAD}01/14/2026,01/15/2026,CAFE,Food,Sale,-25.00,\n01/15/2026,01/16/2026,BOOKS,Shopping,Sale,-12.50,\n`;
const NEXT = `${HEAD}02/14/2026,02/15/2026,TEA,Food,Sale,-4.00,\n02/16/2026,02/17/2026,BUS,Travel,Sale,-2.00,\n`;

forEachDatabase((database) => {
  /** A household with an account in euros. */
  async function household(): Promise<{ app: TestApp; giro: { id: string; short_id: string } }> {
    const app = await openHousehold(database);
    await importFile(app, csvOf('2026-01-02 RENT -700.00', '2026-01-03 PAY 2000.00'), { account_name: 'Giro' });
    const [giro] = (await app.request('GET', '/api/v1/accounts')).json;
    return { app, giro };
  }

  const written = (app: TestApp): Promise<unknown[]> =>
    rowsOf(app.app.instance.database, 'select account_id, name, iso_currency_code from transactions order by id');

  async function expectAsked(
    app: TestApp,
    file: string,
    fields: Fields,
    path: string,
  ): Promise<Answer['json']['error']> {
    const before = await written(app);
    const preview = await previewFile(app, file, fields);
    expect(preview.json, preview.text).toMatchObject({ ready: false });
    expect(preview.json.blockers[0].code).toBe('VALIDATION_ERROR');
    const { status, json } = await importFile(app, file, fields);
    expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    expect(await written(app)).toEqual(before);
    return json.error;
  }

  test('a dollar card’s file is asked about before it goes to an account in euros', async () => {
    const { app, giro } = await household();
    for (const [fields, path] of [
      [{ account_name: 'Giro' }, 'account_name'],
      [{ account_id: giro.id }, 'account_id'],
    ] as const) {
      const error = await expectAsked(app, CARD, fields, path);
      expect(error.candidates.map((one: { parameter: string }) => one.parameter)).toEqual([
        'account_id',
        'account_type',
        'iso_currency_code',
      ]);
      expect(error.message).toContain('account_type=depository and iso_currency_code=USD');
      for (const half of [{ account_type: 'depository' }, { account_type: 'credit' }, { iso_currency_code: 'USD' }])
        await expectAsked(app, CARD, { ...fields, ...half }, path);
    }
    const card = await importFile(app, CARD, { account_name: 'Card' });
    expect(card.json.import.accounts).toMatchObject([{ created: true }]);
    const offered = await expectAsked(app, NEXT, { account_name: 'Giro' }, 'account_name');
    expect(offered.candidates[0].values).toMatchObject([{ raw: 'Card' }]);
    expect(offered.details[1]).toMatchObject({ path: 'account_id', message: expect.stringContaining('Card') });
  });

  test('whoever insists gets the bank’s currency, also for the next file, and is not asked again', async () => {
    const { app, giro } = await household();
    const insist = { account_name: 'Giro', account_type: 'depository', iso_currency_code: 'USD' };
    const done = await importFile(app, CARD, insist);
    expect(done.status, done.text).toBe(201);
    expect(done.json.import.warnings.map((one: { code: string }) => one.code)).toContain(
      'CURRENCY_DIFFERS_FROM_ACCOUNT',
    );
    const next = await importFile(app, NEXT, { account_name: 'Giro' });
    expect(next.status, next.text).toBe(201);
    const cards = ((await written(app)) as Record<string, string>[]).slice(2);
    expect(cards).toEqual(
      ['CAFE', 'BOOKS', 'TEA', 'BUS'].map((name) => ({ account_id: giro.id, name, iso_currency_code: 'USD' })),
    );
    // Once both are reverted, nothing shows that such files belong there.
    for (const one of [next, done])
      await app.request('POST', `/api/v1/imports/${one.json.import.id}/revert`, { body: {} });
    await expectAsked(app, NEXT, { account_name: 'Giro' }, 'account_name');
  });

  test('a card’s statement is not one of a current account, nor the other way round', async () => {
    const { app, giro } = await household();
    const entries = [{ id: 'A1', date: '2026-02-06', amount: '-9.00', text: 'BOOKS' }];
    const card = ofxFile({ account: '4111000033334444', type: 'CREDITCARD', entries });
    const asked = await sendBytes(app, card, { account_id: giro.id });
    expect([asked.status, asked.json.error?.details[0].path], asked.text).toEqual([400, 'account_id']);
    const made = await sendBytes(app, card, {});
    expect(made.json.accounts).toMatchObject([{ created: true }]);
    const visa = await importFile(app, csvOf('2026-01-04 SHOES -70.00'), {
      account_name: 'Visa',
      account_type: 'credit',
    });
    const account = visa.json.account_id;
    const bank = ofxFile({ account: '11112222', entries });
    const other = await sendBytes(app, bank, { account_id: account });
    expect([other.status, other.json.error.candidates[1]]).toMatchObject([400, { parameter: 'account_type' }]);
    const settled = await sendBytes(app, bank, { account_id: account, account_type: 'credit' });
    expect(settled.status, settled.text).toBe(201);
  });

  test('a currency that the file states is no contradiction', async () => {
    const { app } = await household();
    const pounds = 'Date,Description,Amount,Currency\n2026-02-02,PUB,-8.00,GBP\n';
    const done = await importFile(app, pounds, { account_name: 'Giro', sign: 'positive_is_in' });
    expect(done.json.import.warnings.map((one: { code: string }) => one.code)).toEqual([
      'CURRENCY_DIFFERS_FROM_ACCOUNT',
    ]);
  });
});
