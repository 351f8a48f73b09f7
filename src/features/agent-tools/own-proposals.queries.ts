import { sql } from 'kysely';

import { instantNow } from '../../kernel/clock.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ReadContext } from '../handler.ts';
import type { Search } from '../transactions/index.ts';

/**
 * The transactions that the caller has proposed to change, or all others: in a proposal that is still open, or that
 * people lately rejected, or excluded from what they approved (contract 70.3).
 */
export function ownProposals({ principal, instance }: ReadContext, isIn: boolean): Search['among'] {
  const since = instantAfter(instantNow(instance.clock), -LIMITS.refusedChangesMs);
  const isOpen = sql`p.status in ('draft', 'proposed')`;
  const isRefused = sql`(p.status = 'rejected' or c.outcome = 'excluded') and p.decided_at >= ${since}`;
  const ids = sql<{ id: string }>`
    select c.transaction_id as id from proposals p join proposal_changes c on c.proposal_id = p.id
    where p.principal_id = ${principal?.id ?? ''} and c.transaction_id is not null and (${isOpen} or ${isRefused})`;
  return { name: 'proposed', ids, isIn };
}
