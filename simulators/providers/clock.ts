import { systemClock, type Clock } from '../../src/kernel/clock.ts';

/** The clock of a simulator: it runs with the real one until it is set to an instant, and then stands still. */
export interface SimulatedClock extends Clock {
  standAt(ms: number): void;
  advance(seconds: number): void;
  /** Back to real time. */
  run(): void;
  /** As JSON shows it. */
  instant(): string;
  /** The present day in UTC, which is that of the providers. */
  today(): string;
}

export function createSimulatedClock(): SimulatedClock {
  let standing: number | null = null;
  let ahead = 0;
  const now = (): number => standing ?? systemClock.now() + ahead;
  return {
    now,
    standAt(ms) {
      standing = ms;
    },
    advance(seconds) {
      if (standing === null) ahead += seconds * 1000;
      else standing += seconds * 1000;
    },
    run() {
      standing = null;
      ahead = 0;
    },
    instant: () => new Date(now()).toISOString(),
    today: () => new Date(now()).toISOString().slice(0, 10),
  };
}
