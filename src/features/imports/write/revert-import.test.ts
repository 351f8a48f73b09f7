import { expect, test } from 'vitest';

import { csvOf, csvWithBalance, importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold, type Made } from '../../../../test/harness/ledger.ts';
import { allRows } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const CAFE = 'food_and_drink_coffee';
const COFFEE = '2026-02-02 COFFEE -3.50';
const FUEL = '2026-02-05 FUEL -40.00';
const RENT = '2026-02-09 RENT -800.00';

interface Transaction extends Made {
  name: string;
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  const load = (app: TestApp, text: string, fields: object = {}): Promise<Answer> => {
    app.clock.advance(1_000);
    return importFile(app, text, { account_name: 'Checking', ...fields });
  };
  const revert = (app: TestApp, done: Answer, body?: object): Promise<Answer> => {
    app.clock.advance(1_000);
    const sent = body === undefined ? {} : { body };
    return app.request('POST', `/api/v1/imports/${done.json.import.id}/revert`, sent);
  };
  const revertSet = (app: TestApp, answer: Answer, body: object = {}): Promise<Answer> => {
    app.clock.advance(1_000);
    return app.request('POST', `/api/v1/change-sets/${String(answer.headers['x-change-set-id'])}/revert`, { body });
  };
  const importOf = async (app: TestApp, done: Answer) =>
    (await app.request('GET', `/api/v1/imports/${done.json.import.id}`)).json;
  const listed = async (app: TestApp): Promise<Transaction[]> =>
    (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json.transactions;
  const named = async (app: TestApp, name: string): Promise<Transaction> =>
    (await listed(app)).find((one) => one.name === name) as Transaction;
  const categorize = (app: TestApp, { id }: Made, slug: string | null): Promise<Answer> => {
    app.clock.advance(1_000);
    return app.request('PATCH', `/api/v1/transactions/${id}/category`, { body: { category_slug: slug } });
  };
  const codes = (answer: Answer) => [answer.status, answer.json.error?.code];

  /** What a user sees of the ledger, without the stamps of the last change. */
  async function seen(app: TestApp): Promise<unknown> {
    const get = async (path: string, query = {}) => (await app.request('GET', `/api/v1${path}`, { query })).json;
    const accounts = (await get('/accounts')) as Made[];
    const balances = await Promise.all(accounts.map(({ id }) => get(`/accounts/${id}/balances`)));
    const all = {
      accounts,
      balances,
      transactions: await get('/transactions', { limit: 500 }),
      totals: await get('/transactions/count', { include_totals: true }),
      tags: await get('/tags'),
    };
    return JSON.parse(JSON.stringify(all, (key, value: unknown) => (key === 'updated_at' ? undefined : value)));
  }

  test('a revert removes what the import added and nothing else; the import stays readable', async () => {
    const app = await household();
    await load(app, csvWithBalance(10_000, '2026-01-02 COFFEE -3.50', '2026-01-30 BOOKS -12.00'));
    const before = await seen(app);
    const done = await load(app, csvWithBalance(8_450, COFFEE, FUEL, RENT));
    expect(done.json.import.counts).toMatchObject({ added: 3, duplicate: 0 });
    expect(await seen(app)).not.toEqual(before);
    const rows = (await app.request('GET', `/api/v1/imports/${done.json.import.id}/rows`)).json;

    const undone = await revert(app, done);
    expect(undone.status).toBe(200);
    expect(undone.json).toMatchObject({
      reverted_change_set_id: done.json.import.change_set_id,
      reverted_count: 3,
      deleted_count: 3,
      restored_count: 0,
      skipped_count: 0,
      dry_run: false,
      change_set: { action: 'change_set.revert', source: 'revert' },
    });
    expect(undone.headers['x-change-set-id']).toBe(undone.json.change_set.id);
    expect(await seen(app)).toEqual(before);

    const record = await importOf(app, done);
    expect(undone.json.import).toEqual(record);
    expect(record).toMatchObject({
      ...done.json.import,
      status: 'reverted',
      revert_change_set_id: undone.json.change_set.id,
      reverted_at: undone.json.change_set.created_at,
    });
    expect((await app.request('GET', `/api/v1/imports/${done.json.import.id}/rows`)).json).toEqual(rows);
    expect(codes(await revert(app, done))).toEqual([409, 'ALREADY_REVERTED']);
  });

  test('importing the file again restores the same rows, and reverting the revert restores the import', async () => {
    const app = await household();
    const file = csvOf(COFFEE, FUEL);
    const done = await load(app, file);
    const before = await listed(app);
    await revert(app, done);
    expect(await listed(app)).toEqual([]);
    const again = await load(app, file);
    expect(again.json.import.counts).toMatchObject({ added: 2, duplicate: 0, deleted: 0 });
    const { rows } = (await app.request('GET', `/api/v1/imports/${again.json.import.id}/rows`)).json;
    expect(rows.map((row: { reason: string }) => row.reason)).toEqual(['BROUGHT_BACK', 'BROUGHT_BACK']);
    expect((await listed(app)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));

    const undone = await revert(app, again);
    expect(undone.json).toMatchObject({ reverted_count: 2, deleted_count: 2, restored_count: 0 });
    expect(await listed(app)).toEqual([]);
    expect((await importOf(app, again)).status).toBe('reverted');

    const redone = await revertSet(app, undone);
    expect(redone.json).toMatchObject({ reverted_count: 2, skipped_count: 0 });
    expect((await listed(app)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await importOf(app, again)).toMatchObject({
      status: 'completed',
      revert_change_set_id: null,
      reverted_at: null,
    });
  });

  test('a revert can be reverted, and the import reverted again', async () => {
    const app = await household();
    await load(app, csvWithBalance(10_000, '2026-01-02 COFFEE -3.50'));
    const bare = await seen(app);
    const done = await load(app, csvWithBalance(9_650, COFFEE, FUEL));
    const whole = await seen(app);
    for (let round = 0; round < 2; round += 1) {
      const undone = await revert(app, done);
      expect(await seen(app)).toEqual(bare);
      expect((await importOf(app, done)).status).toBe('reverted');
      expect(undone.json.reverted_count).toBe(2);
      expect((await revertSet(app, undone)).json.reverted_count).toBe(2);
      expect(await seen(app)).toEqual(whole);
      expect((await importOf(app, done)).status).toBe('completed');
    }
  });

  test('the change set of an import is reverted with the same result', async () => {
    const app = await household();
    const done = await load(app, csvWithBalance(10_000, COFFEE, FUEL));
    const whole = await seen(app);
    const direct = await revertSet(app, done);
    const bare = await seen(app);
    const status = (await importOf(app, done)).status;
    await revertSet(app, direct);
    expect(await seen(app)).toEqual(whole);
    const through = await revert(app, done);
    expect([await seen(app), (await importOf(app, done)).status]).toEqual([bare, status]);
    expect(Object.keys(through.json)).toEqual([
      ...Object.keys(direct.json),
      'deleted_count',
      'restored_count',
      'kept_count',
      'import',
    ]);
  });

  test('a dry run shows what would happen and changes nothing', async () => {
    const app = await household();
    const done = await load(app, csvWithBalance(10_000, COFFEE, FUEL, RENT));
    await categorize(app, await named(app, 'FUEL'), CAFE);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const skip = { on_conflict: 'skip' };
    const rehearsed = await revert(app, done, { dry_run: true, ...skip });
    expect(rehearsed.json).toMatchObject({ dry_run: true, change_set: null, deleted_count: 2, skipped_count: 4 });
    expect(rehearsed.json.import).toEqual(await importOf(app, done));
    expect(rehearsed.headers['x-change-set-id']).toBeUndefined();
    const refused = await revert(app, done, { dry_run: true });
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    expect(codes(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect((await revert(app, done)).json.error.details).toEqual(refused.json.error.details);
    const real = await revert(app, done, skip);
    const { reverted_count, deleted_count, restored_count, skipped, skipped_count } = rehearsed.json;
    expect(real.json).toMatchObject({ reverted_count, deleted_count, restored_count, skipped, skipped_count });
  });

  test('a row that someone decided something about stays and is reported', async () => {
    const app = await household();
    const done = await load(app, csvOf(COFFEE, FUEL, RENT));
    const [coffee, fuel] = [await named(app, 'COFFEE'), await named(app, 'FUEL')];
    const set = await categorize(app, fuel, CAFE);
    const said = await app.request('POST', `/api/v1/transactions/${coffee.id}/comments`, { body: { body: 'Mine' } });
    const refused = await revert(app, done);
    expect(codes(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.conflict_count).toBe(2);
    expect(refused.json.error.details).toMatchObject([
      {
        entity_id: coffee.id,
        reason: 'changed_since',
        fields: ['comment'],
        change_set_id: said.headers['x-change-set-id'],
      },
      {
        entity_id: fuel.id,
        reason: 'changed_since',
        fields: ['category_id'],
        change_set_id: set.headers['x-change-set-id'],
      },
    ]);
    expect(await listed(app)).toHaveLength(3);

    const skipped = await revert(app, done, { on_conflict: 'skip' });
    expect(skipped.json).toMatchObject({ reverted_count: 1, deleted_count: 1, skipped_count: 2 + 3 });
    expect(skipped.json.import.status).toBe('partly_reverted');
    expect((await listed(app)).map(({ name }) => name).sort()).toEqual(['COFFEE', 'FUEL']);

    await app.request('DELETE', `/api/v1/transactions/${coffee.id}/comments/${said.json.id}`);
    await revertSet(app, set);
    const rest = await revert(app, done);
    expect(rest.json).toMatchObject({ deleted_count: 2 });
    expect(rest.json.import.status).toBe('reverted');
    expect(await listed(app)).toEqual([]);
  });

  test('a deleted row needs no revert, and an import without changes cannot be reverted', async () => {
    const app = await household();
    const done = await load(app, csvOf(COFFEE, FUEL));
    const same = await load(app, csvOf(COFFEE, FUEL));
    expect(same.json.import.change_set_id).toBeNull();
    expect(codes(await revert(app, same))).toEqual([409, 'NOT_REVERTIBLE']);
    await app.request('DELETE', `/api/v1/transactions/${(await named(app, 'FUEL')).id}`);
    expect((await revert(app, done)).json).toMatchObject({ deleted_count: 1, import: { status: 'reverted' } });

    const other = await load(app, csvOf(RENT), { remember_profile: false });
    await app.request('DELETE', `/api/v1/transactions/${(await named(app, 'RENT')).id}`);
    expect(codes(await revert(app, other))).toEqual([409, 'ALREADY_REVERTED']);
    expect(codes(await revert(app, other, { on_conflict: 'skip' }))).toEqual([409, 'ALREADY_REVERTED']);
  });

  test('reverting one of two overlapping imports removes only its own rows', async () => {
    const app = await household();
    const first = await load(app, csvOf(COFFEE, FUEL));
    const ofFirst = await seen(app);
    const second = await load(app, csvOf(FUEL, RENT));
    expect(second.json.import.counts).toMatchObject({ added: 1, duplicate: 1 });
    expect((await revert(app, second)).json).toMatchObject({ deleted_count: 1 });
    expect(await seen(app)).toEqual(ofFirst);
    await load(app, csvOf(FUEL, RENT));
    expect((await revert(app, first)).json).toMatchObject({ deleted_count: 1, kept_count: 1 });
    expect((await listed(app)).map(({ name }) => name)).toEqual(['RENT', 'FUEL']);
  });

  test('after a revert and an import from elsewhere, importing the file again doubles nothing', async () => {
    const app = await household();
    const header = 'Posted,Merchant,Payment,Sum,Kind\n';
    const elsewhere = `${header}2026-02-02,,Coffee Corner,-3.50,x\n2026-02-06,,Fuel at the motorway,-40.00,x\n`;
    const first = await load(app, csvOf(COFFEE, FUEL, RENT));
    const before = await listed(app);
    await revert(app, first);
    const other = await load(app, elsewhere);
    const again = await load(app, csvOf(COFFEE, FUEL, RENT));
    expect(again.json.import.counts).toMatchObject({ added: 1, duplicate: 2 });
    expect((await listed(app)).map(({ name }) => name)).toEqual(['RENT', 'Fuel at the motorway', 'Coffee Corner']);
    expect((await named(app, 'RENT')).id).toBe(before[0]?.id);
    const ids = (await listed(app)).map(({ id }) => id);
    expect((await revert(app, other)).json).toMatchObject({ deleted_count: 0, kept_count: 2 });
    expect((await listed(app)).map(({ id }) => id)).toEqual(ids);
    expect((await load(app, csvOf(COFFEE, FUEL, RENT))).json.import.counts).toMatchObject({ added: 0, duplicate: 3 });
    expect((await listed(app)).map(({ id }) => id)).toEqual(ids);
  });

  test('rows that a later import restored belong to it until it is reverted', async () => {
    const app = await household();
    const file = csvOf(COFFEE, FUEL);
    const first = await load(app, file);
    const fuel = await named(app, 'FUEL');
    await categorize(app, fuel, CAFE);
    await revert(app, first, { on_conflict: 'skip' });
    const second = await load(app, file);
    expect(second.json.import.counts).toMatchObject({ added: 1, duplicate: 1 });
    await categorize(app, fuel, null);
    await app.request('DELETE', `/api/v1/transactions/${fuel.id}/category`);
    const refused = await revert(app, first);
    expect(codes(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.details).toMatchObject([{ entity_id: (await named(app, 'COFFEE')).id }]);
    await revert(app, second);
    expect((await revert(app, first)).json).toMatchObject({ deleted_count: 1 });
    expect(await listed(app)).toEqual([]);
  });

  test('a decision about a restored row is a conflict; one from before the restore is not', async () => {
    const app = await household();
    const file = csvOf(COFFEE, FUEL, RENT);
    const first = await load(app, file);
    const rent = await named(app, 'RENT');
    await categorize(app, rent, CAFE);
    await app.request('POST', `/api/v1/transactions/${rent.id}/comments`, { body: { body: 'Too much' } });
    await app.request('DELETE', `/api/v1/transactions/${rent.id}`);
    await revert(app, first);
    const again = await load(app, file, { include_lines: [4] });
    expect(again.json.import.counts).toMatchObject({ added: 2, updated: 1 });
    expect((await revert(app, again, { dry_run: true })).json).toMatchObject({ deleted_count: 3, restored_count: 0 });

    const [coffee, fuel] = [await named(app, 'COFFEE'), await named(app, 'FUEL')];
    const decided = await app.request('POST', `/api/v1/transactions/${coffee.id}/tags`, { body: { slug: 'holiday' } });
    const said = await app.request('POST', `/api/v1/transactions/${fuel.id}/comments`, { body: { body: 'Odd' } });
    const changed = await categorize(app, rent, 'travel_flights');
    const refused = await revert(app, again);
    expect(codes(refused)).toEqual([409, 'REVERT_CONFLICT']);
    const told = (id: string, fields: string[], answer: Answer) =>
      expect(refused.json.error.details).toContainEqual(
        expect.objectContaining({
          entity_id: id,
          reason: 'changed_since',
          fields,
          change_set_id: answer.headers['x-change-set-id'],
        }),
      );
    told(coffee.id, ['tag:holiday'], decided);
    told(fuel.id, ['comment'], said);
    told(rent.id, ['category_id'], changed);
    const skipped = await revert(app, again, { on_conflict: 'skip' });
    expect(skipped.json).toMatchObject({ reverted_count: 0, change_set: null, import: { status: 'completed' } });

    await revertSet(app, changed);
    await revertSet(app, said);
    const some = await revert(app, again, { on_conflict: 'skip' });
    expect(some.json).toMatchObject({ deleted_count: 2, import: { status: 'partly_reverted' } });
    await revertSet(app, decided);
    expect((await revert(app, again)).json).toMatchObject({ deleted_count: 1, import: { status: 'reverted' } });
    const gone = await app.request('GET', `/api/v1/transactions/${rent.id}`, { query: { include_deleted: true } });
    expect(gone.json.category.slug).toBe(CAFE);
    expect((await load(app, file)).json.import.counts).toMatchObject({ added: 2, deleted: 1 });
  });

  test('values that the bank changed, and posted and stale pending rows, are restored', async () => {
    const app = await household();
    const file = (...rows: readonly string[]): string =>
      `Date,Description,Amount,Transaction ID,Status\n${rows.join('\n')}\n`;
    const pending = { pending: 'import' };
    await load(
      app,
      file(
        '2026-02-02,COFFEE,-3.50,r1,Posted',
        '2026-02-03,HOTEL,-90.00,r2,Pending',
        '2026-02-04,TAXI,-9.00,r3,Pending',
        '2026-02-05,END,-1.00,r4,Posted',
      ),
      pending,
    );
    await categorize(app, await named(app, 'HOTEL'), CAFE);
    const before = await seen(app);
    const next = file(
      '2026-02-02,COFFEE HOUSE,-3.60,r1,Posted',
      '2026-02-06,HOTEL,-90.00,r2,Posted',
      '2026-02-05,END,-1.00,r4,Posted',
    );
    const done = await load(app, next, pending);
    expect(done.json.import.counts).toMatchObject({ added: 0, updated: 2, duplicate: 1, removed: 1 });
    expect((await listed(app)).map(({ name }) => name).sort()).toEqual(['COFFEE HOUSE', 'END', 'HOTEL']);
    const undone = await revert(app, done);
    expect(undone.json).toMatchObject({ reverted_count: 3, deleted_count: 0, restored_count: 3 });
    expect(await seen(app)).toEqual(before);
    expect((await load(app, next, pending)).json.import.counts).toMatchObject({ updated: 2, duplicate: 1, removed: 1 });
  });

  test('a tag from the file stays with its deleted rows, and the import counts as reverted', async () => {
    const app = await household();
    const file = 'Date,Description,Amount,Tags\n2026-02-02,COFFEE,-3.50,Holiday\n';
    const done = await load(app, file, { import_tags: true });
    const undone = await revert(app, done);
    expect(undone.json.skipped).toContainEqual(expect.objectContaining({ entity_type: 'tag', reason: 'in_use' }));
    expect(undone.json.import.status).toBe('reverted');
    await load(app, file, { import_tags: true });
    expect(await named(app, 'COFFEE')).toMatchObject({ tags: ['holiday', 'needs-review'] });
  });

  test('unknown, unfinished and failed imports cannot be reverted, nor can readers revert any', async () => {
    const app = await household();
    const done = await load(app, csvOf(COFFEE));
    const at = `/api/v1/imports/${done.json.import.id}/revert`;
    expect(codes(await app.request('POST', at, { key: app.readOnlyKey }))).toEqual([403, 'FORBIDDEN']);
    for (const id of ['zzzzzzzz', '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10', 'x']) {
      expect((await app.request('POST', `/api/v1/imports/${id}/revert`)).status).toBe(404);
    }
    for (const body of [{ on_conflict: 'ask' }, { dry_run: 'yes' }, { surprise: 1 }]) {
      expect(codes(await revert(app, done, body))).toEqual([400, 'VALIDATION_ERROR']);
    }
    for (const status of ['queued', 'running', 'failed']) {
      await app.write('test.state', async (tx) => {
        await tx.q.updateTable('imports').set({ status }).execute();
      });
      expect(codes(await revert(app, done))).toEqual([409, 'CONFLICT']);
      expect((await app.request('GET', `/api/v1/imports/${done.json.import.id}`)).json.status).toBe(status);
    }
    expect(await listed(app)).toHaveLength(1);
  });
});
