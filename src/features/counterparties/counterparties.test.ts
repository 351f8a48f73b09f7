import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { addRule } from '../../../test/harness/rules/add-rule.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { journalOf } from '../../journal/journal-of.ts';

const PARTIES = '/api/v1/counterparties';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

const make = async (app: TestApp, name: string, fields: object = {}) =>
  (await app.request('POST', PARTIES, { body: { name, ...fields } })).json;
const patch = (app: TestApp, { id }: Made, body: unknown) => app.request('PATCH', `${PARTIES}/${id}`, { body });
const get = async (app: TestApp, { id }: Made) => (await app.request('GET', `${PARTIES}/${id}`)).json;
const revert = (app: TestApp, done: Answer) =>
  app.request('POST', `/api/v1/change-sets/${String(setOf(done))}/revert`, { body: {} });
const setOf = (answer: Answer) => answer.headers['x-change-set-id'];
const errorOf = ({ status, json }: Answer) => [status, json.error.code];
const pathsOf = ({ json }: Answer) => json.error.details.map(({ path }: { path: string }) => path);
const everything = (app: TestApp) => allRows(app.app.instance.database, ['api_key_uses']);

async function expectSameInList(app: TestApp): Promise<void> {
  const { counterparties } = (await app.request('GET', PARTIES, { query: { detail: 'true' } })).json;
  expect(counterparties.length).toBeGreaterThan(1);
  for (const listed of counterparties) expect(listed).toEqual(await get(app, listed));
}

async function archive(app: TestApp, { id, short_id }: Made): Promise<void> {
  await app.write('test.archive', async (tx) => {
    await tx.q.updateTable('categories').set({ is_archived: 1 }).where('id', '=', id).execute();
    journalOf('category').changed(tx, { id, short_id }, { before: {}, after: {} }, { revertible: false });
  });
}

forEachDatabase((database) => {
  test('created with a name alone: every field is there, and null', async () => {
    const app = await database.open();
    const made = await app.request('POST', PARTIES, { body: { name: ' Corner Cafe ' } });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: made.json.id,
      short_id: made.json.short_id,
      name: 'Corner Cafe',
      website_url: null,
      logo_url: null,
      category_id: null,
      mcc: null,
      canonical_counterparty_id: null,
      is_merged: false,
      transaction_count: 0,
      totals: [],
      created_at: '2026-04-26T06:00:00.000Z',
      updated_at: '2026-04-26T06:00:00.000Z',
    });
    for (const id of [made.json.id, made.json.short_id])
      expect(await get(app, { ...made.json, id })).toEqual(made.json);
    const taken = await app.request('POST', PARTIES, { body: { name: 'corner cafe' } });
    expect(errorOf(taken)).toEqual([409, 'CONFLICT']);
    expect(taken.json.error.message).toContain(made.json.short_id);
  });

  test('fields are stored as sent; the category may be given in any form', async () => {
    const app = await database.open();
    const coffee = await categoryBySlug(app, 'food_and_drink_coffee');
    const details = { website_url: ' HTTPS://Cafe.example/a?b#c ', logo_url: 'http://cafe.example/l.png', mcc: '0814' };
    const made = await make(app, 'Cafe', { ...details, category_id: 'food_and_drink_coffee' });
    expect(made).toMatchObject({ ...details, website_url: 'HTTPS://Cafe.example/a?b#c', category_id: coffee.id });
    for (const [index, named] of [coffee.id, coffee.short_id].entries()) {
      expect((await make(app, `Cafe ${index}`, { category_id: named })).category_id).toBe(coffee.id);
    }
  });

  test('invalid fields are refused by name, and nothing is written', async () => {
    const app = await database.open();
    const made = await make(app, 'Cafe');
    const archived = await categoryBySlug(app, 'food_and_drink_coffee');
    await archive(app, archived);
    const before = await everything(app);
    for (const [field, value, code] of [
      ['name', '', 'VALIDATION_ERROR'],
      ['name', null, 'VALIDATION_ERROR'],
      ['name', 'x'.repeat(201), 'VALIDATION_ERROR'],
      ['website_url', 'javascript:x', 'VALIDATION_ERROR'],
      ['website_url', 'corner-cafe.example', 'VALIDATION_ERROR'],
      ['website_url', '//corner-cafe.example', 'VALIDATION_ERROR'],
      ['website_url', 'https:corner-cafe.example', 'VALIDATION_ERROR'],
      ['website_url', 'https://', 'VALIDATION_ERROR'],
      ['website_url', 'https://a b.example', 'VALIDATION_ERROR'],
      ['website_url', 'ftp://a.example', 'VALIDATION_ERROR'],
      ['website_url', `https://a.example/${'x'.repeat(2_048)}`, 'VALIDATION_ERROR'],
      ['logo_url', 'data:image/png;base64,AA', 'VALIDATION_ERROR'],
      ['mcc', '123', 'VALIDATION_ERROR'],
      ['mcc', '12a4', 'VALIDATION_ERROR'],
      ['mcc', 5814, 'VALIDATION_ERROR'],
      ['category_id', UNKNOWN, 'INVALID_PARAMETER'],
      ['category_id', 'no_such_category', 'INVALID_PARAMETER'],
      ['category_id', 'x'.repeat(5_000), 'INVALID_PARAMETER'],
      ['category_id', archived.id, 'VALIDATION_ERROR'],
      ['canonical_counterparty_id', made.id, 'VALIDATION_ERROR'],
    ] as const) {
      for (const answer of [
        await app.request('POST', PARTIES, { body: { name: 'Other', [field]: value } }),
        await patch(app, made, { [field]: value }),
      ]) {
        expect([errorOf(answer), pathsOf(answer)], field).toEqual([[400, code], [field]]);
      }
    }
    const bad = await app.request('POST', PARTIES, { body: { name: 'Other', transaction_ids: [UNKNOWN, 'nothing!'] } });
    expect(errorOf(bad)).toEqual([400, 'INVALID_PARAMETER']);
    expect(pathsOf(bad)).toEqual(['transaction_ids[0]', 'transaction_ids[1]']);
    expect(errorOf(await app.request('GET', PARTIES, { query: { include_merged: 'x' } }))[1]).toBe('INVALID_PARAMETER');
    expect(await everything(app)).toEqual(before);
  });

  test('null and "" clear a field; the same again changes nothing', async () => {
    const app = await database.open();
    const details = { website_url: 'https://a.example', logo_url: 'https://a.example/l', mcc: '5814' };
    const filled = { ...details, category_id: 'food_and_drink_coffee' };
    const nothing = { website_url: null, logo_url: null, mcc: null, category_id: null };
    const made = await make(app, 'Cafe', filled);
    for (const empty of ['', null, '  ']) {
      app.clock.advance(1_000);
      const cleared = await patch(app, made, Object.fromEntries(Object.keys(nothing).map((name) => [name, empty])));
      expect(cleared.json).toEqual({ ...made, ...nothing, updated_at: cleared.json.updated_at });
      expect(cleared.json.updated_at > made.updated_at).toBe(true);
      app.clock.advance(1_000);
      for (const body of [{}, nothing, { name: 'Cafe' }]) {
        const same = await patch(app, made, body);
        expect([same.status, same.json, setOf(same)]).toEqual([200, cleared.json, undefined]);
      }
      expect((await patch(app, made, filled)).json).toMatchObject(details);
    }
  });

  test('a category that is archived later may stay', async () => {
    const app = await database.open();
    const coffee = await categoryBySlug(app, 'food_and_drink_coffee');
    const made = await make(app, 'Cafe', { category_id: coffee.id });
    await archive(app, coffee);
    const renamed = await patch(app, made, { name: 'Café Zoë', category_id: coffee.id });
    expect([renamed.status, renamed.json.name]).toEqual([200, 'Café Zoë']);
  });

  test('search finds transactions by the name, by a new name after a change, and by the old one after a revert', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-01', amount_cents: 100, name: 'SQ *0423' };
    const [movement] = (await addTransactions(app, [row, row])) as [Made];
    const made = await make(app, 'Corner Cafe', { transaction_ids: [movement.short_id] });
    const found = async (search: string) =>
      (await app.request('GET', '/api/v1/transactions', { query: { search } })).json.transactions.length;
    expect([await found('corner'), await found('pizz')]).toEqual([1, 0]);
    const renamed = await patch(app, made, { name: 'Pizzería Nápoli' });
    expect([await found('corner'), await found('pizz'), await found('napoli')]).toEqual([0, 1, 1]);
    const shown = await app.request('GET', `/api/v1/transactions/${movement.id}`);
    expect(shown.json).toMatchObject({ counterparty_name: 'Pizzería Nápoli', counterparty_id: made.id });
    expect((await revert(app, renamed)).status).toBe(200);
    expect([await found('corner'), await found('pizz')]).toEqual([1, 0]);
  });

  test('lists by folded name, filtered by part of the name', async () => {
    const app = await database.open();
    for (const name of ['zebra', 'Älter', 'Beta']) await make(app, name);
    const names = async (query: Record<string, string>) =>
      (await app.request('GET', PARTIES, { query })).json.counterparties.map(({ name }: { name: string }) => name);
    expect(await names({})).toEqual(['Älter', 'Beta', 'zebra']);
    expect(await names({ search: 'ALT' })).toEqual(['Älter']);
    expect(await names({ search: '_' })).toEqual([]);
    const [first] = (await app.request('GET', PARTIES)).json.counterparties;
    expect(first).not.toHaveProperty('totals');
    expect(first).toMatchObject({ is_merged: false, mcc: null });
  });

  test('links by hand, never takes from another counterparty, and unlinks only its own', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-01', amount_cents: 100, name: 'SQ *0423' };
    const [a, b, c] = (await addTransactions(app, [row, row, row])) as [Made, Made, Made];
    const cafe = await make(app, 'Cafe', { transaction_ids: [a.id] });
    expect(cafe).toMatchObject({ transaction_count: 1, link_result: { linked: 1, already_linked: 0, skipped: [] } });
    const bakery = await make(app, 'Bakery', { transaction_ids: [c.id] });
    const body = { transaction_ids: [a.id, b.id, c.short_id] };
    const link = (more: object = {}) =>
      app.request('POST', `${PARTIES}/${cafe.id}/transactions`, { body: { ...body, ...more } });
    const before = await everything(app);
    const dry = await link({ dry_run: true });
    expect(await everything(app)).toEqual(before);
    const linked = await link();
    expect(linked.json).toEqual(dry.json);
    expect(linked.json).toEqual({
      ...(await get(app, cafe)),
      link_result: {
        linked: 1,
        already_linked: 1,
        skipped: [{ transaction_id: c.id, short_id: c.short_id, reason: 'bound_elsewhere', bound_to: bakery.id }],
      },
    });
    expect(setOf(await link())).toBeUndefined();
    for (const id of [c.id, UNKNOWN]) {
      expect(errorOf(await app.request('DELETE', `${PARTIES}/${cafe.id}/transactions/${id}`))[0]).toBe(404);
    }
    const unlinked = await app.request('DELETE', `${PARTIES}/${cafe.short_id}/transactions/${b.short_id}`);
    expect([unlinked.status, unlinked.json]).toEqual([200, await get(app, cafe)]);
    const rows = await rowsOf(app.app.instance.database, 'select counterparty_id, locks from transactions order by id');
    expect(rows).toEqual([cafe.id, null, bakery.id].map((id) => ({ counterparty_id: id, locks: '["counterparty"]' })));
    const [set] = await rowsOf(
      app.app.instance.database,
      `select action from change_sets where id = '${String(setOf(unlinked))}'`,
    );
    expect(set).toEqual({ action: 'counterparty.unlink' });
  });

  test('totals cover the rows that count, per currency, with the first and last day', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const account = await addAccount(app, ana);
    const hidden = await addAccount(app, ana, { excluded: true });
    const copies = await addAccount(app, ana, { dependent: true });
    const cafe = await make(app, 'Cafe');
    const row = { account, date: '2026-04-01', amount_cents: 1_000, name: 'A', counterparty: cafe as Made };
    await addTransactions(app, [
      row,
      { ...row, date: '2026-02-01', amount_cents: -250 },
      { ...row, date: '2026-03-01', iso_currency_code: 'EUR' },
      { ...row, date: '2026-03-02', iso_currency_code: null },
      { ...row, date: '2020-01-01', account: hidden },
      { ...row, date: '2020-01-01', account: copies },
      { ...row, date: '2020-01-01', columns: { pending: 1 } },
      { ...row, columns: { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' } },
      { account, date: '2020-01-01', amount_cents: 7, name: 'unbound' },
    ]);
    const total = (code: string | null, count: number, out: string, first: string, last = first) => ({
      iso_currency_code: code,
      transaction_count: count,
      total_amount: out,
      money_out: out,
      money_in: '0.00',
      first_date: first,
      last_date: last,
    });
    expect(await get(app, cafe)).toMatchObject({
      transaction_count: 7,
      totals: [
        total('EUR', 1, '10.00', '2026-03-01'),
        {
          ...total('USD', 2, '7.50', '2026-02-01', '2026-04-01'),
          money_out: '10.00',
          money_in: '2.50',
        },
        total(null, 1, '10.00', '2026-03-02'),
      ],
    });
    await make(app, 'Unused');
    await expectSameInList(app);
  });

  test('the list with details has what each record has', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const accounts = [await addAccount(app, ana), await addAccount(app, ana, { excluded: true })];
    const parties = [await make(app, 'A'), await make(app, 'B'), await make(app, 'C')];
    const random = fc.sample(
      fc.record({
        account: fc.constantFrom(...accounts),
        counterparty: fc.constantFrom(...parties, undefined),
        date: fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-31', '2026-04-01'),
        amount_cents: fc.integer({ min: -5_000, max: 5_000 }),
        iso_currency_code: fc.constantFrom('EUR', 'USD', null),
        pending: fc.constantFrom(0, 0, 1),
        isDeleted: fc.constantFrom(false, false, false, true),
      }),
      200,
    );
    const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
    await addTransactions(
      app,
      random.map(({ pending, isDeleted, counterparty, ...row }) => ({
        ...row,
        name: 'A',
        ...(counterparty ? { counterparty } : {}),
        columns: { pending, ...(isDeleted ? deletion : {}) },
      })),
    );
    await expectSameInList(app);
    const plain = (await app.request('GET', PARTIES)).json.counterparties;
    expect(plain[0]).not.toHaveProperty('totals');
  });

  test('is deleted only if nothing refers to it, and is restored as it was', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
    const row = { account, date: '2026-04-01', amount_cents: 100, name: 'A' };
    const [bound, ruled, named, absorbed, source, free] = [
      await make(app, 'bound'),
      await make(app, 'ruled'),
      await make(app, 'named'),
      await make(app, 'absorbed'),
      await make(app, 'source'),
      await make(app, 'free', { mcc: '5814', category_id: 'food_and_drink' }),
    ];
    await addTransactions(app, [{ ...row, counterparty: bound, columns: deletion }]);
    await addRule(app, { actions: [{ type: 'assign_counterparty', counterparty_id: ruled.id }] });
    const leaf = { field: 'counterparty', op: 'eq', value: named.id };
    await addRule(app, { condition: leaf, enabled: false });
    const merge = { from_counterparty_id: source.id };
    await app.request('POST', `${PARTIES}/${absorbed.id}/merge`, { body: merge });
    for (const one of [bound, ruled, named, absorbed]) {
      const refused = await app.request('DELETE', `${PARTIES}/${one.id}`);
      expect(errorOf(refused)).toEqual([409, 'COUNTERPARTY_IN_USE']);
    }
    for (const one of [free, source]) {
      const before = await get(app, one);
      const done = await app.request('DELETE', `${PARTIES}/${one.short_id}`);
      expect([done.status, done.text]).toEqual([204, '']);
      expect((await app.request('GET', `${PARTIES}/${one.id}`)).status).toBe(404);
      expect((await revert(app, done)).status).toBe(200);
      expect(await get(app, one)).toEqual(before);
    }
  });
});
