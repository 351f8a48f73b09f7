import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { addAccount, addMember, addTransactions } from '../../../../test/harness/ledger.ts';
import { signIn } from '../../../../test/harness/people/sessions.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type RequestOptions, type TestApp } from '../../../../test/harness/test-app.ts';

const FILE = csvOf('2026-01-02 COFFEE SHOP -3.50', '2026-01-05 SALARY 1000.00');
const IBAN = 'NL91ABNA0417164300';

function ofAccount(number: string, ...rows: readonly string[]): string {
  return `Account,Date,Description,Amount,Currency\n${rows.map((row) => `${number},${row},EUR`).join('\n')}\n`;
}

forEachDatabase((database) => {
  async function accountsOf(app: TestApp): Promise<Record<string, unknown>[]> {
    return (await app.request('GET', '/api/v1/accounts')).json;
  }

  test('the member that a file belongs to must be clear', async () => {
    const app = await database.open();
    for (const answer of [await importFile(app, FILE), await previewFile(app, FILE)]) {
      expect([answer.status, answer.json.error.code, answer.json.error.details[0].path]).toEqual([
        400,
        'INVALID_PARAMETER',
        'user_id',
      ]);
    }
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    expect((await importFile(app, FILE)).status).toBe(400);
    const done = await importFile(app, FILE, { user_id: ben.short_id });
    expect(done.json.import.user_id).toBe(ben.short_id);
    const others = await importFile(app, FILE, { user_id: ana.id, account_id: done.json.account_id });
    expect([others.status, others.json.error.details[0].path]).toEqual([400, 'user_id']);
    expect((await importFile(app, FILE, { account_id: done.json.account_id })).json.skipped_duplicates).toBe(2);
  });

  test('a file of somebody who is signed in is theirs, and so is one sent with a key of theirs', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const ben = await signIn(app, { name: 'Ben' });
    const byKey = await app.newKey({ memberId: ben.member.id });
    const callers: RequestOptions[] = [{ key: null, headers: ben.headers }, { key: byKey.key }];
    for (const [index, caller] of callers.entries()) {
      const text = FILE.replace('Description', `Text ${index}`);
      const done = await importFile(app, text, {}, caller);
      expect(done.status, done.text).toBe(201);
      expect(done.json.import.user_id).toBe(ben.member.short_id);
    }
  });

  test('an account is found by name, with or without its connection, or created', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'), { name: 'Giro', currency: 'EUR' });
    expect((await importFile(app, FILE, { account_name: ' giro' })).json.account_id).toBe(account.id);
    const inside = await importFile(app, FILE, { connection_id: account.connection.short_id });
    expect(inside.json).toMatchObject({ account_id: account.id, skipped_duplicates: 2 });
    const fresh = await importFile(app, FILE, {
      connection_id: account.connection.id,
      account_name: 'Card',
      account_type: 'credit',
      sign: 'positive_is_in',
    });
    expect(fresh.json).toMatchObject({ connection_id: account.connection.id, imported_transactions: 2 });
    expect(fresh.json.account_id).not.toBe(account.id);
    const unknown = FILE.replace('Description', 'Text');
    const several = await importFile(app, unknown, { connection_id: account.connection.id });
    expect([several.status, several.json.error.details[0].path]).toEqual([400, 'account_id']);
    const made = (await accountsOf(app)).find((one) => one['name'] === 'Card');
    expect(made).toMatchObject({
      type: 'credit',
      subtype: null,
      iso_currency_code: 'EUR',
      institution_name: 'First Bank',
    });
  });

  test('a file matches rows from a provider, and the account stays the provider’s', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'), { currency: 'EUR' });
    await app.write('test.provider', async (tx) => {
      await tx.q.updateTable('accounts').set({ provider: 'plaid' }).execute();
      await tx.q.updateTable('connections').set({ provider: 'plaid' }).execute();
      tx.journal.recordCreatedRows('account', 1);
      tx.journal.recordCreatedRows('connection', 1);
    });
    const [known] = await addTransactions(app, [
      { account, date: '2026-01-02', amount_cents: 350, name: 'Coffee Shop', iso_currency_code: 'EUR' },
    ]);
    const done = await importFile(app, FILE, { account_id: account.short_id });
    expect(done.json.import.skipped_rows).toMatchObject([
      { line: 2, outcome: 'duplicate', reason: 'SAME_AS_PROVIDER', match: 'certain', transaction_id: known?.id },
    ]);
    expect(done.json.imported_transactions).toBe(1);
    expect(await rowsOf(app.app.instance.database, 'select provider, last_sync_at from connections')).toEqual([
      { provider: 'plaid', last_sync_at: null },
    ]);
    const refused = await importFile(app, FILE, { connection_id: account.connection.id });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('the last sync of a connection is the end of the last import into it, however it was found', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const file = ofAccount(IBAN, '2026-01-02,COFFEE,-3.50', '2026-01-03,RENT,-800.00');
    const { json: first } = await importFile(app, file);
    const account = { account_id: first.account_id };
    const connection = { connection_id: first.connection_id };
    const ways = [account, connection, { account_name: 'bank' }, { ...connection, account_name: 'bank' }, {}];
    const { instance } = app.app;
    const stamps = `select updated_at from connections where id = '${first.connection_id}'`;
    const before = await rowsOf(instance.database, stamps);
    for (const way of [...ways, { file_name: 'other.csv' }]) {
      app.clock.advance(60_000);
      const { json } = await importFile(app, file, way);
      expect([json.connection_id, json.import.change_set_id]).toEqual([first.connection_id, null]);
      const last = await rowsOf(instance.database, 'select last_sync_at from connections');
      expect([way, last]).toEqual([way, [{ last_sync_at: json.import.finished_at }]]);
      expect(json.import.finished_at).toBe(new Date(app.clock.now()).toISOString());
    }
    app.clock.advance(60_000);
    const plain = await importFile(app, FILE, { file_name: 'plain.csv' });
    const again = await importFile(app, FILE, { file_name: 'plain.csv' });
    expect(again.json.connection_id).toBe(plain.json.connection_id);
    expect(await rowsOf(instance.database, 'select last_sync_at from connections order by id')).toEqual([
      { last_sync_at: new Date(app.clock.now() - 60_000).toISOString() },
      { last_sync_at: again.json.import.finished_at },
    ]);
    expect(await rowsOf(instance.database, stamps)).toEqual(before);
  });

  test('a disconnected connection accepts no files, but its account still does', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const account = await addAccount(app, ana, { name: 'Giro', currency: 'EUR' });
    await app.write('test.disconnect', async (tx) => {
      await tx.q.updateTable('connections').set({ status: 'disconnected', provider: 'plaid' }).execute();
      await tx.q.updateTable('accounts').set({ provider: 'plaid' }).execute();
      tx.journal.recordCreatedRows('connection', 1);
      tx.journal.recordCreatedRows('account', 1);
    });
    const { instance } = app.app;
    await app.write('test.csv', async (tx) => {
      await tx.q.updateTable('connections').set({ provider: 'csv' }).execute();
      tx.journal.recordCreatedRows('connection', 1);
    });
    const refused = await importFile(app, FILE, { connection_id: account.connection.id });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONNECTION_DISCONNECTED']);
    const preview = await previewFile(app, FILE, { connection_id: account.connection.id });
    expect([preview.status, preview.json.blockers[0].code]).toEqual([200, 'CONNECTION_DISCONNECTED']);

    const shown = await previewFile(app, FILE, { account_id: account.id });
    expect([shown.json.ready, shown.json.accounts[0].connection_id]).toEqual([true, null]);
    const done = await importFile(app, FILE, { account_id: account.id });
    expect([done.status, done.json.imported_transactions, done.json.account_id]).toEqual([201, 2, account.id]);
    const [moved] = await rowsOf(
      instance.database,
      `select a.provider, c.provider as fed_by, c.status, c.user_id, c.institution_name, c.id
       from accounts a join connections c on c.id = a.connection_id`,
    );
    expect(moved).toMatchObject({ provider: 'csv', fed_by: 'csv', status: 'active', user_id: ana.id });
    expect(moved).toMatchObject({ institution_name: 'First Bank', id: done.json.connection_id });
    const { changes } = (await app.request('GET', `/api/v1/change-sets/${done.json.import.change_set_id}`)).json;
    expect(changes.map((one: Record<string, unknown>) => [one['entity_type'], one['operation']])).toContainEqual([
      'account',
      'update',
    ]);
    const undone = await app.request('POST', `/api/v1/imports/${done.json.import.id}/revert`);
    expect([undone.status, undone.json.deleted_count]).toEqual([200, 2]);
    expect((await importFile(app, FILE)).json).toMatchObject({
      account_id: account.id,
      connection_id: done.json.connection_id,
      imported_transactions: 2,
    });

    await app.write('test.gone', async (tx) => {
      await tx.q.updateTable('accounts').set({ connection_id: null, owner_user_id: ana.id }).execute();
      tx.journal.recordCreatedRows('account', 1);
    });
    const next = await importFile(app, csvOf('2026-02-02 COFFEE SHOP -3.50'), { account_name: 'giro' });
    expect([next.status, next.json.account_id]).toEqual([201, account.id]);
    expect(next.json.connection_id).toBe(done.json.connection_id);
  });

  test('the account number in a file is remembered and never shown', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const first = await importFile(app, ofAccount(IBAN, '2026-01-02,COFFEE,-3.50', '2026-01-03,RENT,-800.00'));
    expect(first.json.imported_transactions).toBe(2);
    const next = await importFile(app, ofAccount(IBAN, '2026-02-02,COFFEE,-3.50'), { file_name: 'other.csv' });
    expect(next.json.account_id).toBe(first.json.account_id);
    expect(next.json.import.accounts[0]).toMatchObject({ suggested: true, created: false });
    expect(first.text + next.text + (await app.request('GET', '/api/v1/accounts')).text).not.toContain(IBAN);
    const other = await addAccount(app, ana, { name: 'Other', currency: 'EUR' });
    const refused = await importFile(app, ofAccount(IBAN, '2026-03-02,COFFEE,-3.50'), { account_id: other.id });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
  });

  test('a file with several accounts fills one connection every time', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const rows = [
      'Cash,2026-01-02,BREAD,-2.50,EUR',
      'Savings,2026-01-03,INTEREST,1.00,EUR',
      'Cash,2026-01-04,MILK,-1.20,EUR',
    ];
    const file = `Account,Date,Description,Amount,Currency\n${rows.join('\n')}\n`;
    const done = await importFile(app, file);
    expect(done.json).toMatchObject({ account_id: null, imported_transactions: 3 });
    expect((await accountsOf(app)).map((one) => String(one['name'])).toSorted()).toEqual(['Cash', 'Savings']);
    expect((await importFile(app, file)).json).toMatchObject({
      connection_id: done.json.connection_id,
      skipped_duplicates: 3,
    });
    expect(await accountsOf(app)).toHaveLength(2);

    const some = await importFile(app, `${file}Cash,2026-01-09,EGGS,-3.00,EUR\nSavings,2026-01-09,MORE,9.00,EUR\n`, {
      account_filter: ['Cash'],
    });
    expect(some.json.import.counts).toMatchObject({ added: 1, duplicate: 2, skipped: 2 });
    expect(
      some.json.import.skipped_rows.filter((one: { reason: string }) => one.reason === 'OTHER_ACCOUNT'),
    ).toHaveLength(2);
    const cash = (await accountsOf(app)).find((one) => one['name'] === 'Cash');
    const undecided = await importFile(app, file, { account_id: cash?.['id'] });
    expect([undecided.status, undecided.json.error.details[0].path]).toEqual([400, 'account_filter']);
    expect(await listed(app)).toHaveLength(4);
  });
});
