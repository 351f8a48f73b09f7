import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startLlmSimulator, type LlmSimulator } from '../../simulators/llm.ts';
import { tools } from '../../src/features/agent-tools/index.ts';
import { composePrompt, PRESETS, toolsOfPreset, type Preset } from '../../src/features/workflow-presets/index.ts';
import { addRun, runRow, workOnRuns, type WantedRun } from '../harness/workflows/runs.ts';
import { allRows, rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { plant, type Ids } from './hostile-household.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { obedientModel } from './obedient-model.ts';

/** Where a run leaves its traces; the ledger is everything else. */
const TRACES = [
  'workflow_runs',
  'workflow_run_lines',
  'workflow_spending',
  'mcp_calls',
  'proposals',
  'proposal_changes',
  'notification_deliveries',
  'reports',
  // The journal of reports, which runs may always submit.
  'change_sets',
  'changes',
];
const MODEL_KEY = 'sk-hostile-0123456789abcdef';
const SECRETS = { PLAID_CLIENT_ID: 'plaid-client', PLAID_SECRET: 'plaid-secret-0123456789' };
const TOOL_NAMES = tools.map(({ info }) => info.name);
const BY_SYNC = PRESETS.filter((preset) => preset.trigger_on_sync_complete);

let llm: LlmSimulator;
beforeAll(async () => {
  llm = await startLlmSimulator();
  llm.be({ key: MODEL_KEY });
});
afterAll(() => llm.close());

forEachDatabase((database) => {
  let app: TestApp;
  let ids: Ids;

  beforeAll(async () => {
    app = await database.open({ env: SECRETS });
    ids = await plant(app);
    const body = { provider: 'openai_compatible', base_url: llm.baseUrl, model: 'obedient', api_key: MODEL_KEY };
    expect((await app.request('PATCH', '/api/v1/workflows/settings', { body })).status).toBe(200);
    // There is something to start for whoever may.
    expect((await app.request('POST', '/api/v1/workflow-presets/routine-reviewer/enable')).status).toBe(201);
  });
  beforeEach(() => llm.play(obedientModel(ids)));

  /** A run to its end, and what it tried. */
  async function obey(wanted: WantedRun) {
    const { database } = app.app.instance;
    const runsBefore = (await rowsOf(database, 'select id from workflow_runs')).length;
    const id = await addRun(app, { model: 'obedient', ...wanted });
    const ports = await portsOf(() => workOnRuns(app));
    const row = await runRow(app, id);
    expect([row.status, row.error_message, row.hit_cap]).toEqual(['success', null, null]);
    expect(await rowsOf(database, 'select id from workflow_runs')).toHaveLength(runsBefore + 1);
    expect(await rowsOf(database, `select id from proposals where status = 'applied'`)).toEqual([]);
    expect(ports.filter((port) => !portsAllowed(app).includes(port))).toEqual([]);
    expect(ports).toContain(Number(new URL(llm.url).port));
    await expectNoSecrets(id);
    const results = await resultsOf(id);
    expect(results.filter(({ is_error: failed }) => !failed).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['get_overview', 'query_transactions']),
    );
    return { id, results };
  }

  async function resultsOf(run: string) {
    const rows = await rowsOf<{ data: string }>(
      app.app.instance.database,
      `select data from workflow_run_lines where run_id = '${run}' and type = 'tool_result' order by seq`,
    );
    return rows.map(({ data }) => JSON.parse(data) as { name: string; is_error: boolean; content: string });
  }

  /** Neither in what the model was sent nor in what is kept of it. */
  async function expectNoSecrets(run: string): Promise<void> {
    const { database } = app.app.instance;
    const kept = [
      ...(await rowsOf(database, `select data from workflow_run_lines where run_id = '${run}'`)),
      ...(await rowsOf(database, 'select title, body from reports')),
    ];
    const told = JSON.stringify([llm.requests().map(({ body }) => body), kept]);
    const secrets = [MODEL_KEY, app.key, app.readOnlyKey, SECRETS.PLAID_SECRET];
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
    expect(llm.requests().every(({ headers }) => headers['authorization'] === `Bearer ${MODEL_KEY}`)).toBe(true);
  }

  describe.each(['read_only', 'propose'] as const)('a run that obeys every text, in the scope %s', (toolScope) => {
    test('changes nothing in the ledger', async () => {
      const before = await allRows(app.app.instance.database, TRACES);
      const { id, results } = await obey({ toolScope });
      expect(await allRows(app.app.instance.database, TRACES)).toEqual(before);
      // The model really tried everything.
      expect(results.length).toBeGreaterThan(HOSTILE_TEXTS.length + 10);
      const writes = await rowsOf<{ action: string }>(
        app.app.instance.database,
        `select action from change_sets where workflow_run_id = '${id}'`,
      );
      expect(new Set(writes.map(({ action }) => action))).toEqual(new Set(['report.create']));
      const proposals = await rowsOf<{ status: string }>(
        app.app.instance.database,
        `select status from proposals where run_id = '${id}'`,
      );
      expect(proposals).toEqual(toolScope === 'propose' ? [{ status: 'proposed' }] : []);
    });
  });

  test('presets that a sync starts change nothing in the ledger, whatever its rows say', async () => {
    const before = await allRows(app.app.instance.database, TRACES);
    // Databases differ in no preset; the second engine plays one.
    for (const preset of database.name === 'SQLite' ? BY_SYNC : BY_SYNC.slice(0, 1)) {
      llm.play(obedientModel(ids));
      const { results } = await obey({ ...asPreset(preset), row: { trigger: 'after_sync', is_after_sync: 1 } });
      const done = new Set(results.filter(({ is_error: failed }) => !failed).map(({ name }) => name));
      expect([...done].filter((name) => !toolsOfPreset(preset, TOOL_NAMES).includes(name))).toEqual([]);
      expect(await allRows(app.app.instance.database, TRACES)).toEqual(before);
    }
    expect(BY_SYNC.length).toBeGreaterThanOrEqual(5);
  });

  test('a run that may write writes with its tools alone, and all of it can be undone', async () => {
    const allowed = ['get_overview', 'query_transactions', 'get_transaction', 'list_imports', 'list_reports'];
    const writing = ['update_transactions', 'save_tag', 'submit_report'];
    const before = await ledger(app);
    const { id, results } = await obey({ toolScope: 'read_write', allowed: [...allowed, ...writing] });
    const done = new Set(results.filter(({ is_error: failed }) => !failed).map(({ name }) => name));
    expect([...done].toSorted()).toEqual([...allowed, ...writing].toSorted());
    expect(await ledger(app)).not.toEqual(before);
    await undo(app, id);
    expect(await ledger(app)).toEqual(before);
  });

  test('whatever a run with every tool has written can be undone', async () => {
    const before = await ledger(app);
    const { id, results } = await obey({ toolScope: 'read_write' });
    const done = results.filter(({ is_error: failed }) => !failed).map(({ name }) => name);
    expect(done).toEqual(expect.arrayContaining(['apply_rules', 'create_rules', 'save_series', 'revert_import']));
    expect(done).not.toContain('run_workflow');
    await undo(app, id);
    expect(await ledger(app)).toEqual(before);
  });
});

function asPreset(preset: Preset): WantedRun {
  return {
    toolScope: preset.tool_scope,
    allowed: toolsOfPreset(preset, TOOL_NAMES),
    prompt: composePrompt({ blocks: preset.prompt_blocks, preset, options: {}, extraInstructions: null }),
  };
}

/** The ports that connections of this process were opened to meanwhile. */
async function portsOf(work: () => Promise<void>): Promise<number[]> {
  const ports: number[] = [];
  const note = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (_address: string, port: number) => ports.push(port));
  };
  subscribe('net.client.socket', note);
  try {
    await work();
  } finally {
    unsubscribe('net.client.socket', note);
  }
  return ports;
}

/** Those of the model and of the database. */
function portsAllowed({ env }: TestApp): number[] {
  return [llm.url, env['DATABASE_URL'] ?? ''].flatMap((url) => Number(URL.parse(url)?.port ?? Number.NaN));
}

/** What a household sees of its ledger. */
async function ledger(app: TestApp): Promise<unknown> {
  const get = async (path: string, query = {}) => (await app.request('GET', `/api/v1/${path}`, { query })).json;
  const { transactions } = await get('transactions', { limit: 500 });
  const rules = await get('rules');
  const all = [
    transactions,
    await get('tags'),
    await get('categories'),
    rules,
    await get('counterparties'),
    await get('series'),
  ];
  const comments = transactions.map(({ id }: { id: string }) => get(`transactions/${id}/comments`));
  return JSON.parse(
    JSON.stringify([...all, await Promise.all(comments)], (key, value: unknown) => (UNDATED.has(key) ? null : value)),
  );
}

/** What a reverted change leaves different without anything being different. */
const UNDATED = new Set(['updated_at']);

/** Reverts what a run has written, the newest first, but for the reports, which stay. */
async function undo(app: TestApp, run: string): Promise<void> {
  const sets = await rowsOf<{ id: string; action: string }>(
    app.app.instance.database,
    `select id, action from change_sets where workflow_run_id = '${run}' and action <> 'report.create' order by id desc`,
  );
  expect(sets.length).toBeGreaterThan(0);
  for (const { id, action } of sets) {
    const answer = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
    expect([action, answer.status, answer.text]).toEqual([action, 200, answer.text]);
  }
}
