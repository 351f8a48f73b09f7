import { expect } from 'vitest';

import { tools } from '../../src/features/agent-tools/index.ts';
import type { App } from '../../src/app.ts';
import type { CallRecord } from '../../src/features/agent-tools/agent-call.ts';
import type { Principal } from '../../src/features/handler.ts';
import { instantNow } from '../../src/kernel/clock.ts';
import { authenticateKey } from '../../src/surfaces/http/authenticate.ts';
import { parseBody } from '../../src/features/parse-input.ts';
import type { TestApp } from './test-app.ts';

/** What a tool answers to an agent with full access. Its result fits its own schema. */
export async function askTool(
  { app, key }: TestApp,
  name: string,
  input: Readonly<Record<string, unknown>>,
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
): Promise<any> {
  const tool = tools.find(({ info }) => info.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const principal = await authenticateKey(app.instance, ['x-api-key', key]);
  if (!principal) throw new Error('The key of the test is not known.');
  const outcome = await app.dispatch(tool.operation, {
    input: { params: {}, query: {}, body: parseBody(tool.operation, input) },
    principal,
    request: { id: 'test', surface: 'mcp', reason: null, baseUrl: 'http://localhost', client: null, prefer: null },
    file: null,
    unread: null,
    claim: null,
    agent: { record: recordOf(app, principal, name), plan: null, results: { maxBytes: 60_000, masksNumbers: false } },
  });
  const { _untrusted: _, ...result } = JSON.parse(outcome.body as string) as Record<string, unknown>;
  expect(tool.operation.response?.safeParse(result).success).toBe(true);
  return result;
}

function recordOf({ instance: { ids, clock } }: App, { actor, id }: Principal, tool: string): CallRecord {
  return {
    id: ids.uuid(),
    short_id: ids.shortId(),
    tool,
    effect: 'write',
    surface: 'mcp',
    transport: 'http',
    principal_type: actor.type,
    principal_id: actor.id,
    principal_name: actor.name,
    api_key_id: id,
    run_id: null,
    client_name: null,
    client_version: null,
    reason: null,
    arguments: '{}',
    created_at: instantNow(clock),
  };
}
