import { parentPort, workerData } from 'node:worker_threads';

import { createApp } from './app.ts';
import type { WriteGate } from './db/write-gate.ts';
import { loadHandler } from './features/load-handler.ts';
import type { FromWorker, ThreadSetup, ToWorker, WorkerFailure } from './jobs/worker-protocol.ts';
import { AppError } from './kernel/errors.ts';

/** A thread for heavy operations: its own app and database handles, fed by the worker pool. */

const port = parentPort as NonNullable<typeof parentPort>;
const setup = workerData as ThreadSetup;
const admissions = new Map<number, (leave: () => void) => void>();
const streams = new Map<number, { more: () => void; cancel: () => void }>();
let lastTurn = 0;

function send(message: FromWorker): void {
  port.postMessage(message);
}

const gate: WriteGate = {
  enter: () =>
    new Promise((resolve) => {
      const id = ++lastTurn;
      admissions.set(id, resolve);
      send({ type: 'enter', id });
    }),
};

const app = await createApp(
  { ...setup.config, trustedProxies: null },
  {
    writeGate: gate,
    worker: setup,
    checkAnswers: setup.checkAnswers,
    crashAt: setup.crashAt,
    sendProgress: (id, progress) => send({ type: 'progress', id, progress }),
  },
).catch((error: unknown): never => {
  send({ type: 'stillborn', error: failure(error) });
  process.exit(1);
});

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'run':
      void run(message);
      return;
    case 'admitted': {
      const { id } = message;
      admissions.get(id)?.(() => send({ type: 'leave', id }));
      admissions.delete(id);
      return;
    }
    case 'more':
      streams.get(message.id)?.more();
      return;
    case 'cancel':
      streams.get(message.id)?.cancel();
      return;
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

async function run(message: Extract<ToWorker, { type: 'run' }>): Promise<void> {
  const { id, call } = message;
  try {
    const handler = await loadHandler(message.handler);
    const outcome = await app.runHere(handler, call, () => send({ type: 'read', id }));
    const { status, headers, contentType, body } = outcome;
    const isStream = body !== null && typeof body !== 'string';
    send({ type: 'outcome', id, status, headers, contentType, body: isStream ? null : body, isStream });
    if (isStream) await stream(id, body);
    await outcome.continuation?.();
  } catch (error) {
    tellFailure(id, error);
  }
  send({ type: 'done', id });
}

/** An answer or error that cannot be sent fails alone, and the thread goes on. */
function tellFailure(id: number, error: unknown): void {
  try {
    send({ type: 'failed', id, error: failure(error) });
  } catch (cause) {
    send({ type: 'failed', id, error: failure(new Error('The failure could not be sent.', { cause })) });
  }
}

/** Sends one piece per request for more; stops when the reader has gone. */
async function stream(id: number, pieces: AsyncIterable<string>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let wanted = 0;
  let isCancelled = false;
  let wake: (() => void) | undefined;
  streams.set(id, {
    more: () => {
      wanted += 1;
      wake?.();
    },
    cancel: () => {
      isCancelled = true;
      wake?.();
    },
  });
  try {
    for (;;) {
      while (wanted === 0 && !isCancelled) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isCancelled) break;
      wanted -= 1;
      const next = await iterator.next();
      if (next.done === true) break;
      send({ type: 'piece', id, piece: next.value });
    }
    await iterator.return?.();
    send({ type: 'end', id, error: null });
  } catch (error) {
    send({ type: 'end', id, error: failure(error) });
  } finally {
    streams.delete(id);
  }
}

function failure(error: unknown): WorkerFailure {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, stack: undefined, extra: error.extra };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, stack, extra: {} };
}
