import type { Clock } from '../../src/kernel/clock.ts';

/** A clock that stands still until `advance` or `set` moves it. */
export function fixedClock(startIso: string): Clock & { advance(ms: number): void; set(iso: string): void } {
  let at = Date.parse(startIso);
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
    set: (iso) => {
      at = Date.parse(iso);
    },
  };
}
