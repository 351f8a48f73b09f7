import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PlanRequest } from '../agent-tools/index.ts';

/** Codes of a call that names what does not exist. */
const UNKNOWN: ReadonlySet<ErrorCode> = new Set(['INVALID_PARAMETER', 'NOT_FOUND', 'BATCH_ABORTED']);

/**
 * The refusal of a call, with the proposal of the same principal that would create what the call names: only with its
 * `proposal_id` does that exist. `sent` is the body of the call.
 */
export async function namingProposal(
  tx: BareWriteTx,
  { principalId, proposalId, runId }: PlanRequest,
  sent: unknown,
  error: unknown,
): Promise<unknown> {
  if (proposalId !== null || runId !== null || !(error instanceof AppError) || !UNKNOWN.has(error.code)) return error;
  const named = new Set(textsIn(sent));
  const { rows } = await sql<{ proposal: string; id: string; short_id: string | null; after: string }>`
    select p.short_id as proposal, c.entity_id as id, c.entity_short_id as short_id, c.after
    from proposals p join proposal_changes c on c.proposal_id = p.id
    where p.principal_id = ${principalId} and p.run_id is null and p.status = 'proposed' and p.expires_at > ${tx.now}
      and c.operation = 'create' and c.transaction_id is null
    order by p.created_at desc, p.id desc, c.sequence limit ${sql.lit(LIMITS.proposalChanges)}`.execute(tx.q);
  const held = rows.find(({ id, short_id: shortId, after }) => {
    const { slug } = JSON.parse(after) as { slug?: string };
    return [id, shortId, slug].some((name) => typeof name === 'string' && named.has(name));
  });
  if (!held) return error;
  const next = `Your proposal ${held.proposal} would create what this call names: send proposal_id "${held.proposal}" as well.`;
  return new AppError(error.code, `${error.message} ${next}`, error.extra);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
