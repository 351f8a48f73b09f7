import { sql, type RawBuilder } from 'kysely';

import type { ProposalChangesTable, ProposalsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import type { Position } from '../../kernel/cursor.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

export type ProposalRow = Omit<ProposalsTable, 'applied_count' | 'skipped_count'> & {
  applied_count: number;
  skipped_count: number;
};
export type ChangeRow = ProposalChangesTable;

/** Filters of the list; each is left out if undefined. */
export interface ProposalFilter {
  /** undefined for any. */
  statuses: readonly string[] | undefined;
  workflowId: string | undefined;
  runId: string | undefined;
  source: string | undefined;
}

export async function findProposal(tx: ReadTx, anyId: string): Promise<ProposalRow | undefined> {
  if (!isUuid(anyId) && !isShortId(anyId)) return undefined;
  const column = isUuid(anyId) ? 'id' : 'short_id';
  return tx.q.selectFrom('proposals').selectAll().where(column, '=', anyId).executeTakeFirst();
}

/** Newest first. `now` decides which of those that wait have expired. */
export async function selectProposals(
  tx: ReadTx,
  filter: ProposalFilter,
  now: string,
  after: Position | null,
  limit: number,
): Promise<ProposalRow[]> {
  const conditions = [...conditionsOf(tx, filter, now)];
  if (after) conditions.push(sql`(created_at, id) < (${after.key}, ${after.id})`);
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<ProposalRow>`select * from proposals ${where}
    order by created_at desc, id desc limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

function* conditionsOf(tx: ReadTx, filter: ProposalFilter, now: string): Generator<RawBuilder<unknown>> {
  const { statuses, workflowId, runId, source } = filter;
  if (statuses) {
    const stored = statuses.filter((status) => status !== 'proposed');
    const parts = stored.length === 0 ? [] : [tx.portable.inList(sql.ref('status'), stored)];
    if (statuses.includes('proposed')) parts.push(sql`(status = 'proposed' and expires_at > ${now})`);
    if (statuses.includes('expired')) parts.push(sql`(status = 'proposed' and expires_at <= ${now})`);
    yield sql`(${sql.join(parts, sql` or `)})`;
  }
  if (workflowId !== undefined) yield sql`workflow_id = ${workflowId}`;
  if (runId !== undefined) yield sql`run_id = ${runId}`;
  if (source !== undefined) yield sql`source = ${source}`;
}

/** Changes of a proposal after a sequence, ascending; all of them without a limit. */
export async function selectPlannedChanges(
  tx: ReadTx,
  proposalId: string,
  after = 0,
  limit?: number,
): Promise<ChangeRow[]> {
  const query = tx.q
    .selectFrom('proposal_changes')
    .selectAll()
    .where('proposal_id', '=', proposalId)
    .where('sequence', '>', after)
    .orderBy('sequence');
  return (limit === undefined ? query : query.limit(limit)).execute();
}

/** How many proposals wait for a decision. */
export async function countOpenProposals(tx: ReadTx, now: string): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from proposals
    where status = 'proposed' and expires_at > ${now}`.execute(tx.q);
  return Number(rows[0]?.n ?? 0);
}

export async function updateProposal(tx: BareWriteTx, id: string, patch: Partial<ProposalRow>): Promise<void> {
  await tx.q.updateTable('proposals').set(patch).where('id', '=', id).execute();
}
