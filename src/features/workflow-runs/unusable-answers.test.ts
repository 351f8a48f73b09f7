import { describe, expect, test } from 'vitest';

import { scriptedModel, workOnRuns, type ScriptedModel } from '../../../test/harness/workflows/runs.ts';
import { answer } from '../../../test/harness/workflows/scripted-model.ts';
import { setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addFromPreset, addWorkflow, type MadeWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { unusableOf, type Unusable } from '../../models/unusable-answer.ts';

const TOOLS = { toolNames: new Set(['get_overview']), mustCall: false };
const LOOK = { id: 'c', tool: 'get_overview', input: {} };
const REPORT = { id: 'r', tool: 'submit_report', input: { title: 'Kept', body: 'Made before.' } };

describe('Of no use is an answer', () => {
  test.each<[Unusable | undefined, string, Parameters<typeof answer>[0]]>([
    ['cut', 'cut off', { text: 'So far', finish: 'length' }],
    ['cut', 'cut off with calls', { toolCalls: [LOOK], finish: 'length' }],
    ['empty', 'without anything', { text: ' \n' }],
    ['empty', 'of reasoning alone', { text: '<think>Hm, what now</think>' }],
    ['empty', 'of reasoning that was not ended', { text: '<think>Hm' }],
    ['calls_as_text', 'with a call in tags', { text: 'I will <tool_call>{"name":"x"}</tool_call>' }],
    ['calls_as_text', 'with a function tag', { text: '<function=get_overview>{}</function>' }],
    ['calls_as_text', 'in the form of Mistral', { text: '[TOOL_CALLS][{"name":"x"}]' }],
    ['calls_as_text', 'in the form of Llama', { text: '<|python_tag|>get_overview.call()' }],
    ['calls_as_text', 'in a fence', { text: '```tool_code\nget_overview()\n```' }],
    ['calls_as_text', 'in JSON', { text: '{"name": "get_overview", "arguments": {}}' }],
    ['calls_as_text', 'in fenced JSON', { text: '```json\n[{"name": "get_overview", "parameters": {}}]\n```' }],
    [undefined, 'in JSON that calls nothing', { text: '{"name": "REWE", "arguments": {}}' }],
    [undefined, 'of words', { text: 'Nothing to do.' }],
    [undefined, 'of a call', { toolCalls: [LOOK] }],
    [undefined, 'that a filter stopped', { finish: 'content-filter' }],
  ])('%s: %s', (unusable, _what, given) => {
    expect(unusableOf(answer(given), TOOLS)).toBe(unusable);
  });

  test('that ends a task before anything was done', () => {
    expect(unusableOf(answer({ text: 'All done!' }), { ...TOOLS, mustCall: true })).toBe('no_call');
  });
});

forEachDatabase((database) => {
  async function ended(script: ScriptedModel['script'], make: (app: TestApp) => Promise<MadeWorkflow> = addWorkflow) {
    const model = scriptedModel(...script);
    const app: TestApp = await database.open({ standInModel: () => model });
    await setUpModel(app);
    const { json } = await start(app, await make(app));
    await workOnRuns(app);
    const run = (await app.request('GET', `/api/v1/workflows/runs/${json.id}`)).json;
    const reports = (await app.request('GET', '/api/v1/reports')).json as unknown[];
    return { run, reports, requests: model.requests };
  }

  const WRONG: [Unusable, object, RegExp][] = [
    ['cut', { text: 'So', finish: 'length', toolCalls: [LOOK] }, /was cut off after 0 tokens/],
    ['empty', {}, /answered nothing/],
    ['calls_as_text', { text: '<tool_call>{}</tool_call>' }, /wrote its calls of tools as text/],
  ];
  test.each(WRONG)(
    'an answer that is %s is told of once, and ends the run the second time',
    async (_what, wrong, says) => {
      const twice = await ended([{ toolCalls: [REPORT] }, wrong, wrong]);
      expect(twice.run).toMatchObject({ status: 'error', error_code: 'unusable_answer', num_tool_calls: 1 });
      expect(twice.run.error_message).toMatch(says);
      expect(twice.reports).toHaveLength(1);
      const once = await ended([wrong, { toolCalls: [LOOK] }, { text: 'Done.' }]);
      expect(once.run).toMatchObject({ status: 'success', result_text: 'Done.', num_tool_calls: 1 });
      expect(once.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
    },
  );

  test('a prompt of blocks is not done before a tool was called', async () => {
    const { run } = await ended([{ text: 'All done!' }], addFromPreset);
    expect(run).toMatchObject({ status: 'error', error_code: 'unusable_answer' });
    expect(run.error_message).toMatch(/without a successful call/);
  });

  test('a paused turn goes on with the answer as it is', async () => {
    const paused = {
      text: 'Thinking about',
      finish: 'pause',
      raw: [{ type: 'text', text: 'Thinking about' }],
    } as const;
    const { run, requests } = await ended([paused, { toolCalls: [LOOK] }, { text: 'Done.' }]);
    expect(run).toMatchObject({ status: 'success', result_text: 'Done.' });
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: 'assistant', answer: { raw: paused.raw } });
  });
});
