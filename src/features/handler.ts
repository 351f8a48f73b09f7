import type { z } from 'zod';

import type { AnyOperation, Input, Operation, ObjectSchema } from '../contract/operation.ts';
import type { Database, ReadTx } from '../db/unit-of-work.ts';
import type { LiveProgress } from '../jobs/live-progress.ts';
import type { EntityUndos } from '../journal/undo.ts';
import type { Actor, Origin, Source, Surface, WriteTx } from '../journal/write.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Passwords } from '../kernel/passwords.ts';
import type { Random } from '../kernel/random.ts';
import type { Model, ModelChoice } from '../models/model.ts';
import type { Provider } from '../providers/provider.ts';
import type { SignInThrottle } from './auth/index.ts';
import type { AgentCall } from './agent-tools/agent-call.ts';
import type { LiveSettings } from './config/index.ts';
import type { MasterKey } from './encryption/index.ts';
import type { ResolveHost } from './notifications/address-guard.ts';
import type { NotificationSender } from './notifications/notification-sender.ts';
import type { SyncSlots } from './sync/turns/sync-slots.ts';
import type { RunSlots } from './workflow-runs/run-slots.ts';
import type { Claim } from './idempotent-answer.ts';

/** What one running Homeledger is made of; every handler sees the same one. */
export interface Instance {
  config: Config;
  version: string;
  clock: Clock;
  ids: Ids;
  random: Random;
  logger: Logger;
  passwords: Passwords;
  signInThrottle: SignInThrottle;
  database: Database;
  settings: LiveSettings;
  /** Checks the body of an operation with `bodyLast`. @throws VALIDATION_ERROR */
  checkBody: <B extends z.ZodType>(
    operation: { body?: B; bodyOptional?: boolean },
    sent: unknown,
  ) => Promise<z.output<B>>;
  /** The key that secrets are encrypted with, and where it came from (20.15). */
  masterKey: Uint8Array;
  keySource: MasterKey['source'];
  /** The key file in the data directory, if that is where the key is. */
  keyFile: string | null;
  /** The key of the hashes of account numbers; null if its record cannot be decrypted. */
  numberKey: Uint8Array | null;
  isDraining: () => boolean;
  /** Aborted when the service begins to stop. */
  draining: AbortSignal;
  /** Check every answer against its schema: in tests and development. */
  checkAnswers: boolean;
  /** How changes to each kind of entity are reverted. */
  undos: () => Promise<EntityUndos>;
  /** Runs a task to its end, in a thread where there are threads. */
  runTask: <T>(
    task: BackgroundTask<T>,
    input: T,
    caller: Pick<Calling, 'principal' | 'request' | 'claim'>,
  ) => Promise<void>;
  /** Runs work that must not be lost: now, or as soon as the database is back. Never throws. */
  untilDone: (work: () => Promise<unknown>) => Promise<void>;
  /** Progress of long work, before its commit shows it. */
  progress: LiveProgress;
  /** Bank providers besides the built-in ones. */
  extraProviders: readonly Provider[];
  /** Stands in for every model, in tests. */
  standInModel: ((choice: ModelChoice) => Model) | null;
  /** Looks for requested syncs now instead of within seconds. Does nothing in worker threads. */
  wakeSyncs: () => void;
  /** Waits, or until the signal. Never throws. Tests need not wait. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The addresses of a host. Tests answer themselves. */
  resolveHost: ResolveHost;
  /** The notifications that this process sends. */
  notifications: () => NotificationSender;
  /** The syncs that run in this process. */
  syncs: () => SyncSlots;
  /** Looks for runs that wait now instead of within seconds. Does nothing in worker threads. */
  wakeRuns: () => void;
  /** The runs of workflows in this process. */
  runs: () => RunSlots;
  /** False while no worker thread can be started, or all are stuck. */
  canWorkInThreads: () => boolean;
  /** Crash tests stop the process at named points; does nothing otherwise. */
  failpoint: (point: string) => void;
}

export type Role = 'admin' | 'editor' | 'viewer';

/** A signed-in browser. All ids are UUIDs. */
export interface Session {
  id: string;
  loginId: string;
  role: Role;
}

/** Who calls: an API key, a signed-in browser, a command on the server, or a run of a workflow (contract 20.1). */
export interface Principal {
  kind: 'key' | 'session' | 'server' | 'run';
  /** UUID of the key, of the session's login or of the run; `server` for commands. Scopes idempotent answers. */
  id: string;
  /** What it allows now: of an agent's key, its scope lowered to the household's mode (contract 20.4). */
  scope: string;
  /** Set if that mode lowers the scope. */
  isLowered?: true;
  actor: Actor;
  /** UUID of the household member who is signed in, or whose key it is. */
  memberId: string | null;
  session: Session | null;
}

/** The browser or program at the other end, as 20.14 reads it. */
export interface ClientInfo {
  address: string;
  /** Scheme and authority of this very request, whatever the base URL is. */
  origin: string;
  /** Whether the request has `X-Forwarded-*` headers that do not count. */
  isForwardingIgnored: boolean;
  userAgent: string | null;
  cookies: Readonly<Record<string, string>>;
  /** Whether the browser came over https, so that its cookies may be `Secure` (20.6). */
  isSecure: boolean;
  /** The Host header as it was sent; null without one. */
  host: string | null;
  /** Whether a header says that a proxy passed the request on. */
  isForwarded: boolean;
}

/** What a handler knows about the request. */
export interface RequestInfo {
  id: string;
  surface: Surface;
  /** `X-Change-Reason`, decoded. */
  reason: string | null;
  /** Where links to this service begin: the base URL, else scheme and authority of the request (20). */
  baseUrl: string;
  /** null for what no HTTP request asked for. */
  client: ClientInfo | null;
  /** `Prefer` header, as sent. */
  prefer: string | null;
  /** Under what `progress` knows the work, if the caller follows it. Not `id`, which callers choose. */
  progressId?: string;
}

/** An uploaded file, already taken out of its transport. */
export interface UploadedFile {
  bytes: Uint8Array;
  fileName: string | null;
}

interface Calling {
  instance: Instance;
  /** null on keyless routes without a valid key. */
  principal: Principal | null;
  request: RequestInfo;
  file: UploadedFile | null;
  /** Set for a request with an Idempotency-Key. A write stores its answer itself; a background handler uses this. */
  claim: Claim | null;
  /** Set while a tool of agents runs. */
  agent?: AgentCall | undefined;
  /** Whether nobody waits for the answer of this read any longer. */
  isAbandoned: () => boolean;
  /** Call when the upload has been read completely, so that another one can be. */
  onFileRead: () => void;
}

/** The caller of a task that no request asked for. */
export const NO_CALLER: Pick<Calling, 'principal' | 'request' | 'claim'> = {
  principal: null,
  request: { id: '', surface: 'system', reason: null, baseUrl: '', client: null, prefer: null },
  claim: null,
};

export interface ReadContext extends Calling {
  tx: ReadTx;
}
export interface WriteContext extends Calling {
  tx: WriteTx;
}
export interface BackgroundContext extends Calling {
  /** Call first in the write's transaction, if the operation takes If-Match. @throws PRECONDITION_FAILED */
  requireMatch: (tx: ReadTx) => Promise<void>;
  /** Only while an agent proposes: a transaction for all of the work, which is rolled back (60.6). */
  tx?: WriteTx;
}

/** JSON that the database or a stream has already written. */
export class JsonText {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/** JSON in pieces; each piece is sent as soon as it is made. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;
  readonly contentType: string;
  constructor(pieces: AsyncIterable<string>, contentType = 'application/json; charset=utf-8') {
    this.pieces = pieces;
    this.contentType = contentType;
  }
}

/** A file in pieces that is not text, such as a download. */
export class ByteStream {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  constructor(pieces: AsyncIterable<Uint8Array>, contentType: string) {
    this.pieces = pieces;
    this.contentType = contentType;
  }
}

/** Several values of one name are several headers, as `set-cookie` needs. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer with its own status or headers, or with work that continues after it. */
export class Reply<T> {
  readonly body: T;
  readonly status: number | undefined;
  readonly headers: AnswerHeaders;
  readonly continuation: (() => Promise<void>) | undefined;
  constructor(body: T, extra: { status?: number; headers?: AnswerHeaders; continuation?: () => Promise<void> } = {}) {
    this.body = body;
    this.status = extra.status;
    this.headers = extra.headers ?? {};
    this.continuation = extra.continuation;
  }
}

/** The actor of what no one is signed in for: the first-run setup (contract 20.1). */
const SETUP_ACTOR: Actor = { type: 'system', id: null, userId: null, name: 'setup' };

/** Who writes. Only the first-run setup is open to callers without a key or session. */
export function actorOf(principal: Principal | null): Actor {
  return principal?.actor ?? SETUP_ACTOR;
}

/** What is known of the change set of a call before its write. */
export function originOf(
  { principal, request }: Pick<Calling, 'principal' | 'request'>,
  action: string,
  source: Source = 'edit',
): Origin {
  const { surface, reason, id: requestId } = request;
  return {
    actor: actorOf(principal),
    surface,
    source,
    action,
    reason,
    requestId,
    workflowRunId: runIdOf(principal),
  };
}

/** The run of a workflow that calls. */
export function runIdOf(principal: Principal | null): string | null {
  return principal?.kind === 'run' ? principal.id : null;
}

type Body<R> = R extends z.ZodType ? z.input<R> : null;
type Streamed = JsonText | JsonStream | ByteStream;
export type Answer<R> = Body<R> | Streamed | Reply<Body<R> | Streamed>;

export interface Handler {
  operation: AnyOperation;
  /** Action and source of the change set a write leaves. */
  journal: { action: string; source: Source } | null;
  /** What has to be asked of others before a write opens its transaction. */
  prepare?: (context: never, input: never) => Promise<void>;
  run: (context: never, input: never) => Promise<unknown>;
}

export function handleRead<P extends ObjectSchema, Q extends ObjectSchema, B extends z.ZodType, R extends z.ZodType>(
  operation: Operation<P, Q, B, R>,
  run: (context: ReadContext, input: Input<P, Q, B>) => Promise<Answer<R>>,
): Handler {
  return { operation, journal: null, run };
}

export function handleWrite<P extends ObjectSchema, Q extends ObjectSchema, B extends z.ZodType, R extends z.ZodType>(
  operation: Operation<P, Q, B, R>,
  action: string,
  run: (context: WriteContext, input: Input<P, Q, B>) => Promise<Answer<R>>,
  { prepare }: { prepare?: (context: BackgroundContext, input: Input<P, Q, B>) => Promise<void> } = {},
): Handler {
  return { operation, journal: { action, source: 'edit' }, run, ...(prepare && { prepare }) };
}

/** For handlers that open their own transactions, or none: probes, imports, anything that waits for others. */
export function handleBackground<
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  operation: Operation<P, Q, B, R>,
  run: (context: BackgroundContext, input: Input<P, Q, B>) => Promise<Answer<R>>,
): Handler {
  return { operation, journal: null, run };
}

/** What decides where a call runs, for operations and background tasks alike. */
export type Runnable = Pick<AnyOperation, 'name' | 'effect' | 'weight'> & { group: string };

/** Long work that a handler starts, in a thread where there are threads. Its input is plain data. */
export interface BackgroundTask<T = never> extends Runnable {
  run: (context: BackgroundContext, input: T) => Promise<void>;
}

/** The task stands in `features/<group>/`, in the file that an operation of this name would have. */
export function defineTask<T>(
  where: { name: string; group: string },
  run: (context: BackgroundContext, input: T) => Promise<void>,
): BackgroundTask<T> {
  return { ...where, effect: 'background', weight: 'heavy', run };
}
