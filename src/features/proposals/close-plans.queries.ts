import { sql } from 'kysely';

import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { DAY_MS, dayIn, instantAfter, wallClock } from '../../kernel/dates.ts';
import { raise } from '../notifications/index.ts';
import { readProposalDays } from '../workflow-settings/index.ts';
import { householdZone } from '../config/index.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { findHeld, withoutNeeded } from './already-proposed.queries.ts';
import { summaryOf, toPlanned, withCounts, type StoredChange } from './planned-changes.ts';
import {
  deleteProposal,
  replaceChanges,
  selectPlannedChanges,
  updateProposal,
  type ProposalRow,
} from './proposals.queries.ts';
import type { ProposalRecord } from './proposals.table.ts';
import { isNamed } from './same-thing.ts';

/** The plan of a run in progress. */
export async function findDraft(tx: ReadTx, runId: string): Promise<ProposalRow | undefined> {
  return tx.q
    .selectFrom('proposals')
    .selectAll()
    .where('run_id', '=', runId)
    .where('status', '=', 'draft')
    .executeTakeFirst();
}

/** What the plan of a run is called: its workflow, and when it started. */
export async function titleOfRun(tx: ReadTx, runId: string): Promise<string> {
  const { workflow_name: name, started_at: startedAt } = await tx.q
    .selectFrom('workflow_runs')
    .select(['workflow_name', 'started_at'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow();
  const [zone, at] = [await householdZone(tx), Date.parse(startedAt)];
  return `${name}, ${dayIn(zone, at)} ${wallClock(zone)(at)}`;
}

/**
 * Ends the plan of a run, in the transaction in which the run ends, however it ends: a person is asked to decide about
 * it, or it is deleted if there is nothing to decide (contract 60.6).
 */
export async function closePlan(tx: BareWriteTx, runId: string): Promise<void> {
  const draft = await findDraft(tx, runId);
  if (draft) await close(tx, draft);
}

/** Ends plans whose run has ended without them. */
export async function closeOrphanedPlans(tx: BareWriteTx): Promise<void> {
  const { rows } = await sql<ProposalRow>`select * from proposals p where p.status = 'draft' and not exists
    (select 1 from workflow_runs r where r.id = p.run_id and r.status = 'in_progress')`.execute(tx.q);
  for (const draft of rows) await close(tx, draft);
}

async function close(tx: BareWriteTx, draft: ProposalRow): Promise<void> {
  const rows = await selectPlannedChanges(tx, draft.id);
  const unused = await findUnused(tx, draft, rows.map(toPlanned));
  const left = rows.filter(({ sequence }) => !unused.has(sequence));
  if (left.length === 0) {
    await deleteProposal(tx, draft.id);
    return;
  }
  await replaceChanges(tx, draft.id, [], [...unused]);
  const calls = JSON.stringify(withCounts(JSON.parse(draft.calls) as ProposalRecord['calls'], left));
  const closed = { ...draft, ...summaryOf(left), calls, status: 'proposed', ...(await waitingFrom(tx)) };
  await updateProposal(tx, draft.id, closed);
  await announce(tx, closed);
}

/** Tags, categories, series and counterparties that others propose too, and that nothing in the plan came to need. */
async function findUnused(tx: BareWriteTx, draft: ProposalRow, plan: readonly StoredChange[]): Promise<Set<number>> {
  const proposer = { principalId: draft.principal_id ?? '', workflowId: draft.workflow_id };
  const held = await findHeld(tx, proposer, draft.id, plan.filter(isNamed), plan);
  return withoutNeeded(new Set(held.keys()), plan);
}

/** From when and until when a person can decide. */
export async function waitingFrom(tx: BareWriteTx): Promise<{ proposed_at: string; expires_at: string }> {
  const days = await readProposalDays(tx);
  return { proposed_at: tx.now, expires_at: instantAfter(tx.now, days * DAY_MS) };
}

/** Of an agent that makes a proposal a call, the household is told of the first in an hour. */
export async function announceFirst(tx: BareWriteTx, proposal: ProposalRow): Promise<void> {
  const since = instantAfter(tx.now, -LIMITS.proposalNewsMs);
  const { rows } = await sql`select 1 from proposals where principal_id = ${proposal.principal_id}
    and id <> ${proposal.id} and status = 'proposed' and expires_at > ${tx.now} and proposed_at > ${since} limit 1`.execute(
    tx.q,
  );
  if (rows.length === 0) await announce(tx, proposal);
}

/** Tells the household that there is something to decide. */
async function announce(tx: BareWriteTx, proposal: ProposalRow): Promise<void> {
  const { id, proposer_name: name, change_count: count } = proposal;
  await raise(tx, {
    event: 'proposal.created',
    occurrenceId: id,
    priority: 'info',
    title: `${name} proposes ${count === 1 ? '1 change' : `${count} changes`}`,
    body: null,
    data: { proposal_id: id },
    subjectType: 'proposal',
    subjectId: id,
  });
}
