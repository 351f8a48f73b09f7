import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

import type { SharedWriteGate } from '../db/write-gate.ts';
import type { Call, Outcome } from '../features/run-operation.ts';
import type { HandlerName } from '../features/load-handler.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { stopSavingMemory } from '../kernel/memory.ts';
import { deliver, type Delivery } from './delivery.ts';
import type { LiveProgress } from './live-progress.ts';
import type { FromWorker, ThreadSetup, ToWorker, WorkerFailure, WorkerSetup } from './worker-protocol.ts';

export interface ThreadOptions {
  /** Where the thread's program is. */
  entry: URL;
  setup: WorkerSetup;
  gate: SharedWriteGate;
  logger: Logger;
  progress: LiveProgress;
}

/** One call for a thread. */
export interface Job {
  readonly id: number;
  readonly handler: HandlerName;
  readonly call: Call;
  /** A write or a background handler, which can take minutes. */
  readonly isLong: boolean;
  readonly onFileRead: (() => void) | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** What a thread tells the pool. */
export interface ThreadEvents {
  onReady(thread: WorkerThread): void;
  /** Its job is over. */
  onDone(thread: WorkerThread): void;
  /** The upload of its job has been read. */
  onFileRead(): void;
  /** It has ended; `lost` is the job that it was working on. */
  onExit(thread: WorkerThread, lost: Job | undefined): void;
}

const NURSERY_MIB = 12;
/** Enough for a file at the limits; a heap with a limit also grows in smaller steps. */
const HEAP_MIB = 1_024;
/** What is beyond this after a write goes back to the system when the thread ends, soon after its work. */
const HEAP_KEPT_BYTES = 64 * 1_048_576;

/** One thread and the job that it works on. */
export class WorkerThread {
  /** Its name in the database, which marks the work that it would leave behind. */
  readonly presence: string;
  isReady = false;
  /** Its job has read its upload, and now writes or waits for its turn to write. */
  hasRead = false;
  /** A write has filled its heap, which is still full. */
  isSpent = false;
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #events: ThreadEvents;
  readonly #turns = new Map<number, () => void>();
  #job: Job | undefined;
  /** The job's streamed answer. */
  #delivery: Delivery | undefined;
  #heardAt = performance.now();

  constructor(presence: string, options: ThreadOptions, events: ThreadEvents) {
    this.presence = presence;
    this.#options = options;
    this.#events = events;
    // The command line keeps the heap of the listening thread small; its flags would overrule the limits below.
    setFlagsFromString('--min-semi-space-size=0');
    setFlagsFromString('--max-semi-space-size=0');
    setFlagsFromString('--max-old-space-size=0');
    this.#worker = new Worker(options.entry, {
      workerData: { ...options.setup, presence } satisfies ThreadSetup,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MIB, maxOldGenerationSizeMb: HEAP_MIB },
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => options.logger.error({ err: error }, 'A worker thread failed.'));
    this.#worker.on('exit', () => this.#lose());
  }

  get job(): Job | undefined {
    return this.#job;
  }

  /** Working, or still starting. */
  get isBusy(): boolean {
    return this.#job !== undefined || !this.isReady;
  }

  /** Milliseconds since it last said anything, or was given something to do. */
  get silenceMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** Milliseconds for which the reader of its streamed answer has taken nothing, though there is more. */
  get unreadMs(): number {
    return this.#delivery?.unreadMs() ?? 0;
  }

  /** Starts a job, at once or as soon as the thread is ready. */
  take(job: Job): void {
    this.#job = job;
    this.hasRead = false;
    this.#heardAt = performance.now();
    if (this.isReady) this.#handOver(job);
  }

  /** The job of a thread that is still starting, for one that is free sooner. */
  giveUp(): Job | undefined {
    if (this.isReady) return undefined;
    const job = this.#job;
    this.#job = undefined;
    return job;
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Ends the thread at once, whatever it is doing. */
  terminate(): void {
    void this.#worker.terminate();
  }

  /** Ends the streamed answer, and so the job. */
  breakOff(): void {
    this.#delivery?.stop(unreadAnswer());
  }

  /** Resolves when the thread has ended. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#worker.once('exit', () => resolve());
      this.post({ type: 'close' });
    });
  }

  /** If a job cannot be handed over, only this job fails; the thread remains, without a job. */
  #handOver({ id, handler, call, reject }: Job): void {
    try {
      this.#worker.postMessage({ type: 'run', id, handler, call } satisfies ToWorker, movable(call));
    } catch (error) {
      this.#job = undefined;
      reject(new Error('The work could not be passed to a worker thread.', { cause: error }));
    }
  }

  #receive(message: FromWorker): void {
    this.#heardAt = performance.now();
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        if (this.#job) this.#handOver(this.#job);
        this.#events.onReady(this);
        break;
      case 'here':
        break;
      case 'stillborn':
        this.#job?.reject(toError(message.error));
        this.#job = undefined;
        break;
      case 'enter':
        void this.#enter(message.id);
        break;
      case 'leave':
        this.#turns.get(message.id)?.();
        this.#turns.delete(message.id);
        break;
      case 'progress':
        this.#options.progress.note(message.id, message.progress);
        break;
      case 'read':
        this.#job?.onFileRead?.();
        this.hasRead = true;
        this.#events.onFileRead();
        break;
      case 'outcome':
        this.#answer(message);
        if (message.isOver) void this.#finish(message.heapBytes);
        break;
      case 'failed':
        this.#job?.reject(toError(message.error));
        break;
      case 'done':
        void this.#finish(message.heapBytes);
        break;
      default:
        message satisfies never;
    }
  }

  async #enter(turn: number): Promise<void> {
    this.#turns.set(turn, await this.#options.gate.enterFor(this));
    this.post({ type: 'admitted', id: turn });
  }

  #answer({ status, headers, contentType, body }: Extract<FromWorker, { type: 'outcome' }>): void {
    const answer = { status, headers, contentType, continuation: undefined };
    if (!(body instanceof ReadableStream)) return this.#job?.resolve({ ...answer, body });
    this.#delivery = deliver(body);
    this.#job?.resolve({ ...answer, body: this.#delivery.pieces });
  }

  async #finish(heapBytes: number): Promise<void> {
    const job = this.#job;
    // A slow reader may not have taken the last pieces yet, and they are still in the thread.
    if (this.#delivery) await this.#delivery.over;
    if (this.#job !== job) return;
    this.isSpent = (this.isSpent || job?.isLong === true) && heapBytes > HEAP_KEPT_BYTES;
    this.#job = undefined;
    this.#delivery = undefined;
    this.#events.onDone(this);
  }

  /** Undoes what a dead thread holds for the process, such as the write gate, and tells the caller. */
  #lose(): void {
    this.#options.gate.forget(this);
    const job = this.#job;
    this.#job = undefined;
    if (job) {
      stopSavingMemory();
      const error = job.isLong ? unknownOutcome() : brokenRead();
      job.reject(error);
      this.#delivery?.stop(error);
    }
    this.#events.onExit(this, job);
  }
}

/** A body moves to the thread instead of being copied; it is no longer needed here. */
function movable({ unread }: Call): ArrayBuffer[] {
  return unread?.bytes?.buffer instanceof ArrayBuffer ? [unread.bytes.buffer] : [];
}

function brokenRead(): AppError {
  const message = 'The worker thread ended before this was done. Try again in a moment.';
  return new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '2' } });
}

function unreadAnswer(): AppError {
  const message = 'The answer was not read for too long while others waited. Send the request again.';
  return new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '2' } });
}

/** Whether a write was committed is not known here. */
function unknownOutcome(): AppError {
  const message =
    'The work was interrupted and may or may not have been done. Send the same request again with the same ' +
    'Idempotency-Key; it is never executed twice. Without a key, check first: GET /api/v1/change-sets lists what was saved.';
  return new AppError('INTERNAL_ERROR', message);
}

function toError(failure: WorkerFailure): Error {
  if (failure.code !== null) return new AppError(failure.code, failure.message, failure.extra);
  const error = new Error(failure.message);
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
