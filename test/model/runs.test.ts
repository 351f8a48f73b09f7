import fc from 'fast-check';
import { expect, test } from 'vitest';

import { toolsOf, tools } from '../../src/features/agent-tools/index.ts';
import type { RunCaps, ToolScope } from '../../src/features/workflow-runs/run-definition.ts';
import { ModelFailure, type ModelAnswer, type ModelUsage } from '../../src/models/model.ts';
import { household } from '../harness/ledgers/batches.ts';
import type { Made } from '../harness/ledger.ts';
import { answer, openWithModel, type Script, type ScriptedApp, type StoredLine } from '../harness/workflows/runs.ts';
import { allRows, rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** Whatever a model answers: a run ends, its caps hold, it writes nothing outside its scope, its transcript is whole. */

const RUNS = 12;
const PRICE = 3;
/** What a run leaves of itself, besides proposals and reports. */
const OWN: readonly string[] = [
  'workflow_runs',
  'workflow_run_lines',
  'workflow_spending',
  'mcp_calls',
  'proposals',
  'proposal_changes',
  'reports',
  'change_sets',
  'changes',
  'notification_deliveries',
  'api_key_uses',
  'leases',
  'texts',
  'texts_trigrams',
];
const CODES: readonly string[] = [
  'auth_error',
  'api_error',
  'network_error',
  'context_too_long',
  'tool_error',
  'unusable_answer',
];

const slug = fc.constantFrom('one', 'two', 'three');
const usage: fc.Arbitrary<ModelUsage> = fc.record({
  input: fc.nat(50_000),
  output: fc.nat(5_000),
  cacheRead: fc.nat(1_000),
  cacheCreation: fc.nat(1_000),
});

/** Calls that work, calls that make no sense, and calls of whatever there is. */
function calls(rows: readonly Made[]): fc.Arbitrary<ModelAnswer['toolCalls'][number]> {
  const row = fc.constantFrom(...rows.map(({ id }) => id), 'Nothing0');
  const operations = fc.array(fc.record({ transaction_id: row, tags_to_add: fc.array(slug, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  });
  const fitting = fc.oneof(
    fc.record({ tool: fc.constant('update_transactions'), input: fc.record({ operations }) }),
    fc.record({ tool: fc.constant('save_tag'), input: fc.record({ slug }) }),
    fc.record({ tool: fc.constant('delete_tag'), input: fc.record({ slug }) }),
    fc.record({ tool: fc.constant('submit_report'), input: fc.record({ title: fc.uuid(), body: fc.constant('b') }) }),
    fc.record({ tool: fc.constantFrom('get_overview', 'list_tags'), input: fc.constant({}) }),
  );
  const any = fc.record({
    tool: fc.oneof(fc.constantFrom(...tools.map(({ info }) => info.name)), fc.string()),
    input: fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 3 })),
  });
  return fc
    .oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: any })
    .chain((call) => fc.constantFrom('', 'same', 'other').map((id) => ({ ...call, id })));
}

function answers(rows: readonly Made[]): fc.Arbitrary<Partial<ModelAnswer> | ModelFailure> {
  const kind = fc.constantFrom('auth', 'busy', 'refused', 'network', 'context_too_long');
  const said = fc.record({
    text: fc.oneof(fc.constant(''), fc.string({ unit: 'binary' })),
    toolCalls: fc.array(calls(rows), { minLength: 1, maxLength: 6 }),
    usage,
    finish: fc.constantFrom('stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'),
  }) as fc.Arbitrary<Partial<ModelAnswer>>;
  const last = fc.record({ text: fc.string(), usage }) as fc.Arbitrary<Partial<ModelAnswer>>;
  return fc.oneof(
    { weight: 12, arbitrary: said },
    { weight: 1, arbitrary: last },
    { weight: 1, arbitrary: kind.map((one) => new ModelFailure(one as 'busy', 'No.')) },
  );
}

const limits: fc.Arbitrary<Partial<RunCaps>> = fc.record({
  maxTurns: fc.option(fc.integer({ min: 1, max: 6 })),
  budgetMicros: fc.option(fc.integer({ min: 1, max: 300_000 })),
  maxTokens: fc.option(fc.integer({ min: 1, max: 200_000 })),
}) as fc.Arbitrary<Partial<RunCaps>>;

function scriptOf(given: readonly (Partial<ModelAnswer> | ModelFailure)[]): Script[] {
  const steps = given.map((one): Script => {
    if (one instanceof ModelFailure) return () => Promise.reject(one);
    return async () => answer(one);
  });
  return [...steps, async () => answer({ text: 'Done.' })];
}

const sum = (lines: readonly StoredLine[], field: string): number =>
  lines.reduce((total, { data }) => total + (data[field] as number), 0);

type Played = Awaited<ReturnType<ScriptedApp['play']>>;

/** What holds for every run that has ended. */
function expectWhole({ row, lines }: Played): void {
  expect(['success', 'error']).toContain(row.status);
  expect([row.holder, row.fencing_token, row.lease_expires_at]).toEqual([null, null, null]);
  expect(row.completed_at).not.toBeNull();
  expect(row.error_code === null || CODES.includes(row.error_code)).toBe(true);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(lines[0]?.type).toBe('system');
  const ofType = (type: string): StoredLine[] => lines.filter((line) => line.type === type);
  expect(ofType('result')).toEqual([lines.at(-1)]);
  const used = ofType('usage');
  expect(lines.at(-1)?.data).toMatchObject({
    status: row.status,
    turn_count: row.turn_count,
    num_tool_calls: row.num_tool_calls,
    input_tokens: sum(used, 'input_tokens'),
    output_tokens: sum(used, 'output_tokens'),
    total_cost_usd: (row.total_cost_micros ?? 0) / 1_000_000,
  });
  expect([used.length, ofType('tool_result').length]).toEqual([row.turn_count, row.num_tool_calls]);
  expect(ofType('cap_hit').map(({ data }) => data.cap as string)).toEqual(row.hit_cap === null ? [] : [row.hit_cap]);
  expect(ofType('error').map(({ data }) => data.code as string)).toEqual(
    row.error_code === null ? [] : [row.error_code],
  );
}

/** A cap may be overshot by the last step, and by no other. */
function expectCapped({ row, lines }: Played, caps: Partial<RunCaps>): void {
  const before = lines.filter(({ type }) => type === 'usage').slice(0, -1);
  const tokens = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_creation_tokens'];
  const spent = tokens.reduce((total, field) => total + sum(before, field), 0);
  if (before.length > 0) {
    expect(spent).toBeLessThan(caps.maxTokens ?? Infinity);
    expect(before.at(-1)?.data.total_cost_usd * 1_000_000).toBeLessThan(caps.budgetMicros ?? Infinity);
  }
  expect(row.turn_count).toBeLessThanOrEqual(caps.maxTurns ?? 500);
}

forEachDatabase((database) => {
  test('whatever a model answers, its run ends as it should', { timeout: 120_000 }, async () => {
    const { app, play } = await openWithModel(database);
    const { database: stored } = app.app.instance;
    const rows = await household(app, 3);
    const prices = [{ model: 'scripted', input_per_mtok: PRICE, output_per_mtok: PRICE }];
    await app.request('PATCH', '/api/v1/workflows/settings', { body: { prices } });
    const scope = fc.constantFrom<ToolScope>('read_only', 'propose', 'read_write');
    const story = fc.record({ scope, caps: limits, given: fc.array(answers(rows), { maxLength: 8 }) });

    const property = fc.asyncProperty(story, async ({ scope: toolScope, caps, given }) => {
      const before = await allRows(stored, OWN);
      const played = await play(scriptOf(given), { toolScope, caps });
      expectWhole(played);
      expectCapped(played, caps);
      const { id, workflow_id: workflowId } = played.row;
      if (toolScope !== 'read_write') expect(await allRows(stored, OWN)).toEqual(before);
      const offered = toolsOf(toolScope, [], { isAfterSync: false });
      const called = played.lines.filter(({ type, data }) => type === 'tool_result' && data.is_error === false);
      expect(called.filter(({ data }) => !offered.includes(data.name as string))).toEqual([]);
      const sets = await rowsOf(
        stored,
        `select action, actor_id, surface from change_sets where workflow_run_id = '${id}'`,
      );
      if (toolScope !== 'read_write') expect(sets.filter(({ action }) => action !== 'report.create')).toEqual([]);
      expect(sets.filter((set) => set['actor_id'] !== workflowId || set['surface'] !== 'workflow')).toEqual([]);
      const plans = await rowsOf(stored, `select status from proposals where run_id = '${id}'`);
      expect([[], [{ status: 'proposed' }]]).toContainEqual(plans);
      const reports = await rowsOf(stored, `select id from reports where workflow_run_id = '${id}'`);
      expect(reports.length).toBeLessThanOrEqual(5);
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(await rowsOf(stored, `select id from proposals where status = 'draft'`)).toEqual([]);
    expect(
      await rowsOf(stored, `select id from change_sets where actor_type = 'agent' and workflow_run_id is null`),
    ).toEqual([]);
  });
});
