import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import type { WriteGate } from '../write-gate.ts';
import type { OpenedFiles } from './sqlite-files.ts';

/** The write-ahead log of an embedded database. */
export interface SqliteLog {
  /** Copies finished writes into the database file, in a thread of its own, unless nothing was finished since. */
  checkpoint(opened: OpenedFiles): void;
  /** Waits for a copy that is in progress. */
  settled(): Promise<void>;
}

const THREAD = new URL('./checkpoint-thread.js', import.meta.url);

/** `onError` is called when a copy fails; the next look tries again. */
export function createSqliteLog(path: string, gate: WriteGate, onError: (error: Error) => void): SqliteLog {
  let copying: Promise<void> | undefined;
  let copiedAt: number | undefined;
  let turnOfCopy: object | undefined;

  function copy(writtenAt: number, opened: OpenedFiles): Promise<void> {
    return new Promise((resolve) => {
      const worker = new Worker(THREAD, { workerData: { path, opened }, execArgv: [] });
      worker.on('message', (isWhole: boolean) => {
        if (isWhole) copiedAt = writtenAt;
      });
      worker.on('error', onError);
      worker.on('exit', () => {
        copying = undefined;
        resolve();
      });
    });
  }

  return {
    checkpoint(opened) {
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
      if (!log || log.size === 0 || copying || log.mtimeMs === copiedAt) return;
      // A long write fills the log, but until it ends there is nothing more to copy.
      if (gate.turn !== undefined && gate.turn === turnOfCopy) return;
      turnOfCopy = gate.turn;
      copying = copy(log.mtimeMs, opened);
    },
    settled: async () => copying,
  };
}
