import type { AnyOperation } from '../../src/contract/operation.ts';
import { AppError } from '../../src/kernel/errors.ts';
import { authenticateKey } from '../../src/surfaces/http/authenticate.ts';
import { parseBody, parseParams, parseQuery } from '../../src/features/parse-input.ts';
import type { TestApp } from './test-app.ts';

interface Proposing {
  key?: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  proposalId?: string;
  reason?: string;
  workflowId?: string;
}

/** What the agent reads: the result with what became of it, or the error. Untyped, because a test looks at any field. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Proposed = any;

let made = 0;

/** Calls a write in propose mode, as tools do. An error is answered as `{ error: code }`. */
export async function propose(app: TestApp, operation: AnyOperation, call: Proposing): Promise<Proposed> {
  const principal = await authenticateKey(app.app.instance, ['x-api-key', call.key ?? app.key]);
  if (!principal) throw new Error('The key of the test is not valid.');
  const id = `019a8c70-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;
  const plan = {
    proposalId: call.proposalId ?? null,
    tool: operation.name,
    source: call.workflowId === undefined ? ('mcp' as const) : ('workflow' as const),
    principalId: principal.id,
    workflowId: call.workflowId ?? null,
    runId: null,
  };
  try {
    const { body } = await app.app.dispatch(operation, {
      input: {
        params: parseParams(operation, call.params ?? {}),
        query: parseQuery(operation, call.query ?? {}),
        body: parseBody(operation, call.body),
      },
      principal,
      request: {
        id: 'test',
        surface: 'mcp',
        reason: call.reason ?? null,
        baseUrl: 'http://localhost',
        client: null,
        prefer: null,
      },
      file: null,
      unread: null,
      claim: null,
      agent: {
        record: recordOf(app, id, operation.name),
        plan,
        results: { maxBytes: 65_536, masksNumbers: false },
        run: null,
      },
    });
    return JSON.parse(body as string);
  } catch (error) {
    if (error instanceof AppError) return { error: error.code };
    throw error;
  }
}

function recordOf({ clock }: TestApp, id: string, tool: string) {
  return {
    id,
    short_id: `t${String(made).padStart(7, '0')}`,
    tool,
    effect: 'write',
    surface: 'mcp',
    transport: 'http',
    principal_type: 'agent',
    principal_id: null,
    principal_name: 'Reviewer',
    api_key_id: null,
    run_id: null,
    client_name: null,
    client_version: null,
    reason: null,
    arguments: '{}',
    created_at: new Date(clock.now()).toISOString(),
  };
}
