import { expect, test } from 'vitest';

import { addAccount, addCounterparty, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { journalOf } from '../../../test/harness/journal-rows.ts';
import { addRule } from '../../../test/harness/rules/add-rule.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const CATEGORIES = '/api/v1/categories';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';
const TRACES = ['api_key_uses', 'change_sets', 'changes'];

const make = async (app: TestApp, body: object): Promise<Made> =>
  (await app.request('POST', CATEGORIES, { body })).json as Made;
const remove = (app: TestApp, { id }: Made | { id: string }, to?: string): Promise<Answer> =>
  app.request('DELETE', `${CATEGORIES}/${id}`, to === undefined ? {} : { query: { reassign_to: to } });
const revert = (app: TestApp, done: Answer) =>
  app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body: {} });
const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];

/** A category with a transaction set by a person, one set by the provider, a deleted one, and a counterparty. */
async function household(app: TestApp) {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const [pets, other] = [await make(app, { name: 'Pets' }), await make(app, { name: 'Other' })];
  const row = { account, date: '2026-04-01', amount_cents: 100, name: 'A', category: pets };
  const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
  const rows = (await addTransactions(app, [
    { ...row, columns: { locks: '["category","flag"]' } },
    { ...row, columns: { category_source: 'rule', category_rule_id: UNKNOWN } },
    { ...row, columns: { category_source: 'provider', ...deletion } },
    { ...row, category: other },
    { ...row, category: null },
  ])) as [Made, Made, Made, Made, Made];
  const shop = await addCounterparty(app, 'Pet shop');
  await app.request('PATCH', `/api/v1/counterparties/${shop.id}`, { body: { category_id: 'pets' } });
  return { pets, other, rows, shop };
}

async function decisions(app: TestApp): Promise<unknown[][]> {
  const rows = await rowsOf(
    app.app.instance.database,
    'select category_id, category_source, category_rule_id, locks from transactions order by id',
  );
  return rows.map((row) => Object.values(row));
}

/** Everything that a revert must restore. `updated_at` moves on. */
async function state(app: TestApp): Promise<unknown> {
  const all = await allRows(app.app.instance.database, TRACES);
  return JSON.parse(JSON.stringify(all).replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, ''));
}

forEachDatabase((database) => {
  test('an unused category is deleted; one that is used, built in or has children is not', async () => {
    const app = await database.open();
    const { pets } = await household(app);
    await make(app, { name: 'Unused' });
    await make(app, { name: 'Parent' });
    const child = await make(app, { name: 'Child', parent_id: 'parent' });
    const done = await remove(app, { id: 'unused' });
    expect([done.status, done.text]).toEqual([204, '']);
    expect(errorOf(await remove(app, { id: 'unused' }))).toEqual([404, 'NOT_FOUND']);

    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const used = await remove(app, pets);
    expect(errorOf(used)).toEqual([409, 'CATEGORY_IN_USE']);
    expect(used.json.error.message).toContain('3 transactions, 0 rules and 1 counterparty');
    expect(errorOf(await remove(app, { id: 'travel' }, 'nothing'))).toEqual([409, 'CATEGORY_UNDELETABLE']);
    expect(errorOf(await remove(app, { id: 'parent' }, 'nothing'))).toEqual([409, 'CATEGORY_HAS_CHILDREN']);
    for (const [to, code] of [
      ['nothing', 'INVALID_PARAMETER'],
      [UNKNOWN, 'INVALID_PARAMETER'],
      ['pets', 'VALIDATION_ERROR'],
      [pets.short_id, 'VALIDATION_ERROR'],
    ] as const) {
      const refused = await remove(app, pets, to);
      expect([to, ...errorOf(refused)]).toEqual([to, 400, code]);
      expect(refused.json.error.details[0].path).toBe('reassign_to');
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    await app.request('PATCH', `${CATEGORIES}/travel_other`, { body: { archived: true } });
    expect(errorOf(await remove(app, pets, 'travel_other'))).toEqual([400, 'VALIDATION_ERROR']);
    expect(errorOf(await remove(app, child, 'nothing'))).toEqual([400, 'INVALID_PARAMETER']);
    expect((await remove(app, { id: child.short_id })).status).toBe(204);
  });

  test('reassign_to moves what refers to the category, and only that; who decided stays', async () => {
    const app = await database.open();
    const { pets, other, rows, shop } = await household(app);
    const flights = (await app.request('GET', `${CATEGORIES}/travel_flights`)).json as Made;
    const rule = await addRule(app, {
      condition: { field: 'category', op: 'in', value: [pets.id, flights.id] },
      actions: [{ type: 'set_category', category_id: pets.id }],
    });
    const before = await state(app);
    app.clock.advance(1_000);
    const done = await remove(app, pets, 'travel_flights');
    expect(done.status).toBe(204);
    expect(await decisions(app)).toEqual([
      [flights.id, 'person', null, '["category","flag"]'],
      [flights.id, 'rule', UNKNOWN, '[]'],
      [flights.id, 'provider', null, '[]'],
      [other.id, 'person', null, '[]'],
      [null, null, null, '[]'],
    ]);
    expect((await app.request('GET', `/api/v1/counterparties/${shop.id}`)).json.category_id).toBe(flights.id);
    expect(await rowsOf(app.app.instance.database, 'select condition, actions from rules where is_system = 0')).toEqual(
      [
        {
          condition: `{"field":"category","op":"in","value":["${flights.id}"]}`,
          actions: `[{"type":"set_category","category_id":"${flights.id}"}]`,
        },
      ],
    );
    const changes = await journalOf(app, done);
    expect(changes.map(({ entity_type: type, entity_id: id }) => [type, id])).toEqual([
      ...rows.slice(0, 3).map(({ id }) => ['transaction', id]),
      ['rule', rule.id],
      ['counterparty', shop.id],
      ['category', pets.id],
    ]);
    expect(changes[0]).toMatchObject({ before: { category_id: pets.id }, after: { category_id: flights.id } });
    expect(changes.at(-1)).toMatchObject({ operation: 'delete', before: { slug: 'pets', name: 'Pets' }, after: null });

    const after = await state(app);
    const back = await revert(app, done);
    expect([back.status, back.json.reverted_count]).toEqual([200, 6]);
    expect(await state(app)).toEqual(before);
    expect((await revert(app, back)).status).toBe(200);
    expect(await state(app)).toEqual(after);
  });

  test('reassign_to=none leaves transactions without a category, unlocked; refused while a rule uses it', async () => {
    const app = await database.open();
    const { pets, other, rows, shop } = await household(app);
    const before = await state(app);
    const done = await remove(app, pets, 'none');
    expect(done.status).toBe(204);
    expect(await decisions(app)).toEqual([
      [null, null, null, '["flag"]'],
      [null, null, null, '[]'],
      [null, null, null, '[]'],
      [other.id, 'person', null, '[]'],
      [null, null, null, '[]'],
    ]);
    const shown = (await app.request('GET', `/api/v1/transactions/${rows[0].id}`)).json;
    expect([shown.category_id, shown.category, shown.category_source]).toEqual([null, null, null]);
    expect((await app.request('GET', `/api/v1/counterparties/${shop.id}`)).json.category_id).toBeNull();
    expect((await revert(app, done)).status).toBe(200);
    expect(await state(app)).toEqual(before);

    await addRule(app, { condition: { not: { field: 'category', op: 'eq', value: pets.id } }, enabled: false });
    const refused = await remove(app, pets, 'none');
    expect(errorOf(refused)).toEqual([409, 'CATEGORY_IN_USE']);
    expect(refused.json.error.message).toContain('3 transactions, 1 rule and 1 counterparty');
    expect(await remove(app, pets, other.short_id)).toMatchObject({ status: 204 });
  });

  test('categories merged into a deleted one follow its contents', async () => {
    const app = await database.open();
    await make(app, { name: 'Treats' });
    await make(app, { name: 'Sweets' });
    const merged = () =>
      rowsOf(
        app.app.instance.database,
        `select c.slug, t.slug as target from categories c left join categories t on t.id = c.merged_into_id
         where c.slug = 'food_and_drink_coffee'`,
      );
    const body = { from_category_id: 'food_and_drink_coffee' };
    await app.request('POST', `${CATEGORIES}/treats/merge`, { body });
    const moved = await remove(app, { id: 'treats' }, 'sweets');
    expect(await merged()).toEqual([{ slug: 'food_and_drink_coffee', target: 'sweets' }]);
    const gone = await remove(app, { id: 'sweets' });
    expect([moved.status, gone.status]).toEqual([204, 204]);
    expect(await merged()).toEqual([{ slug: 'food_and_drink_coffee', target: null }]);
    expect((await revert(app, gone)).status).toBe(200);
    expect(await merged()).toEqual([{ slug: 'food_and_drink_coffee', target: 'sweets' }]);
    expect((await revert(app, moved)).status).toBe(200);
    expect(await merged()).toEqual([{ slug: 'food_and_drink_coffee', target: 'treats' }]);
  });
});
