import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

import type { SharedWriteGate } from '../db/write-gate.ts';
import type { Runnable } from '../features/handler.ts';
import type { Call, Outcome } from '../features/run-operation.ts';
import { AppError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Logger } from '../kernel/logger.ts';
import type { LiveProgress } from './live-progress.ts';
import { openStream, type StreamFeed } from './thread-stream.ts';
import type { FromWorker, ThreadSetup, ToWorker, WorkerFailure, WorkerSetup } from './worker-protocol.ts';

export interface WorkerPoolOptions {
  /** Where the thread's program is. */
  entry: URL;
  setup: WorkerSetup;
  size: number;
  gate: SharedWriteGate;
  logger: Logger;
  progress: LiveProgress;
  failpoint: (point: string) => void;
  /** Names a new thread. */
  newPresence: () => string;
  /** Hears of a thread that died at work. */
  onLost: (presence: string) => void;
  /** When threads are asked whether they live, count as stuck, and are replaced. */
  watch?: ThreadWatch;
}

export interface ThreadWatch {
  askMs: number;
  stuckMs: number;
  lostMs: number;
}

const WATCH: ThreadWatch = {
  askMs: LIMITS.threadAskMs,
  stuckMs: LIMITS.threadStuckMs,
  lostMs: LIMITS.threadLostMs,
};

/** Threads for heavy work, so that one big request never delays a small one. Started when first needed. */
export interface WorkerPool {
  /** `onFileRead` hears that the upload of the call has been read. */
  run(target: Runnable, call: Call, onFileRead?: () => void): Promise<Outcome>;
  /** False while no thread can be started, or all are stuck. */
  canWork(): boolean;
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

interface Thread {
  worker: Worker;
  presence: string;
  isReady: boolean;
  job: Job | undefined;
  stream: StreamFeed | undefined;
  turns: Map<number, () => void>;
  idleTimer: NodeJS.Timeout | undefined;
  /** When it last said anything, or was given something to do. */
  heardAt: number;
  busySince: number;
}

const NURSERY_MIB = 24;
/** Enough for a file at the limits; V8 also lets a heap with a limit grow in smaller steps. */
const HEAP_MIB = 1_024;
/** So many threads may be added for imports that wait; each holds its file and some 50 MiB. */
const MAX_WAITING = 6;
/** A thread without work for this long ends, and gives its memory back. */
const IDLE_MS = 60_000;
/** A write that was over so soon, or refused, has not filled the heap of its thread. */
const BRIEF_MS = 500;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const threads = new Set<Thread>();
  const queue: Job[] = [];
  let lastId = 0;
  let isDraining = false;
  let isClosing = false;
  let allIdle: (() => void) | undefined;
  let hasFailedToStart = false;
  const watch = options.watch ?? WATCH;
  const watching = setInterval(lookAfterThreads, watch.askMs);
  watching.unref();

  function start(): Thread {
    // The command line keeps the nursery of the listening thread small; that flag would overrule the limit below.
    setFlagsFromString('--max-semi-space-size=0');
    const presence = options.newPresence();
    const worker = new Worker(options.entry, {
      workerData: { ...options.setup, presence } satisfies ThreadSetup,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MIB, maxOldGenerationSizeMb: HEAP_MIB },
    });
    const thread: Thread = {
      worker,
      presence,
      isReady: false,
      job: undefined,
      stream: undefined,
      turns: new Map(),
      idleTimer: undefined,
      heardAt: performance.now(),
      busySince: performance.now(),
    };
    threads.add(thread);
    if (isDraining) worker.postMessage({ type: 'drain' } satisfies ToWorker);
    worker.on('message', (message: FromWorker) => receive(thread, message));
    worker.on('error', (error) => options.logger.error({ err: error }, 'A worker thread failed.'));
    worker.on('exit', () => lose(thread));
    return thread;
  }

  /** A dead thread's turn at the write gate is given back, what it was at has failed, and its caller is told. */
  function lose(thread: Thread): void {
    threads.delete(thread);
    clearTimeout(thread.idleTimer);
    options.gate.forget(thread);
    if (!thread.isReady && !isClosing) hasFailedToStart = true;
    const { job } = thread;
    thread.job = undefined;
    if (job?.isLong === true) options.onLost(thread.presence);
    if (job || thread.stream) {
      const error = lostWork(job);
      job?.reject(error);
      thread.stream?.end(error);
    }
    if (!isClosing) next();
    if (threads.size === 0) allIdle?.();
  }

  /**
   * Threads that work are asked whether they live. One that says nothing for very long is ended, which `lose` hears.
   * After a start that failed another one is tried, so that the service finds out when it can work again.
   */
  function lookAfterThreads(): void {
    if (isClosing) return;
    for (const thread of threads) {
      if (!isBusy(thread)) continue;
      if (silenceOf(thread) > watch.lostMs) {
        options.logger.error('A worker thread stopped answering and was replaced.');
        void thread.worker.terminate();
      } else thread.worker.postMessage({ type: 'ask' } satisfies ToWorker);
    }
    if (hasFailedToStart && threads.size === 0) start();
  }

  function isBusy(thread: Thread): boolean {
    return thread.job !== undefined || !thread.isReady;
  }

  function silenceOf(thread: Thread): number {
    return performance.now() - thread.heardAt;
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
      thread.heardAt = performance.now();
      clearTimeout(thread.idleTimer);
      if (thread.isReady) handOver(thread, job);
    }
  }

  /** What cannot be handed over fails alone: the thread stays, and takes the next. */
  function handOver(thread: Thread, job: Job): void {
    thread.busySince = performance.now();
    try {
      thread.worker.postMessage(job.message, movable(job.message));
    } catch (error) {
      thread.job = undefined;
      job.reject(new Error('The work could not be handed to a thread.', { cause: error }));
      retireWhenIdle(thread);
    }
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

  /** Looks for the next job; a thread that finds none ends after a while. */
  function rest(thread: Thread): void {
    retireWhenIdle(thread);
    if (!isClosing) next();
    else if ([...threads].every(({ job }) => job === undefined)) allIdle?.();
  }

  function receive(thread: Thread, message: FromWorker): void {
    thread.heardAt = performance.now();
    switch (message.type) {
      case 'ready':
        thread.isReady = true;
        hasFailedToStart = false;
        if (thread.job) handOver(thread, thread.job);
        if (thread.job === undefined) rest(thread);
        return;
      case 'here':
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
          body: message.isStream ? streamOf(thread, message.id) : message.body,
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
          const isLong = thread.job?.isLong === true && performance.now() - thread.busySince > BRIEF_MS;
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

  function streamOf(thread: Thread, id: number): AsyncIterable<string> {
    const { feed, pieces } = openStream((type) => thread.worker.postMessage({ type, id } satisfies ToWorker));
    thread.stream = feed;
    return pieces;
  }

  return {
    run({ name, group, effect }, call, onFileRead) {
      if (isClosing || queue.length >= LIMITS.heavyQueue) {
        const busy = new AppError('UNAVAILABLE', 'Too much work is waiting. Try again in a moment.', {
          headers: { 'retry-after': '2' },
        });
        return Promise.reject(busy);
      }
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        const isLong = effect !== 'read';
        const message: ToWorker = { type: 'run', id, handler: { name, group }, call };
        queue.push({ id, isLong, hasRead: false, message, onFileRead, resolve, reject });
        next();
      });
    },
    canWork() {
      const stuck = [...threads].filter((thread) => isBusy(thread) && silenceOf(thread) > watch.stuckMs).length;
      return !hasFailedToStart && stuck < options.size;
    },
    drain() {
      isDraining = true;
      for (const { worker } of threads) worker.postMessage({ type: 'drain' } satisfies ToWorker);
    },
    async close() {
      isClosing = true;
      clearInterval(watching);
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

/** A body moves to the thread instead of being copied; nobody here needs it any more. */
function movable(message: ToWorker): ArrayBuffer[] {
  const bytes = message.type === 'run' ? message.call.unread?.bytes : undefined;
  return bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

/** A read can be sent again; of a write, nobody here knows whether it was committed. */
function lostWork(job: Job | undefined): AppError {
  if (job?.isLong === true) return brokenOff();
  const message = 'The worker thread ended before this was done. Try again in a moment.';
  return new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '2' } });
}

function brokenOff(): AppError {
  const message =
    'The work was interrupted and may or may not have been done. Send the same request again with the same ' +
    'Idempotency-Key; it is never done twice. Without a key, check first: GET /api/v1/change-sets lists what was kept.';
  return new AppError('INTERNAL_ERROR', message);
}

function toError(failure: WorkerFailure): Error {
  if (failure.code !== null) return new AppError(failure.code, failure.message, failure.extra);
  const error = new Error(failure.message);
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
