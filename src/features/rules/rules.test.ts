import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const GROCERIES = 'food_and_drink_groceries';

async function household(app: TestApp): Promise<Made[]> {
  const account = await addAccount(app, await addMember(app, 'Ada'));
  const names = ['CORNER MARKET 114', 'Corner Market 7', 'Café Crème', 'Rent'];
  return addTransactions(
    app,
    names.map((name, index) => ({ account, date: `2026-04-0${index + 1}`, amount_cents: 1_000, name })),
  );
}

const rule = {
  name: 'Corner Market is groceries',
  condition: { field: 'name', op: 'starts_with', value: 'corner market' },
  actions: [
    { type: 'set_category', category_slug: GROCERIES },
    { type: 'add_tag', tag_slug: 'market' },
  ],
};

forEachDatabase((database) => {
  test('a rule is stored, shown as sent, unchanged by a PUT of what GET returned, and deleted', async () => {
    const app = await database.open();
    const made = await app.request('POST', '/api/v1/rules', { body: rule });
    expect([made.status, made.json.priority, made.json.triggers]).toEqual([
      201,
      100,
      ['sync', 'retroactive', 'manual'],
    ]);
    expect(made.json.actions).toMatchObject([{ category_slug: GROCERIES }, { tag_slug: 'market' }]);
    const path = `/api/v1/rules/${made.json.short_id}`;
    const fetched = (await app.request('GET', path)).json;
    const same = await app.request('PUT', path, { body: { ...fetched, hit_count: 7, creator_type: 'agent' } });
    expect([same.status, same.json, same.headers['x-change-set-id']]).toEqual([200, fetched, undefined]);
    expect((await app.request('DELETE', '/api/v1/tags/market')).json.error.code).toBe('TAG_IN_USE');
    const gone = await app.request('DELETE', path);
    expect([gone.status, (await app.request('GET', path)).status]).toEqual([204, 404]);
    await app.request('POST', `/api/v1/change-sets/${String(gone.headers['x-change-set-id'])}/revert`, { body: {} });
    expect((await app.request('GET', path)).json.id).toBe(fetched.id);
  });

  test('bad rules are refused with the path of every problem, and nothing is created', async () => {
    const app = await database.open();
    const bad = {
      ...rule,
      condition: {
        and: [
          { field: 'nothing', op: 'eq', value: 1 },
          { field: 'amount', op: 'contains', value: 'x' },
        ],
      },
    };
    const answer = await app.request('POST', '/api/v1/rules', { body: bad });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const paths = answer.json.error.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['condition.and[0].field', 'condition.and[1].op']);
    for (const body of [
      { ...rule, priority: 1001 },
      { ...rule, triggers: [] },
      { ...rule, hit_count: 1 },
      { name: 'x' },
    ]) {
      expect((await app.request('POST', '/api/v1/rules', { body })).status).toBe(400);
    }
    const batch = await app.request('POST', '/api/v1/rules/batch', {
      body: { rules: [rule, { ...rule, actions: [] }] },
    });
    expect(batch.json.error.details[0].path).toBe('rules[1].actions');
    expect((await app.request('GET', '/api/v1/rules')).json.rules).toHaveLength(1);
    expect((await app.request('GET', '/api/v1/tags/market')).status).toBe(404);
  });

  test('applying a rule does what the dry run said, once, keeps what people decided, and can be reverted', async () => {
    const app = await database.open();
    const [first, second] = (await household(app)) as [Made, Made];
    await app.request('PATCH', `/api/v1/transactions/${second.id}/category`, { body: { category_id: null } });
    const made = await app.request('POST', '/api/v1/rules', { body: rule });
    const path = `/api/v1/rules/${made.json.id}/apply`;
    const rehearsed = (await app.request('POST', path, { body: { dry_run: true } })).json;
    const done = await app.request('POST', path, { body: {} });
    expect(done.json).toMatchObject({ matched_count: 2, affected_count: 2, skipped_count: 1, total_scanned: 4 });
    for (const name of ['matched_count', 'affected_count', 'skipped_count', 'total_scanned']) {
      expect(rehearsed[name]).toBe(done.json[name]);
    }
    expect(rehearsed.sample_matches).toHaveLength(2);
    const row = (await app.request('GET', `/api/v1/transactions/${first.id}`)).json;
    expect([row.category.slug, row.category_source, row.tags]).toEqual([GROCERIES, 'rule', ['market']]);
    expect((await app.request('GET', `/api/v1/transactions/${second.id}`)).json.category_source).not.toBe('rule');
    const timeline = (await app.request('GET', `/api/v1/transactions/${first.id}/annotations`)).json;
    expect(timeline.at(-1)).toMatchObject({ source: 'rule', rule_name: rule.name, applied_by: 'apply' });
    const again = await app.request('POST', path, { body: {} });
    expect([again.json.affected_count, again.json.change_set_id]).toEqual([0, null]);
    expect((await app.request('GET', `/api/v1/rules/${made.json.id}`)).json.hit_count).toBe(4);
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`, { body: {} });
    expect(undone.json.reverted_count).toBe(2);
    expect((await app.request('GET', `/api/v1/transactions/${first.id}`)).json).toMatchObject({
      category: null,
      tags: [],
    });
  });

  test('apply-all runs retroactive rules in order, as a job that the caller need not wait for', async () => {
    const app = await database.open();
    await household(app);
    await app.request('POST', '/api/v1/rules', { body: { ...rule, priority: 10 } });
    const later = {
      ...rule,
      name: 'Travel',
      priority: 20,
      actions: [{ type: 'set_category', category_slug: 'travel' }],
    };
    await app.request('POST', '/api/v1/rules', { body: later });
    const done = (await app.request('POST', '/api/v1/rules/apply-all', { body: {} })).json;
    expect(done.rules.map((one: Record<string, unknown>) => [one['name'], one['matched_count']])).toEqual([
      [rule.name, 2],
      ['Travel', 2],
    ]);
    const travel = await app.request('GET', '/api/v1/transactions/count', { query: { category_slug: 'travel' } });
    expect(travel.json.count).toBe(2);
    const [job] = (await app.request('GET', '/api/v1/jobs')).json;
    expect(job).toMatchObject({ kind: 'rules_apply_all', status: 'succeeded', progress: { done: 4, total: 4 } });
  });

  test('a category reset applies the rules', async () => {
    const app = await database.open();
    const [first] = (await household(app)) as [Made];
    await app.request('POST', '/api/v1/rules', { body: rule });
    const at = `/api/v1/transactions/${first.id}/category`;
    await app.request('PATCH', at, { body: { category_slug: 'travel' } });
    expect((await app.request('DELETE', at)).json).toMatchObject({
      category: { slug: GROCERIES },
      category_source: 'rule',
    });
  });
});
