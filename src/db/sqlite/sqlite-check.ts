import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import { LIMITS } from '../../kernel/limits.ts';

/** Reads a whole database to find damage, in a thread of its own. */
export interface SqliteCheck {
  run(): Promise<void>;
  /** Ends the check after the current table. */
  stop(): void;
  /** Resolves when the check has ended; at once if none was started. */
  settled(): Promise<void>;
}

const THREAD = new URL('./check-thread.js', import.meta.url);

/** Calls `onFinding` with the first damage found. If the thread itself fails, nothing is reported. */
export function createSqliteCheck(path: string, onFinding: (finding: Error) => void): SqliteCheck {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  let running = Promise.resolve();

  function start(): Promise<void> {
    return new Promise((resolve) => {
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const isFull = size <= LIMITS.fullCheckBytes;
      const worker = new Worker(THREAD, { workerData: { path, isFull, stopped }, execArgv: [] });
      worker.on('message', (finding: string) => onFinding(new Error(finding)));
      worker.on('error', () => undefined);
      worker.on('exit', () => resolve());
    });
  }

  return {
    run() {
      running = start();
      return running;
    },
    stop() {
      Atomics.store(stopped, 0, 1);
    },
    settled: () => running,
  };
}
