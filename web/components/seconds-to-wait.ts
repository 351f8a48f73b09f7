import { useEffect, useState } from 'react';

import { ApiError } from '../api/client.ts';
import { nowMs } from '../lib/clock.ts';

const TICK_MS = 1_000;

/** Seconds until the server takes another try, as its `Retry-After` said; 0 when it does. */
export function useSecondsToWait(error: unknown): number {
  const [seen, setSeen] = useState({ error, left: secondsOf(error) });
  useEffect(() => {
    const end = nowMs() + TICK_MS * secondsOf(error);
    const look = (): void => {
      const left = Math.max(0, Math.ceil((end - nowMs()) / TICK_MS));
      setSeen((before) => (before.error === error && before.left === left ? before : { error, left }));
    };
    look();
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [error]);
  // A new error counts before anybody has looked at the clock: its form must not take another try in between.
  return seen.error === error ? seen.left : secondsOf(error);
}

function secondsOf(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
}
