/** The only source of the present time. Tests inject a clock they move by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

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

/** The clock's present instant as ISO 8601 UTC text with milliseconds, which sorts as text. */
export function instantNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** A stopwatch for durations in logs and progress: unaffected by changes of the wall clock. */
export function elapsedSince(start: number): number {
  return performance.now() - start;
}
export function startTimer(): number {
  return performance.now();
}
