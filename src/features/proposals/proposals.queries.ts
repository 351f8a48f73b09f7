import { sql, type RawBuilder } from 'kysely';

import type { ProposalChangesTable, ProposalsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import type { Position } from '../../kernel/cursor.ts';

export type ProposalRow = Omit<ProposalsTable, 'applied_count' | 'skipped_count'> & {
  applied_count: number;
  skipped_count: number;
};
export type ChangeRow = ProposalChangesTable;

/** Filters of the list; each is left out if undefined. */
export interface ProposalFilter {
  /** undefined for any. */
  statuses: readonly string[] | undefined;
  /** Slug, UUID or short_id; of one that was deleted, its UUID, or the slug that a run of it keeps. */
  workflow: string | undefined;
  /** UUID or short_id. */
  runId: string | undefined;
  source: string | undefined;
}

export async function findProposal(tx: ReadTx, anyId: string): Promise<ProposalRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
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
  const { statuses, workflow, runId, source } = filter;
  if (statuses) {
    const stored = statuses.filter((status) => status !== 'proposed');
    const parts = stored.length === 0 ? [] : [tx.portable.inList(sql.ref('status'), stored)];
    if (statuses.includes('proposed')) parts.push(sql`(status = 'proposed' and expires_at > ${now})`);
    if (statuses.includes('expired')) parts.push(sql`(status = 'proposed' and expires_at <= ${now})`);
    yield sql`(${sql.join(parts, sql` or `)})`;
  }
  if (workflow !== undefined) {
    yield sql`workflow_id in (select id from workflows where slug = ${workflow} or short_id = ${workflow}
      union select r.workflow_id from workflow_runs r where r.workflow_slug = ${workflow}
        and not exists (select 1 from workflows w where w.id = r.workflow_id)
      union select ${workflow})`;
  }
  if (runId !== undefined) {
    yield sql`run_id in (select id from workflow_runs where short_id = ${runId} union select ${runId})`;
  }
  if (source !== undefined) yield sql`source = ${source}`;
}

/** Whether a workflow has this slug, UUID or short_id, or had it when it ran or proposed something. */
export async function isWorkflowKnown(tx: ReadTx, named: string): Promise<boolean> {
  const { rows } = await sql`select 1 from workflows where ${named} in (id, slug, short_id)
    union all select 1 from workflow_runs where ${named} in (workflow_id, workflow_slug)
    union all select 1 from proposals where workflow_id = ${named} limit 1`.execute(tx.q);
  return rows.length > 0;
}

/** Whether there is a run with this UUID or short_id, or a proposal of one that has been deleted. */
export async function isRunKnown(tx: ReadTx, anyId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from workflow_runs where ${anyId} in (id, short_id)
    union all select 1 from proposals where run_id = ${anyId} limit 1`.execute(tx.q);
  return rows.length > 0;
}

/** All changes of a proposal, by sequence. */
export async function selectPlannedChanges(tx: ReadTx, proposalId: string): Promise<ChangeRow[]> {
  return tx.q
    .selectFrom('proposal_changes')
    .selectAll()
    .where('proposal_id', '=', proposalId)
    .orderBy('sequence')
    .execute();
}

export async function updateProposal(tx: BareWriteTx, id: string, patch: Partial<ProposalRow>): Promise<void> {
  await tx.q.updateTable('proposals').set(patch).where('id', '=', id).execute();
}

/** How many proposals of the same workflow or principal are open. */
export async function countOpen(
  tx: BareWriteTx,
  { workflow_id: workflowId, principal_id: id }: ProposalRow,
): Promise<number> {
  const own =
    workflowId === null ? sql`workflow_id is null and principal_id = ${id}` : sql`workflow_id = ${workflowId}`;
  const { rows } = await sql<{ n: number }>`select count(*) as n from proposals
    where ${own} and (status = 'draft' or (status = 'proposed' and expires_at > ${tx.now}))`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

export async function insertProposal(tx: BareWriteTx, row: ProposalRow): Promise<void> {
  await tx.q.insertInto('proposals').values(row).execute();
}

/** With its changes. */
export async function deleteProposal(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('proposals').where('id', '=', id).execute();
}

const COLUMNS = [
  'proposal_id',
  'sequence',
  'call',
  'entity_type',
  'entity_id',
  'entity_short_id',
  'operation',
  'before',
  'after',
  'internal',
  'transaction_id',
  'source',
  'rule_id',
  'applied_by',
  'label',
  'amount_cents',
  'iso_currency_code',
  'date',
  'name',
  'account_id',
  'was_pending',
  'outcome',
] as const satisfies readonly (keyof ChangeRow)[];

/** Stores changes in place of those with the same sequences, and removes others. */
export async function replaceChanges(
  tx: BareWriteTx,
  proposalId: string,
  rows: readonly ChangeRow[],
  removed: readonly number[],
): Promise<void> {
  const gone = [...removed, ...rows.map(({ sequence }) => sequence)];
  await sql`delete from proposal_changes where proposal_id = ${proposalId}
    and ${tx.portable.inList(sql.ref('sequence'), gone)}`.execute(tx.q);
  await tx.insertMany(
    'proposal_changes',
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );
}

/** What became of changes when their proposal was decided. */
export async function setOutcome(
  tx: BareWriteTx,
  proposalId: string,
  outcome: 'applied' | 'existing' | 'skipped' | 'excluded',
  sequences: readonly number[],
): Promise<void> {
  if (sequences.length === 0) return;
  await sql`update proposal_changes set outcome = ${outcome} where proposal_id = ${proposalId}
    and ${tx.portable.inList(sql.ref('sequence'), sequences)}`.execute(tx.q);
}
