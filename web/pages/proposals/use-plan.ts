import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getProposal } from '../../../src/features/proposals/proposals.contract.ts';
import { api } from '../../api/client.ts';
import { keyOf } from '../../api/queries.ts';
import type { Change } from './proposal-words.tsx';

type Page = OutputOf<typeof getProposal>;
export type Plan = Omit<Page, 'next_cursor' | 'has_more' | 'limit'>;

const PER_PAGE = '500';

/** A proposal with all its changes: at most ten pages. One that grew between two pages is read again from the start. */
export function usePlan(id: string): UseQueryResult<Plan> {
  return useQuery({
    queryKey: [...keyOf(getProposal), id, 'whole'],
    queryFn: async ({ signal }) => {
      for (;;) {
        const plan = await readPlan(id, signal);
        if (plan !== null) return plan;
      }
    },
  });
}

async function readPlan(id: string, signal: AbortSignal): Promise<Plan | null> {
  const changes: Change[] = [];
  let first: Page | undefined;
  for (let cursor = ''; ;) {
    const query = { limit: PER_PAGE, ...(cursor === '' ? {} : { cursor }) };
    const page = await api.call(getProposal, { params: { id }, query }, { signal });
    first ??= page;
    if (page.fingerprint !== first.fingerprint) return null;
    changes.push(...page.changes);
    if (!page.has_more) return { ...first, changes };
    cursor = page.next_cursor;
  }
}
