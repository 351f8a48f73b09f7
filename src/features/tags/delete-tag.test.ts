import { expect, test } from 'vitest';

import { addAccount, addMember, addTag, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { journalOf } from '../../../test/harness/journal-rows.ts';
import { addRule } from '../../../test/harness/rules/add-rule.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const TAGS = '/api/v1/tags';
const TRACES = ['api_key_uses', 'change_sets', 'changes'];

/** A tag on two live transactions and a deleted one; another tag on one of them. */
async function household(app: TestApp) {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const [trip, gift] = [await addTag(app, 'trip'), await addTag(app, 'gift')];
  const row = { account, date: '2026-04-01', amount_cents: 100, name: 'A' };
  const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
  const rows = (await addTransactions(app, [
    { ...row, tags: [trip, gift], columns: { locks: '["tag:trip"]' } },
    { ...row, tags: [trip] },
    { ...row, tags: [trip], columns: deletion },
    { ...row, tags: [gift] },
  ])) as [Made, Made, Made, Made];
  return { trip, gift, rows };
}

const remove = (app: TestApp, named: string): Promise<Answer> => app.request('DELETE', `${TAGS}/${named}`);
const revert = (app: TestApp, done: Answer, body: unknown = {}) =>
  app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body });
const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];

/** Everything that a revert must restore. `updated_at` moves on. */
async function state(app: TestApp): Promise<unknown> {
  const all = await allRows(app.app.instance.database, TRACES);
  return JSON.parse(JSON.stringify(all).replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, ''));
}

forEachDatabase((database) => {
  test('a deleted tag is removed from every transaction, live or deleted, in one change set that ends with the tag', async () => {
    const app = await database.open();
    const { trip, rows } = await household(app);
    app.clock.advance(1_000);
    const done = await remove(app, 'trip');
    expect([done.status, done.text]).toEqual([204, '']);
    const left = await rowsOf<{ id: string }>(
      app.app.instance.database,
      'select transaction_id as id from transaction_tags',
    );
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([rows[0].id, rows[3].id]));
    const shown = (await app.request('GET', `/api/v1/transactions/${rows[0].id}`)).json;
    expect([shown.tags, shown.updated_at]).toEqual([['gift'], '2026-04-26T06:00:01.000Z']);
    expect((await app.request('GET', `/api/v1/transactions/${rows[3].id}`)).json.updated_at).toBe(
      '2026-04-26T06:00:00.000Z',
    );
    const told = await app.request('GET', `/api/v1/transactions/${rows[1].id}/annotations`);
    expect(told.json.at(-1) ?? told.json).toMatchObject({ kind: 'tag_removed', payload: { slug: 'trip' } });
    const filtered = await app.request('GET', '/api/v1/transactions', { query: { tag: 'trip' } });
    expect(errorOf(filtered)).toEqual([400, 'INVALID_PARAMETER']);

    const changes = await journalOf(app, done);
    expect(changes.slice(0, 3).map(({ transaction_id: id }) => id)).toEqual(
      rows
        .slice(0, 3)
        .map(({ id }) => id)
        .sort(),
    );
    for (const change of changes.slice(0, 3)) {
      expect(change).toMatchObject({ entity_type: 'transaction', before: { 'tag:trip': true }, after: {} });
    }
    expect(changes[3]).toMatchObject({ entity_type: 'tag', entity_id: trip.id, operation: 'delete', after: null });
    expect(changes[3]?.before).toMatchObject({ ...trip, slug: 'trip', name: 'trip', color: '#6b7280' });
    expect(changes).toHaveLength(4);
    const [set] = await rowsOf(
      app.app.instance.database,
      `select * from change_sets where id = '${String(done.headers['x-change-set-id'])}'`,
    );
    expect(set).toMatchObject({
      action: 'tag.delete',
      summary: 'Deleted the tag trip and removed it from 3 transactions',
      updated_count: 3,
      deleted_count: 1,
    });
  });

  test('a tag that a rule refers to cannot be deleted: in an action or a condition, enabled or not', async () => {
    for (const [rules, told] of [
      [[{ actions: (id: string) => [{ type: 'add_tag', tag_id: id }] }], '1 rule uses'],
      [
        [
          { actions: (id: string) => [{ type: 'remove_tag', tag_id: id }], enabled: false },
          { condition: (id: string) => ({ not: { field: 'tags', op: 'eq', value: id } }) },
        ],
        '2 rules use',
      ],
    ] as const) {
      const app = await database.open();
      const { trip, gift } = await household(app);
      await addRule(app, { actions: [{ type: 'add_tag', tag_id: gift.id }] });
      for (const rule of rules) {
        await addRule(app, {
          ...('condition' in rule ? { condition: rule.condition(trip.id) } : { actions: rule.actions(trip.id) }),
          enabled: !('enabled' in rule),
        });
      }
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      const refused = await remove(app, 'trip');
      expect(errorOf(refused)).toEqual([409, 'TAG_IN_USE']);
      expect(refused.json.error.message).toContain(told);
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    }
  });

  test('a revert restores the tag under its ids, on every transaction, with locks; reverting that removes it again', async () => {
    const app = await database.open();
    await household(app);
    const before = await state(app);
    const done = await remove(app, 'trip');
    const after = await state(app);
    const back = await revert(app, done);
    expect([back.status, back.json.reverted_count, back.json.skipped_count]).toEqual([200, 4, 0]);
    expect(await state(app)).toEqual(before);
    const again = await revert(app, back);
    expect([again.status, again.json.reverted_count]).toEqual([200, 4]);
    expect(await state(app)).toEqual(after);
  });

  test('a tag whose slug has been taken since is not restored', async () => {
    const app = await database.open();
    await household(app);
    const done = await remove(app, 'trip');
    await app.request('POST', TAGS, { body: { name: 'Another', slug: 'trip' } });
    const before = await state(app);
    const refused = await revert(app, done);
    expect(errorOf(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.details).toContainEqual(
      expect.objectContaining({ entity_type: 'tag', reason: 'exists', fields: ['slug'] }),
    );
    expect(await state(app)).toEqual(before);
  });

  test('creating a tag is reverted while nothing uses it', async () => {
    const app = await database.open();
    const { rows } = await household(app);
    const made = await app.request('POST', TAGS, { body: { name: 'New' } });
    await app.request('POST', `/api/v1/transactions/${rows[0].id}/tags`, { body: { slug: 'new' } });
    const refused = await revert(app, made);
    expect([...errorOf(refused), refused.json.error.details[0].reason]).toEqual([409, 'REVERT_CONFLICT', 'in_use']);
    await app.request('DELETE', `/api/v1/transactions/${rows[0].id}/tags/new`);
    await addRule(app, { actions: [{ type: 'add_tag', tag_id: made.json.id }] });
    expect((await revert(app, made)).json.error.details[0].reason).toBe('in_use');

    const other = await app.request('POST', TAGS, { body: { name: 'Other' } });
    const renamed = await app.request('PATCH', `${TAGS}/other`, { body: { name: 'Renamed' } });
    expect((await revert(app, other)).json.error.details[0]).toMatchObject({
      reason: 'changed_since',
      fields: ['name'],
    });
    expect((await revert(app, renamed)).status).toBe(200);
    expect((await app.request('GET', `${TAGS}/other`)).json.name).toBe('Other');
    expect((await revert(app, other)).status).toBe(200);
    expect((await app.request('GET', `${TAGS}/other`)).status).toBe(404);
  });
});
