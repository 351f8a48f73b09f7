import { beforeAll, expect, test } from 'vitest';

import { AGENT_CLIENTS, sendMessage } from '../../../test/harness/agents/agent-clients.ts';
import { askTool, refusalOf } from '../../../test/harness/agents/agents.ts';
import { importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { setUpModel } from '../../../test/harness/workflows/started-runs.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { authenticateKey } from '../../surfaces/http/authenticate.ts';
import { applyRules } from './tools/apply-rules.ts';

const GROCERIES = 'food_and_drink_groceries';
const CSV =
  'Date,Description,Amount\n2026-01-02,STREAMING,-12.99\n2026-02-02,STREAMING,-12.99\n2026-02-03,MARKET,-3.20\n';

forEachDatabase((database) => {
  let app: TestApp;
  let importId: string;
  /** Short ids, oldest first. */
  let rows: string[];

  const ask = (name: string, input: Readonly<Record<string, unknown>>) => askTool(app, name, input);
  const get = async (path: string) => (await app.request('GET', `/api/v1${path}`)).json;
  const post = async (path: string, body: object) => app.request('POST', `/api/v1${path}`, { body });
  const setsNow = async () => (await get('/change-sets?limit=500')).change_sets;
  const row = async (id: string) => get(`/transactions/${id}`);

  beforeAll(async () => {
    app = await database.open({ env: { PORT: '0' } });
    await app.request('POST', '/api/v1/users', { body: { name: 'Ada' } });
    const given = { account_name: 'Checking', iso_currency_code: 'USD', sign: 'positive_is_in' };
    await importFile(app, CSV, given);
    importId = (await get('/imports')).imports[0].id;
    const { transactions } = await get('/transactions?sort=date&order=asc');
    rows = transactions.map(({ short_id: id }: { short_id: string }) => id);
  });

  test('save_series reuses the series of a name, links rows once and changes it only by its id', async () => {
    const [one, two, three] = rows as [string, string, string];
    const reason = 'two charges, a month apart';
    const first = { name: 'Streaming', type: 'bill', add_transaction_ids: [one, two], reason };
    const made = await ask('save_series', first);
    expect(made).toMatchObject({ created: true, linked: 2, already_linked: 0, skipped: [], unlinked: 0 });
    expect(made.series).toMatchObject({ name: 'Streaming', type: 'bill', transaction_count: 2 });
    const [newest, ...before] = await setsNow();
    expect(newest).toMatchObject({ action: 'series.create', surface: 'mcp', actor_name: 'Test', reason });
    expect(await ask('save_series', first)).toMatchObject({ created: false, linked: 0, already_linked: 2 });
    const other = await refusalOf(
      ask('save_series', { name: ' STREAMING ', type: 'loan', add_transaction_ids: [three] }),
    );
    expect(other.code).toBe('CONFLICT');
    expect(other.message).toContain(`series_id ${made.series.id}`);
    const wrong = { name: 'Streaming', add_transaction_ids: [three, 'zzzzzzzz'] };
    expect((await refusalOf(ask('save_series', wrong))).message).toMatch(/^add_transaction_ids\[1\]: /);
    const gone = { series_id: made.series.id, remove_transaction_ids: ['zzzzzzzz'] };
    expect((await refusalOf(ask('save_series', gone))).message).toMatch(/^remove_transaction_ids\[0\]: /);
    for (const bad of [{}, { series_id: made.series.id, name: 'Both' }, { name: 'Unknown', new_name: 'Films' }]) {
      expect(await refusalOf(ask('save_series', bad))).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(await refusalOf(ask('save_series', { series_id: 'zzzzzzzz', type: 'bill' }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await setsNow()).toEqual([newest, ...before]);

    const changes = { series_id: made.series.id, new_name: 'Films', remove_transaction_ids: [two, three] };
    const changed = await ask('save_series', changes);
    expect(changed).toMatchObject({ created: false, unlinked: 1, series: { name: 'Films', transaction_count: 1 } });
    expect(await ask('save_series', changes)).toMatchObject({ unlinked: 0 });
    expect((await setsNow()).length).toBe(before.length + 2);
  });

  test('save_counterparty says who was paid, and skips rows that belong to another', async () => {
    const [one, , three] = rows as [string, string, string];
    const cafe = { name: 'Corner Market', category_id: GROCERIES, add_transaction_ids: [three] };
    const made = await ask('save_counterparty', cafe);
    expect(made).toMatchObject({ created: true, linked: 1 });
    expect(await ask('save_counterparty', cafe)).toMatchObject({ created: false, already_linked: 1 });
    const second = await ask('save_counterparty', { name: 'Streaming Ltd', add_transaction_ids: [one, three] });
    const elsewhere = { transaction_id: three, reason: 'bound_elsewhere', bound_to: made.counterparty.id };
    expect(second).toMatchObject({ linked: 1 });
    expect(second.skipped).toEqual([elsewhere]);
    const taken = { counterparty_id: second.counterparty.id, new_name: 'corner market' };
    expect(await refusalOf(ask('save_counterparty', taken))).toMatchObject({ code: 'CONFLICT' });
    const mapped = await refusalOf(ask('save_counterparty', { counterparty_id: made.counterparty.id, new_name: ' ' }));
    expect(mapped.message).toMatch(/^new_name: /);
  });

  test('submit_report sends the same report once a day', async () => {
    const report = { title: 'Streaming costs more', body: '## Streaming\n- 12.99 USD', priority: 'warning' };
    const first = await ask('submit_report', report);
    expect(first.report).toMatchObject({ title: report.title, kind: 'report', priority: 'warning' });
    expect(await ask('submit_report', report)).toEqual({ ...first, existing: true });
    expect(await get('/reports')).toHaveLength(1);
    await ask('submit_report', { ...report, title: 'Another' });
    expect(await get('/reports')).toHaveLength(2);
    expect(await refusalOf(ask('submit_report', { ...report, priority: 'loud' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('apply_rules counts before it runs, runs by either id, and tells of its job', async () => {
    const [, , three] = rows as [string, string, string];
    const rule = {
      name: 'Market is groceries',
      condition: { field: 'name', op: 'contains', value: 'market' },
      actions: [{ type: 'set_category', category_slug: GROCERIES }],
      triggers: ['manual', 'retroactive'],
    };
    const { rules: made } = await ask('create_rules', { rules: [rule] });
    const { id: uuid, short_id: shortId } = await get(`/rules/${made[0].id}`);
    const before = await setsNow();
    const dry = await ask('apply_rules', { rule_id: uuid });
    expect(dry).toMatchObject({ affected_count: 1, matched_count: 1, dry_run: true, rule_id: shortId });
    expect(dry.message).toContain('dry_run false');
    expect(dry.sample_matches).toHaveLength(1);
    expect(await setsNow()).toEqual(before);
    const done = await ask('apply_rules', { rule_id: shortId, dry_run: false, reason: 'asked for' });
    expect(done).toMatchObject({ affected_count: 1, matched_count: 1, dry_run: false, rule_id: shortId });
    expect(done).not.toHaveProperty('message');
    expect(await row(three)).toMatchObject({ category_source: 'rule' });
    const [set] = await setsNow();
    expect(set).toMatchObject({
      short_id: done.change_set_id,
      action: 'rule.apply',
      surface: 'mcp',
      reason: 'asked for',
    });
    const again = await ask('apply_rules', { rule_id: uuid, dry_run: false });
    expect(again).toMatchObject({ affected_count: 0, matched_count: 1, rule_id: shortId });
    expect(await ask('apply_rules', {})).toMatchObject({ affected_count: 0, total_affected: 0, dry_run: true });

    const jobs = await get('/jobs');
    expect(await ask('apply_rules', { job_id: jobs.at(-2).short_id })).toEqual(done);
    expect(await ask('apply_rules', { job_id: jobs.at(-1).short_id })).toEqual(dry);
    const both = { job_id: jobs[0].id, dry_run: false };
    expect((await refusalOf(ask('apply_rules', both))).message).toMatch(/^dry_run: /);
    expect(await refusalOf(ask('apply_rules', { job_id: 'zzzzzzzz' }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusalOf(ask('apply_rules', { rule_id: 'zzzzzzzz' }))).toMatchObject({ code: 'NOT_FOUND' });
    await ask('update_rule', { rule_id: uuid, enabled: false });
    expect(await refusalOf(ask('apply_rules', { rule_id: uuid }))).toMatchObject({ code: 'RULE_NOT_APPLICABLE' });
  });

  test('reverts change nothing until they are asked to, and never speak of force', async () => {
    const [one] = rows as [string];
    const edit = { operations: [{ transaction_id: one, category_slug: GROCERIES }] };
    const { change_set_id: editId } = await ask('update_transactions', edit);
    const before = await setsNow();
    const dry = await ask('revert_change_set', { change_set_id: editId });
    expect(dry).toMatchObject({ reverted_change_set_id: editId, reverted_count: 1, dry_run: true });
    expect(dry.message).toContain('dry_run false');
    const refused = await refusalOf(ask('revert_import', { import_id: importId }));
    expect(refused.code).toBe('REVERT_CONFLICT');
    expect(refused.message).toContain('on_conflict "skip"');
    expect(refused.message).not.toContain('force');
    const skipping = await ask('revert_import', { import_id: importId, on_conflict: 'skip' });
    expect(skipping).toMatchObject({ dry_run: true, deleted_count: 0, worked_on_count: 3 });
    expect(skipping.message).not.toContain('force');
    expect(await refusalOf(ask('revert_import', { import_id: importId, on_conflict: 'force' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await setsNow()).toEqual(before);
    const done = await ask('revert_change_set', { change_set_id: editId, dry_run: false });
    expect(done).toMatchObject({ reverted_count: 1, dry_run: false, change_set: { source: 'revert', surface: 'mcp' } });
    expect((await setsNow())[0]).toMatchObject({ short_id: done.change_set.id, action: 'change_set.revert' });
    const again = { change_set_id: editId, dry_run: false };
    expect(await refusalOf(ask('revert_change_set', again))).toMatchObject({ code: 'ALREADY_REVERTED' });
  });

  test('a run that takes long tells how far it is, and is asked for again by its job', async () => {
    await ask('create_rules', { rules: [{ name: 'All', actions: [{ type: 'add_tag', tag_slug: 'seen' }] }] });
    const url = await app.app.listen();
    const client = await (AGENT_CLIENTS[0] as (typeof AGENT_CLIENTS)[0]).connect(url, app.key);
    const told: unknown[] = [];
    const call = { name: 'apply_rules', arguments: { dry_run: false } };
    await client.callTool(call, { onprogress: (progress) => told.push(progress) });
    await client.close();
    expect(told).toEqual([{ progress: 3, total: 3 }]);

    // A proxy may give all requests the same id.
    const headers = { 'x-request-id': 'behind-a-proxy' };
    const both = [1, 2].map(async (progressToken) => {
      const { text } = await sendMessage(app, 'tools/call', { ...call, _meta: { progressToken } }, { headers });
      return [...text.matchAll(/"progressToken":(\d)/g)].map(([, token]) => Number(token));
    });
    expect(await Promise.all(both)).toEqual([[1], [2]]);

    const principal = await authenticateKey(app.app.instance, ['x-api-key', app.key]);
    const about = {
      id: 'slow',
      surface: 'mcp',
      reason: null,
      baseUrl: '',
      client: null,
      prefer: 'respond-async',
    } as const;
    const { body } = await app.app.dispatch(applyRules.operation, {
      input: { params: {}, query: {}, body: { dry_run: false } },
      principal,
      request: about,
      file: null,
      unread: null,
      claim: null,
    });
    const { job, message } = JSON.parse(body as string);
    expect(job).toMatchObject({
      id: expect.stringMatching(/^\w{8}$/) as string,
      progress: { done: expect.any(Number) as number },
    });
    expect(message).toContain(`job_id ${job.id}`);
    const asked = () => ask('apply_rules', { job_id: job.id });
    await eventually(async () => expect(await asked()).toHaveProperty('total_affected'));
  });

  test('the record of a call names what it wrote, although the run went on after the answer', async () => {
    setLimit('ruleRunWaitMs', 0);
    await ask('create_rules', { rules: [{ name: 'Late', actions: [{ type: 'add_tag', tag_slug: 'late' }] }] });
    const answer = await ask('apply_rules', { dry_run: false, reason: 'late' });
    // Where everything runs in this thread, it ends before its state is asked for.
    if (answer.job === undefined) expect(answer.total_affected).toBe(3);
    else expect(answer.job.status).toMatch(/queued|running/);
    await eventually(async () => {
      const [{ result }] = await get('/jobs');
      const [call] = (await get('/mcp-calls?tool=apply_rules')).mcp_calls;
      expect([call.reason, call.change_set_id]).toEqual(['late', result.change_set_id]);
      expect(call.change_set_id).toMatch(/^[\da-f-]{36}$/);
    });
  });

  test('trigger_sync names the connections', async () => {
    const [connection] = await get('/connections');
    const skipped = { connection_id: connection.id, sync_log_id: null, status: 'skipped', reason: 'csv' };
    for (const input of [{}, { connection_id: connection.short_id }]) {
      const answer = await ask('trigger_sync', input);
      expect(answer).toEqual({ status: 'accepted', syncs: [skipped], message: expect.any(String) as string });
    }
    expect(await refusalOf(ask('trigger_sync', { connection_id: 'zzzzzzzz' }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusalOf(ask('trigger_sync', { reason: 'now' }))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('run_workflow starts a run and says who works on it', async () => {
    const missing = ask('run_workflow', { workflow: 'weekly' });
    expect(await refusalOf(missing)).toMatchObject({ code: 'NOT_FOUND' });
    const workflow = await addWorkflow(app, { name: 'Weekly' });
    expect(await refusalOf(ask('run_workflow', { workflow: 'weekly' }))).toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
    });
    await setUpModel(app);
    const { run, message } = await ask('run_workflow', { workflow: workflow.short_id, prompt_prefix: 'Hurry.' });
    const stored = await get(`/workflows/runs/${run.id}`);
    expect(run).toEqual({
      id: stored.short_id,
      status: 'in_progress',
      trigger: 'manual',
      started_at: stored.started_at,
    });
    expect(stored).toMatchObject({ prompt_prefix: 'Hurry.', started_by: { name: 'Test' } });
    expect(message).toContain('list_workflows');
    expect(await refusalOf(ask('run_workflow', { workflow: 'weekly' }))).toMatchObject({ code: 'RUN_IN_PROGRESS' });
  });

  test('a process that serves one agent leaves the run to the server', async () => {
    const alone = await app.again();
    alone.app.instance.runs().leaveToServer();
    await addWorkflow(app, { name: 'Later' });
    const { run, message } = await askTool(alone, 'run_workflow', { workflow: 'later' });
    expect(message).toMatch(/^The server begins the run|^The run is queued/);
    await alone.app.instance.runs().look();
    expect(await get(`/workflows/runs/${run.id}`)).toMatchObject({ status: 'in_progress', has_transcript: false });
  });

  test('merge_records counts first, then moves everything, and a proposal of it is approved like a merge over REST', async () => {
    const { id: from } = (await post('/counterparties', { name: 'Harbor Cafe Ltd' })).json;
    const { id: into } = (await post('/counterparties', { name: 'Harbor Cafe' })).json;
    const asked = { kind: 'counterparty', from_id: from, into_id: into };
    const counted = await askTool(app, 'merge_records', asked);
    expect(counted).toMatchObject({
      kind: 'counterparty',
      dry_run: true,
      message: expect.stringContaining('dry_run false'),
    });
    const still = (await app.request('GET', `/api/v1/counterparties/${from}`)).json;
    expect(still.canonical_counterparty_id).toBeNull();
    const done = await askTool(app, 'merge_records', { ...asked, dry_run: false });
    expect(done).toMatchObject({
      moved: counted.moved,
      into: { name: 'Harbor Cafe' },
      change_set_id: expect.any(String),
    });
    const merged = (await app.request('GET', `/api/v1/counterparties/${from}`)).json;
    expect(merged.canonical_counterparty_id).toBe(into);
    const unknown = await refusalOf(askTool(app, 'merge_records', { ...asked, from_id: 'aaaaaaaa' }));
    expect([unknown.code, unknown.message]).toEqual(['INVALID_PARAMETER', expect.stringContaining('from_id')]);

    const { slug } = (await post('/categories', { name: 'Tea rooms', kind: 'expense' })).json;
    const categories = { kind: 'category', from_id: slug, into_id: 'food_and_drink_coffee', dry_run: false };
    const { key } = await app.newKey({ scope: 'propose', actor_type: 'agent' });
    const proposed = await askTool(app, 'merge_records', categories, { key });
    expect(proposed).toMatchObject({ proposed: true, change_set_id: null });
    expect((await app.request('GET', `/api/v1/categories/${slug}`)).status).toBe(200);
    const approved = await post(`/proposals/${proposed.proposal_id}/approve`, {});
    expect(approved.status, approved.text).toBe(200);
    expect((await app.request('GET', `/api/v1/categories/${slug}`)).status).toBe(404);
  });

  test('an agent that may only propose runs rules in one piece, and nothing changes', async () => {
    const rule = { name: 'Seen twice', actions: [{ type: 'add_tag', tag_slug: 'seen-twice' }] };
    const { rules: made } = await ask('create_rules', { rules: [rule] });
    const agent = await app.newKey({ scope: 'propose' });
    const before = await setsNow();
    const propose = (name: string, input: object) => askTool(app, name, { ...input }, { key: agent.key });
    const [{ id: jobBefore }] = await get('/jobs');
    const proposed = await propose('apply_rules', { rule_id: made[0].id, dry_run: false });
    expect(proposed).toMatchObject({ affected_count: 3, proposed: true, plan: { call_count: 1, change_count: 3 } });
    const rehearsed = await propose('apply_rules', { rule_id: made[0].id });
    expect(rehearsed).toMatchObject({ affected_count: 3, dry_run: true });
    expect(rehearsed).not.toHaveProperty('proposed');
    expect([await setsNow(), (await get('/jobs'))[0].id]).toEqual([before, jobBefore]);
    for (const [name, input] of [
      ['trigger_sync', {}],
      ['revert_import', { import_id: importId }],
    ] as const) {
      expect(await refusalOf(propose(name, input))).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});
