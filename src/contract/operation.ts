import type { z } from 'zod';

import type { ErrorCode } from '../kernel/errors.ts';
import type { Group } from './groups.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type ObjectSchema = z.ZodObject;

/** Who may call: nobody in particular, any key, or a key that may write. */
export type Scope = 'none' | 'read_only' | 'full_access';

/** Where a request contains its file (36.3.1). */
export interface Upload {
  /** Name of the multipart part, and the body fields that may contain it in base64. */
  part: string;
  base64Fields: readonly string[];
  /** Media types whose raw body is the file; the other fields are then query parameters. */
  rawTypes: readonly string[];
  maxBytes: number;
  /** The body field that contains the file and its options, if they are not at the top level; in a form they always are. */
  wrapperField?: string;
  /** The only form of the body that takes a file, if there are others; `wrapperField` is one of its fields. */
  form?: ObjectSchema;
}

/** Media types whose body is the text of one field; the other fields are then query parameters. */
interface RawText {
  field: string;
  types: readonly string[];
}

interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** An example response; null if the response has no body. */
  response: unknown;
}

/**
 * One endpoint, declared once: routing, validation, types, OpenAPI, client, agent tools, commands and reference
 * are all derived from it.
 */
export interface Operation<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** camelCase verb and noun; the handler's file has this name in kebab-case. */
  name: string;
  /** Tools of agents have a group of their own, which is in no reference of the REST API. */
  group: Group | 'agent-tools/tools';
  method: Method;
  /** Full path with `{name}` for parameters. */
  path: string;
  /** Other paths of the same operation (health probes). */
  aliases?: readonly string[];
  scope: Scope;
  /** Only for browsers, with the session cookie instead of a key: `/auth/*` (20.6). Not in the OpenAPI document. */
  session?: 'required' | 'optional';
  /** The token in the path is the credential: no key or session is read, and only pages of ours may call (30.5.3). */
  linkToken?: true;
  /** Sessions need the role admin. Of keys, only those of agents are restricted by it (20.1, 20.4). */
  adminOnly?: boolean;
  /** No key of an agent may call it, and no run. Nor may they call what is `adminOnly` (20.4). */
  closedToAgents?: true;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  /** An unknown query parameter is an error instead of being ignored (10.1.1). Always so for writes. */
  strictQuery?: boolean;
  body?: B;
  bodyOptional?: boolean;
  /** The handler first judges what matters more, a token for instance, and then calls `instance.checkBody`. */
  bodyLast?: boolean;
  upload?: Upload;
  rawText?: RawText;
  /** The success response; null for 204. */
  response: R | null;
  /** 202: accepted, and nobody waits for the end of it. */
  status: 200 | 201 | 202 | 204;
  /** Other success statuses, with the same body unless `answers` says otherwise. */
  alsoStatus?: readonly number[];
  /** For the reference: the response of each status, if they differ, or an error with a form of its own. */
  answers?: Readonly<Record<number, z.ZodType>>;
  /** Media types of the response if JSON is not the only one; all others are text. */
  produces?: readonly string[];
  errors: readonly ErrorCode[];
  /** read and write open a transaction for the handler; background handlers open their own. */
  effect: 'read' | 'write' | 'background';
  /** A write that leaves no change set, because what it writes is its own record (20.18). */
  unjournaled?: true;
  /** Heavy work runs in a worker thread, so that it never delays a small request. */
  weight: 'light' | 'heavy' | ((input: Input<P, Q, B>) => 'light' | 'heavy');
  /** The response has an ETag, and the request may send If-None-Match. Writes to the record take it in If-Match. */
  etag?: boolean;
  /** Top-level fields that its ETag does not depend on, because other writes move them: counters, names of others. */
  beside?: readonly string[];
  noStore?: boolean;
  /** Top-level fields of the response that are shown once and never stored (20.1). */
  secretFields?: readonly string[];
  /** For routes without a key: the rate-limit bucket that a request counts against (20.14). */
  openBucket?: 'none' | 'open' | 'device_start';
  /** The error for an unknown credential in the body. Like a refused key, it costs the address a token. */
  refusal?: ErrorCode;
  cli?: { command: string; confirm?: boolean };
  example: Example;
}

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : Record<string, never>;

/** What a handler gets: parsed, with defaults filled in. */
export interface Input<P extends ObjectSchema, Q extends ObjectSchema, B extends z.ZodType> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
}

export type InputOf<O> = O extends Operation<infer P, infer Q, infer B, z.ZodType> ? Input<P, Q, B> : never;
export type OutputOf<O> = O extends { response: infer R } ? ResponseOf<Exclude<R, null>> : never;
type ResponseOf<R> = R extends z.ZodType ? z.output<R> : null;

/** What a caller sends: before defaults and transforms. */
export type CallOf<O> =
  O extends Operation<infer P, infer Q, infer B, z.ZodType>
    ? { params?: z.input<P>; query?: z.input<Q>; body?: z.input<B> }
    : never;

/** Whether agents may not call it whatever their scope: what it does would reach beyond their key (20.4). */
export function isClosedToAgents({ adminOnly, closedToAgents }: Pick<AnyOperation, 'adminOnly' | 'closedToAgents'>) {
  return adminOnly === true || closedToAgents === true;
}

export function defineOperation<
  const P extends ObjectSchema,
  const Q extends ObjectSchema,
  const B extends z.ZodType,
  const R extends z.ZodType,
>(operation: Operation<P, Q, B, R>): Operation<P, Q, B, R> {
  return operation;
}

/** Any operation, for code that walks the registry. */
// The schemas of different operations share only their base.
export type AnyOperation = Omit<Operation, 'weight'> & {
  weight: 'light' | 'heavy' | ((input: never) => 'light' | 'heavy');
};
