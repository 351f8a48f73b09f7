import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../handler.ts';
import type { ProposalRow } from './proposals.queries.ts';

type Status = 'draft' | 'proposed' | 'applied' | 'rejected' | 'expired';

/** An open proposal counts as expired from its expiry on, even if that is not stored yet. */
export function statusAt({ status, expires_at: expiresAt }: ProposalRow, now: string): Status {
  const isOver = status === 'proposed' && expiresAt !== null && expiresAt <= now;
  return isOver ? 'expired' : (status as Status);
}

const NOT_OPEN = {
  draft: 'The proposal is still being made. Wait until its run ends.',
  applied: 'The proposal has already been approved.',
  rejected: 'The proposal has already been rejected.',
  expired: 'The proposal has expired because nobody decided in time.',
} as const;

const ENDED_EMPTY = 'The proposal ended empty: later calls took back everything that it would have changed.';

/** `next` says what else to do. @throws PROPOSAL_NOT_OPEN */
export function refuseUnlessOpen(row: ProposalRow, now: string, next = ''): void {
  const status = statusAt(row, now);
  if (status === 'proposed') return;
  const why = status === 'expired' && row.change_count === 0 ? ENDED_EMPTY : NOT_OPEN[status];
  throw new AppError('PROPOSAL_NOT_OPEN', `${why} ${next}`.trim());
}

/** Nobody decides on what they proposed themselves. Agents decide on nothing, so this is about a person's key. @throws FORBIDDEN */
export function refuseProposer({ principal_id: proposer }: ProposalRow, principal: Principal | null): void {
  if (principal?.id !== proposer) return;
  throw new AppError('FORBIDDEN', 'This key made the proposal. Someone else must decide on it.');
}
