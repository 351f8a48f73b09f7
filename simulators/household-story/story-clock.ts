import type { Clock } from '../../src/kernel/clock.ts';

/** The time of a story: it stands where it was set, but for a moment that passes whenever somebody looks at it. */
export interface StoryClock extends Clock {
  standAt(ms: number): void;
  advance(seconds: number): void;
}

const MOMENT_MS = 6;

export function createStoryClock(startMs: number): StoryClock {
  let ms = startMs;
  return {
    now: () => (ms += MOMENT_MS),
    standAt(at) {
      ms = at;
    },
    advance(seconds) {
      ms += seconds * 1_000;
    },
  };
}
