import { expect, test } from 'vitest';

import { addRun, call, linesOf, runRow, scriptedModel, workOnRuns, type Script } from '../../../test/harness/runs.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/harness/test-app.ts';

const USED = { input: 500_000, output: 500_000, cacheRead: 0, cacheCreation: 0 };

async function openWith(database: TestDatabase, ...script: Script[]) {
  const model = scriptedModel(...script);
  const pauses: number[] = [];
  const app = await database.open({
    standInModel: () => model,
    pause: async (ms) => {
      pauses.push(ms);
    },
  });
  return { app, model, pauses };
}

const types = (lines: readonly { type: string }[]): string[] => lines.map(({ type }) => type);

forEachDatabase((database) => {
  test('a run asks, calls tools, and ends with the answer that calls none', async () => {
    const { app, model } = await openWith(
      database,
      { text: 'I look.', toolCalls: [call('get_overview')], usage: { ...USED, input: 10, output: 5 } },
      { text: 'Done.', usage: { ...USED, input: 20, output: 7, cacheRead: 3 } },
    );
    const id = await addRun(app);
    await workOnRuns(app);
    expect(await runRow(app, id)).toMatchObject({
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
    const lines = await linesOf(app, id);
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
    const { app, model } = await openWith(
      database,
      { toolCalls: [call('delete_tag', { slug: 'x' }), call('save_tag', { name: 'New' }), call('no_such_tool')] },
      { toolCalls: [call('get_overview', null), call('get_overview', []), call('get_overview', 'x')] },
      { text: 'Done.' },
    );
    const id = await addRun(app, { toolScope: 'read_only' });
    await workOnRuns(app);
    expect(await runRow(app, id)).toMatchObject({ status: 'success', num_tool_calls: 6 });
    const results = (await linesOf(app, id)).filter(({ type }) => type === 'tool_result');
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
});
