import { setTimeout } from 'node:timers/promises';

const POLL_EVERY_MS = 10;
/** Longer than anything takes, however busy the machine. */
const GIVE_UP_MS = 30_000;

/** Polls until the check no longer throws, for what the service does after its response. Throws its last error at the end. */
export async function eventually<T>(check: () => T | Promise<T>, giveUpMs: number = GIVE_UP_MS): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() - start > giveUpMs) throw error;
      await setTimeout(POLL_EVERY_MS);
    }
  }
}
