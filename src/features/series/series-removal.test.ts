import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { addRule } from '../../../test/harness/rules/add-rule.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const SERIES = '/api/v1/series';
/** Tables in which a write and its revert leave their own traces. */
const TRACES = ['api_key_uses', 'change_sets', 'changes'];

/** A series with one member that a person linked, one that a rule linked, and one that was deleted since. */
async function streaming(app: TestApp) {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const row = { account, date: '2026-04-01', amount_cents: 1_549, name: 'STREAMING' };
  const [byHand] = (await addTransactions(app, [row])) as [Made];
  const body = { name: 'Streaming', transaction_ids: [byHand.id] };
  const { json: series } = await app.request('POST', SERIES, { body });
  const columns = { series_id: series.id as string };
  const deletion = { deleted_at: '2026-04-02T00:00:00.000Z', deleted_cause: 'person' };
  const [byRule, deleted] = (await addTransactions(app, [
    { ...row, columns },
    { ...row, columns: { ...columns, ...deletion } },
  ])) as [Made, Made];
  return { series: series as Made, row, byHand, byRule, deleted };
}

const remove = (app: TestApp, { id }: Made, query = '') => app.request('DELETE', `${SERIES}/${id}${query}`);
const revert = (app: TestApp, done: Answer, body: unknown = {}) =>
  app.request('POST', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}/revert`, { body });
const errorOf = ({ status, json }: Answer) => [status, json.error.code];

/** Everything that a revert must restore. `updated_at` moves on. */
async function state(app: TestApp): Promise<unknown> {
  const all = await allRows(app.app.instance.database, TRACES);
  return JSON.parse(JSON.stringify(all).replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, ''));
}

forEachDatabase((database) => {
  test('a series with transactions is deleted only with unlink, and a revert restores both', async () => {
    const app = await database.open();
    const { series, byHand, byRule, deleted } = await streaming(app);
    const before = await state(app);
    expect(errorOf(await remove(app, series))).toEqual([409, 'SERIES_IN_USE']);
    app.clock.advance(1_000);
    const done = await remove(app, series, '?unlink=true');
    expect(done.status).toBe(204);
    expect((await app.request('GET', `${SERIES}/${series.id}`)).status).toBe(404);
    const members = await rowsOf(app.app.instance.database, 'select series_id, locks from transactions');
    expect(members).toEqual([1, 2, 3].map(() => ({ series_id: null, locks: '[]' })));
    const filtered = await app.request('GET', '/api/v1/transactions', { query: { series_id: series.id } });
    expect(errorOf(filtered)).toEqual([400, 'INVALID_PARAMETER']);
    app.clock.advance(1_000);

    const back = await revert(app, done);
    expect([back.status, back.json.reverted_count]).toEqual([200, 4]);
    expect(await state(app)).toEqual(before);
    const listed = await app.request('GET', '/api/v1/transactions', { query: { series_id: series.short_id } });
    expect(listed.json.transactions.map(({ id }: Made) => id).sort()).toEqual([byHand.id, byRule.id].sort());
    const [gone] = await rowsOf(
      app.app.instance.database,
      `select series_id from transactions where id = '${deleted.id}'`,
    );
    expect(gone).toEqual({ series_id: series.id });
  });

  test('a deleted transaction keeps its series in use', async () => {
    const app = await database.open();
    const { series, byHand, byRule } = await streaming(app);
    for (const { id } of [byHand, byRule]) await app.request('DELETE', `${SERIES}/${series.id}/transactions/${id}`);
    expect(errorOf(await remove(app, series))).toEqual([409, 'SERIES_IN_USE']);
    expect((await remove(app, series, '?unlink=1')).status).toBe(204);
  });

  test('a series that a rule refers to, even a disabled one in its condition, cannot be deleted', async () => {
    const app = await database.open();
    for (const rule of ['condition', 'actions']) {
      const { json: series } = await app.request('POST', SERIES, { body: { name: rule } });
      const named = { field: 'series', op: 'in', value: [series.id] };
      await addRule(app, { [rule]: rule === 'actions' ? [{ type: 'assign_series', series_id: series.id }] : named });
      expect(errorOf(await remove(app, series, '?unlink=true'))).toEqual([409, 'SERIES_IN_USE']);
      expect((await app.request('GET', `${SERIES}/${series.id}`)).status).toBe(200);
    }
  });

  test('a series whose name has been taken since is not restored', async () => {
    const app = await database.open();
    const { json: series } = await app.request('POST', SERIES, { body: { name: 'Gym' } });
    const done = await remove(app, series);
    await app.request('POST', SERIES, { body: { name: 'GYM' } });
    const refused = await revert(app, done);
    expect(errorOf(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.details[0]).toMatchObject({ reason: 'exists', fields: ['name'] });
  });

  test('creating a series is reverted with its links, unless something else uses it', async () => {
    const app = await database.open();
    const { series: other, row } = await streaming(app);
    const [a, b] = (await addTransactions(app, [row, row])) as [Made, Made];
    const before = await state(app);
    const made = await app.request('POST', SERIES, { body: { name: 'Gym', transaction_ids: [a.id] } });
    const link = { transaction_ids: [b.id] };
    const linked = await app.request('POST', `${SERIES}/${made.json.id}/transactions`, { body: link });
    const refused = await revert(app, made);
    expect(errorOf(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.details[0]).toMatchObject({ reason: 'in_use', entity_id: made.json.id });
    expect((await revert(app, linked)).status).toBe(200);
    expect((await revert(app, made)).status).toBe(200);
    expect(await state(app)).toEqual(before);
    expect((await app.request('GET', `${SERIES}/${other.id}`)).json.transaction_count).toBe(2);
  });

  test('a new name and type are reverted, unless they have changed since', async () => {
    const app = await database.open();
    const { json: series } = await app.request('POST', SERIES, { body: { name: 'Gym' } });
    const patch = (body: unknown) => app.request('PATCH', `${SERIES}/${series.id}`, { body });
    const renamed = await patch({ name: 'Sports', type: 'bill' });
    const again = await patch({ name: 'Sport' });
    expect(errorOf(await revert(app, renamed))).toEqual([409, 'REVERT_CONFLICT']);
    expect((await revert(app, again)).status).toBe(200);
    expect((await revert(app, renamed)).status).toBe(200);
    const { json } = await app.request('GET', SERIES, { query: { search: 'GYM' } });
    expect(json.series).toEqual([{ ...json.series[0], id: series.id, name: 'Gym', type: 'subscription' }]);
  });
});
