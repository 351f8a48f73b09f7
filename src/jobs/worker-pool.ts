import type { Runnable } from '../features/handler.ts';
import type { Call, Outcome } from '../features/run-operation.ts';
import { AppError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { WorkerThread, type Job, type ThreadEvents, type ThreadOptions } from './worker-thread.ts';

export interface WorkerPoolOptions extends ThreadOptions {
  size: number;
  /** Names a new thread. */
  newPresence: () => string;
  /** Called when a thread died during a write. */
  onLost: (presence: string) => void;
  /** When threads are asked for a sign of life, count as stuck, and are replaced. */
  watch?: ThreadWatch;
  /** How long a thread waits for more work after a write that filled its heap; SPENT_MS unless given. */
  spentMs?: number;
}

interface ThreadWatch {
  askMs: number;
  stuckMs: number;
  lostMs: number;
  /** For how long an answer may lie unread while others wait for its thread. */
  unreadMs: number;
}

/** Threads for heavy work, so that a big request never delays a small one. They start when first needed. */
export interface WorkerPool {
  /** `onFileRead` is called when the upload has been read. @throws UNAVAILABLE when too much work is waiting */
  run(target: Runnable, call: Call, onFileRead?: () => void): Promise<Outcome>;
  /** False while no thread can be started, or all are stuck. */
  canWork(): boolean;
  /** Tells running work that the service will stop. */
  drain(): void;
  /** Resolves when all work is done and all threads have ended. */
  close(): Promise<void>;
}

const WATCH: ThreadWatch = {
  askMs: LIMITS.threadAskMs,
  stuckMs: LIMITS.threadStuckMs,
  lostMs: LIMITS.threadLostMs,
  unreadMs: LIMITS.answerUnreadMs,
};
/** How many threads may be added for imports that wait; each holds its file and some 50 MiB. */
const MAX_WAITING = 6;
/** A thread that has been idle for this long ends, which frees its memory. */
const IDLE_MS = 60_000;
/** A thread whose heap is full ends sooner. People import several files in a row, and a warm thread is a tenth faster. */
const SPENT_MS = 2_000;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new Pool(options);
}

class Pool implements WorkerPool, ThreadEvents {
  readonly #options: WorkerPoolOptions;
  readonly #watch: ThreadWatch;
  readonly #watching: NodeJS.Timeout;
  /** Each with the timer that ends it while it is idle. */
  readonly #threads = new Map<WorkerThread, NodeJS.Timeout | undefined>();
  readonly #queue: Job[] = [];
  #lastId = 0;
  #isDraining = false;
  #isClosing = false;
  #hasFailedToStart = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#watch = options.watch ?? WATCH;
    this.#watching = setInterval(() => this.#lookAfterThreads(), this.#watch.askMs);
    this.#watching.unref();
  }

  run({ name, group, effect }: Runnable, call: Call, onFileRead?: () => void): Promise<Outcome> {
    if (this.#isClosing || this.#queue.length >= LIMITS.heavyQueue) {
      const message = 'Too much work is waiting. Try again in a moment.';
      return Promise.reject(new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '2' } }));
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#queue.push({ id, handler: { name, group }, call, isLong: effect !== 'read', onFileRead, resolve, reject });
      this.#next();
    });
  }

  canWork(): boolean {
    const stuck = this.#all().filter((thread) => thread.isBusy && thread.silenceMs > this.#watch.stuckMs).length;
    return !this.#hasFailedToStart && stuck < this.#options.size;
  }

  drain(): void {
    this.#isDraining = true;
    for (const thread of this.#all()) thread.post({ type: 'drain' });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#watching);
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await Promise.all(this.#all().map((thread) => thread.close()));
  }

  onReady(thread: WorkerThread): void {
    this.#hasFailedToStart = false;
    if (thread.job === undefined) this.#rest(thread);
    this.#next();
  }

  onDone(thread: WorkerThread): void {
    this.#rest(thread);
    this.#next();
  }

  onFileRead(): void {
    this.#next();
  }

  onExit(thread: WorkerThread, lost: Job | undefined): void {
    clearTimeout(this.#threads.get(thread));
    this.#threads.delete(thread);
    if (!thread.isReady && !this.#isClosing) this.#hasFailedToStart = true;
    if (lost?.isLong === true) this.#options.onLost(thread.presence);
    this.#next();
  }

  #all(): WorkerThread[] {
    return [...this.#threads.keys()];
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#all().every(({ job }) => job === undefined);
  }

  /** Hands out waiting jobs while there are threads for them. */
  #next(): void {
    for (let i = 0; i < this.#queue.length;) {
      const job = this.#queue[i] as Job;
      if (job.isLong && !this.#hasRoomForLong()) {
        i += 1;
        continue;
      }
      const thread = this.#freeThread();
      if (!thread) break;
      this.#queue.splice(i, 1);
      clearTimeout(this.#threads.get(thread));
      thread.take(job);
      if (thread.job === undefined) this.#rest(thread);
    }
    this.#takeOver();
    if (this.#isClosing && this.#isIdle()) this.#whenIdle?.();
  }

  /** A thread takes half a second to start; what waits for one goes to a thread that became free meanwhile. */
  #takeOver(): void {
    for (const thread of this.#all().filter(({ isBusy }) => !isBusy)) {
      const starting = this.#all().find(({ isReady, job }) => !isReady && job !== undefined);
      const job = starting?.giveUp();
      if (!job) return;
      clearTimeout(this.#threads.get(thread));
      thread.take(job);
      if (thread.job === undefined) this.#rest(thread);
    }
  }

  /** Long work (imports) can take all threads but one, so that reads always find one. */
  #hasRoomForLong(): boolean {
    const { size } = this.#options;
    const long = this.#all().filter(({ job }) => job?.isLong === true).length;
    return size === 1 || long - this.#waitingCount() < size - 1;
  }

  #freeThread(): WorkerThread | undefined {
    const free = this.#all().find(({ job }) => job === undefined);
    return free ?? (this.#threads.size - this.#waitingCount() < this.#options.size ? this.#start() : undefined);
  }

  /** Imports that only wait: of those that have been read, one writes. Up to a limit, they do not count against the pool size. */
  #waitingCount(): number {
    const read = this.#all().filter(({ job, hasRead }) => job !== undefined && hasRead).length;
    return Math.min(MAX_WAITING, Math.max(0, read - 1));
  }

  #start(): WorkerThread {
    const thread = new WorkerThread(this.#options.newPresence(), this.#options, this);
    this.#threads.set(thread, undefined);
    if (this.#isDraining) thread.post({ type: 'drain' });
    return thread;
  }

  /** An idle thread ends after a while; one whose heap a write has filled, soon, which frees it at once. */
  #rest(thread: WorkerThread): void {
    clearTimeout(this.#threads.get(thread));
    const { spentMs = SPENT_MS } = this.#options;
    const timer = setTimeout(() => this.#dismiss(thread), thread.isSpent ? spentMs : IDLE_MS);
    timer.unref();
    this.#threads.set(thread, timer);
  }

  #dismiss(thread: WorkerThread): void {
    clearTimeout(this.#threads.get(thread));
    this.#threads.delete(thread);
    thread.post({ type: 'close' });
  }

  /**
   * Asks busy threads for a sign of life. One that has been silent for too long is ended, and `onExit` follows. After a
   * failed start another one is tried, so that the service finds out when it can work again.
   */
  #lookAfterThreads(): void {
    for (const thread of this.#all().filter(({ isBusy }) => isBusy)) {
      if (thread.silenceMs > this.#watch.lostMs) {
        this.#options.logger.error('A worker thread stopped answering and was replaced.');
        thread.terminate();
      } else thread.post({ type: 'ask' });
    }
    if (this.#hasFailedToStart && this.#threads.size === 0) this.#start();
    this.#breakOffUnread();
  }

  /** A client that stops reading a large answer, as one that sleeps does, would keep its thread from others for good. */
  #breakOffUnread(): void {
    const threads = this.#all();
    if (this.#queue.length === 0 || threads.some(({ job }) => job === undefined)) return;
    const [longest] = threads.toSorted((one, other) => other.unreadMs - one.unreadMs);
    if (longest === undefined || longest.unreadMs <= this.#watch.unreadMs) return;
    this.#options.logger.warn('A streamed answer was broken off: nobody read it, and other requests waited.');
    longest.breakOff();
  }
}
