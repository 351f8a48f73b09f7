import type { z } from 'zod';

import type { AnyOperation } from '../contract/operation.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import type { WriteTx } from '../journal/write.ts';
import { AppError } from '../kernel/errors.ts';
import type { AgentCall, CallingRun, PlanRequest } from './agent-tools/agent-call.ts';
import {
  ByteStream,
  JsonStream,
  JsonText,
  Reply,
  originOf,
  type BackgroundContext,
  type BackgroundTask,
  type Handler,
  type Instance,
  type Principal,
  type RequestInfo,
  type Runnable,
  type UploadedFile,
} from './handler.ts';
import { loadHandler, type HandlerName } from './load-handler.ts';
import { namesTag, recordTag } from './record-tag.ts';
import { keepAnswer, keptBody, plainHeaders, type Claim, type KeptAnswer } from './idempotent-answer.ts';
import type { AlreadyProposed } from './proposals/plan-write.ts';
import { writeLedger } from './touched-rows.ts';

/** One call of an operation, already authenticated and parsed. Plain data, so that it can be sent to another thread. */
export interface Call {
  input: { params: unknown; query: unknown; body: unknown };
  principal: Principal | null;
  request: RequestInfo;
  file: UploadedFile | null;
  /** A body that is parsed where the call runs; `input.body` and `file` are empty until then. */
  unread: UnreadBody | null;
  /** The claim under which the answer is stored, in the same transaction as the write. */
  claim: Claim | null;
  precondition?: Precondition | undefined;
  /** Set for tools of agents. */
  agent?: AgentCall;
  /** One shared number, which is 1 once the caller has gone away. */
  abandoned?: Int32Array<SharedArrayBuffer>;
}

/** `If-Match` as sent, and the read of the record whose ETag it names. */
export interface Precondition {
  ifMatch: string;
  record: HandlerName;
}

/** Runs a call here or in a thread, by the operation's weight. */
export type Dispatch = (operation: AnyOperation, call: Call) => Promise<Outcome>;

/** A body as it was received. */
export interface UnreadBody {
  contentType: string | undefined;
  bytes: Uint8Array | undefined;
  /** The other fields, when the whole body is a file or a text. */
  query: Readonly<Record<string, string | string[]>>;
}

/** A part of a streamed answer: text, or bytes of a file. */
export type Piece = string | Uint8Array;

/** The answer before it becomes HTTP. */
export interface Outcome {
  status: number;
  headers: Record<string, string | readonly string[]>;
  body: string | AsyncIterable<Piece> | null;
  contentType: string;
  /** Work that continues after the answer, such as a long import. */
  continuation: (() => Promise<void>) | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const ENDED = Symbol('ended');

/**
 * Runs one operation: opens the unit of work, calls the handler, journals, serialises, commits. Every surface
 * (HTTP, commands, threads) comes through here. `onFileRead` is called when an upload has been read and only has to be
 * written.
 */
export async function runOperation(
  instance: Instance,
  handler: Handler,
  call: Call,
  onFileRead: () => void = () => undefined,
): Promise<Outcome> {
  const { operation } = handler;
  const run = handler.run as (context: unknown, input: unknown) => Promise<unknown>;
  const { principal, request, file, claim, agent, abandoned } = call;
  const isAbandoned = (): boolean => abandoned !== undefined && Atomics.load(abandoned, 0) === 1;
  const asked = { instance, principal, request, file, claim, agent, isAbandoned, onFileRead };
  const calling = { ...asked, requireMatch: async (tx: ReadTx) => requireMatch(tx, asked, call) };
  if (operation.effect === 'read') return runRead(instance, operation, run, calling, call);
  // A tool that opens its own transactions plans in one that is rolled back.
  if (operation.effect === 'background' && !agent?.plan) {
    return toOutcome(instance, operation, await run(calling, call.input));
  }
  const origin = originOf(call, handler.journal?.action ?? operation.name, handler.journal?.source);
  await (handler.prepare as ((context: unknown, input: unknown) => Promise<void>) | undefined)?.(calling, call.input);
  const { value, changeSetId } = await writeLedger(instance, origin, async (tx) => {
    if (agent?.run) await refuseEndedRun(tx, agent.run);
    await calling.requireMatch(tx);
    const work = async (): Promise<Outcome> =>
      toOutcome(instance, operation, await run({ ...calling, tx }, call.input));
    const worked = agent?.plan
      ? await propose(instance, tx, handler, { ...call, plan: agent.plan }, work)
      : { outcome: await work(), proposalId: null };
    const { outcome } = worked;
    if (claim) await keepAnswer(tx, claim, keptAnswer(tx, operation, outcome));
    if (agent) await recordCall(instance, tx, agent, worked);
    instance.failpoint('write:before-commit');
    return outcome;
  });
  instance.failpoint('write:committed');
  if (changeSetId !== null) value.headers['x-change-set-id'] = changeSetId;
  return value;
}

/** Nobody writes between this and the commit, so the record is the one that the caller saw (contract 0.7). */
async function requireMatch(tx: ReadTx, asked: { instance: Instance }, { precondition, input }: Call): Promise<void> {
  if (precondition === undefined) return;
  const { operation, run } = await loadHandler(precondition.record as AnyOperation);
  const read = run as (context: unknown, input: unknown) => Promise<unknown>;
  const query = operation.query?.parse({}) ?? {};
  const { body } = await toOutcome(asked.instance, operation, await read({ ...asked, tx }, { ...input, query }));
  if (namesTag(precondition.ifMatch, recordTag(operation, body as string))) return;
  const message =
    'The record has changed since the ETag in If-Match was read, so nothing was written. Read it again, then repeat the change.';
  throw new AppError('PRECONDITION_FAILED', message);
}

/** Run and ledger change in one order: what a process writes for a run that another has ended does not count. */
async function refuseEndedRun(tx: WriteTx, run: CallingRun): Promise<void> {
  const { isHeld } = await import('./workflow-runs/run-leases.ts');
  if (!(await isHeld(tx, run))) throw new AppError('CONFLICT', 'The run has ended. Nothing was done.');
}

/** What a call did: the proposal that it grew, in propose mode. */
interface Worked {
  outcome: Outcome;
  proposalId: string | null;
}

/** Propose mode: what the write would change becomes a proposal, and its answer says so (contract 60.6). */
async function propose(
  instance: Instance,
  tx: WriteTx,
  handler: Handler & { info?: { isExact: boolean } },
  caller: Call & { plan: PlanRequest },
  work: () => Promise<Outcome>,
): Promise<Worked> {
  const { planWrite } = await import('./proposals/index.ts');
  const { value, proposal, ...held } = await planWrite(instance, tx, caller, work);
  const isExact = handler.info?.isExact === true;
  let text = value.body ?? '{}';
  for (const [id, elsewhere] of held.idsElsewhere) text = (text as string).replaceAll(`"${id}"`, `"${elsewhere}"`);
  const result = JSON.parse(text as string) as { dry_run?: unknown };
  // It was tried on top of the plan so far, and proposes nothing.
  if (result.dry_run === true) return { outcome: { ...value, headers: {}, continuation: undefined }, proposalId: null };
  const body = JSON.stringify({
    ...result,
    ...(isExact ? {} : { change_set_id: null }),
    proposed: true,
    proposal_id: (isExact ? proposal?.id : proposal?.shortId) ?? null,
    plan: { call_count: proposal?.callCount ?? 0, change_count: proposal?.changeCount ?? 0 },
    ...(held.alreadyProposed > 0 ? alreadyProposed(held, isExact) : {}),
  });
  const outcome = { ...value, headers: {}, body, continuation: undefined };
  return { outcome, proposalId: proposal?.id ?? null };
}

/** What the agent is told instead of its being proposed again. */
function alreadyProposed(
  { alreadyProposed: count, alreadyProposedIn: proposals }: AlreadyProposed,
  isExact: boolean,
): object {
  return {
    already_proposed: count,
    already_proposed_in: proposals.map(({ id, short_id: shortId, status }) => ({
      proposal_id: isExact ? id : shortId,
      status,
    })),
  };
}

/** Stores the record of a tool's call with what it wrote, or proposed. */
async function recordCall(
  instance: Instance,
  tx: WriteTx,
  { record }: AgentCall,
  { outcome: { body }, proposalId }: Worked,
): Promise<void> {
  const { storeCall } = await import('./agent-calls/index.ts');
  await storeCall(tx, record, {
    outcome: 'ok',
    errorCode: null,
    changeSetId: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
    proposalId,
    resultBytes: typeof body === 'string' ? Buffer.byteLength(body) : 0,
    durationMs: instance.clock.now() - Date.parse(record.created_at),
  });
}

/** Whether a call runs in a thread, where there are threads. */
export function isHeavy({ weight }: Runnable, { input, agent }: Call): boolean {
  // A proposal rehearses the whole write, whatever the write itself leaves to the background.
  if (agent?.plan) return true;
  return (typeof weight === 'function' ? weight(input as never) : weight) === 'heavy';
}

/** Runs a background task to its end. Nobody receives its answer. */
export async function runTask(instance: Instance, task: BackgroundTask, call: Call): Promise<Outcome> {
  const { principal, request, file, claim } = call;
  const run = task.run as (context: BackgroundContext, input: unknown) => Promise<void>;
  const [onFileRead, requireMatch, isAbandoned] = [() => undefined, async () => undefined, () => false];
  await run({ instance, principal, request, file, claim, isAbandoned, onFileRead, requireMatch }, call.input.body);
  return { status: 204, headers: {}, contentType: JSON_TYPE, body: null, continuation: undefined };
}

/** A streamed answer keeps its read transaction open until the last piece is out. */
async function runRead(
  instance: Instance,
  operation: AnyOperation,
  run: (context: unknown, input: unknown) => Promise<unknown>,
  calling: object,
  call: Call,
): Promise<Outcome> {
  return new Promise<Outcome>((resolve, reject) => {
    instance.database
      .read(async (tx) => {
        const outcome = await toOutcome(instance, operation, await run({ ...calling, tx }, call.input));
        if (outcome.body === null || typeof outcome.body === 'string') {
          resolve(outcome);
          return;
        }
        const pieces = outcome.body[Symbol.asyncIterator]();
        // A failure before anything is sent is answered like any other.
        const first = await pieces.next();
        await new Promise<void>((finished) => {
          resolve({ ...outcome, body: untilEnd(first, pieces, finished) });
        });
      })
      .catch(reject);
  });
}

/**
 * Calls `finished` once when the pieces are over: read to the end, failed, or abandoned. Not a generator: one that was
 * never started would not call it, and a client may be gone before the first piece.
 */
function untilEnd(
  first: IteratorResult<Piece>,
  pieces: AsyncIterator<Piece>,
  finished: () => void,
): AsyncIterableIterator<Piece> {
  let made: IteratorResult<Piece> | undefined = first;
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    made = undefined;
    try {
      await pieces.return?.(ENDED);
    } finally {
      finished();
    }
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const next = made ?? (await pieces.next());
        made = undefined;
        if (next.done === true) await end();
        return next;
      } catch (error) {
        await end();
        throw error;
      }
    },
    async return() {
      await end();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await end();
      throw error;
    },
  };
}

async function toOutcome(instance: Instance, operation: AnyOperation, answer: unknown): Promise<Outcome> {
  const reply = answer instanceof Reply ? answer : new Reply(answer);
  const status = reply.status ?? operation.status;
  const base = { status, headers: { ...reply.headers }, contentType: JSON_TYPE, continuation: reply.continuation };
  if (reply.body instanceof JsonStream || reply.body instanceof ByteStream) {
    return { ...base, body: reply.body.pieces, contentType: reply.body.contentType };
  }
  if (operation.response === null || status === 204) return { ...base, body: null };
  const json = reply.body instanceof JsonText ? reply.body.json : JSON.stringify(reply.body);
  if (instance.checkAnswers) checkAnswer(operation, json);
  return { ...base, body: json };
}

/** In tests and development, an answer that breaks its own schema is reported as a defect. */
function checkAnswer(operation: AnyOperation, json: string): void {
  const result = (operation.response as z.ZodType).safeParse(JSON.parse(json));
  if (!result.success)
    throw new Error(`The response of ${operation.name} does not match its schema: ${result.error.message}`);
}

function keptAnswer(tx: WriteTx, operation: AnyOperation, { status, headers, body }: Outcome): KeptAnswer {
  const changeSet = tx.journal.isEmpty() ? {} : { 'x-change-set-id': tx.journal.changeSetId };
  return { status, headers: { ...plainHeaders(headers), ...changeSet }, body: keptBody(operation, body) };
}
