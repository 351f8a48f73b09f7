import { afterAll, beforeAll, expect, test } from 'vitest';

import { tools } from '../src/features/agent-tools/index.ts';
import { composePrompt, findPreset, toolsOfPreset } from '../src/features/workflow-presets/index.ts';
import { createSdkModel } from '../src/models/sdk-model.ts';
import type { ModelChoice } from '../src/models/model.ts';
import { addRun, linesOf, runRow, workOnRuns } from '../test/harness/workflows/runs.ts';
import { rowsOf } from '../test/harness/table-rows.ts';
import { forEachDatabase, TEST_START, type TestApp } from '../test/harness/test-app.ts';
import { generateHousehold } from './household.ts';
import { startLlmSimulator, type LlmSimulator } from './llm.ts';
import { householdReviewer } from './llm/household-reviewer.ts';
import { writeHousehold } from './write-household.ts';

let llm: LlmSimulator;
beforeAll(async () => {
  llm = await startLlmSimulator({ model: householdReviewer });
});
afterAll(() => llm.close());

/** The model of production; only its address is another. */
function modelOnLoopback(choice: ModelChoice) {
  return createSdkModel({
    choice,
    baseUrl: llm.baseUrl,
    isOwnAddress: true,
    key: 'sk-test',
    userAgent: 'homeledger/test',
    resolveHost: async () => ['127.0.0.1'],
    now: () => Date.parse(TEST_START),
  });
}

/** Works as a preset would, and tells what came of it. */
async function work(app: TestApp, preset: string, choice: ModelChoice, options: Readonly<Record<string, string>> = {}) {
  const found = findPreset(preset);
  if (!found) throw new Error(`no preset ${preset}`);
  const run = await addRun(app, {
    provider: choice.provider,
    model: choice.name,
    toolScope: found.tool_scope,
    allowed: toolsOfPreset(
      found,
      tools.map(({ info }) => info.name),
    ),
    prompt: composePrompt({ blocks: found.prompt_blocks, preset: found, options, extraInstructions: null }),
  });
  llm.play(householdReviewer);
  await workOnRuns(app);
  const changes = await rowsOf<{ after: string }>(
    app.app.instance.database,
    `select c.after from proposal_changes c join proposals p on p.id = c.proposal_id where p.run_id = '${run}'`,
  );
  const statuses = llm.requests().map(({ status }) => status);
  return {
    row: await runRow(app, run),
    lines: await linesOf(app, run),
    changes: changes.map(({ after }) => after),
    statuses,
  };
}

const CHOICES: readonly ModelChoice[] = [
  { provider: 'anthropic', name: 'claude-haiku-4-5' },
  { provider: 'openai', name: 'gpt-5' },
  { provider: 'openai_compatible', name: 'simulated-reviewer' },
];

forEachDatabase(
  (database) => {
    // What was proposed once is not proposed again, so each wire has a household of its own.
    async function openHousehold(): Promise<TestApp> {
      const app = await database.open({ standInModel: modelOnLoopback });
      const household = generateHousehold({ seed: 1, transactions: 600, until: TEST_START.slice(0, 10) });
      await writeHousehold(app.app.instance, household);
      return app;
    }

    test('the reviewer proposes the same over each wire, and reports on a household', async () => {
      const proposed: string[][] = [];
      const apps: TestApp[] = [];
      for (const choice of CHOICES) {
        const app = await openHousehold();
        apps.push(app);
        const { row, changes, statuses } = await work(app, 'routine-reviewer', choice);
        expect([row.status, row.error_message, new Set(statuses)]).toEqual(['success', null, new Set([200])]);
        expect(row.result_text).toMatch(/^\d+ transactions? proposed, \d+ questions?\. A person decides\.$/);
        expect(changes.length).toBeGreaterThan(5);
        const { input_tokens: input, cache_read_tokens: read, cache_creation_tokens: created } = row;
        expect([input + read + created > 5_000, read > 1_000]).toEqual([true, true]);
        proposed.push(changes);
      }
      const app = apps[0] as TestApp;
      const [asked] = (await app.request('GET', '/api/v1/reports', { query: { kind: 'review' } })).json;
      const [, link] = /\]\(\/transactions\/([^)]+)\)/.exec(asked.body) ?? [];
      expect((await app.request('GET', `/api/v1/transactions/${link}`)).status).toBe(200);
      expect(proposed[0]?.some((after) => after.includes('category_id'))).toBe(true);
      expect(proposed[0]?.some((after) => after.includes('flagged_at'))).toBe(true);
      expect(proposed[1]).toHaveLength(proposed[0]?.length ?? -1);
      expect(proposed[2]).toHaveLength(proposed[0]?.length ?? -1);

      const flags = await work(app, 'routine-reviewer', CHOICES[2] as ModelChoice, { apply_mode: 'flag_only' });
      expect(flags.changes.length).toBeGreaterThan(5);
      expect(flags.changes.some((after) => after.includes('category_id'))).toBe(false);

      const digest = await work(app, 'weekly-money-digest', CHOICES[2] as ModelChoice);
      expect([digest.row.status, digest.row.result_text, digest.changes]).toEqual([
        'success',
        'The report is sent.',
        [],
      ]);
      const [report] = (await app.request('GET', '/api/v1/reports', { query: { kind: 'digest' } })).json;
      expect(report).toMatchObject({ workflow_run_id: digest.row.id, title: expect.stringMatching(/ spent$/) });
    });
  },
  ['SQLite'],
);
