import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

import type { WorkerSetup } from '../../../src/jobs/worker-protocol.ts';

/** A thread of the service that ends, as one without memory does, once its data directory holds END_THREADS. */
export const END_THREADS = 'end-threads';
const LOOK_MS = 10;

if (workerData !== null) {
  const sign = join((workerData as WorkerSetup).config.dataDir, END_THREADS);
  setInterval(() => {
    if (existsSync(sign)) process.exit(1);
  }, LOOK_MS).unref();
  await import('../../../src/worker.ts');
}
