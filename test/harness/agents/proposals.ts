import type { Selectable } from 'kysely';

import type { AnyOperation } from '../../../src/contract/operation.ts';
import type { WorkflowRunsTable } from '../../../src/db/schema-workflows.ts';
import type { Principal } from '../../../src/features/handler.ts';
import { parseBody, parseParams, parseQuery } from '../../../src/features/parse-input.ts';
import { closePlan } from '../../../src/features/proposals/index.ts';
import { bookkeep } from '../../../src/journal/write.ts';
import { AppError } from '../../../src/kernel/errors.ts';
import { authenticateKey } from '../../../src/surfaces/http/authenticate.ts';
import type { TestApp } from '../test-app.ts';
import { addRun, runRow } from '../workflows/runs.ts';

interface Proposing {
  key?: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  proposalId?: string;
  reason?: string;
  /** Calls as this run does, in place of the key. */
  run?: ProposingRun;
}

export interface ProposingRun {
  id: string;
  workflowId: string;
  name: string;
}

/** What the agent reads: the result with what became of it, or the error. Untyped, because a test looks at any field. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Proposed = any;

let made = 0;

/** Calls a write in propose mode, as tools do. An error is answered as `{ error: code }`. */
export async function propose(app: TestApp, operation: AnyOperation, call: Proposing): Promise<Proposed> {
  return perform(app, operation, call, { isPlanned: true });
}

/** The same call of an agent that may write. */
export async function make(app: TestApp, operation: AnyOperation, call: Proposing): Promise<Proposed> {
  return perform(app, operation, call, { isPlanned: false });
}

async function perform(
  app: TestApp,
  operation: AnyOperation,
  call: Proposing,
  { isPlanned }: { isPlanned: boolean },
): Promise<Proposed> {
  const { run } = call;
  const principal = run
    ? principalOf(run)
    : await authenticateKey(app.app.instance, ['x-api-key', call.key ?? app.key]);
  if (!principal) throw new Error('The key of the test is not valid.');
  const id = `019a8c70-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;
  const plan = {
    proposalId: call.proposalId ?? null,
    tool: operation.name,
    source: run === undefined ? ('mcp' as const) : ('workflow' as const),
    principalId: principal.id,
    workflowId: run?.workflowId ?? null,
    runId: run?.id ?? null,
  };
  try {
    const { body, continuation } = await app.app.dispatch(operation, {
      input: {
        params: parseParams(operation, call.params ?? {}),
        query: parseQuery(operation, call.query ?? {}),
        body: parseBody(operation, call.body),
      },
      principal,
      request: {
        id: 'test',
        surface: run === undefined ? 'mcp' : 'workflow',
        reason: call.reason ?? null,
        baseUrl: 'http://localhost',
        client: null,
        prefer: null,
      },
      file: null,
      unread: null,
      claim: null,
      agent: {
        record: recordOf(app, id, operation.name, run),
        plan: isPlanned ? plan : null,
        results: { maxBytes: 65_536, masksNumbers: false },
        run: null,
      },
    });
    await continuation?.();
    return JSON.parse((body as string | null) ?? '{}');
  } catch (error) {
    if (error instanceof AppError) return { error: error.code };
    throw error;
  }
}

function principalOf({ id, workflowId, name }: ProposingRun): Principal {
  const actor = { type: 'agent', id: workflowId, userId: null, name } as const;
  return { kind: 'run', id, scope: 'full_access', actor, memberId: null, session: null };
}

/** A run in progress that some process works on. */
export async function beginRun(
  app: TestApp,
  name: string,
  row: Partial<Selectable<WorkflowRunsTable>> = {},
): Promise<ProposingRun> {
  const id = await addRun(app, {
    row: { workflow_name: name, trigger: 'after_sync', holder: 'another', ...row },
  });
  return { id, workflowId: (await runRow(app, id)).workflow_id, name };
}

/** Ends a run with its plan, in one transaction. */
export async function endRun({ app: { instance } }: TestApp, { id }: ProposingRun, status = 'success'): Promise<void> {
  await bookkeep(instance.database, async (tx) => {
    await tx.q.updateTable('workflow_runs').set({ status, completed_at: tx.now }).where('id', '=', id).execute();
    await closePlan(tx, id);
  });
}

function recordOf({ clock }: TestApp, id: string, tool: string, run: ProposingRun | undefined) {
  return {
    id,
    short_id: `t${String(made).padStart(7, '0')}`,
    tool,
    effect: 'write',
    surface: run ? 'workflow' : 'mcp',
    transport: run ? null : 'http',
    principal_type: 'agent',
    principal_id: null,
    principal_name: 'Reviewer',
    api_key_id: null,
    run_id: run?.id ?? null,
    client_name: null,
    client_version: null,
    reason: null,
    arguments: '{}',
    created_at: new Date(clock.now()).toISOString(),
  };
}
