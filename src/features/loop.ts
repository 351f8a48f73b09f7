import { isUnavailable } from '../db/unavailable.ts';
import type { Instance } from './handler.ts';

/**
 * How a process finds work that nobody waits for: it looks regularly, and at once when something wakes it. Syncs, runs of
 * workflows and notifications have one each. What they do with the work they find has little in common.
 */
export interface Loop {
  /** Begins to beat. */
  start: () => void;
  /** Makes it look at once. Does nothing where no loop runs. */
  wake: () => void;
  /** Looks, one look at a time. Whoever asks during one shares the next, because this one may have passed their work. */
  look: () => Promise<void>;
  isStopped: () => boolean;
  /** Logs what went wrong. The loop goes on. */
  report: (error: unknown) => void;
  /** Looks and beats no more. Resolves when the look in progress has ended. */
  stop: () => Promise<void>;
}

interface LoopParts {
  logger: Instance['logger'];
  look: () => Promise<void>;
  /** What is done regularly; only a look unless given. */
  beat?: () => Promise<void>;
  beatMs: number;
  /** What is logged when a look or a beat fails. */
  failure: string;
}

export function createLoop({ logger, look, beat, beatMs, failure }: LoopParts): Loop {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const lookOnce = oneAtATime(async () => {
    if (!isStopped) await look();
  });
  // While the database is unavailable, its own watch reports it.
  const report = (error: unknown): void => logger[isUnavailable(error) ? 'debug' : 'error']({ err: error }, failure);
  const inBackground = (work: Promise<void>): void => void work.catch(report);
  const beatNow = (): void => inBackground((beat ?? lookOnce)());

  return {
    start() {
      timer ??= setInterval(beatNow, beatMs).unref();
      beatNow();
    },
    wake() {
      if (timer !== undefined && !isStopped) inBackground(lookOnce());
    },
    look: lookOnce,
    isStopped: () => isStopped,
    report,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      // Comes after the look in progress, and does nothing.
      await lookOnce();
    },
  };
}

/** Calls run one after the other; those that come while one runs share the next one. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  function run(): Promise<void> {
    current = work().finally(() => {
      current = undefined;
    });
    return current;
  }
  return () => {
    if (!current) return run();
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
