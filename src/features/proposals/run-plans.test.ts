import { beforeAll, beforeEach, expect, test } from 'vitest';

import { COFFEE, GROCERIES, everything, household, record } from '../../../test/harness/ledgers/batches.ts';
import { askTool } from '../../../test/harness/agents/agents.ts';
import type { Made } from '../../../test/harness/ledger.ts';
import { beginRun, endRun, propose, type Proposed, type ProposingRun } from '../../../test/harness/agents/proposals.ts';
import { addRun, call, linesOf, runRow, scriptedModel, workOnRuns } from '../../../test/harness/workflows/runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { TEST_START, forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { bookkeep } from '../../journal/write.ts';
import { createRules } from '../agent-tools/tools/create-rules.ts';
import { queryTransactions } from '../agent-tools/tools/query-transactions.ts';
import { saveCategory } from '../agent-tools/tools/save-category.ts';
import { updateTransactions } from '../agent-tools/tools/update-transactions.ts';
import { deleteTag } from '../tags/tags.contract.ts';
import { expireProposals } from './index.ts';

forEachDatabase((database) => {
  let app: TestApp;
  let run: ProposingRun;
  const model = scriptedModel();

  beforeAll(async () => {
    app = await database.open({ standInModel: () => model });
    await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'Asia/Tokyo' } });
    await app.request('POST', '/api/v1/notification-channels', {
      body: { name: 'Phone', format: 'ntfy', url: 'https://ntfy.example.org/us', events: ['proposal.created'] },
    });
  });
  beforeEach(async () => {
    run = await beginRun(app, 'Routine Reviewer');
  });

  const get = async (path: string) => (await app.request('GET', `/api/v1${path}`)).json;
  const plansOf = async ({ id }: ProposingRun) => (await get(`/proposals?status=all&run_id=${id}`)).proposals;
  const approve = (id: string, body: object = {}, key = app.key): Promise<Answer> =>
    app.request('POST', `/api/v1/proposals/${id}/approve`, { body, key });
  const code = ({ status, json }: Answer): [number, string] => [status, json.error?.code];
  const edit = (rows: readonly Made[], change: object, as: ProposingRun = run): Promise<Proposed> =>
    propose(app, updateTransactions.operation, {
      run: as,
      body: { operations: rows.map(({ id }) => ({ transaction_id: id, ...change })) },
    });
  /** The same workflow, later. */
  const again = ({ workflowId, name }: ProposingRun): Promise<ProposingRun> =>
    beginRun(app, name, { workflow_id: workflowId });
  const tellings = async (): Promise<number> =>
    (await rowsOf(app.app.instance.database, `select 1 as n from notification_deliveries`)).length;

  test('an agent reads by short ids whose plan it is', async () => {
    const [row] = (await household(app, 1)) as [Made];
    const workflow = await addWorkflow(app);
    const ofWorkflow = await beginRun(app, 'Watcher', { workflow_id: workflow.id });
    const { proposal_id: id } = await edit([row], { category_slug: COFFEE }, ofWorkflow);
    await endRun(app, ofWorkflow);
    const { short_id: runId } = await get(`/workflows/runs/${ofWorkflow.id}`);
    const { proposal } = await askTool(app, 'list_proposals', { proposal_id: id });
    expect(proposal).toMatchObject({ id, workflow_id: workflow.short_id, run_id: runId });
    const { json: applied } = await approve(String(id));
    const { change_set: set } = await askTool(app, 'list_change_sets', { change_set_id: applied.change_set_id });
    expect(set).toMatchObject({ proposal_id: id, workflow_run_id: runId });
  });

  test('a run writes one plan, which nobody is told of or can decide before it ends', async () => {
    const [row] = (await household(app, 1)) as [Made];
    const told = await tellings();
    const before = await everything(app);
    const result = await edit([row], { category_slug: COFFEE });
    expect(result).toMatchObject({ proposed: true, plan: { call_count: 1, change_count: 1 } });
    const { proposals: _p, proposal_changes: _c, mcp_calls: _m, ...after } = await everything(app);
    for (const [table, rows] of Object.entries(after)) expect([table, rows]).toEqual([table, before[table]]);
    const draft = await get(`/proposals/${result.proposal_id}`);
    expect(draft).toMatchObject({
      status: 'draft',
      title: 'Routine Reviewer, 2026-04-26 15:00',
      source: 'workflow',
      workflow_id: run.workflowId,
      run_id: run.id,
      proposed_by: { type: 'agent', id: run.workflowId, name: 'Routine Reviewer' },
      proposed_at: null,
      expires_at: null,
    });
    expect((await get('/proposals')).proposals).not.toContainEqual(expect.objectContaining({ id: draft.id }));
    expect(code(await approve(draft.id))).toEqual([409, 'PROPOSAL_NOT_OPEN']);
    expect(await tellings()).toBe(told);
    await edit([row], { flagged: true });
    expect(await tellings()).toBe(told);

    await endRun(app, run, 'error');
    const [plan] = await plansOf(run);
    expect(plan).toMatchObject({ id: draft.id, status: 'proposed', call_count: 2, change_count: 1 });
    expect([plan.proposed_at, plan.expires_at]).toEqual([TEST_START, '2026-05-26T06:00:00.000Z']);
    expect(await tellings()).toBe(told + 1);
    expect((await get('/proposals')).proposals).toContainEqual(plan);
  });

  test('a new category and its rows are one plan; comments and rules keep the workflow as their author', async () => {
    const rows = (await household(app, 2)) as [Made, Made];
    const name = `Bakeries ${run.id}`;
    const made = await propose(app, saveCategory.operation, { run, body: { name } });
    const { slug } = made.category;
    expect(await edit(rows, { category_slug: slug, comment: 'Bread' })).toMatchObject({
      proposal_id: made.proposal_id,
      plan: { call_count: 2, change_count: 5 },
    });
    const rules = [{ name: `Rule ${run.id}`, actions: [{ type: 'set_category', category_slug: slug }] }];
    expect((await propose(app, createRules.operation, { run, body: { rules } })).plan.call_count).toBe(3);
    await endRun(app, run);
    const plans = await plansOf(run);
    expect(plans).toMatchObject([{ counts: { category: 1, transaction: 2, comment: 2, rule: 1 } }]);
    const done = await approve(plans[0].id, { fingerprint: plans[0].fingerprint });
    expect([done.status, done.json.applied_count], done.text).toEqual([200, 6]);
    const set = await get(`/change-sets/${done.json.change_set_id}`);
    expect(set).toMatchObject({ workflow_run_id: run.id, proposal_id: plans[0].id, surface: 'rest' });
    expect((await record(app, rows[0])).category.slug).toBe(slug);
    const [comment] = await get(`/transactions/${rows[0].id}/comments`);
    expect(comment).toMatchObject({ author_type: 'agent', author_name: 'Routine Reviewer' });
    const stored = await rowsOf(
      app.app.instance.database,
      `select creator_type, creator_id, creator_name from rules where name = 'Rule ${run.id}'`,
    );
    expect(stored).toEqual([{ creator_type: 'agent', creator_id: run.workflowId, creator_name: 'Routine Reviewer' }]);
  });

  test('a tag that is deleted and made anew in one plan stays the tag that it is', async () => {
    const [row] = (await household(app, 1)) as [Made];
    await app.request('POST', '/api/v1/tags', { body: { slug: 'summer', name: 'Summer' } });
    const { proposal_id: id } = await edit([row], { flagged: true });
    await propose(app, deleteTag, { run, params: { slug: 'summer' } });
    expect(await edit([row], { tags_to_add: ['summer'] })).toMatchObject({ plan: { call_count: 3, change_count: 1 } });
    expect(await edit([row], { comment: 'Holiday' })).toMatchObject({ plan: { call_count: 4, change_count: 2 } });
    await endRun(app, run);
    expect((await approve(id)).json).toMatchObject({ applied_count: 2, skipped_count: 0 });
    expect((await record(app, row)).tags).toEqual(['summer']);
  });

  test('a plan that comes to nothing is gone when its run ends, and a run that planned nothing leaves none', async () => {
    const [row] = (await household(app, 1)) as [Made];
    expect(await edit([row], { tags_to_remove: ['needs-review'] })).toMatchObject({ proposal_id: null });
    const first = await edit([row], { tags_to_add: ['needs-review'] });
    const undone = await edit([row], { tags_to_remove: ['needs-review'] });
    expect(undone).toMatchObject({ proposal_id: first.proposal_id, plan: { call_count: 2, change_count: 0 } });
    const told = await tellings();
    await endRun(app, run);
    await endRun(app, await again(run));
    expect([await plansOf(run), await tellings()]).toEqual([[], told]);
  });

  test('no draft outlives its run', async () => {
    const rows = (await household(app, 2)) as [Made, Made];
    const [lost, alive] = [run, await beginRun(app, 'Backlog Closer')];
    await edit([rows[0]], { flagged: true }, lost);
    await edit([rows[1]], { flagged: true }, alive);
    await bookkeep(app.app.instance.database, async (tx) => {
      await tx.q.deleteFrom('workflow_runs').where('id', '=', lost.id).execute();
    });
    await expireProposals(app.app.instance);
    expect(await plansOf(lost)).toMatchObject([{ status: 'proposed', run_id: lost.id }]);
    expect(await plansOf(alive)).toMatchObject([{ status: 'draft' }]);
  });

  test('a run whose process is gone leaves its plan to be decided', async () => {
    const [row] = (await household(app, 1)) as [Made];
    const killed = await beginRun(app, 'Killed', {
      fencing_token: run.id,
      lease_expires_at: '2026-04-26T05:00:00.000Z',
    });
    await edit([row], { category_slug: COFFEE }, killed);
    await app.app.instance.runs().look();
    expect(await runRow(app, killed.id)).toMatchObject({ status: 'error', error_code: 'interrupted' });
    expect(await plansOf(killed)).toMatchObject([{ status: 'proposed', change_count: 1 }]);
  });

  test('a whole run: its model reads what became of each call, and a person what it would do', async () => {
    const [row, untouched] = (await household(app, 2)) as [Made, Made];
    const before = await record(app, row);
    const change = { transaction_id: row.short_id, category_slug: 'ice_cream', comment: 'Summer' };
    model.script = [
      { toolCalls: [call('save_category', { name: 'Ice cream', reason: 'Missing' })] },
      { toolCalls: [call('update_transactions', { operations: [change] })] },
      {
        toolCalls: [
          call('query_transactions', { proposed: true }),
          call('update_transactions', { operations: [change] }),
        ],
      },
      { toolCalls: [call('update_transactions', { operations: [{ ...change, category_slug: 'no_such' }] })] },
      { text: 'Done.' },
    ];
    const id = await addRun(app, { row: { workflow_name: 'Curator' } });
    await workOnRuns(app);
    expect(await runRow(app, id)).toMatchObject({ status: 'success', result_text: 'Done.' });
    const results = (await linesOf(app, id)).filter(({ type }) => type === 'tool_result');
    const [made, moved, read, repeated, wrong] = results.map(({ data }) => JSON.parse(data.content));
    const [plan] = await plansOf({ id, workflowId: '', name: '' });
    const proposed = { proposed: true, proposal_id: plan.short_id };
    expect(made).toMatchObject({ ...proposed, plan: { call_count: 1, change_count: 1 } });
    expect(moved).toMatchObject({ ...proposed, plan: { call_count: 2, change_count: 3 } });
    expect(read.transactions.map((one: Made) => one.id)).toContain(row.short_id);
    expect(repeated).toMatchObject({ ...proposed, plan: { call_count: 2, change_count: 3 } });
    expect(wrong.error.code).toBe('BATCH_ABORTED');
    expect(plan).toMatchObject({
      status: 'proposed',
      title: 'Curator, 2026-04-26 15:00',
      call_count: 2,
      counts: { category: 1, transaction: 1, comment: 1 },
      calls: [{ tool: 'save_category', reason: 'Missing' }, { tool: 'update_transactions' }],
    });
    expect(await record(app, row)).toEqual(before);
    expect(await get(`/transactions/${row.id}/annotations`)).toEqual([]);
    expect((await approve(plan.id)).json.applied_count).toBe(3);
    expect((await record(app, row)).category.slug).toBe('ice_cream');
    expect((await record(app, untouched)).category_id).toBeNull();
  });

  test('what a run proposed is not proposed again by the next, of any workflow, whether it waits or was refused', async () => {
    const rows = (await household(app, 3)) as [Made, Made, Made];
    const unseen = async (as: ProposingRun): Promise<string[]> => {
      const body = { proposed: false, limit: 500, fields: ['id'] };
      const { transactions } = await propose(app, queryTransactions.operation, { run: as, body });
      return transactions.map(({ id }: Made) => id);
    };
    await edit(rows, { category_slug: COFFEE });
    const short = rows.map((row) => row.short_id);
    expect((await unseen(run)).filter((id) => short.includes(id))).toEqual([]);
    await endRun(app, run);
    const second = await again(run);
    expect((await unseen(second)).filter((id) => short.includes(id))).toEqual([]);
    const stranger = await beginRun(app, 'Backlog Closer');
    expect((await unseen(stranger)).filter((id) => short.includes(id))).toEqual([]);
    expect(await edit(rows, { category_slug: COFFEE }, second)).toMatchObject({
      proposal_id: null,
      already_proposed: 3,
    });
    await endRun(app, second);
    expect(await plansOf(second)).toEqual([]);

    const [waiting] = await plansOf(run);
    expect((await approve(waiting.id, { exclude: [1] })).json).toMatchObject({ applied_count: 2 });
    const third = await again(run);
    expect(await edit([rows[0]], { category_slug: COFFEE }, third)).toMatchObject({ already_proposed: 1 });
    const other = await edit([rows[0]], { category_slug: GROCERIES }, third);
    expect(other).toMatchObject({ plan: { change_count: 1 } });
    await endRun(app, third);
    const refused = await app.request('POST', `/api/v1/proposals/${other.proposal_id}/reject`);
    expect(refused.json.status).toBe('rejected');
    const fourth = await again(run);
    expect(await edit([rows[0]], { category_slug: GROCERIES }, fourth)).toMatchObject({ already_proposed: 1 });
    expect(await edit([rows[0]], { category_slug: GROCERIES }, stranger)).toMatchObject({ already_proposed: 1 });
  });

  test('no agent decides on what a run proposed that it started; a person may who started it', async () => {
    const rows = await household(app, 2);
    const agent = await app.newKey({ name: 'Claude', actor_type: 'agent' });
    const mine = await app.newKey({ name: 'Script', actor_type: 'user' });
    const byHand = (type: string): Promise<ProposingRun> =>
      beginRun(app, 'Curator', { trigger: 'manual', starter_type: type });
    const proposed = async (as: ProposingRun): Promise<string> => {
      const { proposal_id: id } = await edit([rows.pop() as Made], { flagged: true }, as);
      await endRun(app, as);
      return id as string;
    };
    const id = await proposed(await byHand('agent'));
    expect(code(await approve(id, {}, agent.key))).toEqual([403, 'FORBIDDEN']);
    const refused = await app.request('POST', `/api/v1/proposals/${id}/reject`, { key: agent.key });
    expect(code(refused)).toEqual([403, 'FORBIDDEN']);
    expect((await app.request('POST', `/api/v1/proposals/${id}/reject`)).status).toBe(200);
    expect((await approve(await proposed(await byHand('user')), {}, mine.key)).status).toBe(200);
  });

  test('lists are filtered by workflow and run, by any id, also when the workflow is gone', async () => {
    const [row] = (await household(app, 1)) as [Made];
    const name = `Sentinel ${run.id}`;
    const [one, renamed] = [await beginRun(app, name, { workflow_slug: 'sentinel' }), await beginRun(app, 'Watcher')];
    await edit([row], { flagged: true }, one);
    await edit([row], { flagged: true }, renamed);
    const found = async (query: string): Promise<string[]> =>
      (await get(`/proposals?status=all&${query}`)).proposals.map(({ run_id: id }: { run_id: string }) => id);
    const [stored] = await rowsOf<{ short_id: string; workflow_slug: string }>(
      app.app.instance.database,
      `select short_id, workflow_slug from workflow_runs where id = '${one.id}'`,
    );
    for (const query of [
      `workflow=${one.workflowId}`,
      `workflow=${stored?.workflow_slug}`,
      `run_id=${stored?.short_id}`,
    ]) {
      expect([query, await found(query)]).toEqual([query, [one.id]]);
    }
  });

  test('a workflow or run that does not exist is refused; one that only its proposals remember is not', async () => {
    const [row] = (await household(app, 1)) as [Made];
    const gone = await beginRun(app, 'Gone');
    await edit([row], { flagged: true }, gone);
    await endRun(app, gone);
    await bookkeep(app.app.instance.database, (tx) =>
      tx.q.deleteFrom('workflow_runs').where('id', '=', gone.id).execute(),
    );
    for (const query of [`workflow=${gone.workflowId}`, `run_id=${gone.id}`]) {
      expect((await get(`/proposals?${query}`)).proposals).toMatchObject([{ run_id: gone.id }]);
    }
    for (const [name, value] of [
      ['workflow', 'nosuch'],
      ['run_id', 'nosuch00'],
      ['run_id', gone.workflowId],
    ] as const) {
      const refused = await app.request('GET', `/api/v1/proposals?${name}=${value}`);
      expect(code(refused)).toEqual([400, 'INVALID_PARAMETER']);
      expect(refused.json.error.details).toMatchObject([{ path: name }]);
    }
  });

  test('how long a plan waits is a setting, for those of other agents too', async () => {
    const rows = (await household(app, 2)) as [Made, Made];
    const set = (days: number) =>
      app.request('PATCH', '/api/v1/workflows/settings', { body: { proposal_ttl_days: days } });
    expect((await set(2)).status).toBe(200);
    await edit([rows[0]], { flagged: true });
    await endRun(app, run);
    const body = { operations: [{ transaction_id: rows[1].id, flagged: true }] };
    const { proposal_id: other } = await propose(app, updateTransactions.operation, { body });
    await set(30);
    expect((await plansOf(run))[0].expires_at).toBe('2026-04-28T06:00:00.000Z');
    expect((await get(`/proposals/${other}`)).expires_at).toBe('2026-04-28T06:00:00.000Z');
  });
});
