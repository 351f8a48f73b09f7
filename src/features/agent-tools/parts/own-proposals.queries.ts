import { sql } from 'kysely';

import { instantNow } from '../../../kernel/clock.ts';
import type { ReadContext } from '../../handler.ts';
import { isHeldOrRefused } from '../../proposals/index.ts';
import type { Search } from '../../transactions/index.ts';

/** The transactions that the caller has proposed to change, or all others (contract 70.3). */
export function ownProposals({ principal, agent, instance }: ReadContext, isIn: boolean): Search['among'] {
  // A run acts as its workflow, and knows what other runs of it have proposed.
  const isRun = agent !== undefined && agent.record.run_id !== null;
  const workflowId = isRun ? (principal?.actor.id ?? null) : null;
  const proposer = { principalId: principal?.id ?? '', workflowId };
  const ids = sql<{ id: string }>`
    select distinct c.transaction_id as id from proposals p join proposal_changes c on c.proposal_id = p.id
    where ${isHeldOrRefused(proposer, instantNow(instance.clock))} and c.transaction_id is not null`;
  return { name: 'proposed', ids, isIn };
}
