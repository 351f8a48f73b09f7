import type { SharedWatch } from '../db/sqlite-watch.ts';
import type { Config } from '../kernel/config.ts';
import type { ErrorCode, ErrorExtra } from '../kernel/errors.ts';
import type { HandlerName } from '../features/load-handler.ts';
import type { Call } from '../features/run-operation.ts';

/** What a thread is started with. The trusted-proxy list stays with the thread that accepts requests. */
export interface WorkerSetup {
  config: Omit<Config, 'trustedProxies'>;
  masterKey: Uint8Array;
  keySource: 'env' | 'file' | 'key_file';
  checkAnswers: boolean;
  /** Crash tests stop the process at this point; empty otherwise. */
  crashAt: string;
  /** The files of an embedded database, and what the threads know of them. */
  storage: SharedWatch | null;
}

/** Each thread has its own name in the database, by which those that it leaves behind tell what it was at. */
export interface ThreadSetup extends WorkerSetup {
  presence: string;
}

export type ToWorker =
  | { type: 'run'; id: number; handler: HandlerName; call: Call }
  | { type: 'admitted'; id: number }
  /** The service stops: what waits for its turn gives up. */
  | { type: 'drain' }
  /** Whether it lives: what works without a pause cannot answer. */
  | { type: 'ask' }
  | { type: 'close' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'here' }
  /** The thread could not start; its first call is told why. */
  | { type: 'stillborn'; error: WorkerFailure }
  | { type: 'enter'; id: number }
  /** The upload of the call has been read. */
  | { type: 'read'; id: number }
  | { type: 'leave'; id: number }
  /** How far a long write has come; null when it has ended. */
  | { type: 'progress'; id: string; progress: string | null }
  | {
      type: 'outcome';
      id: number;
      status: number;
      headers: Record<string, string>;
      contentType: string;
      /** A stream is transferred, and its pieces come by themselves as they are read. */
      body: string | ReadableStream<string> | null;
    }
  | { type: 'failed'; id: number; error: WorkerFailure }
  /** Everything of the call is over, its continuation included. */
  | { type: 'done'; id: number };

export interface WorkerFailure {
  code: ErrorCode | null;
  message: string;
  stack: string | undefined;
  extra: ErrorExtra;
}
