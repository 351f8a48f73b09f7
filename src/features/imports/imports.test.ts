import { expect, test } from 'vitest';

import {
  base64,
  csvOf,
  csvWithBalance,
  importFile,
  listed,
  previewFile,
} from '../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const IMPORTS = '/api/v1/imports';
const JANUARY = csvWithBalance(
  10_000,
  '2026-01-02 COFFEE -3.50',
  '2026-01-02 COFFEE -3.50',
  '2026-01-05 SALARY JANUARY 1000.00',
  '2026-01-09 RENT -800.00',
);

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  test('a preview writes nothing, and the import that follows has its result', async () => {
    const app = await household();
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const preview = await previewFile(app, JANUARY);
    expect([preview.status, preview.json.ready, preview.json.blockers]).toEqual([200, true, []]);
    const dry = await app.request('POST', '/api/v1/connections/csv/import', {
      body: { csv_base64: base64(JANUARY), file_name: 'bank.csv', dry_run: true },
    });
    expect([dry.status, dry.json]).toEqual([200, preview.json]);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);

    const done = await importFile(app, JANUARY);
    expect(done.status).toBe(201);
    expect(done.json).toMatchObject({
      imported_transactions: 4,
      skipped_duplicates: 0,
      total_rows: 4,
      status: 'active',
    });
    for (const field of ['counts', 'totals', 'first_date', 'last_date', 'mapping', 'warnings']) {
      expect(done.json.import[field]).toEqual(preview.json[field]);
    }
    expect(done.json.import.change_set_id).toBe(done.headers['x-change-set-id']);
    expect(done.json.import.progress).toEqual({ phase: 'done', done: 4, total: 4, percent: 100 });
    expect((await app.request('GET', `${IMPORTS}/${done.json.import.short_id}`)).json).toEqual(done.json.import);
    expect(await listed(app)).toEqual([
      '2026-01-09 RENT 800.00',
      '2026-01-05 SALARY JANUARY -1000.00',
      '2026-01-02 COFFEE 3.50',
      '2026-01-02 COFFEE 3.50',
    ]);
  });

  test('what an import writes is one change set, with its origin and its balance', async () => {
    const app = await household();
    const reason = { 'x-change-reason': 'first%20month' };
    const done = await importFile(app, JANUARY, {}, { headers: reason });
    const [set, ...others] = await rowsOf(
      app.app.instance.database,
      `select * from change_sets where import_id is not null`,
    );
    expect(others).toEqual([]);
    expect(set).toMatchObject({
      id: done.headers['x-change-set-id'],
      source: 'import',
      action: 'import.create',
      reason: 'first month',
      import_id: done.json.import.id,
      status: 'applied',
      is_revertible: 1,
    });
    const [account] = (await app.request('GET', '/api/v1/accounts')).json;
    expect(account).toMatchObject({
      name: 'bank',
      provider: 'csv',
      balance_current: '293.00',
      iso_currency_code: 'EUR',
    });
    const { balances } = (await app.request('GET', `/api/v1/accounts/${account.id}/balances`)).json;
    expect(
      balances.map((one: Record<string, unknown>) => [one['date'], one['balance_current'], one['source']]),
    ).toEqual([
      ['2026-01-02', '93.00', 'import'],
      ['2026-01-05', '1093.00', 'import'],
      ['2026-01-09', '293.00', 'import'],
    ]);
    const origins = await rowsOf(app.app.instance.database, 'select line, raw from transaction_origins order by line');
    expect(origins).toHaveLength(4);
    expect(JSON.parse(String(origins[0]?.['raw']))).toEqual({
      Date: '2026-01-02',
      Description: 'COFFEE',
      Amount: '-3.50',
      Currency: 'EUR',
      Balance: '96.50',
    });
  });

  test('balances and sync times are not recorded as changes', async () => {
    const app = await household();
    const { instance } = app.app;
    const rows = ['2026-01-02 COFFEE -3.50', '2026-01-09 RENT -800.00'];
    const first = await importFile(app, csvOf(...rows));
    const account = { account_id: first.json.account_id };
    const journal = 'select id from change_sets union all select change_set_id from changes';
    const before = await rowsOf(instance.database, journal);
    const stamps = `select updated_at from accounts union all select updated_at from transactions`;
    const stamped = await rowsOf(instance.database, stamps);
    app.clock.advance(60_000);
    const known = await importFile(app, csvWithBalance(100_000, ...rows), account);
    expect(known.json.import.counts).toMatchObject({ added: 0, duplicate: 2 });
    expect([known.json.import.change_set_id, known.headers['x-change-set-id']]).toEqual([null, undefined]);
    expect((await app.request('GET', `/api/v1/accounts/${first.json.account_id}`)).json.balance_current).toBe('196.50');
    expect(await rowsOf(instance.database, journal)).toEqual(before);
    expect(await rowsOf(instance.database, stamps)).toEqual(stamped);

    const next = await importFile(app, csvWithBalance(19_650, '2026-01-10 BOOKS -10.00'), account);
    const set = String(next.headers['x-change-set-id']);
    expect(await rowsOf(instance.database, `select sequence from changes where change_set_id = '${set}'`)).toEqual([]);
    expect(await rowsOf(instance.database, `select entity_types from change_sets where id = '${set}'`)).toEqual([
      { entity_types: '["transaction"]' },
    ]);
  });

  test('an old statement adds history and does not change today’s balance', async () => {
    const app = await household();
    await importFile(app, JANUARY);
    const december = csvWithBalance(5_000, '2025-12-30 GIFT 50.00', '2025-12-31 BOOKS -12.00');
    expect((await importFile(app, december)).json.imported_transactions).toBe(2);
    const [account] = (await app.request('GET', '/api/v1/accounts')).json;
    expect(account.balance_current).toBe('293.00');
  });

  test('the same file again, without any target, finds its account and adds nothing', async () => {
    const app = await household();
    const first = await importFile(app, JANUARY);
    const stamps = await rowsOf(app.app.instance.database, 'select id, updated_at from transactions order by id');
    app.clock.advance(60_000);
    const again = await importFile(app, JANUARY);
    expect(again.json).toMatchObject({ imported_transactions: 0, skipped_duplicates: 4 });
    expect(again.json.account_id).toBe(first.json.account_id);
    expect([again.json.import.change_set_id, again.headers['x-change-set-id']]).toEqual([null, undefined]);
    expect(again.json.import.warnings.map((one: { code: string }) => one.code)).toEqual(['FILE_ALREADY_IMPORTED']);
    expect(
      again.json.import.skipped_rows.map((one: Record<string, unknown>) => [
        one['line'],
        one['outcome'],
        one['reason'],
      ]),
    ).toEqual([
      [2, 'duplicate', 'SAME_FILE'],
      [3, 'duplicate', 'SAME_FILE'],
      [4, 'duplicate', 'SAME_FILE'],
      [5, 'duplicate', 'SAME_FILE'],
    ]);
    expect(await rowsOf(app.app.instance.database, 'select id, updated_at from transactions order by id')).toEqual(
      stamps,
    );
    expect((await app.request('GET', '/api/v1/accounts')).json).toHaveLength(1);
  });

  test('two headers without a target give two accounts', async () => {
    const app = await household();
    await importFile(app, JANUARY);
    await importFile(app, 'Booked;Text;Betrag\n2026-01-02;BROT;-2,50\n2026-01-03;BUCH;-12,00\n');
    const names = (await app.request('GET', '/api/v1/accounts')).json.map((one: { name: string }) => one.name);
    expect(names.toSorted()).toEqual(['bank', 'bank 2']);
  });

  test('files oldest first and newest first list each day in the same order', async () => {
    const rows = ['2026-01-02 A -1.00', '2026-01-02 B -2.00', '2026-01-03 C -3.00', '2026-01-03 D -4.00'];
    const [one, other] = [await household(), await household()];
    await importFile(one, csvOf(...rows));
    await importFile(other, csvOf(...rows.toReversed()));
    expect(await listed(other)).toEqual(await listed(one));
  });

  test('identical rows: three stay three, two more files add none, a fourth adds one', async () => {
    const app = await household();
    const coffees = (count: number): string => csvOf(...Array.from({ length: count }, () => '2026-01-02 COFFEE -3.50'));
    const added = async (count: number): Promise<number> =>
      (await importFile(app, coffees(count), { account_name: 'Giro' })).json.imported_transactions;
    expect([await added(3), await added(3), await added(2), await added(4)]).toEqual([3, 0, 0, 1]);
  });

  test('files that overlap, with equal rows at the border, give their union', async () => {
    const app = await household();
    const border = ['2026-01-10 COFFEE -3.50', '2026-01-10 COFFEE -3.50'];
    await importFile(app, csvOf('2026-01-01 A -1.00', ...border), { account_name: 'Giro' });
    const second = await importFile(app, csvOf(...border, '2026-01-20 B -1.00'), { account_name: 'Giro' });
    expect(second.json).toMatchObject({ imported_transactions: 1, skipped_duplicates: 2 });
    expect(await listed(app)).toHaveLength(4);
  });

  test('two imports of one file at once add its rows once', async () => {
    const app = await household();
    const answers = await Promise.all([importFile(app, JANUARY), importFile(app, JANUARY)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.reduce((sum, { json }) => sum + json.imported_transactions, 0)).toBe(4);
    expect(await listed(app)).toHaveLength(4);
    expect((await app.request('GET', '/api/v1/accounts')).json).toHaveLength(1);
  });

  test('a row deleted by a person stays deleted and is reported; include_lines restores it', async () => {
    const app = await household();
    await importFile(app, JANUARY);
    const [rent] = await rowsOf<{ id: string }>(
      app.app.instance.database,
      `select id from transactions where name = 'RENT'`,
    );
    const id = rent?.id as string;
    await app.write('test.delete', async (tx) => {
      const set = { deleted_at: tx.now, deleted_cause: 'person' };
      await tx.q.updateTable('transactions').set(set).where('id', '=', id).execute();
      tx.journal.recordCreatedRows('transaction', 1);
    });
    const again = await importFile(app, JANUARY);
    expect(again.json.import.counts).toMatchObject({ duplicate: 3, deleted: 1 });
    expect(again.json.import.skipped_rows[3]).toMatchObject({
      line: 5,
      reason: 'DELETED_BY_PERSON',
      transaction_id: id,
    });
    expect(await listed(app)).toHaveLength(3);

    const restored = await importFile(app, JANUARY, { include_lines: [5] });
    expect(restored.json.import.counts).toMatchObject({ duplicate: 3, updated: 1 });
    expect((await app.request('GET', `/api/v1/transactions/${id}`)).json.deleted_at).toBeNull();
  });

  test('rows of a reverted import come back under their ids', async () => {
    const app = await household();
    await importFile(app, JANUARY);
    const ids = await rowsOf(app.app.instance.database, 'select id from transactions order by id');
    await app.write('test.revert', async (tx) => {
      await tx.q.updateTable('transactions').set({ deleted_at: tx.now, deleted_cause: 'revert' }).execute();
      await tx.q.updateTable('imports').set({ status: 'reverted' }).execute();
      tx.journal.recordCreatedRows('transaction', 1);
    });
    const again = await importFile(app, JANUARY);
    expect(again.json.import.counts).toMatchObject({ added: 4, duplicate: 0 });
    expect(
      await rowsOf(app.app.instance.database, 'select id from transactions where deleted_at is null order by id'),
    ).toEqual(ids);
  });

  test('a category text that is a slug or a name decides the category; others are listed', async () => {
    const app = await household();
    const text = (name: string, category: string): string => `2026-01-02,${name},-5.00,${category}`;
    const file = `Date,Description,Amount,Category\n${text('A', 'food_and_drink_coffee')}\n${text('B', 'coffee shops')}\n${text('C', 'Zzz')}\n${text('D', 'Zzz')}\n`;
    const done = await importFile(app, file);
    expect(done.json.import.unmatched_categories).toEqual([{ text: 'Zzz', count: 2 }]);
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const shown = transactions.map((one: Record<string, unknown>) => [
      one['name'],
      (one['category'] as { slug: string } | null)?.slug ?? null,
      one['category_source'],
      one['provider_category_primary'],
    ]);
    expect(shown.toSorted()).toEqual([
      ['A', 'food_and_drink_coffee', 'provider', 'food_and_drink_coffee'],
      ['B', 'food_and_drink_coffee', 'provider', 'coffee shops'],
      ['C', null, null, 'Zzz'],
      ['D', null, null, 'Zzz'],
    ]);
  });

  test('a gap between two files gets a warning, and the file in between closes it', async () => {
    const app = await household();
    const target = { account_name: 'Giro' };
    const continuity = (answer: Answer): Record<string, unknown> =>
      answer.json.import.balance_proof.results[0].continuity;
    const january = csvWithBalance(10_000, '2026-01-05 A -10.00', '2026-01-20 B -10.00');
    const february = csvWithBalance(8_000, '2026-02-05 C -10.00', '2026-02-20 D -10.00');
    const march = csvWithBalance(6_000, '2026-03-05 E -10.00', '2026-03-20 F -10.00');
    expect(continuity(await importFile(app, january, target))).toMatchObject({ status: 'first' });
    const gap = await importFile(app, march, target);
    expect(continuity(gap)).toMatchObject({
      status: 'gap',
      previous_date: '2026-01-20',
      previous_balance: '80.00',
      difference: '-20.00',
    });
    expect(gap.json.import.warnings.map((one: { code: string }) => one.code)).toContain('GAP_BEFORE_FILE');
    expect(continuity(await importFile(app, february, target))).toMatchObject({ status: 'linked', difference: '0.00' });
    expect(continuity(await importFile(app, march, target))).toMatchObject({ status: 'linked' });
  });

  test('the debt of a card is stored as a positive number, whichever sign the file prints', async () => {
    const app = await household();
    const owed = csvWithBalance(0, '2026-01-05 SHOES -100.00', '2026-01-20 BOOKS -20.00');
    const done = await importFile(app, owed, { account_name: 'Card', account_type: 'credit', sign: 'positive_is_in' });
    expect(done.json.import.balance_proof).toMatchObject({
      status: 'proved',
      results: [{ closing_balance: '-120.00' }],
    });
    const [account] = (await app.request('GET', '/api/v1/accounts')).json;
    expect(account).toMatchObject({ type: 'credit', balance_current: '120.00' });
  });

  test('lines are left out on request, and a preview shows the requested outcomes', async () => {
    const app = await household();
    const preview = await previewFile(app, JANUARY, { exclude_lines: [5], outcome: 'skipped' });
    expect(preview.json.rows).toMatchObject([{ line: 5, outcome: 'skipped', reason: 'EXCLUDED' }]);
    const done = await importFile(app, JANUARY, { exclude_lines: [5] });
    expect(done.json.import.counts).toMatchObject({ total: 4, added: 3, skipped: 1 });
    expect(done.json.import.warnings.map((one: { code: string }) => one.code)).toContain('LEDGER_DIFFERS');
    const whole = await importFile(app, JANUARY, { include_lines: [2] });
    expect(whole.json.import.counts).toMatchObject({ added: 2, duplicate: 2 });
  });

  test('the list of imports pages by cursor and filters', async () => {
    const app = await household();
    for (const month of ['01', '02', '03']) {
      await importFile(app, csvOf(`2026-${month}-02 A -1.00`, `2026-${month}-03 B -2.00`), {
        account_name: `Giro ${month}`,
      });
      app.clock.advance(1_000);
    }
    const first = await app.request('GET', IMPORTS, { query: { limit: 2 } });
    expect(first.json).toMatchObject({ has_more: true, limit: 2 });
    const rest = await app.request('GET', IMPORTS, { query: { limit: 2, cursor: first.json.next_cursor } });
    expect(rest.json).toMatchObject({ has_more: false, next_cursor: '' });
    const dates = [...first.json.imports, ...rest.json.imports].map((one: { first_date: string }) => one.first_date);
    expect(dates).toEqual(['2026-03-02', '2026-02-02', '2026-01-02']);
    const { account_id: account } = first.json.imports[0];
    const filtered = await app.request('GET', IMPORTS, { query: { account_id: account, status: 'completed,failed' } });
    expect(filtered.json.imports).toHaveLength(1);
    expect(
      (await app.request('GET', IMPORTS, { query: { cursor: first.json.next_cursor, format: 'csv' } })).json.error.code,
    ).toBe('INVALID_CURSOR');
    expect((await app.request('GET', IMPORTS, { query: { status: 'nonsense' } })).json.error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await app.request('GET', `${IMPORTS}/zzzzzzzz`)).status).toBe(404);
  });
});
