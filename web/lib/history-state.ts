import { useNavigate, useRouterState } from '@tanstack/react-router';
import type { z } from 'zod';

/** Where it is in the state of an entry, beside what the router keeps there. */
const PLACE = 'homeledger';

type Kept = Readonly<Record<string, unknown>>;

/**
 * A value that belongs to this entry of the browser's history: Back finds it again, and a new visit begins without it.
 * `push` makes a new entry, so that Back also leads to the value before.
 */
export function useHistoryState<T>(
  name: string,
  schema: z.ZodType<T>,
  initial: T,
): [T, (next: T, how: 'push' | 'replace') => void] {
  const kept = useRouterState({ select: ({ location }) => keptIn(location.state)[name] });
  const navigate = useNavigate();
  const parsed = schema.safeParse(kept);
  const change = (next: T, how: 'push' | 'replace'): void => {
    const state = (earlier: object): object => ({ ...earlier, [PLACE]: { ...keptIn(earlier), [name]: next } });
    const isReplaced = how === 'replace';
    void navigate({
      to: '.',
      search: true,
      state,
      replace: isReplaced,
      resetScroll: !isReplaced,
    } as unknown as Parameters<typeof navigate>[0]);
  };
  return [parsed.success ? parsed.data : initial, change];
}

function keptIn(state: object): Kept {
  return ((state as Kept)[PLACE] ?? {}) as Kept;
}
