import { z } from 'zod';

import { AnyId, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Reply, type BackgroundContext, type Handler, type ReadContext, type WriteContext } from '../handler.ts';
import { finishResult } from './results/finish-result.ts';
import { orShortened, resultSchema } from './results/result-schema.ts';

/**
 * A tool that agents call, over MCP or in a run of a workflow (contract 70). It runs like any other operation: one
 * transaction, one change set, idempotent, in a thread if it is heavy.
 */
export interface Tool extends Handler {
  info: ToolInfo;
}

export interface ToolInfo {
  /** As agents call it: `query_transactions`. */
  name: string;
  title: string;
  /** What it does and when to use it, for agents; at most 1,000 characters. */
  description: string;
  /** Whether it can change the ledger, whatever it does in a dry run (70.7). */
  effect: 'read' | 'write';
  /** In propose mode it becomes a proposal; other write tools are refused (60.6). */
  isProposable: boolean;
  isDestructive: boolean;
  isIdempotent: boolean;
  /** It reaches banks, a model or notification channels. */
  isOpenWorld: boolean;
  /** Results have exactly the fields that the specification fixes: nothing is compacted or added (70.5). */
  isExact: boolean;
  /** `limit` counts in each currency. */
  limitsEachCurrency: boolean;
  /** Operations of the REST API that it is made of, by name. */
  operations: readonly string[];
  /** Calls that the documents show and the tests run. */
  examples: readonly { arguments: Readonly<Record<string, unknown>>; says: string }[];
}

type ContextOf<E> = E extends 'read' ? ReadContext : E extends 'write' ? WriteContext : BackgroundContext;
type Shape = z.ZodRawShape;

interface ToolDefinition<I extends Shape, O extends Shape, E extends 'read' | 'write' | 'background'> extends Partial<
  Omit<ToolInfo, 'name' | 'title' | 'description' | 'effect'>
> {
  name: string;
  title: string;
  description: string;
  scope: 'read_only' | 'full_access';
  /** Which transaction the tool runs in: one that reads, one that writes, or none of its own. */
  transaction: E extends 'background' ? 'none' : E;
  /** `write` for a tool without a transaction of its own that writes. */
  effect?: 'read' | 'write';
  weight?: 'light' | 'heavy' | ((input: { body: z.output<z.ZodObject<I>> }) => 'light' | 'heavy');
  /** The action of the change set of a write, such as `tag.update`. */
  action?: string;
  errors?: readonly ErrorCode[];
  input: I;
  /** The fields of the result, down to each leaf, made of the records of the API: they say which text is from outside. */
  output: O;
  /**
   * The result, or a `Reply` with work that continues after it. In propose mode a tool without a transaction of its own
   * gets one too, as `tx` in its context; it is rolled back.
   */
  run: (context: ContextOf<E>, input: z.output<z.ZodObject<I>>) => Promise<object>;
}

/** Arguments that every write tool takes, but for those that the specification fixes (70.4). */
const WRITE_ARGUMENTS = { reason: text(LIMITS.reasonChars).optional() };
/** What only proposable tools take. */
const PROPOSAL_ARGUMENTS = { proposal_id: AnyId.optional() };

/** Where a list goes on: `next_cursor` of the page before. */
export const CURSOR_ARGUMENT = z.string();

/** A tool that reads. Its file has its name in kebab-case, and exports it in camelCase. */
export function defineReadTool<I extends Shape, O extends Shape>(
  definition: Omit<ToolDefinition<I, O, 'read'>, 'transaction'>,
): Tool {
  return defineTool<I, O, 'read'>({ ...definition, transaction: 'read' });
}

/** A tool that writes in one transaction. */
export function defineWriteTool<I extends Shape, O extends Shape>(
  definition: Omit<ToolDefinition<I, O, 'write'>, 'transaction' | 'scope'>,
): Tool {
  return defineTool<I, O, 'write'>({ ...definition, scope: 'full_access', transaction: 'write' });
}

/** A tool whose operations open their own transactions. */
export function defineBackgroundTool<I extends Shape, O extends Shape>(
  definition: Omit<ToolDefinition<I, O, 'background'>, 'transaction'>,
): Tool {
  return defineTool<I, O, 'background'>({ ...definition, transaction: 'none' });
}

function defineTool<I extends Shape, O extends Shape, E extends 'read' | 'write' | 'background'>(
  definition: ToolDefinition<I, O, E>,
): Tool {
  const info = infoOf(definition);
  const names = Object.keys(definition.input);
  const { name, scope, transaction, weight = 'light', errors = [], action, run } = definition;
  const response = resultSchema(definition.output, info);
  const operation = defineOperation({
    name: inCamelCase(name),
    group: 'agent-tools/tools',
    method: 'POST',
    path: '/mcp',
    scope,
    summary: definition.title,
    body: inputOf(definition, info),
    bodyOptional: true,
    response: info.effect === 'write' ? orShortened(response) : response,
    status: 200,
    errors,
    effect: transaction === 'none' ? 'background' : transaction,
    weight: weight as never,
    example: { response: {} },
  });
  return {
    info,
    operation,
    journal: transaction === 'write' ? { action: action ?? name, source: 'edit' } : null,
    run: finished(info, { names, response }, run),
  };
}

/** What a tool does, with the result in the form that all results have. */
function finished<
  C extends ReadContext | WriteContext | BackgroundContext,
  B extends Readonly<Record<string, unknown>>,
>(
  info: ToolInfo,
  { names, response }: { names: readonly string[]; response: z.ZodType },
  run: (context: C, input: B) => Promise<object>,
): Handler['run'] {
  const finish = async (context: C, { body }: { body: B }): Promise<unknown> => {
    const answer = await run(context, body);
    const called = { names, input: body, response };
    if (!(answer instanceof Reply)) return finishResult(context, info, called, answer);
    const { headers, continuation, body: result } = answer;
    const inForm = await finishResult(context, info, called, result as object);
    return new Reply(inForm, { headers, ...(continuation ? { continuation } : {}) });
  };
  return finish;
}

function infoOf<I extends Shape, O extends Shape, E extends 'read' | 'write' | 'background'>(
  definition: ToolDefinition<I, O, E>,
): ToolInfo {
  const { name, title, description, transaction } = definition;
  return {
    name,
    title,
    description,
    effect: definition.effect ?? (transaction === 'write' ? 'write' : 'read'),
    isProposable: definition.isProposable ?? false,
    isDestructive: definition.isDestructive ?? false,
    isIdempotent: definition.isIdempotent ?? false,
    isOpenWorld: definition.isOpenWorld ?? false,
    isExact: definition.isExact ?? false,
    limitsEachCurrency: definition.limitsEachCurrency ?? false,
    operations: definition.operations ?? [],
    examples: definition.examples ?? [],
  };
}

function inputOf<I extends Shape>({ input }: { input: I }, { effect, isExact, isProposable }: ToolInfo): z.ZodObject {
  if (effect === 'read' || isExact) return z.strictObject(input);
  return z.strictObject({ ...input, ...WRITE_ARGUMENTS, ...(isProposable ? PROPOSAL_ARGUMENTS : {}) });
}

function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
