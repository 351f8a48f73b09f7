import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

import type { FromWorker, ToWorker, WorkerSetup } from '../../../src/jobs/worker-protocol.ts';

/**
 * A thread that fails on demand: the name of the handler says how. While the data directory holds NO_THREADS, none starts;
 * while it holds LATE_THREADS, new ones are still starting.
 */
export const NO_THREADS = 'no-threads';
export const LATE_THREADS = 'late-threads';

if (parentPort) serve(parentPort);

function serve(port: NonNullable<typeof parentPort>): void {
  const { dataDir } = (workerData as WorkerSetup).config;
  if (existsSync(join(dataDir, NO_THREADS))) process.exit(1);
  while (existsSync(join(dataDir, LATE_THREADS))) continue;
  const send = (message: FromWorker): void => port.postMessage(message);
  port.on('message', (message: ToWorker) => {
    if (message.type === 'ask') send({ type: 'here' });
    if (message.type === 'close') port.close();
    if (message.type !== 'run') return;
    const { id, handler } = message;
    if (handler.name === 'die') process.exit(1);
    while (handler.name === 'hang') continue;
    const head = { type: 'outcome', id, status: 200, headers: {}, contentType: 'text/plain' } as const;
    if (handler.name === 'dieStreaming' || handler.name === 'stream') {
      const end = (): void => send({ type: 'done', id, heapBytes: 0 });
      const body = handler.name === 'stream' ? endlessPieces(end) : onePieceThenDeath();
      port.postMessage({ ...head, body, isOver: false, heapBytes: 0 } satisfies FromWorker, [body]);
      return;
    }
    send({ ...head, body: 'done', isOver: true, heapBytes: handler.name === 'fill' ? 1_073_741_824 : 0 });
  });
  send({ type: 'ready' });
}

function onePieceThenDeath(): ReadableStream<string> {
  let isDue = false;
  return new ReadableStream<string>(
    {
      pull(controller) {
        if (isDue) process.exit(1);
        isDue = true;
        controller.enqueue('piece');
      },
    },
    { highWaterMark: 0 },
  );
}

function endlessPieces(onCancel: () => void): ReadableStream<string> {
  return new ReadableStream<string>(
    {
      pull: (controller) => controller.enqueue('piece'),
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}
