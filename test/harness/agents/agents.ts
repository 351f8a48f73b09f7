import { expect } from 'vitest';

import { tools } from '../../../src/features/agent-tools/index.ts';
import type { RequestOptions, TestApp } from '../test-app.ts';
import { callTool } from './agent-clients.ts';

/** What a tool refuses, as the agent reads it. */
export class Refusal extends Error {
  readonly code: string;
  /** Whatever else the error carries, such as the results of a batch. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor({ code, message, ...members }: { code: string; message: string }) {
    super(message);
    this.code = code;
    this.members = members;
  }
}

/**
 * What a tool answers to an agent with full access. Its result fits its own schema.
 * @throws Refusal
 */
export async function askTool(
  app: TestApp,
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: RequestOptions & { meta?: Readonly<Record<string, unknown>> } = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
): Promise<any> {
  const tool = tools.find(({ info }) => info.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const { error, _untrusted: _, ...result } = await callTool(app, name, input, options);
  if (error) throw new Refusal(error);
  expect(tool.operation.response?.safeParse(result).error?.issues).toBeUndefined();
  return result;
}

/** The code and message of a call that is refused. */
export async function refusalOf(asked: Promise<unknown>): Promise<Pick<Refusal, 'code' | 'message' | 'members'>> {
  const refused = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (refused instanceof Refusal) return refused;
  throw refused ?? new Error('The call was not refused.');
}
