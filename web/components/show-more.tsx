import { z } from 'zod';

import { LIMITS } from '../../src/kernel/limits.ts';
import { useHistoryState } from '../lib/history-state.ts';
import { inDigits } from '../lib/numbers.ts';
import { Button } from './button.tsx';

const AT_ONCE = 50;
const MOST = LIMITS.pageMax;
const Limit = z.int().min(1).max(MOST);

interface Shown {
  /** How many rows are asked for. */
  limit: number;
  more: () => void;
}

/** For lists without pages: how many of the newest rows are shown. Back from one of them finds as many again. */
export function useShown(name: string, atOnce = AT_ONCE): Shown {
  const [limit, setLimit] = useHistoryState(`limit ${name}`, Limit, atOnce);
  return { limit, more: () => setLimit(Math.min(MOST, limit + atOnce), 'replace') };
}

interface ShowMoreProps {
  shown: Shown;
  /** How many there are, as far as they were asked for. */
  count: number;
  busy: boolean;
  /** What to do about older ones than can be shown. */
  beyond: string;
}

/** Below such a list: the button for more of it, or what lies beyond. */
export function ShowMore({ shown: { limit, more }, count, busy, beyond }: ShowMoreProps) {
  if (count < limit) return null;
  if (limit === MOST) {
    return (
      <p className="mt-4 text-muted">
        These are the newest {inDigits(MOST)}. {beyond}
      </p>
    );
  }
  return (
    <div className="mt-4 text-center">
      <Button busy={busy} onClick={more}>
        Show more
      </Button>
    </div>
  );
}
