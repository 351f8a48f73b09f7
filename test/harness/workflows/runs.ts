import type { Selectable } from 'kysely';
import { expect } from 'vitest';

import type { WorkflowRunsTable } from '../../../src/db/schema-workflows.ts';
import { shortIdFor } from '../../../src/db/short-ids.ts';
import { toolsOf } from '../../../src/features/agent-tools/index.ts';
import type { RunDefinition, ToolScope } from '../../../src/features/workflow-runs/run-definition.ts';
import { bookkeep } from '../../../src/journal/write.ts';
import type { ModelAnswer } from '../../../src/models/model.ts';
import { eventually } from '../eventually.ts';
import { rowsOf } from '../table-rows.ts';
import type { TestApp, TestAppOptions, TestDatabase } from '../test-app.ts';
import { scriptedModel, type Script, type ScriptedModel } from './scripted-model.ts';

export { answer, scriptedModel, silence, type Script, type ScriptedModel } from './scripted-model.ts';

let lastCall = 0;

/** A call of a tool, with an id of its own. */
export function call(tool: string, input: unknown = {}): ModelAnswer['toolCalls'][number] {
  return { id: `call_${(lastCall += 1)}`, tool, input };
}

export interface WantedRun extends Partial<Omit<RunDefinition, 'caps'>> {
  caps?: Partial<RunDefinition['caps']>;
  allowed?: readonly string[];
  row?: Partial<Selectable<WorkflowRunsTable>>;
}

/** A run as a start leaves it: stored, and nobody works on it. */
export async function addRun({ app: { instance } }: TestApp, wanted: WantedRun = {}): Promise<string> {
  const { caps, allowed = [], row, ...fields } = wanted;
  const toolScope: ToolScope = wanted.toolScope ?? 'propose';
  const isAfterSync = row?.is_after_sync === 1;
  const definition: RunDefinition = {
    systemPrompt: 'You look after the ledger.',
    prompt: 'Look after it.',
    toolScope,
    tools: toolsOf(toolScope, allowed, { isAfterSync }),
    provider: 'openai_compatible',
    model: 'scripted',
    ...fields,
    caps: { maxTurns: null, budgetMicros: 1_000_000, maxTokens: 2_000_000, maxDurationMs: 1_800_000, ...caps },
  };
  return bookkeep(instance.database, async (tx) => {
    const id = tx.ids.uuid();
    const stored = {
      ...EMPTY,
      id,
      short_id: await shortIdFor(tx, 'workflow_runs'),
      workflow_id: tx.ids.uuid(),
      tool_scope: toolScope,
      started_at: tx.now,
      created_at: tx.now,
      definition: JSON.stringify(definition),
      ...row,
    };
    await tx.q.insertInto('workflow_runs').values(stored).execute();
    return id;
  });
}

const EMPTY = {
  workflow_slug: 'keeper',
  workflow_name: 'Keeper',
  trigger: 'manual',
  status: 'in_progress',
  starter_type: 'system',
  starter_id: null,
  starter_name: 'A test',
};

/** An app whose model is scripted. */
export interface ScriptedApp {
  app: TestApp;
  model: ScriptedModel;
  /** Pauses before another attempt; they take no time. */
  pauses: number[];
  /** A run to its end. */
  play: (script: Script[], wanted?: WantedRun) => Promise<{ row: Selectable<WorkflowRunsTable>; lines: StoredLine[] }>;
  /** A run until its first request. */
  begin: (script: Script[], wanted?: WantedRun) => Promise<string>;
}

export async function openWithModel(database: TestDatabase, options: TestAppOptions = {}): Promise<ScriptedApp> {
  const model = scriptedModel();
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
  };
  const app = await database.open({ standInModel: () => model, pause, ...options });
  const prepare = async (script: Script[], wanted: WantedRun = {}): Promise<string> => {
    [model.script, model.requests.length] = [[...script], 0];
    return addRun(app, wanted);
  };
  return {
    app,
    model,
    pauses,
    async play(script, wanted) {
      const id = await prepare(script, wanted);
      await workOnRuns(app);
      return { row: await runRow(app, id), lines: await linesOf(app, id) };
    },
    async begin(script, wanted) {
      const id = await prepare(script, wanted);
      await app.app.instance.runs().look();
      await eventually(() => expect(model.requests).toHaveLength(1));
      return id;
    },
  };
}

/** Works on whatever runs wait, to their end. */
export async function workOnRuns({ app: { instance } }: TestApp): Promise<void> {
  await instance.runs().look();
  await instance.runs().settled();
}

export async function runRow({ app: { instance } }: TestApp, id: string): Promise<Selectable<WorkflowRunsTable>> {
  return instance.database.read(async (tx) =>
    tx.q.selectFrom('workflow_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** Lets a lease lapse, as it does once the process that has it is gone. */
export async function endLease({ app: { instance } }: TestApp, id: string): Promise<void> {
  await bookkeep(instance.database, async (tx) => {
    const lapsed = { lease_expires_at: '2000-01-01T00:00:00.000Z' };
    await tx.q.updateTable('workflow_runs').set(lapsed).where('id', '=', id).execute();
  });
}

export interface StoredLine {
  seq: number;
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
  data: any;
}

export async function linesOf({ app: { instance } }: TestApp, id: string): Promise<StoredLine[]> {
  const rows = await rowsOf<{ seq: number; type: string; data: string }>(
    instance.database,
    `select seq, type, data from workflow_run_lines where run_id = '${id}' order by seq`,
  );
  return rows.map(({ seq, type, data }) => ({ seq, type, data: JSON.parse(data) as unknown }));
}
