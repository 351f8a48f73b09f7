import { beforeAll, expect, test } from 'vitest';

import {
  COFFEE,
  GROCERIES,
  NOBODY,
  archive,
  changeSet,
  everything,
  household,
  locksOf,
  record,
  type Operation,
} from '../../../test/harness/ledgers/batches.ts';
import {
  addAccount,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const BY_HAND = { category_source: 'person', locks: '["category"]' };
const MAPPED = { provider_category_primary: 'Groceries' };

const batch = (app: TestApp, body: Operation) => app.request('POST', '/api/v1/transactions/batch-categorize', { body });
const bulk = (app: TestApp, body: Operation) => app.request('POST', '/api/v1/transactions/bulk-recategorize', { body });
const ids = (rows: readonly Made[]): string[] => rows.map(({ id }) => id);

function expectRefused(answer: Answer, code: string, path?: string): void {
  const status = code === 'CONFLICT' ? 409 : 400;
  expect([path, answer.status, answer.json.error.code]).toEqual([path, status, code]);
  const paths = (answer.json.error.details ?? []).map((one: { path: string }) => one.path);
  if (path !== undefined) expect(paths).toContain(path);
}

forEachDatabase((database) => {
  let app: TestApp;
  let coffee: Made;
  let archived: Made;
  beforeAll(async () => {
    app = await database.open();
    coffee = await categoryBySlug(app, COFFEE);
    archived = await categoryBySlug(app, 'travel_flights');
    await archive(app, archived);
  });

  test('a batch sets one category on all, in one change set; duplicates collapse', async () => {
    const [first, second, third] = (await household(app, 3)) as [Made, Made, Made];
    const body = {
      transaction_ids: [first.id, second.short_id, first.short_id, third.id, first.id],
      category_slug: COFFEE,
    };
    const before = await everything(app);
    const dry = await batch(app, { ...body, dry_run: true });
    expect(await everything(app)).toEqual(before);
    const done = await batch(app, body);
    const counts = { category_id: coffee.id, updated: 3, unchanged: 0 };
    expect(dry.json).toEqual({ ...counts, dry_run: true, change_set_id: null });
    expect(done.json).toEqual({ ...counts, dry_run: false, change_set_id: done.headers['x-change-set-id'] });
    expect(await changeSet(app, done)).toMatchObject({
      action: 'transactions.batch_categorize',
      source: 'edit',
      summary: 'Set the category of 3 transactions',
      updated_count: 3,
    });
    for (const row of [first, second, third]) {
      expect(await record(app, row)).toMatchObject({ category_id: coffee.id, category_source: 'person' });
      expect(await locksOf(app, row)).toEqual(['category']);
    }
    const again = await batch(app, body);
    expect(again.json).toEqual({ ...counts, updated: 0, unchanged: 3, dry_run: false, change_set_id: null });
    expect(again.headers['x-change-set-id']).toBeUndefined();
    const none = await batch(app, { transaction_ids: [first.id], category_id: null });
    expect(none.json).toMatchObject({ category_id: null, updated: 1 });
    expect(await record(app, first)).toMatchObject({ category_id: null, category_source: 'person' });
  });

  test('a batch is refused as a whole, naming every unknown transaction', async () => {
    const [first, gone] = (await household(app, 2)) as [Made, Made];
    await app.request('DELETE', `/api/v1/transactions/${gone.id}`);
    const before = await everything(app);
    const named = await batch(app, {
      transaction_ids: [gone.id, first.id, NOBODY, '', gone.short_id],
      category_id: COFFEE,
    });
    expectRefused(named, 'INVALID_PARAMETER');
    expect(named.json.error.details.map((one: { path: string }) => one.path)).toEqual(
      [0, 2, 3, 4].map((index) => `transaction_ids[${index}]`),
    );
    const some = { transaction_ids: [first.id] };
    expectRefused(await batch(app, { ...some, category_id: 'no_such' }), 'INVALID_PARAMETER', 'category_id');
    expectRefused(await batch(app, { ...some, category_slug: NOBODY.replace('01', '02') }), 'INVALID_PARAMETER');
    expectRefused(await batch(app, { ...some, category_id: archived.short_id }), 'VALIDATION_ERROR', 'category_id');
    expectRefused(await batch(app, some), 'VALIDATION_ERROR');
    expectRefused(await batch(app, { ...some, category_id: COFFEE, category_slug: COFFEE }), 'VALIDATION_ERROR');
    for (const count of [0, 501]) {
      const wrong = { transaction_ids: Array.from({ length: count }, () => first.id), category_id: COFFEE };
      expectRefused(await batch(app, wrong), 'VALIDATION_ERROR', 'transaction_ids');
    }
    expectRefused(
      await batch(app, { transaction_ids: 'all', category_id: null }),
      'VALIDATION_ERROR',
      'transaction_ids',
    );
    expect(await everything(app)).toEqual(before);
  });

  test('batches during a merge of categories are served one after the other', async () => {
    const rows = await household(app, 4);
    const make = async (name: string) =>
      (await app.request('POST', '/api/v1/categories', { body: { name, kind: 'expense' } })).json;
    const [source, target] = [await make('Merged away'), await make('Kept')];
    const groups = [rows.slice(0, 2), ...rows.map((row) => [row])];
    const [merge, ...batches] = await Promise.all([
      app.request('POST', `/api/v1/categories/${target.id}/merge`, { body: { from_category_id: source.id } }),
      ...groups.map((group) => batch(app, { transaction_ids: ids(group), category_id: source.id })),
    ]);
    expect(merge.status, merge.text).toBe(200);
    for (const one of batches) if (one.status !== 200) expectRefused(one, 'INVALID_PARAMETER', 'category_id');
    for (const row of rows) {
      // Whoever came before the merge has moved with it, whoever came after it found the source gone.
      const isSet = groups.some((group, index) => group.includes(row) && batches[index]?.status === 200);
      expect((await record(app, row)).category_id).toBe(isSet ? target.id : null);
    }
  });

  test('a bulk run needs exactly one selector that selects something', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const before = await everything(app);
    const cases: [Operation, string][] = [
      [{}, ''],
      [{ all: true, transaction_ids: [only.id] }, ''],
      [{ all: true, filter: { pending: false } }, ''],
      [{ all: false }, 'all'],
      [{ filter: {} }, 'filter'],
      [{ filter: { tag: [], search: '', account_id: null, include_children: false, search_mode: 'words' } }, 'filter'],
      [{ filter: { excluded_accounts: 'include', dependent_accounts: 'include' } }, 'filter'],
      [{ filter: { catgory_slug: COFFEE } }, 'filter.catgory_slug'],
      [{ filter: { pending: false, deleted: true } }, 'filter.deleted'],
      [{ filter: 'all' }, 'filter'],
      [{ transaction_ids: [] }, 'transaction_ids'],
      [{ transaction_ids: Array.from({ length: 5_001 }, () => only.id) }, 'transaction_ids'],
      [{ all: true, expected_count: -1 }, 'expected_count'],
      [{ all: true, expected_count: 1.5 }, 'expected_count'],
      [{ all: true, overwrite_manual: 'yes' }, 'overwrite_manual'],
      [{ all: true, target_category_id: archived.id }, 'target_category_id'],
    ];
    for (const [body, path] of cases) expectRefused(await bulk(app, body), 'VALIDATION_ERROR', path);
    expect(await everything(app)).toEqual(before);
  });

  test('a bad filter or id is an invalid parameter that names it', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const before = await everything(app);
    const filters: [Operation, string][] = [
      [{ category_id: NOBODY }, 'category_id'],
      [{ tag: ['needs-review', 'no-such'] }, 'tag'],
      [{ account_id: [5] }, 'account_id'],
      [{ account_id: [null] }, 'account_id'],
      [{ date_from: '2026-02-30' }, 'date_from'],
      [{ date_from: '2026-02-02', date_to: '2026-02-01' }, 'date_from'],
      [{ date_from: ['2026-02-02'] }, 'date_from'],
      [{ amount_min: '1e5' }, 'amount_min'],
      [{ amount_min: 1.005 }, 'amount_min'],
      [{ amount_min: 1e21 }, 'amount_min'],
      [{ amount_abs_min: -1 }, 'amount_abs_min'],
      [{ min_amount: 1, amount_min: 1 }, 'min_amount'],
      [{ pending: 'maybe' }, 'pending'],
      [{ pending: { is: true } }, 'pending'],
      [{ search: 'a' }, 'search'],
      [{ search: 'a\0b' }, 'search'],
      [{ search: 'cafe', search_mode: 'CONTAINS' }, 'search_mode'],
      [{ uncategorized: true, category_slug: COFFEE }, 'uncategorized'],
      [{ updated_since: 'yesterday' }, 'updated_since'],
      [{ iso_currency_code: 'usd' }, 'iso_currency_code'],
      [{ tag: Array.from({ length: 101 }, (_, n) => `t${n}`) }, 'tag'],
    ];
    for (const [filter, name] of filters) {
      expectRefused(await bulk(app, { filter }), 'INVALID_PARAMETER', `filter.${name}`);
    }
    expectRefused(await bulk(app, { transaction_ids: [only.id, NOBODY] }), 'INVALID_PARAMETER', 'transaction_ids[1]');
    const unknown = { all: true, target_category_id: 'no_such' };
    const refused = await bulk(app, unknown);
    expectRefused(refused, 'INVALID_PARAMETER', 'target_category_id');
    expect(refused.json.error.message).toMatch(/^target_category_id: /);
    expect(await everything(app)).toEqual(before);
  });

  test('a filter selects what the list shows, in JSON types', async () => {
    const owner = await addMember(app, 'Eve');
    const account = await addAccount(app, owner, { excluded: true });
    const tag = await addTag(app, 'seen');
    const row = { account, date: '2026-03-01', amount_cents: 1_250, name: 'Corner Cafe' };
    const rows = await addTransactions(app, [
      row,
      { ...row, amount_cents: -1_250, category: coffee },
      { ...row, date: '2026-03-02', name: 'Bakery, 100% rye', tags: [tag] },
      { ...row, date: '2026-03-03', comment: 'Hm', columns: { pending: 1 }, iso_currency_code: 'EUR' },
      { ...row, date: '2026-03-04', columns: { deleted_at: '2026-04-01T00:00:00.000Z', deleted_cause: 'person' } },
    ]);
    const here = { account_id: account.id };
    const cases: [Operation, Record<string, string>][] = [
      [{ account_id: [account.short_id, account.id] }, {}],
      [{ connection_id: account.connection.id }, {}],
      [{ user_id: owner.short_id, pending: false }, { pending: 'false' }],
      [{ ...here, amount_min: 12.5 }, { amount_min: '12.5' }],
      [{ ...here, amount_max: '-12.50' }, { amount_max: '-12.50' }],
      [
        { ...here, amount_abs_min: 12, amount_abs_max: '12.5' },
        { amount_abs_min: '12', amount_abs_max: '12.5' },
      ],
      [{ ...here, iso_currency_code: ['EUR', 'CHF'] }, { iso_currency_code: 'EUR,CHF' }],
      [{ ...here, category_slug: 'food_and_drink' }, { category_slug: 'food_and_drink' }],
      [
        { ...here, category_slug: ['food_and_drink'], include_children: false },
        { category_slug: 'food_and_drink', include_children: 'false' },
      ],
      [{ ...here, uncategorized: true }, { uncategorized: 'true' }],
      [{ ...here, tag: 'seen' }, { tag: 'seen' }],
      [{ ...here, tag: [], search: '', series_id: null }, {}],
      [{ ...here, tags_none: ['seen'] }, { tags_none: 'seen' }],
      [{ ...here, pending: true }, { pending: '1' }],
      [{ ...here, has_comment: true }, { has_comment: 'true' }],
      [{ ...here, excluded_accounts: 'exclude' }, { excluded_accounts: 'exclude' }],
      [{ ...here, search: '100%' }, { search: '100%' }],
      [
        { ...here, search: 'corner rye', search_mode: 'words' },
        { search: 'corner rye', search_mode: 'words' },
      ],
      [
        { ...here, date_from: '2026-03-02', end_date: '2026-03-03' },
        { date_from: '2026-03-02', end_date: '2026-03-03' },
      ],
    ];
    for (const [filter, query] of cases) {
      const list = await app.request('GET', '/api/v1/transactions', { query: { account_id: account.id, ...query } });
      const listed = ids(list.json.transactions as Made[]);
      const target = { target_category_id: GROCERIES, overwrite_manual: true, dry_run: true };
      const { json } = await bulk(app, { filter, ...target });
      expect([filter, json.matched]).toEqual([filter, listed.length]);
      expect(json.changes.map((one: { transaction_id: string }) => one.transaction_id)).toEqual(listed);
    }
    expect(rows).toHaveLength(5);
  });

  test('sets a category explicitly; rows whose category somebody has set stay unless overwritten', async () => {
    const rows = await household(app, 3);
    const [byHand] = (await household(app, 1, { columns: { ...BY_HAND, ...MAPPED } })) as [Made];
    const selected = {
      transaction_ids: [...ids(rows), byHand.short_id, byHand.id],
      target_category_id: coffee.short_id,
    };
    const before = await everything(app);
    const dry = await bulk(app, { ...selected, dry_run: true, expected_count: 4 });
    expect(await everything(app)).toEqual(before);
    expectRefused(await bulk(app, { ...selected, expected_count: 5 }), 'CONFLICT');
    expect(await everything(app)).toEqual(before);
    const done = await bulk(app, { ...selected, expected_count: 4 });
    expect(done.json).toMatchObject({
      matched: 4,
      updated: 3,
      unchanged: 0,
      skipped_manual: 1,
      cleared: 0,
      by_source: { rule: 0, provider: 0, none: 0, explicit: 3 },
      changes_truncated: false,
      dry_run: false,
      change_set_id: done.headers['x-change-set-id'],
    });
    expect({ ...dry.json, dry_run: false, change_set_id: done.json.change_set_id }).toEqual(done.json);
    expect(done.json.changes[0]).toEqual({
      transaction_id: rows[2]?.id,
      from_category_id: null,
      to_category_id: coffee.id,
      category_source: 'person',
      rule_id: null,
    });
    const set = {
      action: 'transactions.bulk_recategorize',
      source: 'edit',
      summary: 'Set the category of 3 transactions',
    };
    expect(await changeSet(app, done)).toMatchObject({ ...set, updated_count: 3 });
    expect((await record(app, byHand)).category_id).toBeNull();
    const again = await bulk(app, selected);
    expect(again.json).toMatchObject({ matched: 4, updated: 0, skipped_manual: 4, changes: [], change_set_id: null });
    expect(again.headers['x-change-set-id']).toBeUndefined();
    const over = await bulk(app, { ...selected, overwrite_manual: true });
    expect(over.json).toMatchObject({ updated: 1, unchanged: 3, skipped_manual: 0 });
    expect(await record(app, byHand)).toMatchObject({ category_id: coffee.id, category_source: 'person' });
    expect(await locksOf(app, byHand)).toEqual(['category']);
  });

  test('without a target the automatic category is restored; overwriting removes the lock', async () => {
    const account = await addAccount(app, await addMember(app, 'Ida'));
    const row = { account, date: '2026-03-01', amount_cents: 100, name: 'Cafe' };
    const [mapped, none, byHand] = (await addTransactions(app, [
      { ...row, columns: MAPPED },
      { ...row, category: coffee, columns: { category_source: 'rule' } },
      { ...row, category: coffee, columns: { ...BY_HAND, ...MAPPED } },
    ])) as [Made, Made, Made];
    const filter = { account_id: account.id };
    const dry = await bulk(app, { filter, dry_run: true });
    const done = await bulk(app, { filter });
    expect({ ...dry.json, dry_run: false, change_set_id: done.json.change_set_id }).toEqual(done.json);
    expect(done.json).toMatchObject({
      matched: 3,
      updated: 2,
      skipped_manual: 1,
      cleared: 1,
      by_source: { rule: 0, provider: 1, none: 1, explicit: 0 },
    });
    expect(await changeSet(app, done)).toMatchObject({ source: 'rule', summary: 'Recategorized 2 transactions' });
    expect(await record(app, mapped)).toMatchObject({ category_source: 'provider' });
    expect(await record(app, none)).toMatchObject({ category_id: null, category: null, category_source: null });
    expect(await record(app, byHand)).toMatchObject({ category_id: coffee.id, category_source: 'person' });
    const again = await bulk(app, { filter });
    expect(again.json).toMatchObject({ updated: 0, unchanged: 2, skipped_manual: 1, change_set_id: null });
    expect(again.headers['x-change-set-id']).toBeUndefined();
    const over = await bulk(app, { filter, overwrite_manual: true });
    expect(over.json).toMatchObject({ updated: 1, unchanged: 2, by_source: { provider: 1 } });
    expect((await record(app, byHand)).category_id).toBe((await record(app, mapped)).category_id);
    expect(await locksOf(app, byHand)).toEqual([]);
    const revert = await app.request('POST', `/api/v1/change-sets/${over.json.change_set_id}/revert`);
    expect(revert.status, revert.text).toBe(200);
    expect(await record(app, byHand)).toMatchObject({ category_id: coffee.id, category_source: 'person' });
    expect(await locksOf(app, byHand)).toEqual(['category']);
  });

  test('works through a large ledger in chunks, and lists the newest hundred changes', async () => {
    const { short_id: user } = await addMember(app, 'Max');
    const lines = Array.from({ length: 2_150 }, (_, n) => {
      const date = new Date(Date.UTC(2020, 0, 1 + (n % 1_500))).toISOString().slice(0, 10);
      return `${date},Shop ${n},-${1 + n}.00,EUR`;
    });
    const file = ['Date,Description,Amount,Currency', ...lines].join('\n');
    const imported = await app.request('POST', '/api/v1/connections/csv/import', {
      body: {
        csv_base64: Buffer.from(file).toString('base64'),
        account_name: 'Large',
        user_id: user,
        sign: 'positive_is_in',
      },
    });
    expect(imported.status, imported.text).toBe(201);
    const filter = { import_id: imported.json.import.id };
    const body = { filter, target_category_id: COFFEE, expected_count: lines.length };
    const dry = await bulk(app, { ...body, dry_run: true });
    const done = await bulk(app, body);
    expect({ ...dry.json, dry_run: false, change_set_id: done.json.change_set_id }).toEqual(done.json);
    expect(done.json).toMatchObject({ matched: 2_150, updated: 2_150, changes_truncated: true });
    const newest = await app.request('GET', '/api/v1/transactions', { query: { ...filter, limit: 100 } });
    expect(done.json.changes.map((one: { transaction_id: string }) => one.transaction_id)).toEqual(
      ids(newest.json.transactions as Made[]),
    );
    const count = await app.request('GET', '/api/v1/transactions/count', {
      query: { ...filter, category_slug: COFFEE },
    });
    expect(count.json.count).toBe(2_150);
    const { json: all } = await app.request('GET', '/api/v1/transactions/count');
    expect((await bulk(app, { all: true, dry_run: true })).json.matched).toBe(all.count);
  });
});
