import { expect, test } from 'vitest';

import {
  addAccount,
  addMember,
  addTransactions,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const SERIES = '/api/v1/series';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

async function household(app: TestApp) {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  return {
    rows: (...list: Partial<NewTransaction>[]) =>
      addTransactions(
        app,
        list.map((one) => ({ account, date: '2026-04-01', amount_cents: 1_549, name: 'STREAMING', ...one })),
      ),
    make: async (name: string, members: readonly Made[] = []): Promise<Made> => {
      const body = { name, transaction_ids: members.map(({ id }) => id) };
      return (await app.request('POST', SERIES, { body })).json;
    },
    get: async ({ id }: Made) => (await app.request('GET', `${SERIES}/${id}`)).json,
    link: (to: Made, ids: readonly string[], more: object = {}) =>
      app.request('POST', `${SERIES}/${to.id}/transactions`, { body: { transaction_ids: ids, ...more } }),
    seriesOf: async ({ id }: Made) => (await app.request('GET', `/api/v1/transactions/${id}`)).json.series_id,
  };
}

const locksOf = async (app: TestApp, { id }: Made) =>
  (await rowsOf<{ locks: string }>(app.app.instance.database, `select locks from transactions where id = '${id}'`))[0]
    ?.locks;

const setOf = (answer: Answer) => answer.headers['x-change-set-id'];
const errorOf = ({ status, json }: Answer) => [status, json.error.code];

forEachDatabase((database) => {
  test('a new series has no transactions; its type is subscription by default', async () => {
    const app = await database.open();
    const made = await app.request('POST', SERIES, { body: { name: '  Streaming ' } });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: made.json.id,
      short_id: made.json.short_id,
      name: 'Streaming',
      type: 'subscription',
      created_at: '2026-04-26T06:00:00.000Z',
      updated_at: '2026-04-26T06:00:00.000Z',
      transaction_count: 0,
      last_date: null,
      last_amount: null,
      last_iso_currency_code: null,
      typical_interval_days: null,
      direction: 'out',
      cadence: null,
      next_expected_date: null,
      status: 'active',
      amount_kind: null,
      yearly_cost: null,
    });
    for (const id of [made.json.id, made.json.short_id]) {
      expect((await app.request('GET', `${SERIES}/${id}`)).json).toEqual(made.json);
    }
    const loan = await app.request('POST', SERIES, { body: { name: 'Car', type: 'loan' } });
    expect(loan.json.type).toBe('loan');
    const [set] = await rowsOf(
      app.app.instance.database,
      `select action, created_count, is_revertible from change_sets where id = '${String(setOf(made))}'`,
    );
    expect(set).toEqual({ action: 'series.create', created_count: 1, is_revertible: 1 });
  });

  test('names are unique by their folded form, and the error says which series has the name', async () => {
    const app = await database.open();
    const { make } = await household(app);
    const first = await make('Café Abo');
    const second = await make('Gym');
    for (const name of ['CAFE  ABO', 'café abo', 'Café Abo']) {
      const taken = await app.request('POST', SERIES, { body: { name } });
      expect(errorOf(taken)).toEqual([409, 'CONFLICT']);
      expect(taken.json.error.message).toContain(first.short_id);
      const renamed = await app.request('PATCH', `${SERIES}/${second.id}`, { body: { name } });
      expect(errorOf(renamed)).toEqual([409, 'CONFLICT']);
      expect(renamed.json.error.message).toContain(first.short_id);
    }
    const spelled = await app.request('PATCH', `${SERIES}/${first.id}`, { body: { name: 'CAFE ABO' } });
    expect([spelled.status, spelled.json.name]).toEqual([200, 'CAFE ABO']);
    await app.request('PATCH', `${SERIES}/${first.id}`, { body: { name: 'Zeitung' } });
    const { json } = await app.request('GET', SERIES, { query: { search: 'zeit' } });
    expect(json.series).toMatchObject([{ id: first.id, name: 'Zeitung' }]);
    expect((await app.request('POST', SERIES, { body: { name: 'Café Abo' } })).status).toBe(201);
    expect((await app.request('POST', SERIES, { body: { name: 'ZEITUNG' } })).status).toBe(409);
  });

  test('invalid series are refused, and nothing is written', async () => {
    const app = await database.open();
    const { make } = await household(app);
    const { id } = await make('Gym');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const body of [
      {},
      { name: '   ' },
      { name: 'x'.repeat(201) },
      { name: 7 },
      { name: 'a', type: 'rent' },
      { name: 'a', type: null },
      { name: 'a', transaction_ids: Array.from({ length: 501 }, () => UNKNOWN) },
      { name: 'a', transaction_ids: 'abc' },
      { name: 'a', surprise: 1 },
    ]) {
      expect(errorOf(await app.request('POST', SERIES, { body }))).toEqual([400, 'VALIDATION_ERROR']);
    }
    for (const body of [{ name: '' }, { name: null }, { type: 'rent' }, { type: null }, { short_id: 'x' }]) {
      expect(errorOf(await app.request('PATCH', `${SERIES}/${id}`, { body }))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(errorOf(await app.request('GET', SERIES, { query: { type: 'rent' } }))).toEqual([400, 'INVALID_PARAMETER']);
    expect(errorOf(await app.request('DELETE', `${SERIES}/${id}?unlink=maybe`))).toEqual([400, 'INVALID_PARAMETER']);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('a change is journaled with the fields that differ; the same again changes nothing', async () => {
    const app = await database.open();
    const { make, get } = await household(app);
    const made = await make('Gym');
    app.clock.advance(1_000);
    const changed = await app.request('PATCH', `${SERIES}/${made.short_id}`, { body: { name: 'Gym', type: 'bill' } });
    expect(changed.json).toEqual({ ...(await get(made)), type: 'bill', updated_at: '2026-04-26T06:00:01.000Z' });
    const changes = await rowsOf(
      app.app.instance.database,
      `select entity_type, entity_id, before, after from changes where change_set_id = '${String(setOf(changed))}'`,
    );
    expect(changes).toEqual([
      { entity_type: 'series', entity_id: made.id, before: '{"type":"subscription"}', after: '{"type":"bill"}' },
    ]);
    app.clock.advance(1_000);
    for (const body of [{}, { type: 'bill' }, { name: ' Gym ' }]) {
      const same = await app.request('PATCH', `${SERIES}/${made.id}`, { body });
      expect([same.status, same.json, setOf(same)]).toEqual([200, changed.json, undefined]);
    }
  });

  test('lists by folded name, filtered by type and by part of the name', async () => {
    const app = await database.open();
    const add = (name: string, type: string) => app.request('POST', SERIES, { body: { name, type } });
    await add('Älter', 'bill');
    await add('zebra', 'loan');
    await add('Beta', 'subscription');
    const names = async (query: Record<string, string>) =>
      (await app.request('GET', SERIES, { query })).json.series.map(({ name }: { name: string }) => name);
    expect(await names({})).toEqual(['Älter', 'Beta', 'zebra']);
    expect(await names({ type: 'loan,bill' })).toEqual(['Älter', 'zebra']);
    expect(await names({ search: ' ALT ' })).toEqual(['Älter']);
    expect(await names({ search: 'e', type: 'loan' })).toEqual(['zebra']);
    expect(await names({ search: '%' })).toEqual([]);
    const [first] = (await app.request('GET', SERIES)).json.series;
    expect(Object.keys(first).sort()).toEqual(['created_at', 'id', 'name', 'short_id', 'type', 'updated_at']);
  });

  test('links by hand: transactions can be listed, linking twice is not an error, another series keeps its own', async () => {
    const app = await database.open();
    const { rows, make, link, get, seriesOf } = await household(app);
    const [a, b, c] = (await rows({}, {}, {})) as [Made, Made, Made];
    const streaming = await make('Streaming', [a]);
    const gym = await make('Gym', [c]);
    app.clock.advance(1_000);
    const linked = await link(streaming, [a.id, b.short_id, b.id, c.id]);
    expect(linked.status).toBe(200);
    expect(linked.json).toEqual({
      ...(await get(streaming)),
      link_result: {
        linked: 1,
        already_linked: 1,
        skipped: [{ transaction_id: c.id, short_id: c.short_id, reason: 'bound_elsewhere', bound_to: gym.id }],
      },
    });
    expect([await seriesOf(a), await seriesOf(b), await seriesOf(c)]).toEqual([streaming.id, streaming.id, gym.id]);
    expect(await locksOf(app, b)).toBe('["series"]');
    const listed = await app.request('GET', '/api/v1/transactions', { query: { series_id: streaming.short_id } });
    expect(listed.json.transactions.map(({ id }: Made) => id).sort()).toEqual([a.id, b.id].sort());
    const [set] = await rowsOf(
      app.app.instance.database,
      `select action, updated_count, summary from change_sets where id = '${String(setOf(linked))}'`,
    );
    expect(set).toEqual({ action: 'series.link', updated_count: 1, summary: 'Linked 1 transaction to Streaming' });
    const again = await link(streaming, [a.id, b.id]);
    expect([again.json.link_result, setOf(again)]).toEqual([{ linked: 0, already_linked: 2, skipped: [] }, undefined]);
  });

  test('a dry run answers as the real run would, and writes nothing', async () => {
    const app = await database.open();
    const { rows, make, link, seriesOf } = await household(app);
    const [a] = (await rows({})) as [Made];
    const series = await make('Streaming');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const dry = await link(series, [a.id], { dry_run: true });
    expect([dry.status, setOf(dry), await seriesOf(a)]).toEqual([200, undefined, null]);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    expect(dry.json).toMatchObject({ transaction_count: 1, link_result: { linked: 1 } });
    expect((await link(series, [a.id])).json).toEqual(dry.json);
  });

  test('an unknown or deleted transaction is named in the error, and nothing is created or linked', async () => {
    const app = await database.open();
    const { rows, make, link } = await household(app);
    const gone = { columns: { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' } };
    const [live, deleted] = (await rows({}, gone)) as [Made, Made];
    const series = await make('Streaming');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const ids = [live.id, deleted.id, UNKNOWN, 'x'.repeat(5_000), ''];
    for (const answer of [
      await link(series, ids),
      await app.request('POST', SERIES, { body: { name: 'Gym', transaction_ids: ids } }),
    ]) {
      expect(errorOf(answer)).toEqual([400, 'INVALID_PARAMETER']);
      const paths = answer.json.error.details.map(({ path }: { path: string }) => path);
      expect(paths).toEqual(['transaction_ids[1]', 'transaction_ids[2]', 'transaction_ids[3]', 'transaction_ids[4]']);
    }
    expect(errorOf(await link(series, []))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const none = await app.request('POST', SERIES, { body: { name: 'Gym', transaction_ids: [] } });
    expect(none.json.link_result).toEqual({ linked: 0, already_linked: 0, skipped: [] });
  });

  test('unlinking is a decision too; only a live transaction can be unlinked', async () => {
    const app = await database.open();
    const { rows, make, seriesOf } = await household(app);
    const [a, b] = (await rows({}, {})) as [Made, Made];
    const series = await make('Streaming');
    const other = await make('Gym', [b]);
    await app.request('POST', `${SERIES}/${series.id}/transactions`, {
      body: { transaction_ids: [a.id] },
      key: (await app.newKey({ actor_type: 'system' })).key,
    });
    expect(await locksOf(app, a)).toBe('[]');
    const unlinked = await app.request('DELETE', `${SERIES}/${series.short_id}/transactions/${a.short_id}`);
    expect([unlinked.status, unlinked.json.transaction_count, await seriesOf(a)]).toEqual([200, 0, null]);
    expect([await locksOf(app, a), await seriesOf(b)]).toEqual(['["series"]', other.id]);
    for (const path of [`${series.id}/transactions/${a.id}`, `${series.id}/transactions/${b.id}`]) {
      expect(errorOf(await app.request('DELETE', `${SERIES}/${path}`))).toEqual([404, 'NOT_FOUND']);
    }
    await app.request('DELETE', `/api/v1/transactions/${b.id}`);
    const gone = await app.request('DELETE', `${SERIES}/${other.id}/transactions/${b.id}`);
    expect(errorOf(gone)).toEqual([404, 'NOT_FOUND']);
  });
});
