import type { SharedWatch } from '../db/sqlite/sqlite-watch.ts';
import type { Config } from '../kernel/config.ts';
import type { ErrorCode, ErrorExtra } from '../kernel/errors.ts';
import type { Instance } from '../features/handler.ts';
import type { HandlerName } from '../features/load-handler.ts';
import type { Call, Piece } from '../features/run-operation.ts';

/** What a thread starts with. The trusted-proxy list stays in the thread that accepts requests. */
export interface WorkerSetup {
  config: Omit<Config, 'trustedProxies'>;
  keys: Pick<Instance, 'masterKey' | 'keySource' | 'keyFile' | 'numberKey'>;
  /** The counter of SettingsWrites. */
  settingsWrites: SharedArrayBuffer;
  checkAnswers: boolean;
  /** Crash tests stop the process at this point; empty otherwise. */
  crashAt: string;
  /** The files of an embedded database, and what the threads know about them. */
  storage: SharedWatch | null;
}

/** Each thread has its own name in the database, so that others can tell what a dead one was working on. */
export interface ThreadSetup extends WorkerSetup {
  presence: string;
}

export type ToWorker =
  | { type: 'run'; id: number; handler: HandlerName; call: Call }
  | { type: 'admitted'; id: number }
  /** The service will stop: work that waits for its turn gives up. */
  | { type: 'drain' }
  /** Asks for a sign of life; a thread that is stuck in a loop cannot answer. */
  | { type: 'ask' }
  | { type: 'close' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'here' }
  /** The thread could not start; its first call gets the reason. */
  | { type: 'stillborn'; error: WorkerFailure }
  | { type: 'enter'; id: number }
  /** The upload of the call has been read. */
  | { type: 'read'; id: number }
  | { type: 'leave'; id: number }
  /** Progress of a long write; null when it has ended. */
  | { type: 'progress'; id: string; progress: string | null }
  | {
      type: 'outcome';
      id: number;
      status: number;
      headers: Record<string, string | readonly string[]>;
      contentType: string;
      /** A stream is transferred: its pieces need no further messages. */
      body: string | ReadableStream<Piece> | null;
      /** The call is over with this; no `done` follows. */
      isOver: boolean;
      /** The memory of the thread's heap, when the call is over. */
      heapBytes: number;
    }
  | { type: 'failed'; id: number; error: WorkerFailure }
  /** The call is over, including its continuation. */
  | { type: 'done'; id: number; heapBytes: number };

export interface WorkerFailure {
  code: ErrorCode | null;
  message: string;
  stack: string | undefined;
  extra: ErrorExtra;
}
