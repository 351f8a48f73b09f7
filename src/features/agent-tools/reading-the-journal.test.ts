import { beforeAll, expect, test } from 'vitest';

import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { csvWithBalance, importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { askTool, refusalOf } from '../../../test/harness/agents/agents.ts';
import { addRuns, addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';

const CSV =
  'Date,Description,Amount\n2026-01-02,CORNER MARKET,-12.50\n2026-01-03,COFFEE BAR,-3.20\nsomeday,BROKEN,-1.00\n';
const GROCERIES = 'food_and_drink_groceries';

forEachDatabase((database) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await database.open();
    await app.request('POST', '/api/v1/users', { body: { name: 'Ada' } });
    const imported = await importFile(app, CSV, {
      account_name: 'Checking',
      iso_currency_code: 'USD',
      skip_invalid: true,
      sign: 'positive_is_in',
    });
    expect(imported.json, imported.text).toMatchObject({ imported_transactions: 2 });
    const rule = {
      name: 'Corner Market is groceries',
      condition: { field: 'name', op: 'contains', value: 'corner market' },
      actions: [{ type: 'set_category', category_slug: GROCERIES }],
      triggers: ['retroactive', 'manual'],
    };
    const made = await app.request('POST', '/api/v1/rules', { body: rule });
    expect(made.status).toBe(201);
    const other = { ...rule, name: 'Markets are shopping', priority: 500 };
    other.actions = [{ type: 'set_category', category_slug: 'general_merchandise_other' }];
    await app.request('POST', '/api/v1/rules', { body: other });
  });

  test('list_rules says what each rule does in a line, and shows one in full with its conflicts', async () => {
    const { rules, next_cursor: next } = await askTool(app, 'list_rules', {});
    const own = rules.filter(({ name }: { name: string }) => name !== 'Mark new transactions for review');
    expect(own).toMatchObject([
      { name: 'Corner Market is groceries', effect: `set category ${GROCERIES}`, hit_count: 0 },
      { name: 'Markets are shopping', effect: 'set category general_merchandise_other' },
    ]);
    expect(own[0]).not.toHaveProperty('condition');
    expect(next).toBe('');
    const one = await askTool(app, 'list_rules', { rule_id: own[0].id, conflicts: true });
    expect(one.rule).toMatchObject({
      id: own[0].id,
      condition: { field: 'name', op: 'contains', value: 'corner market' },
    });
    expect(one.conflicts).toMatchObject([{ rule_id: own[1].id, overlap_count: 1, winner: 'other' }]);
  });

  test('preview_rule counts what a rule would change, and stores nothing', async () => {
    const before = await askTool(app, 'list_change_sets', {});
    const preview = await askTool(app, 'preview_rule', {
      condition: { field: 'name', op: 'contains', value: 'coffee' },
      actions: [{ type: 'set_category', category_slug: 'food_and_drink_coffee' }],
    });
    expect(preview).toMatchObject({ match_count: 1, change_count: 1, total_scanned: 2, truncated: false });
    expect(preview.sample_matches[0].transaction.name).toBe('COFFEE BAR');
    expect(await askTool(app, 'list_change_sets', {})).toEqual(before);
    expect(await askTool(app, 'suggest_rules', {})).toMatchObject({ suggestions: [] });
  });

  test('list_change_sets tells what was changed, and one with its changes', async () => {
    const { change_sets: sets } = await askTool(app, 'list_change_sets', { source: ['edit'], action: ['rule.create'] });
    expect(sets.map(({ action }: { action: string }) => action)).toEqual(['rule.create', 'rule.create']);
    const one = await askTool(app, 'list_change_sets', { change_set_id: sets[0].id });
    expect(one.change_set.id).toBe(sets[0].id);
    expect(one.change_set).not.toHaveProperty('limit');
    expect(one.changes).toMatchObject([{ entity_type: 'rule', operation: 'create' }]);
  });

  test('list_imports tells which files came, and what became of each line', async () => {
    const { imports } = await askTool(app, 'list_imports', {});
    expect(imports).toMatchObject([{ status: 'completed', format: 'csv', counts: { added: 2, skipped: 1 } }]);
    const { import: found, rows } = await askTool(app, 'list_imports', {
      import_id: imports[0].id,
      outcome: ['skipped'],
    });
    expect(found.id).toBe(imports[0].id);
    expect(rows).toMatchObject([{ line: 4, outcome: 'skipped' }]);
  });

  test('get_sync_status shows each connection and how it goes', async () => {
    const { health, connections } = await askTool(app, 'get_sync_status', {});
    expect(health.overall_health).toBe('healthy');
    expect(connections).toMatchObject([{ provider: 'csv', status: 'active', running: false, queued: false }]);
    const one = await askTool(app, 'get_sync_status', { connection_id: connections[0].id });
    expect(one.connections).toEqual(connections);
  });

  test('list_workflows shows what starts each one, and its newest runs; one of them in full', async () => {
    expect(await askTool(app, 'list_workflows', {})).toEqual({ workflows: [] });
    const digest = await addWorkflow(app, { name: 'Digest', schedule_cron: '0 7 * * MON', tool_scope: 'read_only' });
    app.clock.advance(1_000);
    await addWorkflow(app, { name: 'Reviewer', trigger_on_sync_complete: true, enabled: true });
    app.clock.advance(1_000);
    const byHand = await addWorkflow(app, { name: 'By hand' });
    const runs = await addRuns(app, byHand, [
      { started_at: '2026-04-01T00:00:00.000Z' },
      { started_at: '2026-04-02T00:00:00.000Z', status: 'error' },
      { started_at: '2026-04-03T00:00:00.000Z', total_cost_micros: 18_420, hit_cap: 'max_turns' },
      { started_at: '2026-04-04T00:00:00.000Z', status: 'skipped', trigger: 'cron', skip_reason: 'concurrency' },
    ]);
    const { workflows } = await askTool(app, 'list_workflows', {});
    expect(workflows).toMatchObject([
      { slug: 'by-hand', enabled: false, fires: 'manual', tool_scope: 'propose' },
      { slug: 'reviewer', enabled: true, fires: 'after_sync', runs: [] },
      { slug: 'digest', enabled: false, fires: '0 7 * * MON', tool_scope: 'read_only', runs: [] },
    ]);
    expect(workflows[0].runs.map((run: { started_at: string }) => run.started_at.slice(8, 10))).toEqual([
      '04',
      '03',
      '02',
    ]);
    expect(workflows[0].runs[1]).toEqual({
      id: expect.stringMatching(/^\w{8}$/),
      status: 'success',
      trigger: 'manual',
      started_at: '2026-04-03T00:00:00.000Z',
      total_cost_usd: 0.01842,
      hit_cap: 'max_turns',
    });
    expect(workflows[0]).not.toHaveProperty('prompt');
    for (const named of ['by-hand', byHand.id, byHand.short_id]) {
      const { workflows: found } = await askTool(app, 'list_workflows', { workflow: named, runs: 20 });
      expect(found).toMatchObject([{ id: byHand.short_id, prompt: 'Look at what is new.', fires: 'manual' }]);
      expect(found[0].runs).toHaveLength(runs.length);
    }
    const { workflows: without } = await askTool(app, 'list_workflows', { workflow: digest.slug, runs: 0 });
    expect(without).toMatchObject([{ slug: 'digest', runs: [] }]);
    const { presets } = await askTool(app, 'list_workflows', { include_presets: true, runs: 0 });
    expect(presets).toHaveLength(12);
    expect(presets[4]).toMatchObject({ slug: 'routine-reviewer', fires: 'after_sync', enabled: false });
    expect(presets[0]).toMatchObject({ slug: 'rule-foundation', fires: 'manual' });
    expect(await refusalOf(askTool(app, 'list_workflows', { workflow: 'nothing' }))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('list_proposals shows one with its changes, whether or not the agent may write', async () => {
    const allow = (mode: string) => app.request('PATCH', '/api/v1/settings/mcp', { body: { mode } });
    const { key } = await app.newKey({ scope: 'propose' });
    const { proposal_id: id } = await askTool(app, 'save_tag', { slug: 'holidays' }, { key });
    for (const mode of ['propose', 'read_write']) {
      await allow(mode);
      const { proposal, changes } = await askTool(app, 'list_proposals', { proposal_id: id });
      expect([proposal.id, changes]).toMatchObject([id, [{ entity_type: 'tag', operation: 'create' }]]);
      expect(proposal).not.toHaveProperty('limit');
    }
  });

  test('names of accounts and keys of metadata are text from outside wherever they are shown', async () => {
    const account = { name: 'Evil\u202e', iso_currency_code: 'USD' };
    const { json: made } = await app.request('POST', '/api/v1/accounts', { body: account });
    const row = { account_id: made.id, date: '2026-01-05', amount: '7.00', name: 'Kiosk' };
    const { json: kiosk } = await app.request('POST', '/api/v1/transactions', { body: row });
    const metadata = { 'k\u200by': 'seen' };
    await askTool(app, 'update_transactions', { operations: [{ transaction_id: kiosk.id, metadata_set: metadata }] });
    const condition = { field: 'name', op: 'contains', value: 'kiosk' };
    const actions = [{ type: 'set_category', category_slug: GROCERIES }];
    const { rules } = await askTool(app, 'create_rules', { rules: [{ name: 'Kiosk', condition, actions }] });
    for (const shown of [
      await askTool(app, 'preview_rule', { condition, actions }),
      await askTool(app, 'apply_rules', { rule_id: rules[0].id }),
      await askTool(app, 'explain_transaction', { transaction_id: kiosk.id }),
    ]) {
      expect(JSON.stringify(shown)).toMatch(/Kiosk/);
      expect(JSON.stringify(shown)).not.toMatch(/[\u200b\u202e]/);
    }
  });

  test('ids are short wherever they are, and a rule can be sent back as it was read', async () => {
    const UUID = /[\da-f]{8}-[\da-f]{4}-7/;
    const condition = { field: 'name', op: 'contains', value: 'market' };
    const series = (name: string) => ({ type: 'assign_series', series_name: name, create_if_missing: true });
    const actions = [
      { type: 'set_category', category_slug: GROCERIES },
      series('Weekly shop'),
      { type: 'assign_counterparty', counterparty_name: 'Corner Market', create_if_missing: true },
    ];
    const rules = [
      { name: 'Market', condition, actions },
      { name: 'Others', condition, actions: [series('Other')] },
    ];
    const created = await askTool(app, 'create_rules', { rules });
    const { id } = created.rules[0];
    const [row] = (await askTool(app, 'query_transactions', { search: 'market' })).transactions;
    const preview = await askTool(app, 'preview_rule', { condition, actions });
    const applied = await askTool(app, 'apply_rules', { rule_id: id, dry_run: false });
    const comment = { transaction_id: row.id, comment: 'Ours' };
    const written = await askTool(app, 'update_transactions', { operations: [comment] });
    const listed = await askTool(app, 'list_rules', { rule_id: id, conflicts: true });
    const sets = [created, applied, written].map((made) => made.change_set_id);
    const results = [
      created,
      preview,
      listed,
      await askTool(app, 'explain_transaction', { transaction_id: row.id }),
      await askTool(app, 'get_transaction', { transaction_id: row.id }),
      await askTool(app, 'submit_report', { title: 'Weekly', body: 'Nothing new.' }),
      ...(await Promise.all(sets.map((set) => askTool(app, 'list_change_sets', { change_set_id: set })))),
    ];
    for (const result of results) {
      // The id of a request is no id of a record.
      expect(JSON.stringify(result).replace(/"request_id":"[^"]+"/, '')).not.toMatch(UUID);
    }
    expect(results.at(-1).change_set.actor_id).toMatch(/^\w{8}$/);
    expect(listed.conflicts).toMatchObject([
      { this_value: { name: 'Weekly shop' }, sample_transaction_ids: [row.id] },
      { this_value: GROCERIES },
    ]);
    const { rule } = await askTool(app, 'update_rule', { rule_id: id, actions: listed.rule.actions });
    expect(rule).toEqual(listed.rule);
    const filter = { series_id: rule.actions[1].series_id };
    expect((await askTool(app, 'query_transactions', filter)).transactions).toMatchObject([{ id: row.id }]);
  });

  test('what needs attention, and the import that a balance is compared with, have short ids', async () => {
    const into = { account_name: 'Savings', accept_unproved: true };
    await importFile(app, csvWithBalance(100_000, '2026-03-01 Tea -2.00'), into);
    const broken = csvWithBalance(90_000, '2026-03-02 Coffee -4.50', '2026-03-03 Rent -500.00');
    const later = await importFile(app, broken.replace('-500.00', '-501.00'), into);
    const { attention } = await askTool(app, 'get_overview', {});
    const { accounts } = await askTool(app, 'list_accounts', {});
    const savings = accounts.find(({ name }: { name: string }) => name === 'Savings');
    expect(attention).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'balance_mismatch', subject_id: savings.id })]),
    );
    const { imports } = await askTool(app, 'list_imports', { account_id: savings.id });
    const one = await askTool(app, 'list_imports', { import_id: later.json.import.id });
    expect(one.import.balance_proof.results[0].continuity.previous_import_id).toBe(imports[1].id);
  });

  test('what is only proposed has short ids as well', async () => {
    const { key } = await app.newKey({ scope: 'propose' });
    const actions = [{ type: 'assign_series', series_name: 'Only proposed', create_if_missing: true }];
    const { proposal_id: id } = await askTool(app, 'create_rules', { rules: [{ name: 'Proposed', actions }] }, { key });
    const { changes } = await askTool(app, 'list_proposals', { proposal_id: id });
    const ids = new Map(changes.map((one: Record<string, string>) => [one['entity_type'], one['entity_id']]));
    expect([...ids.values()]).toEqual([expect.stringMatching(/^\w{8}$/), expect.stringMatching(/^\w{8}$/)]);
    const rule = changes.find(({ entity_type: type }: { entity_type: string }) => type === 'rule');
    expect(rule.after).toMatchObject({ id: ids.get('rule'), actions: [{ series_id: ids.get('series') }] });
  });

  test('a key of metadata can be any name', async () => {
    const [row] = (await askTool(app, 'query_transactions', { limit: 1 })).transactions;
    const metadata = { constructor: '01a2147e-079c-7000-afa2-5cd763d3227c' };
    await askTool(app, 'update_transactions', { operations: [{ transaction_id: row.id, metadata_set: metadata }] });
    const { transaction } = await askTool(app, 'get_transaction', { transaction_id: row.id });
    expect(transaction.metadata).toMatchObject(metadata);
  });

  test.each([
    ['list_imports', { outcome: ['invalid'] }, 'outcome has no effect without import_id.'],
    ['list_imports', { import_id: 'Im9kLm2P', status: ['failed'] }, 'status has no effect together with import_id'],
    ['list_account_links', { confidence: ['auto'] }, 'confidence has no effect without link_id.'],
    ['list_rules', { conflicts: true }, 'conflicts has no effect without rule_id.'],
    ['list_rules', { rule_id: 'Ru9kLm2P', search: 'coffee' }, 'search has no effect together with rule_id'],
    ['list_proposals', { proposal_id: 'pR0p0sAl', status: 'all' }, 'status has no effect together with proposal_id'],
    ['list_reports', { report_id: 'Re9kLm2P', read: false }, 'read has no effect together with report_id'],
    [
      'list_change_sets',
      { change_set_id: 'Cs9kLm2P', source: ['edit'] },
      'source has no effect together with change_set_id',
    ],
  ])('%s refuses what would have no effect', async (tool, input, message) => {
    const refused = await refusalOf(askTool(app, tool, input));
    expect([refused.code, refused.message]).toEqual(['INVALID_PARAMETER', expect.stringContaining(message)]);
  });
});
