import { useEffect, useState } from 'react';

import { ApiError } from '../api/client.ts';
import { nowMs } from '../lib/clock.ts';

const TICK_MS = 1_000;

/** Seconds until the server takes another try, as its `Retry-After` said; 0 when it does. */
export function useSecondsToWait(error: unknown): number {
  const [left, setLeft] = useState(() => secondsOf(error));
  useEffect(() => {
    const end = nowMs() + TICK_MS * secondsOf(error);
    const look = (): void => setLeft(Math.max(0, Math.ceil((end - nowMs()) / TICK_MS)));
    look();
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

function secondsOf(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
}
