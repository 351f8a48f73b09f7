import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const CAFE = 'food_and_drink_coffee';

async function household(app: TestApp, count = 3): Promise<{ account: Made; rows: Made[] }> {
  const account = await addAccount(app, await addMember(app, 'Ada'));
  const rows = await addTransactions(
    app,
    Array.from({ length: count }, (_, index) => ({
      account,
      date: '2026-04-01',
      amount_cents: 100,
      name: `Shop ${index}`,
    })),
  );
  return { account, rows };
}

const setOf = (answer: Answer): string => String(answer.headers['x-change-set-id']);

function revert(app: TestApp, id: string, body: object = {}): Promise<Answer> {
  return app.request('POST', `/api/v1/change-sets/${id}/revert`, { body });
}

function categorize(app: TestApp, row: Made, slug: string | null): Promise<Answer> {
  return app.request('PATCH', `/api/v1/transactions/${row.id}/category`, { body: { category_slug: slug } });
}

forEachDatabase((database) => {
  test('reverting a category restores its source and lock; the revert can be reverted too', async () => {
    const app = await database.open();
    const [row] = (await household(app)).rows as [Made];
    const before = (await app.request('GET', `/api/v1/transactions/${row.id}`)).json;
    const set = await categorize(app, row, CAFE);
    const undone = await revert(app, setOf(set));
    expect(undone.json).toMatchObject({ reverted_count: 1, skipped_count: 0, dry_run: false });
    expect(undone.json.change_set).toMatchObject({ source: 'revert', reverts_change_set_id: setOf(set) });
    expect(setOf(undone)).toBe(undone.json.change_set.id);
    const after = (await app.request('GET', `/api/v1/transactions/${row.id}`)).json;
    expect({ ...after, updated_at: before.updated_at }).toEqual(before);
    const timeline = (await app.request('GET', `/api/v1/transactions/${row.id}/annotations`)).json;
    expect(timeline.map((entry: Record<string, unknown>) => [entry['kind'], entry['is_reverted']])).toEqual([
      ['category_set', true],
      ['category_set', false],
    ]);
    expect(timeline[1]).toMatchObject({ reverts_change_set_id: setOf(set), source: 'revert' });
    expect((await revert(app, setOf(set))).json.error.code).toBe('ALREADY_REVERTED');
    const redone = await revert(app, setOf(undone));
    const { summary } = (await app.request('GET', `/api/v1/change-sets/${setOf(set)}`)).json;
    expect(undone.json.change_set.summary).toBe(`Reverted: ${summary}`);
    expect(redone.json.change_set.summary).toBe(`Restored: ${summary}`);
    const again = (await app.request('GET', `/api/v1/transactions/${row.id}`)).json;
    expect(again.category.slug).toBe(CAFE);
    const original = (await app.request('GET', `/api/v1/change-sets/${setOf(set)}`)).json;
    expect(original).toMatchObject({ status: 'applied', revertible: true, reverted_by_change_set_id: null });
  });

  test('however often a revert is reverted, every set and entry says whether it is in force', async () => {
    const app = await database.open();
    const [row] = (await household(app)).rows as [Made];
    const sets = [setOf(await categorize(app, row, CAFE))];
    for (const latest of [1, 2, 3, 4]) {
      sets.push(setOf(await revert(app, sets.at(-1) as string)));
      // Of two that follow each other, one is in force: the newest, the one before the last, and so on.
      const inForce = sets.map((_, at) => (latest - at) % 2 === 0);
      const found = await Promise.all(
        sets.map(async (id) => (await app.request('GET', `/api/v1/change-sets/${id}`)).json),
      );
      expect(found.map(({ status, revertible }) => [status === 'applied', revertible])).toEqual(
        inForce.map((is) => [is, is]),
      );
      expect(found.map((set) => set.reverted_by_change_set_id)).toEqual(
        inForce.map((is, at) => (is ? null : sets[at + 1])),
      );
      const timeline = (await app.request('GET', `/api/v1/transactions/${row.id}/annotations`)).json;
      expect(timeline.map((entry: Record<string, unknown>) => entry['is_reverted'])).toEqual(inForce.map((is) => !is));
      const { code } = (await revert(app, sets[inForce.indexOf(false)] as string)).json.error;
      expect(code).toBe('ALREADY_REVERTED');
    }
  });

  test('what has changed since is refused and named, or skipped', async () => {
    const app = await database.open();
    const { rows } = await household(app);
    const [row] = rows as [Made];
    const first = await categorize(app, row, CAFE);
    const second = await categorize(app, row, 'travel_flights');
    const refused = await revert(app, setOf(first));
    expect([refused.status, refused.json.error.code]).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error).toMatchObject({ conflict_count: 1 });
    expect(refused.json.error.details[0]).toMatchObject({
      path: '/changes/1',
      entity_type: 'transaction',
      entity_id: row.id,
      reason: 'changed_since',
      change_set_id: setOf(second),
    });
    const skipped = await revert(app, setOf(first), { on_conflict: 'skip' });
    expect(skipped.json).toMatchObject({ reverted_count: 0, skipped_count: 1, change_set: null });
    expect((await app.request('GET', `/api/v1/transactions/${row.id}`)).json.category.slug).toBe('travel_flights');
  });

  test('if one of many rows has changed since, refuse restores none and skip restores the others', async () => {
    const app = await database.open();
    const { rows } = await household(app, 20);
    const ids = rows.map(({ id }) => id);
    const body = { transaction_ids: ids, category_id: CAFE };
    const batch = await app.request('POST', '/api/v1/transactions/batch-categorize', { body });
    await categorize(app, rows[7] as Made, null);
    expect((await revert(app, setOf(batch))).status).toBe(409);
    const count = async (): Promise<number> =>
      (await app.request('GET', '/api/v1/transactions/count', { query: { category_slug: CAFE } })).json.count;
    expect(await count()).toBe(19);
    const rehearsed = await revert(app, setOf(batch), { on_conflict: 'skip', dry_run: true });
    expect(await count()).toBe(19);
    const done = await revert(app, setOf(batch), { on_conflict: 'skip' });
    expect(await count()).toBe(0);
    expect(done.json).toMatchObject({ reverted_count: 19, skipped_count: 1 });
    expect(rehearsed.json).toMatchObject({ reverted_count: 19, skipped_count: 1, dry_run: true, change_set: null });
    const status = (await app.request('GET', `/api/v1/change-sets/${setOf(batch)}`)).json.status;
    expect(status).toBe('partly_reverted');
  });

  test('reverting an import deletes its rows; reverting the revert restores them with their ids', async () => {
    const app = await database.open();
    const { account } = await household(app);
    const lines = ['Date,Description,Amount', '2026-04-20,Bakery,-4.50', '2026-04-21,Grocer,-32.10'].join('\n');
    const body = {
      csv_base64: Buffer.from(lines).toString('base64'),
      account_id: account.id,
      sign: 'positive_is_in',
    };
    const done = await app.request('POST', '/api/v1/connections/csv/import', { body });
    const importId = String(done.json.import.id);
    const listed = async (): Promise<string[]> =>
      (await app.request('GET', '/api/v1/transactions', { query: { import_id: importId } })).json.transactions.map(
        ({ id }: { id: string }) => id,
      );
    const ids = await listed();
    const page = (await app.request('GET', `/api/v1/change-sets/${setOf(done)}`, { query: { limit: 1 } })).json;
    expect(page).toMatchObject({ created_count: 2, has_more: true, source: 'import' });
    const undone = await revert(app, setOf(done));
    expect([undone.status, undone.json.reverted_count, await listed()]).toEqual([200, 2, []]);
    expect((await app.request('GET', `/api/v1/imports/${importId}`)).json.status).toBe('reverted');
    const again = await app.request('POST', '/api/v1/connections/csv/import', { body });
    expect([again.json.imported_transactions, (await listed()).sort()]).toEqual([2, [...ids].sort()]);
    const more = { ...body, csv_base64: Buffer.from(`${lines}\n2026-04-22,Fuel,-40.00`).toString('base64') };
    const third = await app.request('POST', '/api/v1/connections/csv/import', { body: more });
    const query = { import_id: String(third.json.import.id) };
    const [fuel] = (await app.request('GET', '/api/v1/transactions', { query })).json.transactions as [Made];
    await categorize(app, fuel, CAFE);
    expect((await revert(app, setOf(third))).json.error.code).toBe('REVERT_CONFLICT');
  });

  test('a deleted tag is restored with its id, slug and transactions; the text of a deleted comment is never shown', async () => {
    const app = await database.open();
    const [row] = (await household(app)).rows as [Made];
    const at = `/api/v1/transactions/${row.id}`;
    await app.request('POST', `${at}/tags`, { body: { slug: 'holiday' } });
    const tag = (await app.request('GET', '/api/v1/tags/holiday')).json;
    const gone = await app.request('DELETE', '/api/v1/tags/holiday');
    expect((await app.request('GET', at)).json.tags).toEqual([]);
    expect((await revert(app, setOf(gone))).status).toBe(200);
    const back = (await app.request('GET', '/api/v1/tags/holiday')).json;
    expect([back.id, back.short_id, back.transaction_count]).toEqual([tag.id, tag.short_id, 1]);
    expect((await app.request('GET', at)).json.tags).toEqual(['holiday']);

    const comment = await app.request('POST', `${at}/comments`, { body: { body: 'secret plan' } });
    await app.request('DELETE', `${at}/comments/${comment.json.id}`);
    const served = (await app.request('GET', `/api/v1/change-sets/${setOf(comment)}`)).json;
    expect(served.changes[0].redacted).toEqual(['body']);
    expect(JSON.stringify(served)).not.toContain('secret plan');
  });

  test('the list is filtered by who, what and when, and refuses unknown values', async () => {
    const app = await database.open();
    const { rows } = await household(app);
    const [row] = rows as [Made];
    const set = await categorize(app, row, CAFE);
    const list = (query: Record<string, string>): Promise<Answer> =>
      app.request('GET', '/api/v1/change-sets', { query });
    const ids = async (query: Record<string, string>): Promise<string[]> =>
      (await list(query)).json.change_sets.map(({ id }: { id: string }) => id);
    expect(await ids({ action: 'transaction.category_set' })).toEqual([setOf(set)]);
    expect(await ids({ entity_type: 'transaction', entity_id: row.short_id, source: 'edit', limit: '1' })).toEqual([
      setOf(set),
    ]);
    expect((await ids({ transaction_id: row.id })).length).toBe(2);
    expect(await ids({ from: '2999-01-01' })).toEqual([]);
    for (const query of [
      { entity_id: row.short_id },
      { transaction_id: 'zzzzzzzz' },
      { import_id: 'nope' },
      { actor_id: 'zzzzzzzz' },
      { from: '2026-04-02', to: '2026-04-01' },
      { surprise: '1' },
    ] as Record<string, string>[]) {
      const answer = await list(query);
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, 'INVALID_PARAMETER']);
    }
  });
});
