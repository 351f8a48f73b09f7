/** The only source of the present time. Tests inject a clock they move by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The clock's present instant as ISO 8601 UTC text with milliseconds, which sorts as text. */
export function instantNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Whether this much time has passed since then. A clock that was set back counts as passed, so that nothing waits for it. */
export function hasPassed(ms: number, sinceMs: number, nowMs: number): boolean {
  return nowMs < sinceMs || nowMs - sinceMs >= ms;
}

/** A stopwatch for durations in logs and progress: unaffected by changes of the wall clock. */
export function startTimer(): number {
  return performance.now();
}

/** Milliseconds since `startTimer`. */
export function elapsedSince(start: number): number {
  return performance.now() - start;
}
