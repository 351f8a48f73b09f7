import { expect } from 'vitest';

import { tools } from '../../src/features/agent-tools/index.ts';
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
  const outcome = await app.dispatch(tool.operation, {
    input: { params: {}, query: {}, body: parseBody(tool.operation, input) },
    principal,
    request: { id: 'test', surface: 'mcp', reason: null, baseUrl: 'http://localhost', client: null, prefer: null },
    file: null,
    unread: null,
    claim: null,
  });
  const { _untrusted: _, ...result } = JSON.parse(outcome.body as string) as Record<string, unknown>;
  expect(tool.operation.response?.safeParse(result).success).toBe(true);
  return result;
}
