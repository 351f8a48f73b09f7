import { beforeAll, expect, test } from 'vitest';

import {
  COFFEE,
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
  addCounterparty,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { LIMITS } from '../../kernel/limits.ts';

const PATH = '/api/v1/transactions/bulk-update';
const bulk = (app: TestApp, body: Operation) => app.request('POST', PATH, { body });
const ids = (rows: readonly Made[]): string[] => rows.map(({ id }) => id);
const records = (app: TestApp, rows: readonly Made[]) => Promise.all(rows.map((row) => record(app, row)));
const revert = async (app: TestApp, { json }: Answer) => {
  const answer = await app.request('POST', `/api/v1/change-sets/${json.change_set_id}/revert`);
  expect(answer.status, answer.text).toBe(200);
};

function expectRefused(answer: Answer, code: string, path?: string): void {
  expect([path, answer.status, answer.json.error.code]).toEqual([path, code === 'CONFLICT' ? 409 : 400, code]);
  const paths = (answer.json.error.details ?? []).map((one: { path: string }) => one.path);
  if (path !== undefined) expect(paths).toContain(path);
}

forEachDatabase((database) => {
  let app: TestApp;
  let coffee: Made;
  beforeAll(async () => {
    app = await database.open();
    coffee = await categoryBySlug(app, COFFEE);
  });

  /** Rows of an account, in two currencies, one of them pending, and a tag that one has. */
  async function mixed(slug: string): Promise<{ account: Made; rows: Made[] }> {
    const account = await addAccount(app, await addMember(app, 'Eve'));
    const row = { account, date: '2026-03-01', amount_cents: 1_250, name: 'Corner Cafe' };
    const rows = await addTransactions(app, [
      row,
      { ...row, date: '2026-03-02', amount_cents: -300 },
      { ...row, date: '2026-03-03', iso_currency_code: 'EUR', tags: [await addTag(app, slug)] },
      { ...row, date: '2026-03-04', amount_cents: 77, columns: { pending: 1 } },
    ]);
    return { account, rows };
  }

  test('every facet changes in one change set, as the dry run said, and one revert restores every row', async () => {
    const { account, rows } = await mixed('seen');
    const [deli, member] = [await addCounterparty(app, 'Deli'), await addMember(app, 'Bob')];
    const { json: series } = await app.request('POST', '/api/v1/series', { body: { name: 'Lunches' } });
    const filter = { account_id: account.id, uncategorized: true };
    const changes = {
      category_slug: COFFEE,
      counterparty_id: deli.short_id,
      series_id: series.id,
      attributed_user_id: member.short_id,
      tags_to_add: ['trip-2026', { slug: 'seen' }],
      tags_to_remove: ['needs-review'],
      metadata_set: { invoice: 'A-17' },
      flagged: true,
      comment: ' With Bob ',
    };
    const [before, all] = [await records(app, rows), await everything(app)];
    const dry = await bulk(app, { filter, changes, dry_run: true, expected_count: 4 });
    expect(dry.headers['x-change-set-id']).toBeUndefined();
    expect(await everything(app)).toEqual(all);
    const count = await app.request('GET', '/api/v1/transactions/count', {
      query: { account_id: account.id, uncategorized: 'true', include_totals: 'true' },
    });
    const done = await bulk(app, { filter, changes, expected_count: 4 });
    expect(done.status, done.text).toBe(200);
    expect({ ...dry.json, dry_run: false, change_set_id: done.json.change_set_id }).toEqual(done.json);
    expect(done.json).toMatchObject({ matched: 4, updated: 4, unchanged: 0, changes_truncated: false });
    expect(done.json.totals).toEqual(count.json.totals);
    expect(done.json.totals.map((one: Operation) => one['transaction_count'])).toEqual([1, 2]);
    expect(ids(done.json.changes.map((one: Operation) => ({ id: one['transaction_id'] })))).toEqual(
      ids(rows).toReversed(),
    );
    const after = { category_id: coffee.id, category_source: 'person', counterparty_id: deli.id, series_id: series.id };
    expect(done.json.changes[1]).toEqual({
      transaction_id: rows[2]?.id,
      before: {
        category_id: null,
        category_source: null,
        counterparty_id: null,
        series_id: null,
        attributed_user_id: null,
        flagged_at: null,
      },
      after: {
        ...after,
        attributed_user_id: member.short_id,
        'tag:trip-2026': true,
        'metadata.invoice': 'A-17',
        flagged_at: expect.any(String),
        comment: 'With Bob',
      },
    });
    expect(await changeSet(app, done)).toMatchObject({
      action: 'transactions.bulk_update',
      source: 'edit',
      summary: 'Updated 4 transactions',
      updated_count: 4,
    });
    for (const row of rows) {
      expect(await record(app, row)).toMatchObject({ ...after, tags: ['seen', 'trip-2026'] });
      const tags = row === rows[2] ? ['tag:trip-2026'] : ['tag:seen', 'tag:trip-2026'];
      expect((await locksOf(app, row)).sort()).toEqual(
        ['attribution', 'category', 'counterparty', 'flag', 'metadata.invoice', 'series', ...tags].sort(),
      );
      const { json: comments } = await app.request('GET', `/api/v1/transactions/${row.id}/comments`);
      expect(comments.map((one: Operation) => one['body'])).toEqual(['With Bob']);
    }
    await revert(app, done);
    expect(await records(app, rows)).toEqual(before);
    for (const row of rows) expect(await locksOf(app, row)).toEqual([]);
  });

  test('the timeline tells each edit, and a category that is reset as reset', async () => {
    const [row] = (await household(app, 1, { columns: { provider_category_primary: 'FOOD_AND_DRINK' } })) as [Made];
    const kinds = async (): Promise<string[]> => {
      const { json } = await app.request('GET', `/api/v1/transactions/${row.id}/annotations`);
      return json.map((one: { kind: string; payload: { action?: string } }) =>
        [one.kind, one.payload.action].filter((word) => word !== undefined).join(' '),
      );
    };
    await bulk(app, { transaction_ids: [row.id], changes: { category_id: COFFEE, tags_to_add: ['a'], comment: 'Hm' } });
    const told = await kinds();
    expect(told).toEqual(expect.arrayContaining(['category_set set', 'tag_added', 'comment']));
    await bulk(app, { transaction_ids: [row.id], changes: { reset_category: true } });
    expect((await kinds()).filter((one) => !told.includes(one))).toEqual(['category_set reset']);
    expect((await record(app, row)).category_source).not.toBe('person');
    expect(await locksOf(app, row)).toEqual(['tag:a']);
  });

  test('rows that are so already are unchanged, and nothing is written for them', async () => {
    const rows = await household(app, 3);
    const body = { transaction_ids: [...ids(rows), rows[0]?.short_id], changes: { flagged: true } };
    expect((await bulk(app, body)).json).toMatchObject({ matched: 3, updated: 3 });
    const before = await everything(app);
    const again = await bulk(app, body);
    expect(again.json).toMatchObject({ matched: 3, updated: 0, unchanged: 3, changes: [], change_set_id: null });
    expect(again.headers['x-change-set-id']).toBeUndefined();
    expect(await everything(app)).toEqual(before);
    const nobody = { filter: { flagged: true, search: 'nothing like this' }, changes: { tags_to_add: ['never-made'] } };
    expect((await bulk(app, nobody)).json).toMatchObject({ matched: 0, updated: 0, totals: [], change_set_id: null });
    expect(await everything(app)).toEqual(before);
  });

  test('deletes, alone; a revert brings every row back with all it had', async () => {
    const rows = await household(app, 3, { tags: [await addTag(app, 'kept')] });
    await bulk(app, { transaction_ids: ids(rows), changes: { category_id: COFFEE, comment: 'Ours' } });
    const before = await records(app, rows);
    const body = { transaction_ids: ids(rows), changes: { deleted: true } };
    const dry = await bulk(app, { ...body, dry_run: true });
    const gone = await bulk(app, body);
    expect({ ...dry.json, dry_run: false, change_set_id: gone.json.change_set_id }).toEqual(gone.json);
    expect(gone.json).toMatchObject({ matched: 3, updated: 3, totals: [{ transaction_count: 3 }] });
    expect(await changeSet(app, gone)).toMatchObject({
      summary: 'Deleted 3 transactions',
      action: 'transactions.bulk_update',
    });
    for (const { id } of rows) expect((await app.request('GET', `/api/v1/transactions/${id}`)).status).toBe(404);
    expectRefused(await bulk(app, body), 'INVALID_PARAMETER', 'transaction_ids[0]');
    await revert(app, gone);
    expect(await records(app, rows)).toEqual(before);
    const both = { transaction_ids: ids(rows), changes: { deleted: true, flagged: false } };
    expectRefused(await bulk(app, both), 'VALIDATION_ERROR', 'changes.deleted');
    expectRefused(await bulk(app, { ...both, changes: { deleted: false } }), 'VALIDATION_ERROR', 'changes.deleted');
  });

  test('a number of rows that is not the expected one is a conflict, and nothing is written', async () => {
    const { account, rows } = await mixed('counted');
    const body = { filter: { account_id: account.id }, changes: { flagged: true } };
    const { matched } = (await bulk(app, { ...body, dry_run: true })).json;
    await app.request('DELETE', `/api/v1/transactions/${rows[1]?.id}`);
    const before = await everything(app);
    for (const dry_run of [false, true]) {
      const refused = await bulk(app, { ...body, expected_count: matched, dry_run });
      expectRefused(refused, 'CONFLICT');
      expect(refused.json.error.message).toContain('3 transactions matched, but expected_count is 4');
    }
    expect(await everything(app)).toEqual(before);
    expect((await bulk(app, { ...body, expected_count: 3 })).json.updated).toBe(3);
  });

  test('what is wrong is refused by its name, and nothing is written', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const archived = await categoryBySlug(app, 'travel_flights');
    await archive(app, archived);
    const before = await everything(app);
    const some = { transaction_ids: [only.id] };
    const flag = { changes: { flagged: true } };
    const malformed: [Operation, string][] = [
      [flag, ''],
      [{ ...flag, ...some, all: true }, ''],
      [{ ...flag, filter: {} }, 'filter'],
      [{ ...flag, filter: { deleted: true } }, 'filter.deleted'],
      [{ ...flag, transaction_ids: [] }, 'transaction_ids'],
      [some, 'changes'],
      [{ ...some, changes: {} }, 'changes'],
      [{ ...some, changes: { transaction_id: only.id, flagged: true } }, 'changes.transaction_id'],
      [{ ...some, changes: { category_id: null, reset_category: true } }, 'changes.reset_category'],
      [{ ...some, changes: { tags_to_add: ['a'], tags_to_remove: ['a'] } }, 'changes.tags_to_remove'],
      [{ ...some, changes: { comment: ' ' } }, 'changes.comment'],
      [{ ...some, changes: { category_id: archived.id } }, 'changes.category_id'],
      [{ ...some, changes: { metadata_set: { n: 2 ** 60 } } }, 'changes.metadata_set.n'],
    ];
    for (const [body, path] of malformed) expectRefused(await bulk(app, body), 'VALIDATION_ERROR', path);
    const literal = await bulk(app, { ...flag, all: false });
    expectRefused(literal, 'VALIDATION_ERROR', 'all');
    expect(literal.json.error.details[0].message).toBe('must be true');
    const nothing = { filter: { search: 'nothing like this' } };
    for (const [field, value] of [
      ['category_id', NOBODY],
      ['category_slug', 'no_such'],
      ['counterparty_id', NOBODY],
      ['series_id', 'zzzzzzzz'],
      ['attributed_user_id', NOBODY],
    ] as const) {
      for (const chosen of [some, nothing]) {
        const refused = await bulk(app, { ...chosen, changes: { [field]: value } });
        expectRefused(refused, 'INVALID_PARAMETER', `changes.${field}`);
        expect(refused.json.error.message).toContain(`changes.${field}: `);
      }
    }
    expectRefused(await bulk(app, { filter: { tag: 'no-such' }, ...flag }), 'INVALID_PARAMETER', 'filter.tag');
    expectRefused(await bulk(app, { transaction_ids: [only.id, NOBODY], ...flag }), 'INVALID_PARAMETER');
    expect(await everything(app)).toEqual(before);
  });

  test('one row that cannot take the change stops all of them, and is named', async () => {
    const rows = await household(app, 3);
    const large = (key: string): Operation => ({ [key]: 'x'.repeat(4_000) });
    await bulk(app, { transaction_ids: [rows[1]?.id], changes: { metadata_set: { ...large('a'), b: 1 } } });
    const before = await everything(app);
    const changes = { metadata_set: large('c'), tags_to_add: ['never-made'], comment: 'Never said' };
    await bulk(app, { transaction_ids: [rows[1]?.id], changes: { metadata_set: large('b') }, dry_run: true });
    const refused = await bulk(app, {
      transaction_ids: ids(rows),
      changes: { ...changes, metadata_set: { ...large('c'), d: 'x'.repeat(190) } },
    });
    expectRefused(refused, 'VALIDATION_ERROR', 'changes.metadata_set');
    expect(refused.json.error.message).toContain(rows[1]?.short_id);
    expect(await everything(app)).toEqual(before);
  });

  test('works through many rows in chunks, and refuses more than it may change at once', async () => {
    const account = await addAccount(app, await addMember(app, 'Max'));
    const row = { account, amount_cents: 100, name: 'Shop' };
    const day = (n: number): string => new Date(Date.UTC(2015, 0, 1 + (n % 700))).toISOString().slice(0, 10);
    const rows = await addTransactions(
      app,
      Array.from({ length: 2_700 }, (_, n) => ({ ...row, date: day(n) })),
    );
    const body = { filter: { account_id: account.id }, changes: { tags_to_add: ['many'] } };
    const dry = await bulk(app, { ...body, dry_run: true });
    const done = await bulk(app, body);
    expect({ ...dry.json, dry_run: false, change_set_id: done.json.change_set_id }).toEqual(done.json);
    expect(done.json).toMatchObject({ matched: 2_700, updated: 2_700, changes_truncated: true });
    const newest = await app.request('GET', '/api/v1/transactions', { query: { tag: 'many', limit: 100 } });
    expect(done.json.changes.map((one: { transaction_id: string }) => one.transaction_id)).toEqual(
      ids(newest.json.transactions as Made[]),
    );
    await revert(app, done);
    const query = { account_id: account.id, tags_none: 'needs-review' };
    expect((await app.request('GET', '/api/v1/transactions/count', { query })).json.count).toBe(rows.length);
    const limits: { bulkUpdateTransactions: number } = LIMITS;
    const { bulkUpdateTransactions: most } = limits;
    limits.bulkUpdateTransactions = rows.length - 1;
    try {
      for (const [selector, selection] of [
        ['filter', { filter: body.filter }],
        ['all', { all: true }],
      ] as const) {
        const { changes } = body;
        const refused = await bulk(app, { ...selection, changes, dry_run: true });
        expectRefused(refused, 'VALIDATION_ERROR', selector);
        expect(refused.json.error.message).toMatch(/\d+ transactions matched; at most 2699 can be changed at once/);
      }
    } finally {
      limits.bulkUpdateTransactions = most;
    }
  });
});
