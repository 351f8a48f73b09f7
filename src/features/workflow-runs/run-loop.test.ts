import { expect, test } from 'vitest';

import { household } from '../../../test/harness/ledgers/batches.ts';
import { call, openWithModel } from '../../../test/harness/workflows/runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { tools, toolsOf } from '../agent-tools/index.ts';

const USED = { input: 500_000, output: 500_000, cacheRead: 0, cacheCreation: 0 };

const types = (lines: readonly { type: string }[]): string[] => lines.map(({ type }) => type);

forEachDatabase((database) => {
  test('a run asks, calls tools, and ends with the answer that calls none', async () => {
    const { model, play } = await openWithModel(database);
    const { row, lines } = await play([
      { text: 'I look.', toolCalls: [call('get_overview')], usage: { ...USED, input: 10, output: 5 } },
      { text: 'Done.', usage: { ...USED, input: 20, output: 7, cacheRead: 3 } },
    ]);
    expect(row).toMatchObject({
      status: 'success',
      result_text: 'Done.',
      hit_cap: null,
      error_code: null,
      turn_count: 2,
      num_tool_calls: 1,
      input_tokens: 30,
      output_tokens: 12,
      cache_read_tokens: 3,
      total_cost_micros: null,
      holder: null,
      fencing_token: null,
      lease_expires_at: null,
      duration_ms: 0,
    });
    expect(types(lines)).toEqual([
      'system',
      'user_message',
      'assistant_message',
      'tool_use',
      'usage',
      'tool_result',
      'assistant_message',
      'usage',
      'result',
    ]);
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(lines[5]?.data).toMatchObject({ name: 'get_overview', is_error: false });
    expect(lines.at(-1)?.data).toEqual({
      status: 'success',
      stop_reason: 'end_turn',
      total_cost_usd: null,
      input_tokens: 30,
      output_tokens: 12,
      cache_read_tokens: 3,
      cache_creation_tokens: 0,
      turn_count: 2,
      num_tool_calls: 1,
    });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tools']);
  });

  test('calls outside the scope, unknown tools and unreadable arguments fail, and nothing is written', async () => {
    const { model, play } = await openWithModel(database);
    const script = [
      { toolCalls: [call('delete_tag', { slug: 'x' }), call('save_tag', { name: 'New' }), call('no_such_tool')] },
      { toolCalls: [call('get_overview', null), call('get_overview', []), call('get_overview', 'x')] },
      { text: 'Done.' },
    ];
    const { row, lines } = await play(script, { toolScope: 'read_only' });
    expect(row).toMatchObject({ status: 'success', num_tool_calls: 6 });
    const results = lines.filter(({ type }) => type === 'tool_result');
    expect(results.map(({ data }) => [data.is_error, JSON.parse(data.content).error.code])).toEqual([
      [true, 'FORBIDDEN'],
      [true, 'FORBIDDEN'],
      [true, 'NOT_FOUND'],
      [true, 'VALIDATION_ERROR'],
      [true, 'VALIDATION_ERROR'],
      [true, 'VALIDATION_ERROR'],
    ]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('save_tag');
  });

  test('a run of any scope reports at most five times, and its calls, reports and change sets name it', async () => {
    const { app, play } = await openWithModel(database);
    const { database: stored } = app.app.instance;
    const report = (title: string) => call('submit_report', { title, body: 'Nothing new.' });
    for (const toolScope of ['read_only', 'propose', 'read_write'] as const) {
      const titles = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `${toolScope} ${letter}`);
      const { row, lines } = await play([{ toolCalls: titles.map(report) }, { text: 'Done.' }], { toolScope });
      const results = lines.filter(({ type }) => type === 'tool_result').map(({ data }) => data);
      expect(results.map(({ is_error: isError }) => isError)).toEqual([false, false, false, false, false, true]);
      expect(JSON.parse(results[5].content).error).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'This run has already submitted 5 reports, the most that it may. Nothing was done.',
      });
      const of = `where workflow_run_id = '${row.id}'`;
      const reports = await rowsOf(stored, `select author_type, author_id, author_name from reports ${of}`);
      const author = { author_type: 'agent', author_id: row.workflow_id, author_name: 'Keeper' };
      expect(reports).toEqual(Array.from({ length: 5 }, () => author));
      const sets = await rowsOf(stored, `select actor_type, actor_id, actor_name, surface from change_sets ${of}`);
      const actor = { actor_type: 'agent', actor_id: row.workflow_id, actor_name: 'Keeper', surface: 'workflow' };
      expect(sets).toEqual(Array.from({ length: 5 }, () => actor));
      const calls = `select surface, transport, api_key_id, outcome from mcp_calls where run_id = '${row.id}'`;
      const call = { surface: 'workflow', transport: null, api_key_id: null };
      const records = await rowsOf<{ outcome: string }>(stored, calls);
      expect(records).toEqual(
        expect.arrayContaining([
          { ...call, outcome: 'ok' },
          { ...call, outcome: 'error' },
        ]),
      );
      expect(records).toHaveLength(6);
    }
  });

  test('to propose leaves the ledger as it is; to write changes it at once', async () => {
    const { app, play } = await openWithModel(database);
    const [row] = await household(app, 1);
    const read = async () => (await app.request('GET', `/api/v1/transactions/${row?.id}`)).json;
    const before = await read();
    const operations = [{ transaction_id: row?.id, tags_to_add: ['seen'], category_slug: 'food_and_drink_coffee' }];
    const script = [{ toolCalls: [call('update_transactions', { operations })] }, { text: 'Done.' }];
    // Neither what agents may do over MCP nor the tools that are off there bind a run.
    const settings = { mode: 'read_only', disabled_tools: ['update_transactions'] };
    expect((await app.request('PUT', '/api/v1/settings/mcp', { body: settings })).status).toBe(200);

    const proposed = await play(script, { toolScope: 'propose' });
    expect(await read()).toEqual(before);
    const of = (id: string) => `select id, status, change_count from proposals where run_id = '${id}'`;
    const { database: stored } = app.app.instance;
    expect(await rowsOf(stored, of(proposed.row.id))).toMatchObject([{ status: 'proposed', change_count: 2 }]);

    const written = await play(script, { toolScope: 'read_write' });
    expect((await read()).tags).toEqual(['seen']);
    expect(await rowsOf(stored, of(written.row.id))).toEqual([]);
    const sets = `select count(*) as n from change_sets where workflow_run_id = '${written.row.id}'`;
    expect(Number((await rowsOf<{ n: number }>(stored, sets))[0]?.n)).toBe(1);
  });

  test('each scope offers its tools, as far as the workflow names them; a run neither starts runs nor its own syncs', () => {
    const names = (...args: Parameters<typeof toolsOf>) => new Set(toolsOf(...args));
    const [reads, proposes, writes] = (['read_only', 'propose', 'read_write'] as const).map((scope) =>
      names(scope, [], { isAfterSync: false }),
    ) as [Set<string>, Set<string>, Set<string>];
    expect([...reads].every((name) => proposes.has(name)) && [...proposes].every((name) => writes.has(name))).toBe(
      true,
    );
    const infos = tools.map(({ info }) => info);
    expect([...writes.symmetricDifference(new Set(infos.map(({ name }) => name)))]).toEqual(['run_workflow']);
    const writing = (set: Set<string>) => infos.filter(({ name, effect }) => set.has(name) && effect === 'write');
    expect(writing(reads).map(({ name }) => name)).toEqual(['submit_report']);
    expect(writing(proposes).filter(({ isProposable }) => !isProposable)).toMatchObject([{ name: 'submit_report' }]);
    expect(writes.has('trigger_sync')).toBe(true);
    expect(names('read_write', [], { isAfterSync: true }).has('trigger_sync')).toBe(false);
    const allowed = ['get_overview', 'save_tag', 'run_workflow'];
    expect(toolsOf('read_only', allowed, { isAfterSync: false })).toEqual(['get_overview']);
    expect(toolsOf('read_write', allowed, { isAfterSync: false })).toEqual(['get_overview', 'save_tag']);
  });
});
