import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData, type Transferable } from 'node:worker_threads';

import { createApp, type App } from './app.ts';
import type { WriteGate } from './db/write-gate.ts';
import { loadHandler } from './features/load-handler.ts';
import type { Outcome, Piece } from './features/run-operation.ts';
import type { FromWorker, ThreadSetup, ToWorker, WorkerFailure } from './jobs/worker-protocol.ts';
import { AppError } from './kernel/errors.ts';
import { releaseMemory } from './kernel/memory.ts';

/** A thread for heavy operations: its own app and database handles, fed by the worker pool. */

const port = parentPort as NonNullable<typeof parentPort>;
const setup = workerData as ThreadSetup;
const admissions = new Map<number, (leave: () => void) => void>();
const RELEASE_AFTER_MS = 5_000;
let lastTurn = 0;
let hasReleased = false;
let resting: NodeJS.Timeout | undefined;

function send(message: FromWorker, transfer: Transferable[] = []): void {
  port.postMessage(message, transfer);
}

const gate: WriteGate = {
  enter: () =>
    new Promise((resolve) => {
      const id = ++lastTurn;
      admissions.set(id, resolve);
      send({ type: 'enter', id });
    }),
};

const starting = createApp(
  { ...setup.config, trustedProxies: null },
  {
    writeGate: gate,
    worker: setup,
    checkAnswers: setup.checkAnswers,
    crashAt: setup.crashAt,
    sendProgress: (id, progress) => send({ type: 'progress', id, progress }),
  },
);
void starting.then(serve, (error: unknown) => {
  send({ type: 'stillborn', error: failure(error) });
  process.exit(1);
});

function serve(app: App): void {
  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'run':
        void run(app, message);
        return;
      case 'admitted': {
        const { id } = message;
        admissions.get(id)?.(() => send({ type: 'leave', id }));
        admissions.delete(id);
        return;
      }
      case 'drain':
        app.drain();
        return;
      case 'ask':
        send({ type: 'here' });
        return;
      case 'close':
        void app.close().then(() => port.close());
        return;
      default:
        message satisfies never;
    }
  });
  send({ type: 'ready' });
  rest();
}

/**
 * Loading the program leaves half of the heap as garbage, in a thread that may then wait for a minute. Collecting it takes
 * tens of milliseconds, for which the call that the thread was started for does not wait.
 */
function rest(): void {
  if (hasReleased) return;
  resting = setTimeout(() => {
    hasReleased = true;
    releaseMemory();
  }, RELEASE_AFTER_MS).unref();
}

async function run(app: App, { id, handler, call }: Extract<ToWorker, { type: 'run' }>): Promise<void> {
  clearTimeout(resting);
  try {
    const outcome = await app.runHere(await loadHandler(handler), call, () => send({ type: 'read', id }));
    const isOver = await answer(id, outcome);
    await outcome.continuation?.();
    if (isOver) return;
  } catch (error) {
    tellFailure(id, error);
  } finally {
    rest();
  }
  send({ type: 'done', id, heapBytes: heapBytes() });
}

/** What this thread holds, garbage too: only its end frees all of that. */
function heapBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

/**
 * Resolves when a streamed answer has been read to its end, has failed, or was abandoned by its reader; says whether the
 * answer told the pool that the work is over. A message of its own could come after the caller's next request.
 */
async function answer(id: number, outcome: Outcome): Promise<boolean> {
  const { status, headers, contentType, body, continuation } = outcome;
  const head = { type: 'outcome', id, status, headers, contentType } as const;
  if (body === null || typeof body === 'string') {
    const isOver = continuation === undefined;
    send({ ...head, body, isOver, heapBytes: heapBytes() });
    return isOver;
  }
  const { readable, writable } = new TransformStream<Piece, Piece>();
  send({ ...head, body: readable, isOver: false, heapBytes: 0 }, [readable]);
  await ReadableStream.from(body)
    .pipeTo(writable)
    .catch(() => undefined);
  return false;
}

/** If an answer or error cannot be sent, only this call fails; the thread continues. */
function tellFailure(id: number, error: unknown): void {
  try {
    send({ type: 'failed', id, error: failure(error) });
  } catch (cause) {
    send({
      type: 'failed',
      id,
      error: failure(new Error('The error could not be sent to the main thread.', { cause })),
    });
  }
}

function failure(error: unknown): WorkerFailure {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, stack: undefined, extra: error.extra };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, stack, extra: {} };
}
