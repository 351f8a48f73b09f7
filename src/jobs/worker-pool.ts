import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

import type { SharedWriteGate } from '../db/write-gate.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Call, Outcome } from '../features/run-operation.ts';
import { AppError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Logger } from '../kernel/logger.ts';
import type { LiveProgress } from './live-progress.ts';
import type { FromWorker, ToWorker, WorkerFailure, WorkerSetup } from './worker-protocol.ts';

export interface WorkerPoolOptions {
  /** Where the thread's program is. */
  entry: URL;
  setup: WorkerSetup;
  size: number;
  gate: SharedWriteGate;
  logger: Logger;
  progress: LiveProgress;
  onPoint: (point: string) => void;
}

/** Threads for heavy work, so that one big request never delays a small one. Started when first needed. */
export interface WorkerPool {
  /** `onFileRead` hears that the upload of the call has been read. */
  run(operation: AnyOperation, call: Call, onFileRead?: () => void): Promise<Outcome>;
  /** Tells what runs that the service stops. */
  drain(): void;
  close(): Promise<void>;
}

interface Job {
  id: number;
  isLong: boolean;
  /** An import past its reading: it waits for its turn, or has it. */
  hasRead: boolean;
  message: ToWorker;
  onFileRead: (() => void) | undefined;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

interface Stream {
  push: (piece: string) => void;
  end: (error: Error | null) => void;
}

interface Thread {
  worker: Worker;
  isReady: boolean;
  job: Job | undefined;
  stream: Stream | undefined;
  turns: Map<number, () => void>;
  idleTimer: NodeJS.Timeout | undefined;
}

const NURSERY_MIB = 24;
/** Enough for a file at the limits; V8 also lets a heap with a limit grow in smaller steps. */
const HEAP_MIB = 1_024;
/** So many threads may be added for imports that wait; each holds its file and some 50 MiB. */
const MAX_WAITING = 6;
/** A thread without work for this long ends, and gives its memory back. */
const IDLE_MS = 60_000;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const threads = new Set<Thread>();
  const queue: Job[] = [];
  let lastId = 0;
  let isDraining = false;
  let isClosing = false;
  let allIdle: (() => void) | undefined;

  function start(): Thread {
    // The command line keeps the nursery of the listening thread small; that flag would overrule the limit below.
    setFlagsFromString('--max-semi-space-size=0');
    const worker = new Worker(options.entry, {
      workerData: options.setup,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MIB, maxOldGenerationSizeMb: HEAP_MIB },
    });
    const thread: Thread = {
      worker,
      isReady: false,
      job: undefined,
      stream: undefined,
      turns: new Map(),
      idleTimer: undefined,
    };
    threads.add(thread);
    if (isDraining) worker.postMessage({ type: 'drain' } satisfies ToWorker);
    worker.on('message', (message: FromWorker) => receive(thread, message));
    worker.on('error', (error) => options.logger.error({ err: error }, 'A worker thread failed.'));
    worker.on('exit', () => lose(thread));
    return thread;
  }

  /** A dead thread's turn at the write gate is given back, and its caller told. */
  function lose(thread: Thread): void {
    threads.delete(thread);
    options.gate.forget(thread);
    const error = thread.job?.isLong ? brokenOff() : new Error('A worker thread ended before its work was done.');
    thread.job?.reject(error);
    thread.stream?.end(error);
    thread.job = undefined;
    if (!isClosing) next();
    if (threads.size === 0) allIdle?.();
  }

  /** Of imports that were read one writes; the others only wait for it, and keep nobody from a thread, up to a number. */
  function waitingCount(): number {
    const read = [...threads].filter(({ job }) => job?.hasRead === true).length;
    return Math.min(MAX_WAITING, Math.max(0, read - 1));
  }

  /** Long work (imports) may take all threads but one, so that reads always find one. */
  function next(): void {
    const waiting = waitingCount();
    for (let i = 0; i < queue.length;) {
      const job = queue[i] as Job;
      const longRunning = [...threads].filter((thread) => thread.job?.isLong === true).length;
      if (job.isLong && options.size > 1 && longRunning - waiting >= options.size - 1) {
        i += 1;
        continue;
      }
      const thread =
        [...threads].find((one) => one.job === undefined) ??
        (threads.size - waiting < options.size ? start() : undefined);
      if (!thread) return;
      queue.splice(i, 1);
      thread.job = job;
      clearTimeout(thread.idleTimer);
      if (thread.isReady) send(thread, job);
    }
  }

  /** A file moves to the thread instead of being copied; nobody here needs it any more. */
  function send(thread: Thread, job: Job): void {
    const bytes = job.message.type === 'run' ? job.message.call.file?.bytes : undefined;
    const isMovable = bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
    thread.worker.postMessage(job.message, isMovable ? [bytes.buffer] : []);
  }

  /** A thread that did long work ends, so that its heap goes back at once; others wait a while for more. */
  function retire(thread: Thread, isLong: boolean): void {
    if (!isLong || isClosing) {
      retireWhenIdle(thread);
      return;
    }
    threads.delete(thread);
    thread.worker.postMessage({ type: 'close' } satisfies ToWorker);
  }

  function retireWhenIdle(thread: Thread): void {
    clearTimeout(thread.idleTimer);
    thread.idleTimer = setTimeout(() => {
      if (thread.job !== undefined) return;
      threads.delete(thread);
      thread.worker.postMessage({ type: 'close' } satisfies ToWorker);
    }, IDLE_MS);
    thread.idleTimer.unref();
  }

  function receive(thread: Thread, message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        thread.isReady = true;
        if (thread.job) send(thread, thread.job);
        return;
      case 'stillborn':
        thread.job?.reject(toError(message.error));
        thread.job = undefined;
        return;
      case 'enter':
        void options.gate.enterFor(thread).then((leave) => {
          thread.turns.set(message.id, leave);
          thread.worker.postMessage({ type: 'admitted', id: message.id } satisfies ToWorker);
        });
        return;
      case 'leave':
        thread.turns.get(message.id)?.();
        thread.turns.delete(message.id);
        return;
      case 'read':
        thread.job?.onFileRead?.();
        if (thread.job) thread.job.hasRead = true;
        if (!isClosing) next();
        return;
      case 'progress':
        options.progress.note(message.id, message.progress);
        return;
      case 'outcome':
        thread.job?.resolve({
          status: message.status,
          headers: message.headers,
          contentType: message.contentType,
          body: message.isStream ? openStream(thread, message.id) : message.body,
          continuation: undefined,
        });
        return;
      case 'piece':
        thread.stream?.push(message.piece);
        return;
      case 'end':
        thread.stream?.end(message.error ? toError(message.error) : null);
        thread.stream = undefined;
        return;
      case 'failed':
        thread.job?.reject(toError(message.error));
        return;
      case 'done':
        {
          const isLong = thread.job?.isLong === true;
          thread.job = undefined;
          retire(thread, isLong);
        }
        if (isClosing && [...threads].every((one) => one.job === undefined)) allIdle?.();
        next();
        return;
      default:
        message satisfies never;
    }
  }

  /**
   * Pieces of an answer as they come; the thread makes the next one only when this one was taken. No generator: a
   * reader that leaves before the first piece must still set the thread free.
   */
  function openStream(thread: Thread, id: number): AsyncIterableIterator<string> {
    const pieces: string[] = [];
    let isOver = false;
    let failure: Error | null = null;
    let wake: (() => void) | undefined;
    const tell = (type: 'more' | 'cancel'): void => thread.worker.postMessage({ type, id } satisfies ToWorker);
    thread.stream = {
      push(piece) {
        pieces.push(piece);
        wake?.();
      },
      end(error) {
        isOver = true;
        failure = error;
        wake?.();
      },
    };
    const giveUp = (): void => {
      if (!isOver) tell('cancel');
      isOver = true;
    };
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        if (!isOver) tell('more');
        while (pieces.length === 0 && !isOver) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const value = pieces.shift();
        if (value !== undefined) return { done: false, value };
        if (failure) throw failure;
        return { done: true, value: undefined };
      },
      async return() {
        giveUp();
        return { done: true, value: undefined };
      },
      async throw(error) {
        giveUp();
        throw error;
      },
    };
  }

  return {
    run(operation, call, onFileRead) {
      if (isClosing || queue.length >= LIMITS.heavyQueue) {
        const busy = new AppError('UNAVAILABLE', 'Too much work is waiting. Try again in a moment.', {
          headers: { 'retry-after': '2' },
        });
        return Promise.reject(busy);
      }
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        const isLong = operation.effect !== 'read';
        const { name, group } = operation;
        const message: ToWorker = { type: 'run', id, handler: { name, group }, call };
        queue.push({ id, isLong, hasRead: false, message, onFileRead, resolve, reject });
        next();
      });
    },
    drain() {
      isDraining = true;
      for (const { worker } of threads) worker.postMessage({ type: 'drain' } satisfies ToWorker);
    },
    async close() {
      isClosing = true;
      if ([...threads].some((thread) => thread.job !== undefined)) {
        await new Promise<void>((resolve) => {
          allIdle = resolve;
        });
      }
      const ended = [...threads].map(
        ({ worker }) =>
          new Promise<void>((resolve) => {
            worker.once('exit', () => resolve());
            worker.postMessage({ type: 'close' } satisfies ToWorker);
          }),
      );
      await Promise.all(ended);
    },
  };
}

/** Of a write whose thread died, nobody here knows whether it was committed. */
function brokenOff(): AppError {
  const message =
    'The work broke off on our side, and may have been done. Send the same request again with the same ' +
    'Idempotency-Key: it is never done twice. Without a key look first: GET /api/v1/change-sets lists what was kept.';
  return new AppError('INTERNAL_ERROR', message);
}

function toError(failure: WorkerFailure): Error {
  if (failure.code !== null) return new AppError(failure.code, failure.message, failure.extra);
  const error = new Error(failure.message);
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
