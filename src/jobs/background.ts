import type { Logger } from '../kernel/logger.ts';

export interface Background {
  add: (work: Promise<void>) => void;
  settled: () => Promise<void>;
}

/** Work that nobody waits for until the service closes. */
export function createBackground(logger: Logger): Background {
  const running = new Set<Promise<void>>();
  return {
    add(work) {
      const going = work
        .catch((error: unknown) => logger.error({ err: error }, 'Background work failed.'))
        .finally(() => running.delete(going));
      running.add(going);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
