import { useQuery } from '@tanstack/react-query';

import { getOverview } from '../../src/features/overview/overview.contract.ts';
import { queryOptions } from './queries.ts';
import { useSession } from './session.ts';

/** The time zone of the household, whose days are shown wherever the browser is; undefined while it is not known. */
export function useTimezone(): string | undefined {
  const isSignedIn = useSession().data?.authenticated === true;
  const { data } = useQuery({
    ...queryOptions(getOverview, {}),
    select: ({ timezone }) => timezone,
    // Asked for once: it hardly ever changes, and the navigation asks for the overview anyway.
    staleTime: Infinity,
    enabled: isSignedIn,
  });
  return data;
}
