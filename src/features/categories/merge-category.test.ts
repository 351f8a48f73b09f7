import { expect, test } from 'vitest';

import { addAccount, addCounterparty, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { journalOf } from '../../../test/harness/journal-rows.ts';
import { addRule } from '../../../test/harness/rules/add-rule.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const CATEGORIES = '/api/v1/categories';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';
const TRACES = ['api_key_uses', 'change_sets', 'changes'];
const NOTHING = { transactions: 0, rules: 0, counterparties: 0, children_moved: 0, children_merged: 0 };

const make = async (app: TestApp, body: object): Promise<Made> =>
  (await app.request('POST', CATEGORIES, { body })).json as Made;
const get = async (app: TestApp, id: string) => (await app.request('GET', `${CATEGORIES}/${id}`)).json;
const merge = (app: TestApp, into: string, from: string, more: object = {}): Promise<Answer> =>
  app.request('POST', `${CATEGORIES}/${into}/merge`, { body: { from_category_id: from, ...more } });
const revert = (app: TestApp, done: Answer, body: object = {}) =>
  app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body });
const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];

/** Parent and slug of every category, except unchanged built-in ones. */
async function tree(app: TestApp, prefix: string): Promise<string[]> {
  const rows = await rowsOf<{ slug: string; parent: string | null; is_archived: number; target: string | null }>(
    app.app.instance.database,
    `select c.slug, p.slug as parent, c.is_archived, t.slug as target from categories c
     left join categories p on p.id = c.parent_id left join categories t on t.id = c.merged_into_id
     where c.slug like '${prefix}%' order by c.slug`,
  );
  return rows.map(
    ({ slug, parent, is_archived: archived, target }) =>
      `${parent ?? ''}/${slug}${archived === 1 ? ' archived' : ''}${target === null ? '' : ` → ${target}`}`,
  );
}

/** Everything that a revert must restore. `updated_at` moves on. */
async function state(app: TestApp): Promise<unknown> {
  const all = await allRows(app.app.instance.database, TRACES);
  return JSON.parse(JSON.stringify(all).replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, ''));
}

/** Two trees: the one to merge has a child with the same name, and one of its own. */
async function pets(app: TestApp) {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const [source, target] = [await make(app, { name: 'T Pets' }), await make(app, { name: 'T Animals' })];
  const own = await make(app, { name: 'Vet', slug: 't_vet', parent_id: source.id });
  const food = await make(app, { name: 'Café', slug: 't_food', parent_id: source.id });
  const namesake = await make(app, { name: 'CAFE', slug: 't_cafe', parent_id: target.id });
  const row = { account, date: '2026-04-01', amount_cents: 100, name: 'A' };
  const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
  const rows = await addTransactions(app, [
    { ...row, category: source, columns: { locks: '["category"]' } },
    { ...row, category: source, columns: { ...deletion, category_source: 'provider' } },
    { ...row, category: food, columns: { category_source: 'rule', category_rule_id: UNKNOWN } },
    { ...row, category: own },
    { ...row, category: target },
    { ...row },
  ]);
  const shop = await addCounterparty(app, 'Pet shop');
  await app.request('PATCH', `/api/v1/counterparties/${shop.id}`, { body: { category_id: source.id } });
  const rule = await addRule(app, {
    condition: { field: 'category', op: 'in', value: [target.id, source.id] },
    actions: [{ type: 'set_category', category_id: source.id }],
  });
  return { source, target, own, food, namesake, rows, shop, rule };
}

forEachDatabase((database) => {
  test('everything in the source moves to the target, with its children, and a revert restores all of it', async () => {
    const app = await database.open();
    const { source, target, own, food, namesake, rows, shop, rule } = await pets(app);
    const before = await state(app);
    const rehearsed = await merge(app, 't_animals', source.short_id, { dry_run: true });
    expect([rehearsed.status, rehearsed.headers['x-change-set-id']]).toEqual([200, undefined]);
    expect(await state(app)).toEqual(before);

    app.clock.advance(1_000);
    const done = await merge(app, 't_animals', source.short_id);
    expect([done.status, done.json]).toEqual([
      200,
      {
        category: await get(app, target.id),
        source_id: source.id,
        source_archived: false,
        moved: { transactions: 3, rules: 1, counterparties: 1, children_moved: 1, children_merged: 1 },
        dry_run: false,
        change_set_id: done.headers['x-change-set-id'],
      },
    ]);
    expect(rehearsed.json).toEqual({ ...done.json, dry_run: true, change_set_id: null });
    expect(await tree(app, 't_v')).toEqual(['t_animals/t_vet']);
    const decided = await rowsOf(
      app.app.instance.database,
      'select category_id, category_source, category_rule_id, locks from transactions order by id',
    );
    expect(decided.map((one) => Object.values(one))).toEqual([
      [target.id, 'person', null, '["category"]'],
      [target.id, 'provider', null, '[]'],
      [namesake.id, 'rule', UNKNOWN, '[]'],
      [own.id, 'person', null, '[]'],
      [target.id, 'person', null, '[]'],
      [null, null, null, '[]'],
    ]);
    for (const gone of [source, food]) {
      expect(errorOf(await app.request('GET', `${CATEGORIES}/${gone.id}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect((await app.request('GET', `/api/v1/counterparties/${shop.id}`)).json.category_id).toBe(target.id);
    expect(await rowsOf(app.app.instance.database, 'select condition, actions from rules where is_system = 0')).toEqual(
      [
        {
          condition: `{"field":"category","op":"in","value":["${target.id}"]}`,
          actions: `[{"type":"set_category","category_id":"${target.id}"}]`,
        },
      ],
    );
    const changes = await journalOf(app, done);
    const order = changes.map(({ entity_type: type, entity_id: id }) => `${type} ${id}`);
    expect(new Set(order)).toEqual(
      new Set([
        ...[own, food, source].map(({ id }) => `category ${id}`),
        ...rows.slice(0, 3).map(({ id }) => `transaction ${id}`),
        `rule ${rule.id}`,
        `counterparty ${shop.id}`,
      ]),
    );
    expect(order.indexOf(`transaction ${rows[2]?.id}`)).toBeLessThan(order.indexOf(`category ${food.id}`));
    expect(changes).toHaveLength(8);
    expect(changes.at(-1)).toMatchObject({ entity_id: source.id, operation: 'delete', after: null });

    const after = await state(app);
    const back = await revert(app, done);
    expect([back.status, back.json.reverted_count]).toEqual([200, 8]);
    expect(await state(app)).toEqual(before);
    expect((await revert(app, back)).status).toBe(200);
    expect(await state(app)).toEqual(after);
  });

  test('merging into itself, its own child or an archived category is refused, and nothing is lost', async () => {
    const app = await database.open();
    const { source, own } = await pets(app);
    await make(app, { name: 'Old' });
    await app.request('PATCH', `${CATEGORIES}/old`, { body: { archived: true } });
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [into, from, code, path] of [
      [source.id, source.short_id, 'VALIDATION_ERROR', 'from_category_id'],
      [source.short_id, 't_pets', 'VALIDATION_ERROR', 'from_category_id'],
      [own.id, source.short_id, 'VALIDATION_ERROR', 'from_category_id'],
      ['old', 't_pets', 'VALIDATION_ERROR', 'id'],
      ['t_pets', 'nothing', 'INVALID_PARAMETER', 'from_category_id'],
      ['t_pets', UNKNOWN, 'INVALID_PARAMETER', 'from_category_id'],
    ] as const) {
      for (const more of [{}, { dry_run: true }]) {
        const refused = await merge(app, into, from, more);
        expect([into, from, ...errorOf(refused)]).toEqual([into, from, 400, code]);
        expect(refused.json.error.details[0].path).toBe(path);
      }
    }
    expect(errorOf(await merge(app, 'nothing', 't_pets'))).toEqual([404, 'NOT_FOUND']);
    expect(errorOf(await app.request('POST', `${CATEGORIES}/t_pets/merge`, { body: {} }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);

    const intoParent = await merge(app, source.id, 't_vet');
    expect([intoParent.status, intoParent.json.moved]).toEqual([200, { ...NOTHING, transactions: 1 }]);
  });

  test('a built-in category is archived; its children move, or merge by name', async () => {
    const app = await database.open();
    await make(app, { name: 'Trips', slug: 't_trips' });
    await make(app, { name: 'flights', slug: 't_flights', parent_id: 't_trips' });
    const before = await state(app);
    const done = await merge(app, 't_trips', 'travel');
    expect(done.json).toMatchObject({
      source_archived: true,
      moved: { ...NOTHING, children_moved: 3, children_merged: 1 },
    });
    expect(await tree(app, 'travel')).toEqual([
      '/travel archived → t_trips',
      'travel/travel_flights archived → t_flights',
      't_trips/travel_lodging',
      't_trips/travel_other',
      't_trips/travel_rental_cars',
    ]);
    const again = await merge(app, 't_trips', 'travel');
    expect([again.status, again.json.moved, again.json.change_set_id]).toEqual([200, NOTHING, null]);
    expect(again.headers['x-change-set-id']).toBeUndefined();
    const after = await state(app);
    const back = await revert(app, done);
    expect(back.status, back.text).toBe(200);
    expect(await state(app)).toEqual(before);
    expect((await revert(app, back)).status).toBe(200);
    expect(await state(app)).toEqual(after);
  });

  test('a parent merged into a child of another takes all of its children with it', async () => {
    const app = await database.open();
    await make(app, { name: 'Gone', slug: 't_gone' });
    await make(app, { name: 'Own', slug: 't_own', parent_id: 't_gone' });
    await app.request('PATCH', `${CATEGORIES}/travel_flights`, { body: { parent_id: 't_gone' } });
    await app.request('PATCH', `${CATEGORIES}/travel_lodging`, { body: { parent_id: 't_gone' } });
    await merge(app, 'income_other', 'travel_lodging');
    const before = await state(app);
    const done = await merge(app, 'food_and_drink_coffee', 't_gone');
    expect(done.json.moved).toEqual({ ...NOTHING, children_merged: 3 });
    expect(await tree(app, 't_')).not.toContain('/t_gone');
    expect(await tree(app, 'travel_')).toEqual([
      'food_and_drink/travel_flights archived → food_and_drink_coffee',
      'food_and_drink/travel_lodging archived → income_other',
      'travel/travel_other',
      'travel/travel_rental_cars',
    ]);
    expect((await revert(app, done)).status).toBe(200);
    expect(await state(app)).toEqual(before);
  });

  test('an archived category with the same name takes nothing', async () => {
    const app = await database.open();
    const { target } = await pets(app);
    await app.request('PATCH', `${CATEGORIES}/t_cafe`, { body: { archived: true } });
    expect((await merge(app, target.id, 't_pets')).json.moved).toMatchObject({ children_moved: 2, children_merged: 0 });
    expect(await tree(app, 't_food')).toEqual(['t_animals/t_food']);
  });

  test('earlier merges follow a category that is merged itself, and are restored with it', async () => {
    const app = await database.open();
    await make(app, { name: 'A', slug: 't_a' });
    await make(app, { name: 'B', slug: 't_b' });
    await merge(app, 't_a', 'travel_flights');
    const done = await merge(app, 't_b', 't_a');
    expect(await tree(app, 'travel_flights')).toEqual(['travel/travel_flights archived → t_b']);
    await merge(app, 'travel_lodging', 'travel_flights');
    expect(await tree(app, 'travel_flights')).toEqual(['travel/travel_flights archived → travel_lodging']);
    const refused = await revert(app, done);
    expect(errorOf(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.details).toMatchObject([{ reason: 'changed_since', fields: ['merged_into_id'] }]);
    expect((await revert(app, done, { on_conflict: 'skip' })).status).toBe(200);
    expect((await get(app, 't_a')).name).toBe('A');
    expect(await tree(app, 'travel_flights')).toEqual(['travel/travel_flights archived → travel_lodging']);
  });

  test('a transaction recategorized since the merge keeps its category when the rest is reverted', async () => {
    const app = await database.open();
    const { source, rows } = await pets(app);
    const done = await merge(app, 't_animals', source.id);
    const moved = `/api/v1/transactions/${rows[0]?.id}/category`;
    expect((await app.request('PATCH', moved, { body: { category_slug: 'travel' } })).status).toBe(200);
    const refused = await revert(app, done);
    expect(errorOf(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.details).toMatchObject([{ entity_id: rows[0]?.id, reason: 'changed_since' }]);
    const around = await revert(app, done, { on_conflict: 'skip' });
    expect([around.status, around.json.reverted_count, around.json.skipped_count]).toEqual([200, 7, 1]);
    expect((await app.request('GET', `/api/v1/transactions/${rows[0]?.id}`)).json.category.slug).toBe('travel');
  });
});
