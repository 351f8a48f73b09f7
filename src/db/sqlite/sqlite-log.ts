import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import type { WriteGate } from '../write-gate.ts';
import type { OpenedFiles } from './sqlite-files.ts';

/** The write-ahead log of an embedded database. */
export interface SqliteLog {
  /** Copies finished writes into the database file, in a thread of its own, unless nothing was finished since. */
  checkpoint(opened: OpenedFiles): void;
  /** Does so at once if the log has grown large. */
  afterCommit(opened: OpenedFiles): void;
  /** Waits, at a writer's turn, until a log that has grown too large is copied: only a whole copy lets it begin anew. */
  beforeWrite(opened: OpenedFiles): Promise<void>;
  /** Waits for a copy that is in progress. */
  settled(): Promise<void>;
}

/** From here on a commit starts a copy. */
const LARGE_BYTES = 32 * 1_048_576;
/** From here on a write waits for a whole copy, so that writes without a pause cannot make the log grow for ever. */
const TOO_LARGE_BYTES = 64 * 1_048_576;

const THREAD = new URL('./checkpoint-thread.js', import.meta.url);

/** `onError` is called when a copy fails; the next look tries again. */
export function createSqliteLog(path: string, gate: WriteGate, onError: (error: Error) => void): SqliteLog {
  let copying: Promise<void> | undefined;
  let copiedAt: number | undefined;
  let turnOfCopy: object | undefined;
  /** A reader can keep every copy from being whole: a write waits once, and again after a whole copy or a regular look. */
  let mayWait = true;

  const look = () => statSync(`${path}-wal`, { throwIfNoEntry: false });

  function copy(opened: OpenedFiles): Promise<void> {
    const writtenAt = look()?.mtimeMs;
    return new Promise((resolve) => {
      const worker = new Worker(THREAD, { workerData: { path, opened }, execArgv: [] });
      worker.on('message', (isWhole: boolean) => {
        if (!isWhole) return;
        copiedAt = writtenAt;
        mayWait = true;
      });
      worker.on('error', onError);
      worker.on('exit', () => {
        copying = undefined;
        resolve();
      });
    });
  }

  function start(opened: OpenedFiles): void {
    const log = look();
    if (!log || log.size === 0 || copying || log.mtimeMs === copiedAt) return;
    // A long write fills the log, but until it ends there is nothing more to copy.
    if (gate.turn !== undefined && gate.turn === turnOfCopy) return;
    turnOfCopy = gate.turn;
    copying = copy(opened);
  }

  return {
    checkpoint(opened) {
      mayWait = true;
      start(opened);
    },
    afterCommit(opened) {
      if ((look()?.size ?? 0) >= LARGE_BYTES) start(opened);
    },
    async beforeWrite(opened) {
      const log = look();
      if (!mayWait || !log || log.size < TOO_LARGE_BYTES || log.mtimeMs === copiedAt) return;
      mayWait = false;
      await copying;
      if (log.mtimeMs !== copiedAt) await (copying = copy(opened));
    },
    settled: async () => copying,
  };
}
