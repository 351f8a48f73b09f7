import type { AnyOperation, OutputOf } from '../../contract/operation.ts';
import {
  JsonStream,
  JsonText,
  Reply,
  type BackgroundContext,
  type ReadContext,
  type WriteContext,
} from '../handler.ts';
import { AppError } from '../../kernel/errors.ts';
import { refuseAgents } from '../check-rights.ts';
import { loadHandler } from '../load-handler.ts';
import { parseBody, parseParams, parseQuery, type RawQuery } from '../parse-input.ts';
import { withRenamedFields } from '../transactions/index.ts';

type Value = string | number | boolean | null | undefined;

/** What a tool sends to an operation, under the operation's own names. */
interface Sent {
  params?: Readonly<Record<string, string>>;
  /** Lists are sent as repeated parameters; undefined is left out. */
  query?: Readonly<Record<string, Value | readonly Value[]>>;
  body?: unknown;
  /** The tool's names for fields that the operation names differently, so that errors name the tool's arguments. */
  argumentOf?: Readonly<Record<string, string>>;
}

/**
 * Calls another operation inside this one: in its transaction, with its validation, and without its headers. A tool
 * without a transaction may only call operations that open their own, which in propose mode work in the one they get.
 * @throws what the operation throws
 */
export async function callOperation<O extends AnyOperation>(
  context: ReadContext | WriteContext | BackgroundContext,
  operation: O,
  sent: Sent,
): Promise<OutputOf<O>> {
  const { body } = await replyOf(context, operation, sent);
  return (await toJson(body)) as OutputOf<O>;
}

/** Like `callOperation`, with the status and the work that continues after the answer. */
export async function replyOf(
  context: ReadContext | WriteContext | BackgroundContext,
  operation: AnyOperation,
  { params = {}, query = {}, body, argumentOf = {} }: Sent,
): Promise<Reply<unknown>> {
  const isApart = context.tx === undefined;
  const isPlanned = context.agent?.plan != null;
  if (isApart !== (operation.effect === 'background') && !isPlanned) {
    throw new Error(`${operation.name} cannot be called ${isApart ? 'without' : 'in'} a transaction.`);
  }
  refuseAgents(context.principal, operation);
  const handler = await loadHandler(operation);
  return withRenamedFields(
    (path) => path.replace(/^[^.[]+/, (field) => argumentOf[field] ?? field),
    async () => {
      const input = {
        params: parseParams(operation, params),
        query: parseQuery(operation, toRawQuery(query)),
        body: parseBody(operation, body),
      };
      // For a retry, the answer of the whole tool is kept instead.
      const answer = await handler.run({ ...context, claim: null, file: null } as never, input as never);
      return answer instanceof Reply ? answer : new Reply(answer);
    },
  );
}

function toRawQuery(query: NonNullable<Sent['query']>): RawQuery {
  const sent = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const isList = typeof value === 'object';
    return [[name, isList ? value.map(String) : String(value)] as const];
  });
  return Object.fromEntries(sent);
}

/** The answer as a client would read it. */
async function toJson(body: unknown): Promise<unknown> {
  if (body instanceof JsonText) return JSON.parse(body.json) as unknown;
  if (body instanceof JsonStream) {
    let text = '';
    for await (const piece of body.pieces) text += piece;
    return JSON.parse(text) as unknown;
  }
  return body;
}

/** These fields of a record, in this order. `id` also picks short_id, which replaces it in the result. */
export function pick<T extends Readonly<Record<string, unknown>>, K extends keyof T & string>(
  record: T,
  names: readonly K[],
): Pick<T, K> {
  const wanted = (names as readonly string[]).includes('id') ? [...names, 'short_id'] : names;
  return Object.fromEntries(wanted.flatMap((name) => (name in record ? [[name, record[name]]] : []))) as Pick<T, K>;
}

/** What an operation answers, or null if it did not find what it was asked for. */
export async function foundOrNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
