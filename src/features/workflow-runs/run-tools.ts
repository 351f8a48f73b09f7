import { AppError, errorBody } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ModelTool, ToolRequest } from '../../models/model.ts';
import { callTool, rightInRun, toolsForModel, UnknownTool, type AgentCaller } from '../agent-tools/index.ts';
import type { Instance } from '../handler.ts';
import type { Dispatch } from '../run-operation.ts';
import type { RunDefinition } from './run-definition.ts';
import type { ClaimedRun } from './run-leases.ts';

/** What became of a call of a tool. */
export interface Called {
  isError: boolean;
  text: string;
  durationMs: number;
}

/** The tools of a run. They are called under its own name, without a key (contract 60.5). */
export interface RunTools {
  readonly offered: readonly ModelTool[];
  call(request: ToolRequest): Promise<Called>;
}

export function createRunTools(
  instance: Instance,
  dispatch: Dispatch,
  run: ClaimedRun,
  { tools: names, toolScope }: RunDefinition,
): RunTools {
  async function callerOf(tool: string): Promise<AgentCaller> {
    const most = rightInRun(toolScope, tool);
    return {
      principal: {
        kind: 'run',
        id: run.id,
        scope: most,
        actor: { type: 'agent', id: run.workflow_id, userId: null, name: run.workflow_name },
        memberId: null,
        session: null,
      },
      surface: 'workflow',
      transport: null,
      most,
      clientName: null,
      clientVersion: null,
      requestId: instance.ids.uuid(),
      baseUrl: (await instance.settings.baseUrl()) ?? 'http://localhost',
      run: { id: run.id, workflowId: run.workflow_id, fencingToken: run.fencing_token, tools: names },
    };
  }

  async function answer({ tool, input }: ToolRequest): Promise<Omit<Called, 'durationMs'>> {
    try {
      const caller = await callerOf(tool);
      // Undefined would mean that no arguments were sent; these were, but cannot be read.
      const call = { tool, arguments: input ?? '', meta: undefined, caller };
      const { isError, content, text } = await callTool(instance, dispatch, call);
      return { isError, text: isError ? JSON.stringify(content) : text };
    } catch (error) {
      if (!(error instanceof UnknownTool)) throw error;
      const unknown = new AppError('NOT_FOUND', 'There is no tool with this name. Use only the tools you were given.');
      return { isError: true, text: JSON.stringify(errorBody(unknown)) };
    }
  }

  return {
    offered: toolsForModel(names),
    async call(request) {
      const startedAt = instance.clock.now();
      const answered = await answer(request);
      return { ...answered, durationMs: Math.max(0, instance.clock.now() - startedAt) };
    },
  };
}

const TOO_MANY = JSON.stringify(
  errorBody(
    new AppError(
      'VALIDATION_ERROR',
      `Only the first ${LIMITS.runCallsPerAnswer} calls of an answer are carried out. Nothing was done for this one.`,
    ),
  ),
);

/** What the model is told of calls beyond those that one answer may have. */
export const NOT_CARRIED_OUT: Called = { isError: true, text: TOO_MANY, durationMs: 0 };

/** Arguments that a tool can be given; undefined stands for any others. */
export function readableInput(input: unknown): unknown {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject && !isTooDeep(input) ? input : undefined;
}

/** Not recursive: what a model writes may nest deeper than the stack. */
function isTooDeep(value: object): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LIMITS.jsonDepth) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
