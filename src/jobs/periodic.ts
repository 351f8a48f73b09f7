import type { Database } from '../db/unit-of-work.ts';
import type { Background } from './background.ts';

/** What is maintained besides the database. */
interface Maintained {
  endInterrupted: () => Promise<void>;
  purge: () => Promise<void>;
  lookAtDashboard: () => void;
}

/** Reading the whole database, and the sources of the dashboard, would delay what is asked right after a start. */
const AFTER_FIRST_ANSWERS_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
const CHECKPOINT_EVERY_MS = 5_000;
const INTERRUPTED_EVERY_MS = 60_000;
const PURGE_EVERY_MS = 86_400_000;

/** What is maintained regularly, or once after the start, while the listener is open. */
export function createPeriodic(
  database: Database,
  background: Background,
  { endInterrupted, purge, lookAtDashboard }: Maintained,
): { start: () => void; stop: () => void } {
  const timers: NodeJS.Timeout[] = [];
  function every(ms: number, look: () => void): void {
    timers.push(setInterval(look, ms).unref());
  }
  function checkOnce(): void {
    background.add(database.check());
    lookAtDashboard();
  }
  return {
    start() {
      timers.push(setTimeout(checkOnce, AFTER_FIRST_ANSWERS_MS).unref());
      every(LOOK_EVERY_MS, () => database.look());
      every(CHECKPOINT_EVERY_MS, () => database.checkpoint());
      every(INTERRUPTED_EVERY_MS, () => background.add(endInterrupted()));
      background.add(purge());
      every(PURGE_EVERY_MS, () => background.add(purge()));
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
