import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import { forgetInRules } from './index.ts';
import { ruleReferences } from './rule-references.queries.ts';

type Fields = Readonly<Record<string, unknown>>;

const flag = [{ type: 'flag' }];

forEachDatabase((database) => {
  const post = (app: TestApp, path: string, body: object): Promise<Answer> =>
    app.request('POST', `/api/v1${path}`, { body });
  const make = async (app: TestApp, path: string, body: object): Promise<Made> => {
    const answer = await post(app, path, body);
    expect([answer.status, answer.json.error]).toEqual([201, undefined]);
    return answer.json;
  };
  const rule = (app: TestApp, condition: Fields, actions: readonly Fields[] = flag, more: Fields = {}): Promise<Made> =>
    make(app, '/rules', { name: 'Rule', condition, actions, ...more });
  const get = async (app: TestApp, { id }: Made) => (await app.request('GET', `/api/v1/rules/${id}`)).json;
  const revert = (app: TestApp, answer: Answer): Promise<Answer> =>
    post(app, `/change-sets/${String(answer.headers['x-change-set-id'])}/revert`, {});
  const remove = (app: TestApp, path: string): Promise<Answer> => app.request('DELETE', `/api/v1${path}`);

  /** No rule refers to a record that does not exist or was merged into another. */
  async function expectStanding(app: TestApp): Promise<void> {
    const { database: db } = app.app.instance;
    for (const row of await rowsOf<{ condition: string; actions: string }>(
      db,
      'select condition, actions from rules',
    )) {
      const condition = JSON.parse(row.condition) as StoredCondition;
      for (const { table, value: id, nullWhileLive } of ruleReferences(
        condition,
        JSON.parse(row.actions) as StoredAction[],
      )) {
        const standing = nullWhileLive === undefined ? '' : `and ${nullWhileLive} is null`;
        expect(await rowsOf(db, `select id from ${table} where id = '${id}' ${standing}`)).toHaveLength(1);
      }
    }
  }

  test('a record that is renamed is shown under its new name, and stays the same record', async () => {
    const app = await database.open();
    const category = await make(app, '/categories', { name: 'Pets' });
    await make(app, '/tags', { name: 'Vet' });
    const series = await make(app, '/series', { name: 'Gym', type: 'other' });
    const party = await make(app, '/counterparties', { name: 'Shop' });
    const condition = {
      and: [
        { field: 'category', op: 'eq', value: 'pets' },
        { field: 'tags', op: 'contains', value: 'vet' },
      ],
    };
    const made = await rule(app, condition, [
      { type: 'set_category', category_slug: 'pets' },
      { type: 'assign_series', series_id: series.id },
      { type: 'assign_counterparty', counterparty_id: party.id },
    ]);
    const patch = (path: string, body: object) => app.request('PATCH', `/api/v1${path}`, { body });
    const put = (path: string, body: object) => app.request('PUT', `/api/v1${path}`, { body });
    await put(`/categories/${category.id}`, { slug: 'animals', name: 'Animals' });
    await patch(`/series/${series.id}`, { name: 'Sport' });
    await patch(`/counterparties/${party.id}`, { name: 'Store' });
    const now = await get(app, made);
    const slug = (await app.request('GET', `/api/v1/categories/${category.id}`)).json.slug;
    expect(now.condition.and).toMatchObject([{ value: slug }, { value: 'vet' }]);
    expect(now.actions).toMatchObject([
      { category_id: category.id, category_slug: slug },
      { series_id: series.id, series_name: 'Sport' },
      { counterparty_id: party.id, counterparty_name: 'Store' },
    ]);
    expect(now.updated_at).toBe((made as Made & Fields)['updated_at']);
    await expectStanding(app);
  });

  test('rules refer to the target of a merged or replaced category; a revert restores them', async () => {
    const app = await database.open();
    const source = await make(app, '/categories', { name: 'Source' });
    const target = await make(app, '/categories', { name: 'Target' });
    const third = await make(app, '/categories', { name: 'Third' });
    const eq = await rule(app, { field: 'category', op: 'eq', value: 'source' }, [
      { type: 'set_category', category_slug: 'source' },
    ]);
    const lists = await rule(
      app,
      {
        or: [
          { field: 'category', op: 'in', value: ['source', 'target', 'third'] },
          { not: { field: 'category', op: 'not_in', value: ['source'] } },
          { field: 'category', op: 'contains', value: 'source' },
        ],
      },
      flag,
      { enabled: false },
    );
    const [before, listsBefore] = [await get(app, eq), await get(app, lists)];
    const merged = await post(app, `/categories/${target.id}/merge`, { from_category_id: source.id });
    expect(merged.json.moved.rules).toBe(2);
    expect(await get(app, eq)).toMatchObject({
      condition: { value: 'target' },
      actions: [{ category_id: target.id, category_slug: 'target' }],
    });
    expect((await get(app, lists)).condition.or).toEqual([
      { field: 'category', op: 'in', value: ['target', 'third'] },
      { not: { field: 'category', op: 'not_in', value: ['target'] } },
      { field: 'category', op: 'contains', value: 'source' },
    ]);
    await expectStanding(app);
    const undone = await revert(app, merged);
    expect(undone.status).toBe(200);
    const same = ({ updated_at: _stamp, ...rest }: Record<string, unknown>) => rest;
    expect(same(await get(app, eq))).toEqual(same(before));
    expect(same(await get(app, lists))).toEqual(same(listsBefore));

    const gone = await app.request('DELETE', `/api/v1/categories/${source.id}`, { query: { reassign_to: third.id } });
    expect(gone.status).toBeLessThan(300);
    expect((await get(app, eq)).condition.value).toBe('third');
    await expectStanding(app);
  });

  test('rules refer to the target of a merged counterparty', async () => {
    const app = await database.open();
    const source = await make(app, '/counterparties', { name: 'Source' });
    const target = await make(app, '/counterparties', { name: 'Target' });
    const made = await rule(app, { field: 'counterparty', op: 'in', value: [source.id, target.id] }, [
      { type: 'assign_counterparty', counterparty_id: source.id },
    ]);
    const merged = await post(app, `/counterparties/${target.id}/merge`, { from_counterparty_id: source.id });
    expect(await get(app, made)).toMatchObject({
      condition: { value: [target.id] },
      actions: [{ counterparty_id: target.id, counterparty_name: 'Target' }],
    });
    await expectStanding(app);
    await revert(app, merged);
    expect((await get(app, made)).actions).toMatchObject([{ counterparty_id: source.id }]);
  });

  test('a record cannot be deleted while a rule refers to it, even if only the condition of a disabled one does', async () => {
    const app = await database.open();
    const category = await make(app, '/categories', { name: 'Pets' });
    await make(app, '/tags', { name: 'Vet' });
    const series = await make(app, '/series', { name: 'Gym', type: 'other' });
    const party = await make(app, '/counterparties', { name: 'Shop' });
    const off = { enabled: false };
    const rules = [
      await rule(app, { not: { field: 'category', op: 'in', value: ['pets'] } }, flag, off),
      await rule(app, { field: 'tags', op: 'not_contains', value: 'vet' }, flag, off),
      await rule(app, { field: 'series', op: 'neq', value: series.id }, flag, off),
      await rule(app, { field: 'counterparty', op: 'eq', value: party.id }, flag, off),
    ];
    const cases = [
      [`/categories/${category.id}`, 'CATEGORY_IN_USE'],
      ['/tags/vet', 'TAG_IN_USE'],
      [`/series/${series.id}`, 'SERIES_IN_USE'],
      [`/counterparties/${party.id}`, 'COUNTERPARTY_IN_USE'],
    ] as const;
    for (const [path, code] of cases) {
      const refused = await remove(app, path);
      expect([path, refused.status, refused.json.error.code]).toEqual([path, 409, code]);
    }
    for (const { id } of rules) await remove(app, `/rules/${id}`);
    for (const [path] of cases) expect([path, (await remove(app, path)).status < 300]).toEqual([path, true]);
  });

  test('a text that happens to look like an id is not a reference', async () => {
    const app = await database.open();
    const source = await make(app, '/categories', { name: 'Source' });
    const target = await make(app, '/categories', { name: 'Target' });
    const condition = {
      and: [
        { field: 'name', op: 'eq', value: source.id },
        { field: 'metadata.k', op: 'eq', value: source.id },
        { field: 'category', op: 'contains', value: source.id },
      ],
    };
    const actions = [
      { type: 'set_metadata', metadata_key: 'k', metadata_value: source.id },
      { type: 'add_comment', content: source.id },
    ];
    const made = await rule(app, condition, actions);
    const before = await get(app, made);
    const merged = await post(app, `/categories/${target.id}/merge`, { from_category_id: source.id });
    expect(merged.json.moved.rules).toBe(0);
    expect(await get(app, made)).toEqual(before);
    await revert(app, merged);
    expect((await remove(app, `/categories/${source.id}`)).status).toBeLessThan(300);
  });

  test('an erased member is in no rule; a leaf without any member left matches no row, and its rule is disabled', async () => {
    const app = await database.open();
    const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
    const account = await addAccount(app, ana);
    await addTransactions(app, [{ account, date: '2026-04-01', amount_cents: 100, name: 'Shop', attributed: ben }]);
    const both = await rule(app, { field: 'user_id', op: 'in', value: [ana.short_id, ben.short_id] });
    const notBoth = await rule(app, { field: 'user_id', op: 'not_in', value: [ben.id, ana.id] });
    const only = await rule(app, {
      or: [
        { field: 'user_id', op: 'eq', value: ben.short_id },
        { field: 'name', op: 'eq', value: 'x' },
      ],
    });
    const last = await rule(app, { field: 'user_id', op: 'in', value: [ben.id] }, flag, { enabled: false });
    const other = await rule(app, { field: 'user_id', op: 'eq', value: ana.id });
    const untouched = await get(app, other);
    const gone = await remove(app, `/users/${ben.id}`);
    expect(gone.status).toBe(204);
    expect(await get(app, both)).toMatchObject({ enabled: true, condition: { value: [ana.short_id] } });
    expect(await get(app, notBoth)).toMatchObject({ enabled: true, condition: { value: [ana.short_id] } });
    expect(await get(app, last)).toMatchObject({ enabled: false, condition: { op: 'in', value: null } });
    expect(await get(app, other)).toEqual(untouched);
    const disabled = await get(app, only);
    expect(disabled).toMatchObject({ enabled: false, condition: { or: [{ op: 'eq', value: null }, { value: 'x' }] } });
    await expectStanding(app);

    const set = (await app.request('GET', `/api/v1/change-sets/${String(gone.headers['x-change-set-id'])}`)).json;
    const changed = set.changes.filter((one: Fields) => one['entity_type'] === 'rule');
    expect(changed.map((one: Fields) => one['entity_id']).sort()).toEqual(
      [both.id, notBoth.id, only.id, last.id].sort(),
    );
    expect((await revert(app, gone)).json.error.code).toBe('NOT_REVERTIBLE');

    const path = `/api/v1/rules/${only.id}`;
    const renamed = await app.request('PUT', path, { body: { ...disabled, name: 'Renamed', enabled: true } });
    expect([renamed.status, renamed.json.condition]).toEqual([200, disabled.condition]);
    const dry = await app.request('POST', `/api/v1/rules/${only.id}/apply`, { body: { dry_run: true } });
    expect([dry.status, dry.json.matched_count]).toEqual([200, 0]);
    const written = await post(app, '/rules', {
      name: 'x',
      condition: { field: 'user_id', op: 'eq', value: null },
      actions: flag,
    });
    expect([written.status, written.json.error.details[0].path]).toEqual([400, 'condition.value']);
  });

  test('an account that is erased is in no rule either', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const [first, second] = [await addAccount(app, ana), await addAccount(app, ana, { name: 'Savings' })];
    const both = await rule(app, { field: 'account_id', op: 'in', value: [first.id, second.short_id] });
    const only = await rule(app, { not: { field: 'account_id', op: 'eq', value: first.id } });
    await app.write('test.erase', (tx) => forgetInRules(tx, first.id, { revertible: false }));
    expect(await get(app, both)).toMatchObject({ enabled: true, condition: { value: [second.id] } });
    expect(await get(app, only)).toMatchObject({ enabled: false, condition: { not: { value: null } } });
  });

  test('a revert does not bring back a reference to a record that was merged since', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const [row] = (await addTransactions(app, [{ account, date: '2026-04-01', amount_cents: 100, name: 'Shop' }])) as [
      Made,
    ];
    const [old, next, target] = [
      await make(app, '/counterparties', { name: 'Old', transaction_ids: [row.id] }),
      await make(app, '/counterparties', { name: 'Next' }),
      await make(app, '/counterparties', { name: 'Target' }),
    ];
    const assign = (id: string) => [{ type: 'assign_counterparty', counterparty_id: id }];
    const made = await rule(app, {}, assign(old.id));
    const body = { actions: assign(next.id) };
    const retargeted = await app.request('PATCH', `/api/v1/rules/${made.id}`, { body });
    const unbound = await remove(app, `/counterparties/${old.id}/transactions/${row.id}`);
    const merged = await post(app, `/counterparties/${target.id}/merge`, { from_counterparty_id: old.id });
    for (const [set, entity, fields] of [
      [retargeted, made.id, ['actions']],
      [unbound, row.id, ['counterparty_id']],
    ] as const) {
      const refused = await revert(app, set);
      expect([refused.status, refused.json.error.code]).toEqual([409, 'REVERT_CONFLICT']);
      expect(refused.json.error.details[0]).toMatchObject({ entity_id: entity, reason: 'reference_missing', fields });
    }
    await revert(app, merged);
    expect((await revert(app, retargeted)).status).toBe(200);
    expect((await get(app, made)).actions).toMatchObject([{ counterparty_id: old.id }]);
    expect((await revert(app, unbound)).status).toBe(200);
    await expectStanding(app);
  });
});
