import { expect, test } from 'vitest';

import { importFile, previewFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

const SILENT =
  'Date,Description,Amount\n2026-01-02,COFFEE SHOP,-3.50\n2026-01-02,COFFEE SHOP,-3.50\n2026-01-05,SALARY,1000.00\n';
const NEXT_MONTH = 'Date,Description,Amount\n2026-02-02,COFFEE SHOP,-3.50\n2026-02-05,SALARY,1000.00\n';
const STATED = 'Date,Description,Amount,Currency\n2026-01-20,RENT,-900.00,CHF\n2026-01-21,GROCER,-20.00,CHF\n';

interface Warned {
  import: { warnings: { code: string; message: string }[]; detection: { currency: object }; skipped_rows: object[] };
}

forEachDatabase((database) => {
  async function household(): Promise<TestApp> {
    const app = await database.open();
    await addMember(app, 'Ana');
    return app;
  }
  async function rows(app: TestApp): Promise<Record<string, unknown>[]> {
    return (await app.request('GET', '/api/v1/transactions')).json.transactions;
  }
  async function currencies(app: TestApp): Promise<unknown[]> {
    return (await rows(app)).map((one) => one['iso_currency_code']);
  }
  const codes = ({ json }: { json: Warned }): string[] => json.import.warnings.map(({ code }) => code);

  test('a file without a currency, imported again with one, adds no row and gives every row the currency', async () => {
    const app = await household();
    const first = await importFile(app, SILENT, { account_name: 'Giro' });
    expect(codes(first)).toContain('CURRENCY_UNKNOWN');
    expect(await currencies(app)).toEqual([null, null, null]);
    const again = await importFile(app, SILENT, { account_name: 'Giro', iso_currency_code: 'eur' });
    expect(again.json).toMatchObject({ imported_transactions: 0, updated_transactions: 3, skipped_duplicates: 0 });
    expect(again.json.import.skipped_rows).toMatchObject([
      { line: 2, outcome: 'updated', reason: 'CURRENCY_FILLED' },
      { line: 3, outcome: 'updated', reason: 'CURRENCY_FILLED' },
      { line: 4, outcome: 'updated', reason: 'CURRENCY_FILLED' },
    ]);
    expect(await currencies(app)).toEqual(['EUR', 'EUR', 'EUR']);
    expect((await app.request('GET', '/api/v1/accounts')).json).toMatchObject([{ iso_currency_code: 'EUR' }]);
    for (const fields of [{ iso_currency_code: 'EUR' }, {}]) {
      const third = await importFile(app, SILENT, { account_name: 'Giro', ...fields });
      expect(third.json).toMatchObject({ imported_transactions: 0, updated_transactions: 0, skipped_duplicates: 3 });
    }
    const other = await importFile(app, SILENT, { account_name: 'Giro', iso_currency_code: 'USD' });
    expect([other.status, other.json.error.code]).toEqual([409, 'ALREADY_IMPORTED']);
    expect(await currencies(app)).toEqual(['EUR', 'EUR', 'EUR']);
  });

  test('reverting that leaves the rows as they were', async () => {
    const app = await household();
    await importFile(app, SILENT, { account_name: 'Giro' });
    const before = await rows(app);
    const again = await importFile(app, SILENT, { account_name: 'Giro', iso_currency_code: 'EUR' });
    const reverted = await app.request('POST', `/api/v1/imports/${again.json.import.id}/revert`, { body: {} });
    expect([reverted.status, reverted.json.restored_count]).toEqual([200, 3]);
    const plain = (list: Record<string, unknown>[]) => list.map(({ updated_at: _at, ...row }) => row);
    expect(plain(await rows(app))).toEqual(plain(before));
    expect((await app.request('GET', '/api/v1/accounts')).json).toMatchObject([{ iso_currency_code: null }]);
  });

  test('the first import with a single currency makes it the household’s, for files without one', async () => {
    const app = await household();
    await importFile(app, STATED, { account_name: 'Swiss' });
    expect((await app.request('GET', '/api/v1/config/default_currency')).json).toMatchObject({
      value: 'CHF',
      source: 'db',
    });
    const preview = await previewFile(app, SILENT, { account_name: 'Giro' });
    expect(preview.json.detection.currency).toMatchObject({
      value: 'CHF',
      confidence: 'likely',
      evidence: ['default'],
    });
    const done = await importFile(app, SILENT, { account_name: 'Giro' });
    expect(codes(done)).toContain('CURRENCY_ASSUMED');
    expect(
      done.json.import.warnings.find(({ code }: { code: string }) => code === 'CURRENCY_ASSUMED').message,
    ).toContain('CHF');
    expect(new Set(await currencies(app))).toEqual(new Set(['CHF']));
    const later = await importFile(app, STATED.replaceAll('CHF', 'EUR').replaceAll('2026-01', '2026-03'), {
      account_name: 'Euro',
    });
    expect(later.status).toBe(201);
    expect((await app.request('GET', '/api/v1/config/default_currency')).json).toMatchObject({ value: 'CHF' });
  });

  test('importing the file again with another currency does not change one that was assumed', async () => {
    const app = await household();
    await app.request('PUT', '/api/v1/config/default_currency', { body: { value: 'EUR' } });
    await importFile(app, SILENT, { account_name: 'Giro' });
    const other = await importFile(app, SILENT, { account_name: 'Giro', iso_currency_code: 'GBP' });
    expect([other.status, other.json.error.code]).toEqual([409, 'ALREADY_IMPORTED']);
    expect(await currencies(app)).toEqual(['EUR', 'EUR', 'EUR']);
  });

  test('a later preference of the household changes no row, and an account’s own currency takes precedence', async () => {
    const app = await household();
    await importFile(app, SILENT, { account_name: 'Giro', iso_currency_code: 'EUR' });
    await app.request('PUT', '/api/v1/config/default_currency', { body: { value: 'USD' } });
    const next = await importFile(app, NEXT_MONTH, { account_name: 'Giro' });
    expect(codes(next)).not.toContain('CURRENCY_ASSUMED');
    expect(new Set(await currencies(app))).toEqual(new Set(['EUR']));
    const again = await importFile(app, SILENT, { account_name: 'Giro' });
    expect(again.json).toMatchObject({ imported_transactions: 0, skipped_duplicates: 3 });
  });

  test('a balance that runs over rows of several currencies proves them all, and the next file goes on from it', async () => {
    const app = await household();
    const head = 'Date,Description,Amount,Currency,Balance\n';
    const first = `${head}2026-01-02,COFFEE,-10.00,EUR,90.00\n2026-01-03,BOOKS,-5.00,USD,85.00\n2026-01-04,FUEL,-20.00,EUR,65.00\n`;
    const missing = await importFile(app, first.replace(/.*BOOKS.*\n/, ''), { account_name: 'Giro' });
    expect([missing.status, missing.json.error?.code]).toEqual([422, 'BALANCE_MISMATCH']);
    const done = await importFile(app, first, { account_name: 'Giro' });
    expect([done.status, done.json.import?.balance_proof.status], done.text).toEqual([201, 'proved']);
    expect([...(await currencies(app))].map(String).toSorted()).toEqual(['EUR', 'EUR', 'USD']);
    const account = (await app.request('GET', '/api/v1/accounts')).json[0];
    expect(account).toMatchObject({ iso_currency_code: 'EUR', balance_current: '65.00' });

    const next = `${head}2026-02-02,GROCER,-4.00,USD,61.00\n2026-02-03,RENT,-50.00,EUR,11.00\n`;
    const taken = await importFile(app, next, { account_id: account.id });
    expect(taken.json.import).toMatchObject({ balance_proof: { status: 'proved' }, counts: { added: 2 } });
    expect(codes(taken)).not.toContain('LEDGER_DIFFERS');
    expect(codes(taken)).not.toContain('GAP_BEFORE_FILE');
    const { json: after } = await app.request('GET', `/api/v1/accounts/${account.id}`);
    expect(after.balance_current).toBe('11.00');
    await app.request('POST', `/api/v1/imports/${taken.json.import.id}/revert`, { body: {} });
    expect((await app.request('GET', `/api/v1/accounts/${account.id}`)).json.balance_current).toBe('65.00');
  });

  test('a balance for each currency proves each by itself', async () => {
    const app = await household();
    const both =
      'Date,Description,Amount,Currency,Balance\n2026-01-02,A,-10.00,EUR,90.00\n2026-01-02,B,-1.00,USD,499.00\n2026-01-03,C,-20.00,EUR,70.00\n2026-01-03,D,-2.00,USD,497.00\n';
    const done = await importFile(app, both, { account_name: 'Giro' });
    expect(done.status, done.text).toBe(201);
    const { results } = done.json.import.balance_proof;
    expect(results.map((one: Record<string, unknown>) => [one['iso_currency_code'], one['status']])).toEqual([
      ['EUR', 'proved'],
      ['USD', 'proved'],
    ]);
    expect((await importFile(app, both, { account_name: 'Giro' })).json).toMatchObject({ skipped_duplicates: 4 });
  });

  test('in a file with several accounts, each account that has a currency keeps it', async () => {
    const app = await household();
    await app.request('PUT', '/api/v1/config/default_currency', { body: { value: 'EUR' } });
    const made = await importFile(app, SILENT, { account_name: 'Dollars', iso_currency_code: 'USD' });
    const { connection_id } = made.json;
    await importFile(app, NEXT_MONTH, { connection_id, account_name: 'Pounds', iso_currency_code: 'GBP' });
    const several = 'Account,Date,Description,Amount\nDollars,2026-04-02,PIZZA,-9.00\nNew,2026-04-03,BAKER,-2.00\n';
    const done = await importFile(app, several, { connection_id });
    expect([done.status, done.json.imported_transactions]).toEqual([201, 2]);
    const found = (await rows(app)).map(({ name, iso_currency_code: code }) => `${String(name)} ${String(code)}`);
    expect(found).toEqual(expect.arrayContaining(['PIZZA USD', 'BAKER EUR']));
  });

  test('setting an account’s currency changes only what was assumed, and so does undoing it', async () => {
    const app = await household();
    await app.request('PUT', '/api/v1/config/default_currency', { body: { value: 'EUR' } });
    const { account_id: id } = (await importFile(app, SILENT, { account_name: 'Giro' })).json;
    await importFile(app, STATED, { account_id: id });
    const changed = await app.request('PATCH', `/api/v1/accounts/${id}`, { body: { iso_currency_code: 'GBP' } });
    expect(changed.status).toBe(200);
    expect((await currencies(app)).map(String).toSorted()).toEqual(['CHF', 'CHF', 'GBP', 'GBP', 'GBP']);
    const again = await importFile(app, SILENT, { account_id: id });
    expect(again.json).toMatchObject({ imported_transactions: 0, updated_transactions: 0, skipped_duplicates: 3 });
    const set = String(changed.headers['x-change-set-id']);
    expect((await app.request('POST', `/api/v1/change-sets/${set}/revert`, { body: {} })).status).toBe(200);
    expect((await currencies(app)).map(String).toSorted()).toEqual(['CHF', 'CHF', 'EUR', 'EUR', 'EUR']);
  });
});
