import { expect, test } from 'vitest';

import { csvOf, importFile, listed } from '../../../../test/harness/bank-files/bank-files.ts';
import { eventually } from '../../../../test/harness/eventually.ts';
import { addMember, openHousehold } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

const FILE = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00');

function longFile(rows: number): string {
  return csvOf(
    ...Array.from({ length: rows }, (_, i) => `2026-01-${String(1 + (i % 28)).padStart(2, '0')} ROW${i} -1.00`),
  );
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function finished(app: TestApp, location: string) {
    return eventually(async () => {
      const { json } = await app.request('GET', location);
      if (json.status === 'running' || json.status === 'queued') throw new Error('still under way');
      return json;
    });
  }

  test('more than 5,000 records are answered with 202 and end with the result of a 201', async () => {
    const app = await household();
    const answer = await importFile(app, longFile(5_001));
    expect(answer.status).toBe(202);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['preference-applied']).toBeUndefined();
    expect(answer.json).toMatchObject({
      connection_id: null,
      account_id: null,
      institution_name: null,
      status: null,
      imported_transactions: 0,
      total_rows: 5_001,
    });
    expect(['queued', 'running']).toContain(answer.json.import.status);
    const record = await finished(app, String(answer.headers.location));
    expect(record).toMatchObject({ status: 'completed', error: null, counts: { added: 5_001 } });
    const again = await importFile(app, longFile(5_001), { prefer: 'wait' });
    expect([again.status, again.headers['preference-applied']]).toEqual([201, 'wait']);
    expect(again.json.import.counts).toMatchObject({ added: 0, duplicate: 5_001 });
  }, 60_000);

  test('a long file with a bad row is refused at once', async () => {
    const app = await household();
    const answer = await importFile(app, `${longFile(6_000)}31-31-31,BAD,-1.00,EUR\n`);
    expect([answer.status, answer.json.error.code]).toEqual([422, 'INVALID_ROWS']);
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toEqual([]);
  });

  test('respond-async is followed for a small file; the field takes precedence over the header', async () => {
    const app = await household();
    const answer = await importFile(app, FILE, {}, { headers: { prefer: 'respond-async' } });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([202, 'respond-async']);
    expect((await finished(app, String(answer.headers.location))).counts.added).toBe(2);
    const waited = await importFile(app, FILE, { prefer: 'wait' }, { headers: { prefer: 'respond-async' } });
    expect(waited.status).toBe(201);
  });

  test('an import that fails while writing leaves only its record, marked as failed', async () => {
    const app = await database.open({ expectsFailures: true });
    await addMember(app, 'Ana');
    const { instance } = app.app;
    const { failpoint } = instance;
    instance.failpoint = (point) => {
      if (point === 'import:before-commit') throw new Error('planned');
    };
    expect((await importFile(app, FILE)).status).toBe(500);
    instance.failpoint = failpoint;
    const [record] = (await app.request('GET', '/api/v1/imports')).json.imports;
    expect(record).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' }, change_set_id: null });
    expect(await listed(app)).toEqual([]);
    expect(await rowsOf(instance.database, 'select id from accounts')).toEqual([]);
    expect((await importFile(app, FILE)).json.imported_transactions).toBe(2);
  });

  test('pending rows are left out, or imported and later posted', async () => {
    const app = await household();
    const file = (...rows: readonly string[]): string => `Date,Description,Amount,Status\n${rows.join('\n')}\n`;
    const first = file('2026-01-02,COFFEE,-3.50,Posted', '2026-01-03,HOTEL,-90.00,Pending');
    const skipped = await importFile(app, first, { account_name: 'Card' });
    expect(skipped.json.import.counts).toMatchObject({ added: 1, skipped: 1, pending: 1 });
    expect(skipped.json.import.skipped_rows).toMatchObject([{ line: 3, reason: 'PENDING' }]);

    const taken = await importFile(app, first, { account_name: 'Card', pending: 'import' });
    expect(taken.json.import.counts).toMatchObject({ added: 1, duplicate: 1, pending: 1 });
    const hotel = await rowsOf(app.app.instance.database, `select id, pending from transactions where name = 'HOTEL'`);
    expect(hotel).toMatchObject([{ pending: 1 }]);
    const posted = await importFile(app, file('2026-01-02,COFFEE,-3.50,Posted', '2026-01-06,HOTEL,-90.00,Posted'), {
      account_name: 'Card',
    });
    expect(posted.json.import.counts).toMatchObject({ added: 0, duplicate: 1, updated: 1 });
    expect(
      await rowsOf(app.app.instance.database, `select id, pending, date from transactions where name = 'HOTEL'`),
    ).toEqual([{ id: hotel[0]?.['id'], pending: 0, date: '2026-01-06' }]);
  });

  test('tags and notes from another finance app are imported on request', async () => {
    const app = await household();
    const file =
      'Date,Description,Amount,Tags,Notes\n2026-01-02,COFFEE,-3.50,"Été 2026; with Ben",with Ben\n2026-01-03,RENT,-9.00,,\n';
    expect((await importFile(app, file, { account_name: 'A' })).json.imported_transactions).toBe(2);
    await importFile(app, file, { account_name: 'B', import_tags: true, import_notes: 'yes' });
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const shown = transactions.map((one: Record<string, unknown>) => [
      one['account_name'],
      one['name'],
      one['tags'],
      one['metadata'],
    ]);
    expect(shown).toEqual([
      ['B', 'RENT', ['needs-review'], {}],
      ['A', 'RENT', ['needs-review'], {}],
      ['B', 'COFFEE', ['ete-2026', 'needs-review', 'with-ben'], { note: 'with Ben' }],
      ['A', 'COFFEE', ['needs-review'], {}],
    ]);
  });

  test('values that the bank changed under its id are updated, except those that a person set', async () => {
    const app = await household();
    const file = (amount: string): string =>
      `Transaction ID,Date,Description,Amount,Category\nA1,2026-01-02,COFFEE,${amount},Zzz\nA2,2026-01-03,RENT,-800.00,\n`;
    await importFile(app, file('-3.50'), { account_name: 'Card' });
    const [category] = (await app.request('GET', '/api/v1/categories')).json;
    await app.write('test.categorise', async (tx) => {
      const set = { category_id: category.id, category_source: 'person', locks: '["category"]' };
      await tx.q.updateTable('transactions').set(set).where('name', '=', 'COFFEE').execute();
      tx.journal.recordCreatedRows('transaction', 1);
    });
    const changed = await importFile(app, file('-3.80'), { account_name: 'Card' });
    expect(changed.json.import.counts).toMatchObject({ updated: 1, duplicate: 1 });
    const [coffee] = await rowsOf(
      app.app.instance.database,
      `select amount_cents, category_id, category_source from transactions where name = 'COFFEE'`,
    );
    expect(coffee).toEqual({ amount_cents: 380, category_id: category.id, category_source: 'person' });
    const changes = await rowsOf(
      app.app.instance.database,
      `select before, after from changes where operation = 'update' and entity_type = 'transaction'`,
    );
    expect(changes.map((one) => [JSON.parse(String(one['before'])), JSON.parse(String(one['after']))])).toEqual([
      [{ amount: '3.50' }, { amount: '3.80' }],
    ]);
    expect((await importFile(app, file('-3.80'), { account_name: 'Card' })).json.import.counts).toMatchObject({
      duplicate: 2,
    });
  });
});
