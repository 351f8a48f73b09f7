import { useEffect, useState } from 'react';

import { useTimezone } from '../api/timezone.ts';
import { nowMs } from '../lib/clock.ts';
import { agoInWords, instantInWords } from '../lib/instants.ts';

const REFRESH_MS = 30_000;

interface InstantProps {
  at: string | null;
  never?: string;
  /** It is to come. Anything else is past, also where the clock of this browser is behind that of the server. */
  isPlanned?: boolean;
}

/** How long ago, or until, with the exact instant as its title. */
export function Instant({ at, never = 'never', isPlanned = false }: InstantProps) {
  const timezone = useTimezone();
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <time dateTime={at} title={instantInWords(at, timezone)}>
      {agoInWords(at, isPlanned ? now : Math.max(now, Date.parse(at)), timezone)}
    </time>
  );
}
