import { beforeAll, expect, test } from 'vitest';

import { household, record } from '../../../test/harness/ledgers/batches.ts';
import type { Made } from '../../../test/harness/ledger.ts';
import { beginRun, endRun, propose, type Proposed, type ProposingRun } from '../../../test/harness/agents/proposals.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { createRules } from '../agent-tools/tools/create-rules.ts';
import { deleteRule } from '../agent-tools/tools/delete-rule.ts';
import { deleteTag } from '../agent-tools/tools/delete-tag.ts';
import { saveCategory } from '../agent-tools/tools/save-category.ts';
import { saveSeries } from '../agent-tools/tools/save-series.ts';
import { saveTag } from '../agent-tools/tools/save-tag.ts';
import { updateTransactions } from '../agent-tools/tools/update-transactions.ts';
import { createRule } from '../rules/rules.contract.ts';
import { deleteCategory } from '../categories/categories.contract.ts';

forEachDatabase((database) => {
  let app: TestApp;
  let keys: string[];

  beforeAll(async () => {
    app = await database.open();
    const made = await Promise.all(['One', 'Two', 'Three'].map((name) => app.newKey({ name, actor_type: 'agent' })));
    keys = made.map(({ key }) => key);
  });

  const get = async (path: string) => (await app.request('GET', `/api/v1${path}`)).json;
  const approve = (id: string, body: object = {}): Promise<Answer> =>
    app.request('POST', `/api/v1/proposals/${id}/approve`, { body });
  const reject = (id: string): Promise<Answer> => app.request('POST', `/api/v1/proposals/${id}/reject`);
  const edit = (rows: readonly Made[], change: object, as: object): Promise<Proposed> =>
    propose(app, updateTransactions.operation, {
      ...as,
      body: { operations: rows.map(({ id }) => ({ transaction_id: id, ...change })) },
    });
  const ruleFor = (value: string, name = value) => ({
    rules: [{ name, condition: { field: 'name', op: 'contains', value }, actions: [{ type: 'flag' }] }],
  });
  const inRun = async <T>(work: (run: ProposingRun) => Promise<T>): Promise<T> => {
    const run = await beginRun(app, 'Curator');
    const result = await work(run);
    await endRun(app, run);
    return result;
  };
  const unique = (): string => `x${crypto.randomUUID().slice(0, 8)}`;

  test('three runs that find one rule propose it once; once refused, no run proposes it, but another agent may', async () => {
    const value = unique();
    const results = [];
    for (const name of ['a', 'b', 'c']) {
      results.push(await inRun((run) => propose(app, createRules.operation, { run, body: ruleFor(value, name) })));
    }
    const { proposal_id: id } = results[0];
    for (const again of results.slice(1)) {
      const already_proposed_in = [{ proposal_id: id, status: 'proposed' }];
      expect(again).toMatchObject({ proposal_id: null, already_proposed: 1, already_proposed_in });
    }
    await reject(id);
    const later = await inRun((run) => propose(app, createRules.operation, { run, body: ruleFor(value) }));
    const already_proposed_in = [{ proposal_id: id, status: 'rejected' }];
    expect(later).toMatchObject({ proposal_id: null, already_proposed: 1, already_proposed_in });
    const asked = await propose(app, createRules.operation, { key: keys[0] as string, body: ruleFor(value) });
    expect(asked.plan.change_count).toBe(1);
    await reject(asked.proposal_id);
    const twice = await propose(app, createRules.operation, { key: keys[0] as string, body: ruleFor(value) });
    expect(twice).toMatchObject({ proposal_id: null, already_proposed: 1 });
    const other = await propose(app, createRules.operation, { key: keys[1] as string, body: ruleFor(value) });
    expect((await approve(other.proposal_id)).status).toBe(200);
    const [stored] = (await propose(app, createRules.operation, { key: keys[2] as string, body: ruleFor(value) }))
      .rules;
    expect(stored).toMatchObject({ existing: true });
  });

  test('the deletion of a rule is proposed once', async () => {
    const [rule] = ruleFor(unique()).rules;
    const { json: made } = await app.request('POST', '/api/v1/rules', { body: rule });
    const body = { rule_id: made.id as string };
    const [one, two] = [
      await propose(app, deleteRule.operation, { key: keys[0] as string, body }),
      await propose(app, deleteRule.operation, { key: keys[1] as string, body }),
    ];
    expect(one.plan.change_count).toBe(1);
    expect(two).toMatchObject({ proposal_id: null, already_proposed: 1 });
  });

  test('of one rule in two proposals, both approved, one is stored', async () => {
    const [rule] = ruleFor(unique()).rules;
    const ids: string[] = [];
    for (const key of keys.slice(0, 2)) {
      ids.push((await propose(app, createRule, { key, body: rule })).proposal_id as string);
      // As it was before the same was looked for.
      await app.write('test.hide', async (tx) => {
        await tx.q
          .updateTable('proposals')
          .set({ status: 'applied' })
          .where('short_id', '=', ids[0] ?? '')
          .execute();
      });
    }
    await app.write('test.show', async (tx) => {
      await tx.q
        .updateTable('proposals')
        .set({ status: 'proposed' })
        .where('short_id', '=', ids[0] ?? '')
        .execute();
    });
    for (const id of ids) expect((await approve(id)).json).toMatchObject({ applied_count: 1 });
    const outcomes = await Promise.all(
      ids.map(async (id) => (await get(`/proposals/${id}`)).changes[0].outcome as string),
    );
    expect(outcomes).toEqual(['applied', 'existing']);
    const stored = await rowsOf(app.app.instance.database, `select id from rules where name = '${rule?.name}'`);
    expect(stored).toHaveLength(1);
  });

  test('two agents that each create a category and fill it leave one with the rows of both', async () => {
    const rows = (await household(app, 2)) as [Made, Made];
    const name = `Pets ${unique()}`;
    const ids: string[] = [];
    for (const [index, key] of keys.slice(0, 2).entries()) {
      const made = await propose(app, saveCategory.operation, { key, body: { name } });
      expect(made.plan.change_count).toBe(1);
      ids.push(made.proposal_id);
      const as = { key, proposalId: made.proposal_id as string };
      expect(await edit([rows[index] as Made], { category_id: made.category.id }, as)).toMatchObject({
        plan: { change_count: 2 },
      });
    }
    const again = await propose(app, saveCategory.operation, { key: keys[0] as string, body: { name } });
    expect(again).toMatchObject({ proposal_id: null, already_proposed_in: [{ proposal_id: ids[0] }] });
    for (const id of ids) expect((await approve(id)).json).toMatchObject({ status: 'applied', skipped_count: 0 });
    const [one, two] = [await record(app, rows[0]), await record(app, rows[1])];
    expect(one.category_id).toBe(two.category_id);
    const found = await rowsOf(app.app.instance.database, `select id from categories where name = '${name}'`);
    expect(found).toEqual([{ id: one.category_id }]);
  });

  test('a tag for rows that are left out is left out with them, unless another row needs it', async () => {
    const rows = (await household(app, 2)) as [Made, Made];
    const key = keys[2] as string;
    const tagged = { tags_to_add: [`holiday-${crypto.randomUUID().slice(0, 8)}`] };
    const first = await edit([rows[0]], tagged, { key });
    expect(first.plan).toEqual({ call_count: 1, change_count: 2 });
    expect(await edit([rows[0]], tagged, { key })).toMatchObject({ proposal_id: null, already_proposed: 1 });
    await reject(first.proposal_id);
    expect(await edit([rows[0]], tagged, { key })).toMatchObject({ proposal_id: null, already_proposed: 1 });
    const both = await edit(rows, tagged, { key });
    expect(both).toMatchObject({ plan: { call_count: 1, change_count: 2 }, already_proposed: 1 });
    expect((await approve(both.proposal_id)).json).toMatchObject({ applied_count: 2 });
  });

  test('a refused category with its rows is in no plan of the next run', async () => {
    const rows = await household(app, 2);
    const name = `Birds ${unique()}`;
    const fill = async (run: ProposingRun): Promise<Proposed> => {
      const made = await propose(app, saveCategory.operation, { run, body: { name } });
      expect(made.proposal_id).not.toBeNull();
      return edit(rows, { category_id: made.category.id }, { run });
    };
    const first = await inRun(fill);
    expect(first).toMatchObject({ plan: { change_count: 3 } });
    await reject(first.proposal_id);
    const run = await beginRun(app, 'Curator');
    expect(await fill(run)).toMatchObject({ already_proposed: 2 });
    await endRun(app, run);
    expect((await get(`/proposals?status=all&run_id=${run.id}`)).proposals).toEqual([]);
  });

  test('a tag that is deleted and wanted again stays, with the rows that keep it; names are exchanged, and back', async () => {
    const rows = (await household(app, 2)) as [Made, Made];
    const slug = unique();
    for (const { id } of rows) await app.request('POST', `/api/v1/transactions/${id}/tags`, { body: { slug } });
    const { json: tag } = await app.request('GET', `/api/v1/tags/${slug}`);
    const key = keys[0] as string;
    const { proposal_id: id } = await propose(app, deleteTag.operation, { key, body: { slug } });
    const as = { key, proposalId: id as string };
    await propose(app, saveTag.operation, { ...as, body: { slug, name: 'New name' } });
    await edit([rows[0]], { tags_to_add: [slug] }, as);
    await edit([rows[0]], { flagged: true }, as);
    const names = [unique(), unique()] as const;
    const series: Made[] = [];
    for (const name of names)
      series.push((await app.request('POST', '/api/v1/series', { body: { name } })).json as Made);
    const rename = (index: number, new_name: string): Promise<Proposed> =>
      propose(app, saveSeries.operation, { ...as, body: { series_id: series[index]?.id, new_name } });
    for (const [index, name] of [
      [0, 'spare'],
      [1, names[0]],
      [0, names[1]],
    ] as const) {
      expect(await rename(index, name)).toMatchObject({ proposed: true, proposal_id: id });
    }
    expect((await get(`/proposals/${id}`)).conflict_count).toBe(0);
    const done = await approve(id);
    expect(done.status, done.text).toBe(200);
    expect(await get(`/tags/${slug}`)).toMatchObject({ id: tag.id, name: 'New name' });
    expect([(await record(app, rows[0])).tags, (await record(app, rows[1])).tags]).toEqual([[slug], []]);
    expect((await get(`/series/${series[0]?.id}`)).name).toBe(names[1]);
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`, { body: {} });
    expect([undone.status, undone.json.skipped_count], undone.text).toEqual([200, 0]);
    expect([(await get(`/series/${series[0]?.id}`)).name, (await get(`/series/${series[1]?.id}`)).name]).toEqual(names);
    expect([(await record(app, rows[0])).tags, (await record(app, rows[1])).tags]).toEqual([[slug], [slug]]);
  });

  test('a category is not deleted while a row that is left out keeps it', async () => {
    const [row] = (await household(app, 1)) as [Made];
    const { json: category } = await app.request('POST', '/api/v1/categories', { body: { name: unique() } });
    await app.request('PATCH', `/api/v1/transactions/${row.id}/category`, { body: { category_id: category.id } });
    const call = { key: keys[0] as string, params: { id: category.id as string }, query: { reassign_to: 'none' } };
    const { proposal_id: id } = await propose(app, deleteCategory, call);
    const { changes } = await get(`/proposals/${id}`);
    const kept = changes.find((one: { entity_type: string }) => one.entity_type === 'transaction').sequence;
    const refused = await approve(id, { exclude: [kept] });
    expect([refused.status, refused.json.error.code], refused.text).toEqual([409, 'PROPOSAL_CONFLICT']);
    expect((await approve(id)).status).toBe(200);
  });

  test('of sixty proposals in an hour one is told, and there are at most a hundred', async () => {
    await app.request('POST', '/api/v1/notification-channels', {
      body: { name: 'Phone', format: 'ntfy', url: 'https://ntfy.example.org/us', events: ['proposal.created'] },
    });
    const { key } = await app.newKey({ name: 'Busy', actor_type: 'agent' });
    const rows = await household(app, 101);
    for (const row of rows.slice(0, 100)) await edit([row], { flagged: true }, { key });
    expect(await edit(rows.slice(100), { flagged: true }, { key })).toEqual({ error: 'PLAN_TOO_LARGE' });
    const told = await rowsOf<{ title: string }>(
      app.app.instance.database,
      `select title from notification_deliveries where event = 'proposal.created'`,
    );
    expect(told).toEqual([{ title: 'Busy proposes 1 change' }]);
  }, 60_000);
});
