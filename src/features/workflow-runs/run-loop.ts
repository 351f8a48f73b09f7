import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type {
  Model,
  ModelAnswer,
  ModelFailureKind,
  ModelMessage,
  ModelRequest,
  ModelUsage,
  ToolRequest,
  ToolResult,
} from '../../models/model.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Instance } from '../handler.ts';
import type { Dispatch } from '../run-operation.ts';
import { costOf, openModel, priceOf, readModelSettings, type Price } from '../workflow-settings/index.ts';
import { tools as allTools } from '../agent-tools/index.ts';
import { askModel, estimatedUsage, fitsContext } from './ask-model.ts';
import { endRun, INTERRUPTED, type Ending, type RunErrorCode } from './end-run.ts';
import { readMask } from './known-secrets.ts';
import type { RunDefinition } from './run-definition.ts';
import type { ClaimedRun } from './run-leases.ts';
import { patiently, RunRecord, type Spent } from './run-record.ts';
import { LeaseLost, type RunControl } from './run-stop.ts';
import { createRunTools, NOT_CARRIED_OUT, readableInput, type Called, type RunTools } from './run-tools.ts';
import { describeUnusable, TOLD, unusableOf, type Unusable } from '../../models/unusable-answer.ts';
import { stopBeforeStep, stopNow, type RunState } from './stop-before-step.ts';
import { openingLines, type Line, type Mask } from './transcript.ts';

/** A run under way. */
interface Run {
  readonly instance: Instance;
  readonly record: RunRecord;
  readonly definition: RunDefinition;
  readonly control: RunControl;
  readonly tools: RunTools;
  readonly price: Price | null;
  readonly contextTokens: number | null;
  readonly messages: ModelMessage[];
  /** The last text of the model. */
  text: string | null;
  /** Calls of tools that failed, one after the other. */
  failures: number;
  /** Whether any call of a tool has succeeded. */
  hasCalled: boolean;
  /** What the model has been told of answers that were of no use. */
  readonly told: Set<Unusable>;
}

/** Works on a claimed run to its end (contract 60.5), whatever the model and the tools do. */
export async function workOnRun(
  instance: Instance,
  dispatch: Dispatch,
  claimed: ClaimedRun,
  control: RunControl,
): Promise<void> {
  try {
    const read = (): Promise<Foundation> => instance.database.read((tx) => readFoundation(tx, instance, claimed));
    const { mask, ...foundation } = await patiently(instance, control, read);
    const record = new RunRecord(instance, claimed, control, mask);
    const tools = createRunTools(instance, dispatch, claimed, foundation.definition);
    const run: Run = {
      ...foundation,
      instance,
      record,
      control,
      tools,
      messages: [],
      text: null,
      failures: 0,
      hasCalled: false,
      told: new Set(),
    };
    const ending = await work(run).catch((error: unknown) => faultOf(instance, error));
    await endRun(instance, record, ending, run.text);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

const TOOL_NAMES: ReadonlySet<string> = new Set(allTools.map(({ info }) => info.name));

interface Foundation extends Pick<Run, 'definition' | 'price' | 'contextTokens'> {
  mask: Mask;
}

async function readFoundation(tx: ReadTx, instance: Instance, claimed: ClaimedRun): Promise<Foundation> {
  const definition = JSON.parse(claimed.definition ?? 'null') as RunDefinition;
  const settings = await readModelSettings(tx, instance);
  const mask = await readMask(tx, instance);
  return { definition, price: priceOf(settings, definition.model), contextTokens: settings.contextTokens, mask };
}

async function work(run: Run): Promise<Ending> {
  await begin(run);
  const { provider, model: name } = run.definition;
  const model = await openModel(run.instance, { provider, name });
  try {
    for (;;) {
      const ending = stopBeforeStep(stateOf(run)) ?? (await takeStep(run, model));
      if (ending) return ending;
    }
  } finally {
    await model.close();
  }
}

async function begin({ record, definition, price, messages }: Run): Promise<void> {
  const { provider: model_provider, model, prompt } = definition;
  await record.add(openingLines(definition), { total_cost_micros: price === null ? null : 0, model_provider, model });
  messages.push({ role: 'user', text: record.masked(prompt) });
}

/** One request, accounted before its tools are called. Answers how the run ends, if it does. */
async function takeStep(run: Run, model: Model): Promise<Ending | undefined> {
  const { instance, record, definition, control, tools, messages } = run;
  const system = record.masked(definition.systemPrompt);
  const request: ModelRequest = { system, messages, tools: tools.offered };
  if (!fitsContext(request, run.contextTokens)) return TOO_LONG;
  const asked = await askModel(model, request, { signal: control.signal, pause: instance.pause });
  if (asked.kind === 'failed') {
    if (asked.failure.isAnswered) await record.account(spentOn(run, estimatedUsage(request)), []);
    return failed(ERROR_CODES[asked.failure.kind], asked.failure.message);
  }
  if (asked.kind === 'aborted') {
    const stop = stopNow(stateOf(run)) ?? INTERRUPTED;
    if (asked.isOutstanding) await record.account(spentOn(run, estimatedUsage(request)), []);
    return stop;
  }
  const answer = { ...asked.answer, toolCalls: asked.answer.toolCalls.map(withReadableInput) };
  const unusable =
    answer.finish === 'pause' ? undefined : unusableOf(answer, { toolNames: TOOL_NAMES, mustCall: mustCall(run) });
  if (answer.text.trim() !== '' && (!unusable || unusable === 'no_call')) run.text = answer.text;
  await record.account(spentOn(run, answer.usage), linesOf(answer));
  instance.failpoint('run:accounted');
  if (unusable) return tellModel(run, answer, unusable);
  if (answer.toolCalls.length === 0 && answer.finish !== 'pause') return endingOf(answer);
  messages.push({ role: 'assistant', answer });
  return answer.toolCalls.length === 0 ? undefined : callTools(run, answer.toolCalls);
}

/** A prompt made of blocks says what to do, and nothing of it is done without tools. */
function mustCall({ definition, hasCalled }: Run): boolean {
  return definition.isComposed === true && !hasCalled;
}

/** None of its calls is carried out. The model is told so once; the second time the run ends (contract 60.5). */
function tellModel({ told, messages, definition }: Run, answer: ModelAnswer, unusable: Unusable): Ending | undefined {
  if (told.has(unusable)) {
    return failed('unusable_answer', describeUnusable(unusable, definition.model, answer.usage.output));
  }
  told.add(unusable);
  // Some chat templates refuse two messages of the user in a row.
  const said = { ...answer, text: answer.text.trim() === '' ? '(no answer)' : answer.text, toolCalls: [], raw: null };
  messages.push({ role: 'assistant', answer: said }, { role: 'user', text: TOLD[unusable] });
  return undefined;
}

/** Calls the tools of an answer in order. Answers how the run ends if too many fail. */
async function callTools(run: Run, requests: readonly ToolRequest[]): Promise<Ending | undefined> {
  const { record, control, messages } = run;
  const results: ToolResult[] = [];
  const note = (request: ToolRequest, { isError, text }: Called): void => {
    results.push({ callId: request.id, tool: request.tool, isError, text: record.masked(text) });
  };
  for (const request of requests.slice(0, LIMITS.runCallsPerAnswer)) {
    // Why is said between the steps.
    if (control.signal.aborted) return undefined;
    const called = await callInTime(run, request);
    if (!called) return undefined;
    run.failures = called.isError ? run.failures + 1 : 0;
    run.hasCalled ||= !called.isError;
    await record.add([resultLine(request, called)], { num_tool_calls: record.row.num_tool_calls + 1 });
    note(request, called);
    if (run.failures >= LIMITS.runFailedCalls) return TOO_MANY_FAILED;
  }
  const others = requests.slice(LIMITS.runCallsPerAnswer);
  for (const request of others) note(request, NOT_CARRIED_OUT);
  if (others.length > 0) await record.add(others.map((request) => resultLine(request, NOT_CARRIED_OUT)));
  messages.push({ role: 'tools', results });
  return undefined;
}

/** undefined: the run is to stop, and the tool takes too long. Once the run has ended, its write is refused. */
async function callInTime({ instance, control, tools }: Run, request: ToolRequest): Promise<Called | undefined> {
  const tooLate = Promise.withResolvers<undefined>();
  const onAbort = (): void => void instance.pause(LIMITS.runAbortMs).then(() => tooLate.resolve(undefined));
  control.signal.addEventListener('abort', onAbort, { once: true });
  const call = tools.call(request);
  // Nobody may be waiting for it any longer when it fails.
  call.catch(() => undefined);
  return Promise.race([call, tooLate.promise]).finally(() => {
    control.signal.removeEventListener('abort', onAbort);
  });
}

function stateOf({ record, definition, control, instance }: Run): RunState {
  return { row: record.row, caps: definition.caps, control, now: instance.clock.now() };
}

function spentOn({ price }: Run, usage: ModelUsage): Spent {
  return { usage, cost: price === null ? null : costOf(usage, price) };
}

function withReadableInput(request: ToolRequest): ToolRequest {
  return { ...request, input: readableInput(request.input) };
}

function linesOf({ text, toolCalls }: ModelAnswer): Line[] {
  const said: Line[] = text === '' ? [] : [{ type: 'assistant_message', data: { text } }];
  const calls = toolCalls.map(({ id, tool, input }): Line => {
    return { type: 'tool_use', data: { id, name: tool, input: input ?? null } };
  });
  return [...said, ...calls];
}

function resultLine({ id, tool }: ToolRequest, { isError, text, durationMs }: Called): Line {
  return { type: 'tool_result', data: { id, name: tool, is_error: isError, content: text, duration_ms: durationMs } };
}

const ERROR_CODES: Readonly<Record<ModelFailureKind, RunErrorCode>> = {
  auth: 'auth_error',
  busy: 'api_error',
  refused: 'api_error',
  network: 'network_error',
  context_too_long: 'context_too_long',
};

const TOO_LONG = failed(
  'context_too_long',
  'The next request would not fit context_tokens of the workflow settings, so it was not sent. Give the model server a larger context, or the workflow a shorter prompt and fewer tools.',
);

const TOO_MANY_FAILED = failed(
  'tool_error',
  `${LIMITS.runFailedCalls} tool calls in a row failed. The transcript has their errors.`,
);

function failed(code: RunErrorCode, message: string): Ending {
  return { kind: 'failed', code, message };
}

/** Without calls of tools, the model is done, unless it was kept from saying anything. */
function endingOf({ text, finish }: ModelAnswer): Ending {
  if (text.trim() !== '') return { kind: 'answered' };
  if (finish === 'content-filter') return failed('api_error', 'The provider’s content filter stopped the model.');
  if (finish === 'error') return failed('api_error', 'The model stopped because of an error at its provider.');
  return { kind: 'answered' };
}

/** @throws LeaseLost */
function faultOf({ logger }: Instance, error: unknown): Ending {
  if (error instanceof LeaseLost) throw error;
  if (error instanceof AppError) {
    return failed(error.code === 'AUTH_NOT_CONFIGURED' ? 'auth_error' : 'api_error', error.message);
  }
  logger.error({ err: error }, 'A run of a workflow failed because of a bug.');
  return failed('unknown', 'Something went wrong on our side. The server log has details.');
}
