import { useEffect, useState } from 'react';

import { nowMs } from '../lib/clock.ts';

const REFRESH_MS = 30_000;
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const DAYS_RELATIVE = 30;

/** How long ago, or until, with the exact instant as its title. */
export function Instant({ at, never = 'never' }: { at: string | null; never?: string }) {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {describe(Date.parse(at) - now, at)}
    </time>
  );
}

function describe(differenceMs: number, at: string): string {
  const size = Math.abs(differenceMs);
  if (size > DAYS_RELATIVE * 86_400_000) return day.format(new Date(at));
  const [unit, unitMs] = UNITS.find(([, ms]) => size >= ms) ?? (['second', 1_000] as const);
  if (unit === 'second') return differenceMs > 0 ? 'in a moment' : 'just now';
  return relative.format(Math.trunc(differenceMs / unitMs), unit);
}
