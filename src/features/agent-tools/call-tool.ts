import { z } from 'zod';

import { refuseUncleanJson } from '../../contract/clean-json.ts';
import { text } from '../../contract/common.ts';
import { bookkeep } from '../../journal/write.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError, errorBody, validationError } from '../../kernel/errors.ts';
import { canonicalJson } from '../../kernel/json.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { scopeNamed, scopeOfMode } from '../../kernel/scopes.ts';
import { readAgentSettings, storeCall, type AgentSettingValues, type CallOutcome } from '../agent-calls/index.ts';
import { isAgent } from '../check-rights.ts';
import { claimsOf } from '../claims.ts';
import type { Instance } from '../handler.ts';
import { isIdempotencyKey, KEY_FORM, type Claim } from '../idempotent-answer.ts';
import { parseBody } from '../parse-input.ts';
import type { Call, Dispatch } from '../run-operation.ts';
import type { CallRecord, PlanRequest } from './agent-call.ts';
import { tools } from './all-tools.ts';
import { readArguments } from './arguments/read-arguments.ts';
import { startRecord, type AgentCaller } from './call-record.ts';
import { fitWritten, jsonBytes } from './results/fit-result.ts';
import { refuseMaskedNumbers } from './results/masked-texts.ts';
import { namingTools } from './results/name-tools.ts';
import type { Tool } from './tool.ts';
import { isProposed, refuseUnoffered, rightWithin, type Bound } from './tool-rights.ts';

/** One call of a tool, as a surface received it. */
export interface ToolCall {
  tool: string;
  arguments: unknown;
  /** `_meta` of the request. */
  meta: unknown;
  caller: AgentCaller;
  /** Its name in the record if it was not called as a tool: `resource:<uri>`. */
  recordedAs?: string;
}

/** What the agent reads: a result, or an error in the envelope of the REST API. */
export interface ToolAnswer {
  isError: boolean;
  content: object;
  text: string;
}

/** A tool that does not exist or is switched off: an error of the protocol, not of a tool. */
export class UnknownTool extends Error {}

const REASON = 'homeledger/reason';
const IDEMPOTENCY_KEY = 'homeledger/idempotency_key';
const SCOPE_OF = { mcp: 'The scope of this connection', workflow: 'The scope of this workflow' } as const;
/** Neither database can store any other text. */
const CleanArguments = z.looseObject({}).superRefine(refuseUncleanJson);
const Meta = z.object({
  _meta: z.object({
    [REASON]: text(LIMITS.reasonChars).optional(),
    [IDEMPOTENCY_KEY]: z.string().refine(isIdempotencyKey, KEY_FORM).optional(),
  }),
});

/**
 * Calls a tool for an agent: over MCP, whatever the transport, or in a run of a workflow. Every call leaves a record:
 * in the transaction of its write, otherwise before the answer goes out unless that would take long.
 * @throws UnknownTool
 */
export async function callTool(instance: Instance, dispatch: Dispatch, call: ToolCall): Promise<ToolAnswer> {
  const tool = tools.find(({ info }) => info.name === call.tool);
  if (!tool) throw new UnknownTool();
  const { caller, arguments: sent } = call;
  const called = { tool: call.recordedAs ?? call.tool, effect: tool.info.effect, arguments: sent };
  const record = startRecord(instance, caller, called);
  let maxBytes: number = LIMITS.agentResponseBytes;
  try {
    const settings = await instance.database.read(readAgentSettings);
    maxBytes = settings.max_response_bytes;
    const body = await answerCall(instance, dispatch, { ...call, tool, record, settings });
    return { isError: false, content: JSON.parse(body) as object, text: body };
  } catch (error) {
    return refusalOf(instance, error, record, { maxBytes, requestId: caller.requestId });
  }
}

interface Admitted extends Omit<ToolCall, 'tool'> {
  tool: Tool;
  record: CallRecord;
  settings: AgentSettingValues;
}

/** The result as JSON. @throws what the tool refuses */
async function answerCall(instance: Instance, dispatch: Dispatch, call: Admitted): Promise<string> {
  const { tool, record, settings, caller } = call;
  const bounds = boundsOf(caller, settings);
  if (caller.surface === 'mcp' && settings.disabled_tools.includes(tool.info.name)) throw new UnknownTool();
  refusePersonsKey(tool, caller, settings);
  refuseUnoffered(tool, bounds);
  refuseInRun(tool, caller);
  const { _meta: meta } = parseBody({ body: Meta }, { _meta: call.meta ?? {} }) as z.output<typeof Meta>;
  refuseUnreadable(call.arguments);
  parseBody({ body: CleanArguments }, call.arguments);
  const given = readArguments(tool.operation.body as z.ZodObject, call.arguments ?? {});
  const body = parseBody(tool.operation, given) as Readonly<Record<string, unknown>>;
  if (tool.info.effect === 'write' && settings.mask_numbers) refuseMaskedNumbers(body);
  const reason = reasonOf(body['reason'] ?? meta[REASON]);
  record.reason = reason;
  const plan = isProposed(tool, rightWithin(bounds)) ? planOf(body, tool, caller) : null;
  // Of a tool that reads, it is an argument like any other.
  if (tool.info.isProposable && !plan && body['proposal_id'] !== undefined) throw notProposing();
  const results = { maxBytes: settings.max_response_bytes, masksNumbers: settings.mask_numbers };
  const prepared: Call = {
    input: { params: {}, query: {}, body },
    principal: caller.principal,
    request: {
      id: caller.requestId,
      surface: caller.surface,
      reason,
      baseUrl: caller.baseUrl,
      client: null,
      prefer: null,
      ...(caller.progressId === undefined ? {} : { progressId: caller.progressId }),
    },
    file: null,
    unread: null,
    claim: null,
    agent: { record, plan, results, run: caller.run },
  };
  const key = tool.info.effect === 'write' ? meta[IDEMPOTENCY_KEY] : undefined;
  if (key !== undefined) return answerOnce(instance, dispatch, { call, prepared, key });
  return run(instance, dispatch, tool, prepared);
}

/** No arguments at all mean an empty object. @throws VALIDATION_ERROR for anything else that is not an object */
function refuseUnreadable(given: unknown): void {
  if (given === undefined || given === null) return;
  if (typeof given === 'object' && !Array.isArray(given)) return;
  throw new AppError('VALIDATION_ERROR', 'The arguments must be a JSON object.');
}

/** @throws FORBIDDEN for a tool that the workflow does not have */
function refuseInRun({ info: { name } }: Tool, { run: of }: AgentCaller): void {
  if (of === null || of.tools.includes(name)) return;
  throw new AppError('FORBIDDEN', 'The workflow may not use this tool. Nothing was done.');
}

/**
 * In mode propose, a person's key that may write reads only: it could write over REST all the same, so a proposal would
 * only look like a limit (contract 20.4).
 * @throws FORBIDDEN
 */
function refusePersonsKey({ info }: Tool, { principal, surface }: AgentCaller, { mode }: AgentSettingValues): void {
  const mayWriteElsewhere = principal.kind === 'key' && principal.scope === 'full_access' && !isAgent(principal);
  if (surface !== 'mcp' || mode !== 'propose' || info.effect !== 'write' || !mayWriteElsewhere) return;
  throw new AppError(
    'FORBIDDEN',
    "The household lets agents only propose, and this is a person's key with full access. Nothing was done. Ask an admin " +
      "to make it an agent's key (Settings, Agents, or PATCH /api/v1/api-keys/{id} with actor_type agent), or to give " +
      'you a key of scope propose.',
  );
}

/** The most that the caller may do, and what limits it. */
export function boundsOf(
  { principal, surface, most }: AgentCaller,
  { mode }: Pick<AgentSettingValues, 'mode'>,
): Bound[] {
  const key: Bound = {
    right: scopeNamed(principal.scope) ?? 'read_only',
    whose: principal.kind === 'key' ? 'The API key' : SCOPE_OF[surface],
  };
  const own: Bound = { right: most, whose: SCOPE_OF[surface] };
  const household: Bound = { right: scopeOfMode(mode), whose: 'The household' };
  // The household comes first: it may be what lowers the scope of the key.
  return surface === 'mcp' ? [household, key, own] : [key, own];
}

function reasonOf(given: unknown): string | null {
  return typeof given === 'string' && given.trim() !== '' ? given : null;
}

function planOf(
  body: Readonly<Record<string, unknown>>,
  { info }: Tool,
  { principal, run: of }: AgentCaller,
): PlanRequest {
  const given = body['proposal_id'];
  if (of !== null && given !== undefined) throw notProposing();
  return {
    proposalId: typeof given === 'string' ? given : null,
    tool: info.name,
    source: of === null ? 'mcp' : 'workflow',
    principalId: of?.id ?? principal.id,
    workflowId: of?.workflowId ?? null,
    runId: of?.id ?? null,
  };
}

function notProposing(): AppError {
  return validationError(
    'proposal_id',
    'proposal_id: is only for agents that may propose but not write. Leave it out.',
  );
}

/** Runs the tool and makes sure that the call is recorded. */
async function run(instance: Instance, dispatch: Dispatch, { operation }: Tool, call: Call): Promise<string> {
  const outcome = await dispatch(operation, call);
  const body = outcome.body as string;
  // A write has stored the record in its own transaction.
  const changeSetId = outcome.headers['x-change-set-id'] ?? call.agent?.lateChangeSetId;
  if (operation.effect !== 'write' && call.agent) {
    const known = typeof changeSetId === 'string' ? changeSetId : null;
    await keepRecord(instance, call.agent.record, {
      errorCode: null,
      resultBytes: Buffer.byteLength(body),
      changeSetId: known,
    });
  }
  return body;
}

/** The answer of the first call with this key, in case it never reached the caller. */
async function answerOnce(
  instance: Instance,
  dispatch: Dispatch,
  { call, prepared, key }: { call: Admitted; prepared: Call; key: string },
): Promise<string> {
  const { tool, caller, record } = call;
  const claims = claimsOf(instance);
  const hash = sha256Hex(`tool\n${tool.info.name}\n${canonicalJson(call.arguments ?? {})}`);
  const claimed = await claims.take(caller.principal.id, key, hash);
  if (claimed.kind === 'replay') {
    const { status, body } = claimed.answer;
    if (status >= 400) throw keptError(status, body);
    const resultBytes = Buffer.byteLength(body ?? '');
    await keepRecord(instance, record, { errorCode: null, resultBytes, changeSetId: null });
    return body ?? '{}';
  }
  const { claim } = claimed;
  try {
    const body = await run(instance, dispatch, tool, { ...prepared, claim });
    if (tool.operation.effect === 'write') claims.forget(claim);
    else await claims.settle(claim, { status: 200, headers: {}, body });
    return body;
  } catch (error) {
    await settleRefusal(instance, claim, error);
    throw error;
  }
}

/** A refusal is the answer to all calls with its key; after a failure of ours the key is free again. */
async function settleRefusal(instance: Instance, claim: Claim, error: unknown): Promise<void> {
  const claims = claimsOf(instance);
  if (error instanceof AppError && error.status < 500) {
    await claims.settle(claim, { status: error.status, headers: {}, body: JSON.stringify(errorBody(error)) });
  } else void claims.settle(claim, null);
}

/** An error that was answered before. */
function keptError(status: number, body: string | null): AppError {
  const { error, ...beside } = JSON.parse(body ?? '{}') as ReturnType<typeof errorBody>;
  const { code, message, details, ...members } = error;
  return new AppError(code, message, { status, beside, members, ...(details ? { details } : {}) });
}

interface Ended {
  errorCode: string | null;
  resultBytes: number;
  changeSetId: string | null;
}

/**
 * Stores the record of a call that wrote nothing itself. Where that takes long, because of a large import or a database
 * that is away, the record is stored after the answer instead of delaying it. Never throws.
 */
export async function keepRecord(instance: Instance, record: CallRecord, ended: Ended): Promise<void> {
  const { database, clock } = instance;
  const outcome: CallOutcome = {
    ...ended,
    outcome: ended.errorCode === null ? 'ok' : 'error',
    proposalId: null,
    durationMs: clock.now() - Date.parse(record.created_at),
  };
  const stored = instance.untilDone(() => bookkeep(database, (tx) => storeCall(tx, record, outcome)));
  const isStored = new AbortController();
  await Promise.race([stored, instance.pause(LIMITS.callRecordWaitMs, isStored.signal)]);
  isStored.abort();
}

/** The error as the agent reads it, recorded. @throws UnknownTool */
async function refusalOf(
  instance: Instance,
  error: unknown,
  record: CallRecord,
  { maxBytes, requestId }: { maxBytes: number; requestId: string },
): Promise<ToolAnswer> {
  const isOff = error instanceof UnknownTool;
  const known = isOff ? new AppError('FORBIDDEN', 'The tool is switched off.') : namingTools(asKnown(error));
  if (known.code === 'INTERNAL_ERROR') instance.logger.error({ err: error, request_id: requestId }, 'A tool failed.');
  const content = errorContent(known, requestId, maxBytes);
  const ended = { errorCode: known.code, resultBytes: jsonBytes(content), changeSetId: null };
  await keepRecord(instance, record, ended);
  if (isOff) throw error;
  return { isError: true, content, text: `${known.code}: ${known.message}` };
}

function asKnown(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError(
        'INTERNAL_ERROR',
        'Something went wrong on our side. The server log has details under the request id.',
      );
}

/** Long details are shortened like the result of a write; code and message stay. */
function errorContent(error: AppError, requestId: string, maxBytes: number): object {
  const body = errorBody(error, error.code === 'INTERNAL_ERROR' ? requestId : undefined);
  const fitting = fitWritten(body, maxBytes) as typeof body;
  return { ...fitting, error: { ...fitting.error, message: error.message } };
}
