import { expect, test } from 'vitest';

import {
  base64,
  csvOf,
  importFile,
  listed,
  sendBytes,
  type Fields,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { addAccount, addMember, openHousehold } from '../../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const MADE_ANEW = ['api_key_uses', 'imports', 'import_rows', 'import_accounts', 'import_profiles', 'connections'];

forEachDatabase((database) => {
  /** A household with two files' accounts and one kept by hand. */
  async function household(): Promise<TestApp> {
    const app = await openHousehold(database);
    await importFile(app, csvOf('2026-01-02 COFFEE -3.50', '2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00'), {
      account_name: 'Giro',
    });
    await importFile(app, csvOf('2026-02-02 BOOKS -12.00', '2026-02-03 TEA -4.00'), { account_name: 'Card' });
    const made = await app.request('POST', '/api/v1/accounts', {
      body: { name: 'Wallet', iso_currency_code: 'EUR', opening_balance: '50.00', opening_date: '2026-01-01' },
    });
    const typed = { account_id: made.json.id, date: '2026-02-04', amount: '2.00', name: 'Ice cream' };
    expect((await app.request('POST', '/api/v1/transactions', { body: typed })).status).toBe(201);
    return app;
  }

  async function exported(app: TestApp, query: Readonly<Record<string, string>> = {}): Promise<string> {
    return (await app.request('GET', '/api/v1/transactions/export', { query: { format: 'csv', ...query } })).text;
  }

  /** Everything but the records of imports. */
  async function ledgerOf(app: TestApp): Promise<unknown> {
    return allRows(app.app.instance.database, MADE_ANEW);
  }

  async function expectUnchanged(app: TestApp, file: string, fields: Fields = {}): Promise<Answer['json']> {
    const before = await ledgerOf(app);
    const count = (await rowsOf(app.app.instance.database, 'select id from connections')).length;
    const preview = await sendBytes(app, file, { ...fields, dry_run: true });
    expect(preview.json, preview.text).toMatchObject({ ready: true, counts: { added: 0, updated: 0 } });
    const { status, json } = await sendBytes(app, file, fields);
    expect([status, json.change_set_id], JSON.stringify(json)).toEqual([201, null]);
    expect(json.counts).toEqual(preview.json.counts);
    expect(await ledgerOf(app)).toEqual(before);
    expect((await rowsOf(app.app.instance.database, 'select id from connections')).length).toBe(count);
    return json;
  }

  async function reasons(app: TestApp, importId: string): Promise<unknown[]> {
    const { json } = await app.request('GET', `/api/v1/imports/${importId}/rows`);
    return json.rows.map((row: Record<string, unknown>) => [row['outcome'], row['reason'], row['match']]);
  }

  /** The export with cells changed: by column name, line after the header and new text. */
  function edited(file: string, line: number, cells: Readonly<Record<string, string>>): string {
    const lines = file.trimEnd().split('\r\n');
    const names = (lines[0] as string).split(',');
    const values = (lines[line] as string).split(',');
    for (const [name, text] of Object.entries(cells)) values[names.indexOf(name)] = text;
    lines[line] = values.join(',');
    return `${lines.join('\r\n')}\r\n`;
  }

  test('the export of a household, posted into it, changes nothing, however often', async () => {
    const app = await household();
    const file = await exported(app);
    const done = await expectUnchanged(app, file);
    expect(done.counts).toMatchObject({ total: 6, duplicate: 6 });
    expect(await reasons(app, done.id)).toEqual(
      done.skipped_rows.map(() => ['duplicate', 'SAME_TRANSACTION', 'certain']),
    );
    expect(done.accounts).toMatchObject([
      { file_value: 'Giro', created: false, suggested: true, row_count: 3 },
      { file_value: 'Card', created: false, suggested: true, row_count: 2 },
      { file_value: 'Wallet', created: false, suggested: true, row_count: 1 },
    ]);
    expect((await expectUnchanged(app, file)).counts).toMatchObject({ duplicate: 6 });
    const viaCsv = await importFile(app, file);
    expect(viaCsv.json).toMatchObject({ imported_transactions: 0, skipped_duplicates: 6 });
  });

  test.each([
    ['one account', { account_name: 'Giro' }],
    ['an account that is not theirs', { account_name: 'Card' }],
    ['a name that no account has', { account_name: 'New' }],
    ['notes, tags and no rules', { import_notes: true, import_tags: true, run_rules: false }],
    ['pending rows too', { pending: 'import' }],
  ])('rows stay as they are with %s', async (_, fields) => {
    const app = await household();
    const done = await expectUnchanged(app, await exported(app), fields);
    expect(done.counts).toMatchObject({ duplicate: 6 });
  });

  test('so do those of an export of part, of few columns, and with a given account', async () => {
    const app = await household();
    const [card] = (await app.request('GET', '/api/v1/accounts')).json.filter(
      (one: Record<string, string>) => one['name'] === 'Card',
    );
    for (const query of [
      { date_from: '2026-02-01' },
      { fields: 'minimal' },
      { fields: 'core' },
      { fields: 'triage' },
      { spreadsheet_safe: 'true' },
    ]) {
      const file = await exported(app, query);
      await expectUnchanged(app, file);
      await expectUnchanged(app, file, { account_id: card.id });
    }
  });

  test('cells that a spreadsheet or a person changed are no news', async () => {
    const app = await household();
    let file = await exported(app);
    file = edited(file, 2, { name: 'Espresso', amount: '99.00', date: '2019-03-13', iso_currency_code: 'USD' });
    file = edited(file, 4, { account_id: '', account_name: 'Elsewhere', category_slug: 'travel' });
    const done = await expectUnchanged(app, file);
    expect(done.counts).toMatchObject({ duplicate: 6 });
    const semicolons = (await exported(app)).replaceAll(',', ';');
    expect((await expectUnchanged(app, `\ufeff${semicolons}`)).counts).toMatchObject({ duplicate: 6 });
  });

  test('a row that was typed in goes alone to the account of its id, or of its name', async () => {
    const app = await household();
    const file = await exported(app);
    const [names = ''] = file.split('\r\n');
    const lineOf = (cells: Readonly<Record<string, string>>): string =>
      `${names
        .split(',')
        .map((name) => cells[name] ?? '')
        .join(',')}\r\n`;
    const [card] = await rowsOf(app.app.instance.database, `select id from accounts where name = 'Card'`);
    const base = { date: '2026-02-09', amount: '5.00', iso_currency_code: 'EUR' };
    const byId = lineOf({ ...base, name: 'BY ID', account_id: String(card?.['id']) });
    const byName = lineOf({ ...base, name: 'BY NAME', account_name: 'Wallet' });
    const count = (await rowsOf(app.app.instance.database, 'select id from accounts')).length;
    const done = await sendBytes(app, file + byId + byName);
    expect(done.json, done.text).toMatchObject({ counts: { added: 2, duplicate: 6 } });
    const rows = await rowsOf(
      app.app.instance.database,
      `select t.name as text, a.name as account from transactions t join accounts a on a.id = t.account_id
       where t.amount_cents = 500 order by t.name`,
    );
    expect(rows).toEqual([
      { text: 'BY ID', account: 'Card' },
      { text: 'BY NAME', account: 'Wallet' },
    ]);
    expect((await rowsOf(app.app.instance.database, 'select id from accounts')).length).toBe(count);
    expect((await expectUnchanged(app, file + byId + byName)).counts).toMatchObject({ duplicate: 8 });
    await app.request('POST', `/api/v1/imports/${done.json.id}/revert`, { body: {} });
    expect(await listed(app)).toHaveLength(6);
  });

  test('a line that was copied to type in another row is another row; a repeated line is not', async () => {
    const app = await household();
    const file = await exported(app, { sort: 'date' });
    const lines = file.trimEnd().split('\r\n');
    const copied = edited(`${lines[0]}\r\n${lines[1]}\r\n`, 1, { name: 'TYPED', date: '2026-03-01', amount: '7.77' });
    const file2 = `${[...lines, ...lines.slice(1), copied.split('\r\n')[1]].join('\r\n')}\r\n`;
    const done = await sendBytes(app, file2);
    expect(done.json, done.text).toMatchObject({ counts: { added: 1, duplicate: 12 } });
    expect(done.json.warnings.map((one: { code: string }) => one.code)).toContain('BANK_ID_NOT_UNIQUE');
    expect(await listed(app)).toContain('2026-03-01 TYPED 7.77');
  });

  test('rows that people changed or deleted since stay so, and reverted ones come back under their ids', async () => {
    const app = await household();
    const file = await exported(app);
    const all = (await app.request('GET', '/api/v1/transactions')).json.transactions as Record<string, string>[];
    const idOf = (name: string): string => all.find((one) => one['name'] === name)?.['id'] ?? '';
    expect((await app.request('DELETE', `/api/v1/transactions/${idOf('TEA')}`)).status).toBeLessThan(300);
    const done = await expectUnchanged(app, file);
    expect(done.counts).toMatchObject({ duplicate: 5, deleted: 1 });
    const line = (await app.request('GET', `/api/v1/imports/${done.id}/rows`)).json.rows.find(
      (row: Record<string, unknown>) => row['outcome'] === 'deleted',
    ).line;
    const restored = await sendBytes(app, `${file}\r\n`, { include_lines: [line] });
    expect(restored.json, restored.text).toMatchObject({ counts: { updated: 1, duplicate: 5 } });
    expect((await app.request('GET', `/api/v1/transactions/${idOf('TEA')}`)).json.deleted_at).toBeNull();

    const imports = (await app.request('GET', '/api/v1/imports')).json.imports as Record<string, string>[];
    const giro = imports.at(-1) as Record<string, string>;
    for (const one of imports) {
      await app.request('POST', `/api/v1/imports/${one['id']}/revert`, { body: { on_conflict: 'force' } });
    }
    expect(giro['status']).toBe('completed');
    const before = (await listed(app)).length;
    const back = await sendBytes(app, `${file}\r\n\r\n`);
    expect(back.status, back.text).toBe(201);
    // Its deletion by a person is back too.
    expect([back.json.counts.added + before, back.json.counts.deleted]).toEqual([5, 1]);
    const now = (await app.request('GET', '/api/v1/transactions')).json.transactions as Record<string, string>[];
    expect(new Set(now.map(({ id }) => id))).toEqual(
      new Set(all.map(({ id }) => id).filter((id) => id !== idOf('TEA'))),
    );
  });

  test('a household with several members needs none to be named', async () => {
    const app = await household();
    const bob = await addMember(app, 'Bob');
    await addAccount(app, bob, { name: 'Bob', currency: 'EUR' });
    await app.request('POST', '/api/v1/connections/csv/import', {
      body: { csv_base64: base64(csvOf('2026-03-02 RENT -700.00')), account_name: 'Rent', user_id: bob.id },
    });
    expect((await expectUnchanged(app, await exported(app))).counts).toMatchObject({ duplicate: 7 });
  });

  test('an empty household takes all of it, and its own rows when it comes again', async () => {
    const file = await exported(await household());
    const app = await openHousehold(database);
    const done = await sendBytes(app, file);
    expect(done.json, done.text).toMatchObject({
      counts: { added: 6 },
      accounts: [{ created: true }, { created: true }, { created: true }],
    });
    expect((await sendBytes(app, file)).json).toMatchObject({ change_set_id: null, counts: { duplicate: 6 } });
    expect((await expectUnchanged(app, await exported(app))).counts).toMatchObject({ duplicate: 6 });
  });

  test('rows of another household beside its own are imported by their accounts’ names, or left out', async () => {
    const app = await household();
    const other = await openHousehold(database);
    await importFile(other, csvOf('2026-04-01 THEIRS -8.00'), { account_name: 'Theirs' });
    const file = (await exported(app)) + (await exported(other)).split('\r\n').slice(1).join('\r\n');
    const left = await sendBytes(app, file, { accounts: { Theirs: null } });
    expect(left.json, left.text).toMatchObject({ counts: { duplicate: 6, skipped: 1 } });
    const done = await sendBytes(app, `${file}\r\n`, { account_filter: ['Theirs', 'Card'] });
    expect(done.json, done.text).toMatchObject({ counts: { added: 1, duplicate: 2, skipped: 4 } });
    expect(await listed(app)).toContain('2026-04-01 THEIRS 8.00');
  });
});
