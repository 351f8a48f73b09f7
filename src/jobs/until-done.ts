import { setTimeout } from 'node:timers/promises';

import { isUnavailable } from '../db/unavailable.ts';
import type { Logger } from '../kernel/logger.ts';

const AGAIN_MS = 1_000;

/** Waits so long, or until the signal. Never throws, and keeps no process alive. */
export async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  const options = { ref: false, ...(signal === undefined ? {} : { signal }) };
  await setTimeout(ms, undefined, options).catch(() => undefined);
}

/** For work that must not be lost while the database is away: above all, recording that something failed. */
interface UntilDone {
  /** Runs it now, or in the background as soon as the database is back. Never throws. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Gives up on the rest: others see that this process is gone, and end its work themselves. */
  stop(): Promise<void>;
}

export function createUntilDone(logger: Logger): UntilDone {
  const end = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function isDone(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
    } catch (error) {
      if (isUnavailable(error)) return false;
      logger.error({ err: error }, 'A task that must not be lost failed.');
    }
    return true;
  }

  async function goOn(work: () => Promise<unknown>): Promise<void> {
    while (!end.signal.aborted) {
      await pauseFor(AGAIN_MS, end.signal);
      if (end.signal.aborted || (await isDone(work))) return;
    }
  }

  /** `stop` waits for it. */
  function track<T>(going: Promise<T>): Promise<T> {
    running.add(going);
    return going.finally(() => running.delete(going));
  }

  return {
    async run(work) {
      if (!(await track(isDone(work)))) void track(goOn(work));
    },
    async stop() {
      end.abort();
      await Promise.all(running);
    },
  };
}
