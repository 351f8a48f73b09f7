import { expect, test } from 'vitest';

import {
  answer,
  call,
  linesOf,
  openWithModel,
  runRow,
  silence,
  workOnRuns,
  type Script,
  type WantedRun,
} from '../../../test/harness/workflows/runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { ModelFailure, type ModelAnswer } from '../../models/model.ts';

const PRICES = [{ model: 'scripted', input_per_mtok: 1, output_per_mtok: 1 }];
const USED = { input: 500_000, output: 500_000, cacheRead: 0, cacheCreation: 0 };
const GOES_ON: Script = () => Promise.resolve(answer({ toolCalls: [call('get_overview')], usage: USED }));

async function setPrices(app: TestApp): Promise<void> {
  const { status, text } = await app.request('PATCH', '/api/v1/workflows/settings', { body: { prices: PRICES } });
  expect(status, text).toBe(200);
}

/** A failure, as often as that. */
function failing(kind: ModelFailure['kind'], options?: ConstructorParameters<typeof ModelFailure>[2]): Script {
  return () => Promise.reject(new ModelFailure(kind, `It was ${kind}.`, options));
}

forEachDatabase((database) => {
  test('caps end a run after the step that passed them, and each step is spent at once', async () => {
    const { app, model, play } = await openWithModel(database);
    await setPrices(app);
    const cap = async (caps: WantedRun['caps'], row?: WantedRun['row']) =>
      play([GOES_ON], { ...(caps && { caps }), ...(row && { row }) });

    const byDollars = await cap({ budgetMicros: 1_500_000 });
    expect(byDollars.row).toMatchObject({
      status: 'success',
      hit_cap: 'max_budget',
      turn_count: 2,
      num_tool_calls: 2,
      total_cost_micros: 2_000_000,
    });
    expect(byDollars.lines.slice(-2)).toMatchObject([
      { type: 'cap_hit', data: { cap: 'max_budget', limit: 1.5, used: 2 } },
      { type: 'result', data: { status: 'success', stop_reason: 'max_budget', total_cost_usd: 2, turn_count: 2 } },
    ]);
    expect(await spentOn(app, byDollars.row.id)).toEqual([2_000_000]);
    expect((await cap({ budgetMicros: 2_000_000 })).row).toMatchObject({ hit_cap: 'max_budget', turn_count: 2 });
    const ofHousehold = await cap({ budgetMicros: 500_000 }, { is_budget_of_household: 1 });
    expect(ofHousehold.row).toMatchObject({ status: 'success', hit_cap: 'household_budget', turn_count: 1 });
    const byTokens = await cap({ maxTokens: 2_500_000, budgetMicros: null });
    expect(byTokens.row).toMatchObject({ status: 'success', hit_cap: 'max_tokens', turn_count: 3 });
    expect((await cap({ maxTurns: 1, maxTokens: 1, budgetMicros: 1 })).row).toMatchObject({ hit_cap: 'max_turns' });
    expect((await cap({ maxTokens: 1, budgetMicros: 1 })).row).toMatchObject({ hit_cap: 'max_budget' });

    // An answer without calls is the end, whatever it cost.
    const done = await play([{ text: 'Done.', usage: USED }], { caps: { budgetMicros: 1, maxTokens: 1 } });
    expect(done.row).toMatchObject({ status: 'success', hit_cap: null, total_cost_micros: 1_000_000 });
    model.script = [];
  });

  test('a model without a price costs null, and stops at its tokens even if no cap was set', async () => {
    const { app, play } = await openWithModel(database);
    const { row, lines } = await play([GOES_ON], { caps: { maxTokens: null } });
    expect(row).toMatchObject({ status: 'success', hit_cap: 'max_tokens', turn_count: 2, total_cost_micros: null });
    expect(lines.at(-1)?.data).toMatchObject({ stop_reason: 'max_tokens', total_cost_usd: null });
    expect(lines.find(({ type }) => type === 'usage')?.data).toMatchObject({ cost_usd: null, total_cost_usd: null });
    expect(await spentOn(app, row.id)).toEqual([0]);
  });

  test('an answer that cannot be read is spent all the same, at an estimate', async () => {
    const { app, play } = await openWithModel(database);
    await setPrices(app);
    const { row } = await play([failing('refused', { status: 200, isAnswered: true })]);
    expect(row).toMatchObject({ status: 'error', error_code: 'api_error', turn_count: 1 });
    expect(row.input_tokens).toBeGreaterThan(100);
    expect(await spentOn(app, row.id)).toEqual([row.input_tokens]);
    expect((await play([failing('refused', { status: 400 })])).row).toMatchObject({ turn_count: 0, input_tokens: 0 });
  });

  test('a busy provider is asked three times, with pauses; others once', async () => {
    const { model, pauses, play } = await openWithModel(database);
    const busy = failing('busy', { status: 500 });
    expect((await play([busy, busy, { text: 'Done.' }])).row).toMatchObject({ status: 'success', turn_count: 1 });
    expect(pauses.splice(0)).toEqual([1_000, 4_000]);

    const overloaded = await play([failing('network')]);
    expect(overloaded.row).toMatchObject({
      status: 'error',
      error_code: 'network_error',
      error_message: 'It was network.',
    });
    expect(overloaded.lines.slice(-2)).toMatchObject([
      { type: 'error', data: { code: 'network_error', message: 'It was network.' } },
      { type: 'result', data: { status: 'error', stop_reason: 'error' } },
    ]);
    expect([model.requests.length, pauses.splice(0)]).toEqual([3, [1_000, 4_000]]);

    const patient = failing('busy', { status: 429, retryAfterMs: 60_000 });
    await play([patient, failing('busy', { retryAfterMs: 60_001 }), { text: 'Done.' }]);
    expect(pauses.splice(0)).toEqual([60_000, 4_000]);

    for (const [kind, code] of [
      ['auth', 'auth_error'],
      ['refused', 'api_error'],
      ['context_too_long', 'context_too_long'],
    ] as const) {
      expect((await play([failing(kind)])).row).toMatchObject({ status: 'error', error_code: code });
      expect([model.requests.length, pauses.splice(0)]).toEqual([1, []]);
    }
  });

  test('a request that would not fit the context is not sent', async () => {
    const { app, model, play } = await openWithModel(database);
    await app.request('PATCH', '/api/v1/workflows/settings', { body: { context_tokens: 4_096 } });
    const { row, lines } = await play([{ text: 'Done.' }], { prompt: 'x'.repeat(6_000) });
    expect(row).toMatchObject({ status: 'error', error_code: 'context_too_long', turn_count: 0, input_tokens: 0 });
    expect([model.requests.length, lines.map(({ type }) => type)]).toEqual([
      0,
      ['system', 'user_message', 'error', 'result'],
    ]);
    await app.request('PATCH', '/api/v1/workflows/settings', { body: { context_tokens: null } });
    expect((await play([{ text: 'Done.' }], { prompt: 'x'.repeat(6_000) })).row.status).toBe('success');
  });

  test('ten failed calls in a row end a run; one that works in between begins the count anew', async () => {
    const { play } = await openWithModel(database);
    const wrong = (count: number) => Array.from({ length: count }, () => call('get_transaction'));
    const { row, lines } = await play([{ toolCalls: wrong(4) }, { toolCalls: wrong(7) }]);
    expect(row).toMatchObject({ status: 'error', error_code: 'tool_error', num_tool_calls: 10, turn_count: 2 });
    expect(lines.filter(({ type }) => type === 'tool_result')).toHaveLength(10);
    const twice = { toolCalls: [...wrong(9), call('get_overview'), ...wrong(9)] };
    expect((await play([twice, { text: 'Done.' }])).row).toMatchObject({ status: 'success', num_tool_calls: 19 });
  });

  test('strange answers do no harm', async () => {
    const { model, play } = await openWithModel(database);
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) as unknown;
    const strange = [
      { id: '', tool: '', input: {} },
      { id: '', tool: 'get_overview\0\ud800', input: {} },
      { id: 'same', tool: 'get_overview', input: { '\0': '\ud800' } },
      { id: 'same', tool: 'get_overview', input: deep },
      { id: 'same', tool: 'get_overview', input: {} },
      { id: 'same', tool: 'get_overview', input: {} },
    ];
    const { row, lines } = await play([{ text: 'a\0\ud800', toolCalls: strange }, { text: '\0 done \udfff' }]);
    expect(row).toMatchObject({ status: 'success', result_text: ' done \ufffd', num_tool_calls: 6 });
    const results = lines.filter(({ type }) => type === 'tool_result').map(({ data }) => data.is_error);
    expect(results).toEqual([true, true, true, true, false, false]);

    const many = Array.from({ length: 150 }, () => call('list_tags'));
    const flood = await play([{ toolCalls: many }, { text: 'Done.' }]);
    expect(flood.row).toMatchObject({ status: 'success', num_tool_calls: 100 });
    const given = model.requests.at(-1)?.messages.at(-1);
    expect(given?.role === 'tools' && given.results.filter(({ isError }) => isError).length).toBe(50);

    for (const finish of ['content-filter', 'error'] as const) {
      expect((await play([{ finish }])).row).toMatchObject({ status: 'error', error_code: 'api_error' });
    }
    const long = await play([{ text: 'x'.repeat(20_000) }]);
    expect(long.row.result_text).toHaveLength(10_000);
  });

  test('a bug of ours ends the run, and says no more than that', async () => {
    const { app, play } = await openWithModel(database, { expectsFailures: true });
    const { row } = await play([() => Promise.reject(new TypeError('secret inside'))]);
    expect(row).toMatchObject({ status: 'error', error_code: 'unknown' });
    expect(row.error_message).not.toContain('secret');
    expect(app.logs.some((line) => line.includes('failed because of a bug'))).toBe(true);
  });

  test('cancel, the wall clock and the end of the service abort a request, whose input is estimated', async () => {
    const { app, begin } = await openWithModel(database);
    const { runs } = app.app.instance;
    await setPrices(app);

    const cancelled = await begin([silence], { prompt: 'x'.repeat(4_000) });
    await askToCancel(app, cancelled);
    await runs().look();
    await runs().settled();
    const row = await runRow(app, cancelled);
    expect(row).toMatchObject({ status: 'cancelled', hit_cap: null, error_code: null, output_tokens: 0 });
    expect(row.input_tokens).toBeGreaterThan(1_000);
    expect(row.total_cost_micros).toBe(row.input_tokens);
    expect(await spentOn(app, cancelled)).toEqual([row.input_tokens]);
    expect((await linesOf(app, cancelled)).at(-1)?.data).toMatchObject({
      status: 'cancelled',
      stop_reason: 'cancelled',
    });

    const slow = await begin([silence], { caps: { maxDurationMs: 480_000 } });
    app.clock.advance(479_999);
    await runs().beat();
    expect(await runRow(app, slow)).toMatchObject({ status: 'in_progress' });
    app.clock.advance(1);
    await runs().beat();
    await runs().settled();
    expect(await runRow(app, slow)).toMatchObject({ status: 'timeout', hit_cap: 'max_duration', duration_ms: 480_000 });
    expect((await linesOf(app, slow)).slice(-2)).toMatchObject([
      { type: 'cap_hit', data: { cap: 'max_duration', limit: 480, used: 480 } },
      { type: 'result', data: { status: 'timeout', stop_reason: 'max_duration' } },
    ]);
  });

  test('an answer that takes eight minutes is awaited', async () => {
    const late = Promise.withResolvers<ModelAnswer>();
    const { app, begin } = await openWithModel(database);
    const id = await begin([() => late.promise]);
    for (let minute = 0; minute < 8; minute += 1) {
      app.clock.advance(60_000);
      await app.app.instance.runs().beat();
    }
    late.resolve(answer({ text: 'At last.' }));
    await app.app.instance.runs().settled();
    expect(await runRow(app, id)).toMatchObject({ status: 'success', result_text: 'At last.', duration_ms: 480_000 });
  });

  test('a run that is cancelled before anybody works on it, or between two calls, calls nothing more', async () => {
    const { app, model, begin, play } = await openWithModel(database);
    const { row } = await play([{ text: 'Done.' }], { row: { cancel_requested_at: app.clock.now().toString() } });
    expect([row.status, model.requests.length]).toEqual(['cancelled', 0]);

    const cancelling: Script = async () => {
      await askToCancel(app, id);
      await app.app.instance.runs().look();
      return answer({ toolCalls: [call('get_overview')] });
    };
    const ready = Promise.withResolvers<void>();
    const id = await begin([async (...asked) => ready.promise.then(() => (cancelling as typeof silence)(...asked))]);
    ready.resolve();
    await app.app.instance.runs().settled();
    expect(await runRow(app, id)).toMatchObject({ status: 'cancelled', turn_count: 1, num_tool_calls: 0 });
    expect(await workOnRuns(app)).toBeUndefined();
  });
});

async function askToCancel({ app: { instance } }: TestApp, id: string): Promise<void> {
  await bookkeep(instance.database, async (tx) => {
    await tx.q.updateTable('workflow_runs').set({ cancel_requested_at: tx.now }).where('id', '=', id).execute();
  });
}

async function spentOn({ app: { instance } }: TestApp, id: string): Promise<number[]> {
  const query = `select cost_micros from workflow_spending where run_id = '${id}'`;
  return (await rowsOf<{ cost_micros: number }>(instance.database, query)).map(({ cost_micros: cost }) => cost);
}
