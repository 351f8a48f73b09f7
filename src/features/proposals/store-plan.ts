import { planTooLarge } from '../../journal/recording.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { actorOf } from '../handler.ts';
import { announce, titleOfRun, waitingFrom } from './close-plans.queries.ts';
import { describeRows } from './describe-rows.queries.ts';
import type { MergedChange } from './merge-plan.ts';
import { internalOf, summaryOf, withCounts } from './planned-changes.ts';
import type { PlanCaller } from './plan-write.ts';
import {
  deleteProposal,
  insertProposal,
  replaceChanges,
  updateProposal,
  type ChangeRow,
  type ProposalRow,
} from './proposals.queries.ts';
import type { ProposalRecord } from './proposals.table.ts';

/** A plan after a call. */
export interface StoredPlan {
  id: string;
  shortId: string;
  callCount: number;
  changeCount: number;
}

interface Growth {
  /** The proposal that grows; null for a new one. */
  open: ProposalRow | null;
  rows: readonly ChangeRow[];
  added: readonly MergedChange[];
  dropped: ReadonlySet<number>;
}

/**
 * Stores what a call adds to a plan. Answers null if there is none: a proposal without changes is deleted, unless its run
 * may still add to it.
 * @throws PLAN_TOO_LARGE
 */
export async function storePlan(
  tx: WriteTx,
  caller: PlanCaller,
  { open, rows, added, dropped }: Growth,
): Promise<StoredPlan | null> {
  if (added.length === 0 && dropped.size === 0) return open && briefly(open);
  const proposal = open ?? (await newProposal(tx, caller));
  const before = JSON.parse(proposal.calls) as ProposalRecord['calls'];
  const { tool } = caller.plan;
  const call = { call: before.length + 1, tool, reason: caller.request.reason, change_count: 0 };
  const made = await rowsOf(tx, proposal.id, call.call, added);
  const replaced = new Set([...dropped, ...made.map(({ sequence }) => sequence)]);
  const all = [...rows.filter(({ sequence }) => !replaced.has(sequence)), ...made];
  all.sort((a, b) => a.sequence - b.sequence);
  if (all.length > LIMITS.proposalChanges) throw planTooLarge();
  if (all.length === 0 && proposal.status !== 'draft') {
    await deleteProposal(tx, proposal.id);
    return null;
  }
  const calls = JSON.stringify(withCounts([...before, call], all));
  const grown = { ...proposal, ...summaryOf(all), calls };
  if (open) await updateProposal(tx, open.id, grown);
  else await insertProposal(tx, grown);
  await replaceChanges(tx, proposal.id, made, [...dropped]);
  if (!open && grown.status === 'proposed') await announce(tx, grown);
  return briefly(grown);
}

function briefly({ id, short_id: shortId, calls, change_count: changeCount }: ProposalRow): StoredPlan {
  return { id, shortId, callCount: (JSON.parse(calls) as unknown[]).length, changeCount };
}

async function newProposal(tx: WriteTx, { principal, plan }: PlanCaller): Promise<ProposalRow> {
  const actor = actorOf(principal);
  const { runId } = plan;
  const state =
    runId === null
      ? { status: 'proposed', title: plan.tool, ...(await waitingFrom(tx)) }
      : { status: 'draft', title: await titleOfRun(tx, runId), proposed_at: null, expires_at: null };
  return {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'proposals'),
    ...state,
    source: plan.source,
    workflow_id: plan.workflowId,
    run_id: runId,
    principal_id: plan.principalId,
    proposer_type: actor.type,
    proposer_id: actor.id,
    proposer_name: actor.name,
    calls: '[]',
    ...summaryOf([]),
    created_at: tx.now,
    decided_at: null,
    decider_type: null,
    decider_id: null,
    decider_name: null,
    decision_note: null,
    applied_count: 0,
    skipped_count: 0,
    change_set_id: null,
  };
}

async function rowsOf(
  tx: WriteTx,
  proposalId: string,
  call: number,
  added: readonly MergedChange[],
): Promise<ChangeRow[]> {
  const descriptions = await describeRows(tx, added);
  return added.map(({ change }, index) => ({
    proposal_id: proposalId,
    sequence: change.sequence,
    call,
    entity_type: change.entityType,
    entity_id: change.entityId,
    entity_short_id: change.entityShortId,
    operation: change.operation,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
    internal: internalOf(change),
    transaction_id: change.transactionId,
    source: change.source,
    rule_id: change.ruleId,
    applied_by: change.appliedBy,
    ...(descriptions[index] as (typeof descriptions)[number]),
    outcome: null,
  }));
}
