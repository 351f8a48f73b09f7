import { createHash } from 'node:crypto';

import type { z } from 'zod';

import type { SimulatedAnswer, SimulatedRequest } from '../providers/simulator-server.ts';
import type { Conversation } from './conversation.ts';
import type { ModelIds } from './model-ids.ts';
import type { MadeAnswer, ModelErrorName } from './reply.ts';

/** What a server of models knows, apart from what its model says. */
export interface ModelWorld {
  ids: ModelIds;
  now(): number;
  /** The only key that is accepted; null: any. */
  key: string | null;
  /** The models there are; null: any name. */
  models: readonly string[] | null;
  contextTokens: number | null;
  /** What Responses with `store` have left: items by their ids. */
  stored: Map<string, object>;
}

/** One way to speak to a model. */
export interface Wire {
  path: string;
  /** @throws Refused, as the provider refuses */
  read(request: SimulatedRequest, world: ModelWorld): Conversation;
  answer(made: MadeAnswer, world: ModelWorld, request: SimulatedRequest): object;
  /** The same answer as server-sent events. */
  events(made: MadeAnswer, world: ModelWorld, request: SimulatedRequest): string[];
  /** An event that can be repeated forever, after the first ones. */
  more(text: string): string;
  fail(error: ModelErrorName, about: ErrorDetails): Refused;
  listModels(request: SimulatedRequest, world: ModelWorld): object;
  /** What every answer has. */
  headers(world: ModelWorld): Record<string, string>;
}

export interface ErrorDetails {
  message?: string | undefined;
  retryAfter?: number | undefined;
  model: string;
  promptTokens: number;
  contextTokens: number;
}

/** Ends the handling of a request with an error of the provider. */
export class Refused extends Error {
  readonly answer: SimulatedAnswer;

  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(JSON.stringify(body));
    this.answer = { status, body, headers };
  }
}

/** One server-sent event. */
export function sse(data: object | string, event?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

const PIECES = 4;

/** A text in a few pieces, as it is streamed. */
export function pieces(text: string): string[] {
  if (text === '') return [];
  const size = Math.max(1, Math.ceil(text.length / PIECES));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

/** Arguments as the model wrote them. */
export function writtenArguments(given: Readonly<Record<string, unknown>> | string): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

/** Proves that a thought came from here. */
export function signatureOf(thought: string): string {
  return createHash('sha256').update(`simulated ${thought}`).digest('base64');
}

/** What a schema calls its type, as OpenAI repeats it. */
export function typeOfSchema({ type }: Readonly<Record<string, unknown>>): string {
  return typeof type === 'string' ? type : 'None';
}

/** The keyword by which providers refuse the schema of a tool at its top, or undefined for a schema that is fine. */
export function refusedKeyword(schema: Readonly<Record<string, unknown>>): string | undefined {
  return ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((keyword) => keyword in schema);
}

/** A value of a body that is not as it should be. */
export interface Fault {
  path: (string | number)[];
  kind: 'missing' | 'unknown' | 'wrong';
  message: string;
}

/** The first fault of a body; union members that do not apply are left out. */
export function firstFault(error: z.ZodError, body: unknown): Fault {
  const issue = error.issues[0];
  const path = (issue?.path ?? []).map((one) => (typeof one === 'number' ? one : String(one)));
  if (issue?.code === 'unrecognized_keys') {
    return { path: [...path, issue.keys[0] ?? ''], kind: 'unknown', message: issue.message };
  }
  const kind = valueAt(body, path) === undefined ? 'missing' : 'wrong';
  return { path, kind, message: issue?.message ?? 'Invalid input' };
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (held, key) => (typeof held === 'object' && held !== null ? (held as Record<string, unknown>)[key] : undefined),
    value,
  );
}
